#pragma OPENCL FP_CONTRACT ON

struct std_array {
    int _M_elems[4];
};

/* run, standard.cu:26 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    struct std_array window;
    window._M_elems[0] = in[i];
    ((int *)&window)[1] = in[(i + 1) % n];
    int t = i + 2;
    ((int *)&window)[2] = in[t % n];
    ((int *)&window)[3] = in[(i + 3) % n];
    int k = 0;
    int best = 0;
    float best_1 = -1e+30f;
    int *begin1 = (int *)&window;
    while (begin1 != ((int *)&window) + 4) {
        int v = *begin1;
        float t_3 = (float)v;
        bool condition_1 = t_3 > best_1;
        best = condition_1 ? k : best;
        best_1 = condition_1 ? t_3 : best_1;
        begin1 = begin1 + 1;
        k++;
    }
    int kept = window._M_elems[0];
    window._M_elems[0] = window._M_elems[best];
    window._M_elems[best] = kept;
    long wide = window._M_elems[0];
    bool condition = ((int *)&window)[2] < ((int *)&window)[1];
    int value = ((int *)&window)[3];
    int value_1 = in[i];
    float t_1 = (float)value_1;
    int t_2 = (int)(wide % 1000) + *(condition ? ((int *)&window) + 2 : ((int *)&window) + 1) * 3 +
        *(condition ? ((int *)&window) + 1 : ((int *)&window) + 2) + 4 + (2147483646 < value
        ? 2147483646 : value) + (int)(t_1 < 0.0f ? 0.0f : t_1) + (int)sqrt((float)(k * k));
    out[i] = t_2 + (t + 97) + (int)abs(value_1) + (isnan(best_1) ? 1 : 0) + 255;
}
