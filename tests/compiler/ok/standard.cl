#pragma OPENCL FP_CONTRACT ON

struct std_array {
    int _M_elems[4];
};

struct std___qn_leaf {
    int value;
};

struct std___qn_leaf_5 {
    int value;
};

struct std___qn_leaf_6 {
    int value;
};

struct std___qn_tuple_4 {
    struct std___qn_leaf base;
    struct std___qn_leaf_5 base_1;
    struct std___qn_leaf_6 base_2;
};

struct std_tuple_3 {
    struct std___qn_tuple_4 base;
};

/* run, standard.cu:46 */
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
    while (begin1 != (int *)&window + 4) {
        int v = *begin1;
        float t_5 = (float)v;
        bool condition_1 = t_5 > best_1;
        best = condition_1 ? k : best;
        best_1 = condition_1 ? t_5 : best_1;
        begin1 = begin1 + 1;
        k++;
    }
    int kept = window._M_elems[0];
    window._M_elems[0] = *(volatile int *)&window._M_elems[best];
    *(volatile int *)&window._M_elems[best] = kept;
    long wide = window._M_elems[0];
    bool condition = ((int *)&window)[2] < ((int *)&window)[1];
    int value = in[i];
    struct std_tuple_3 three;
    /* standard.cu:35-42 */
    three.base.base.value = value;
    three.base.base_1.value = 2;
    three.base.base_2.value = 3;
    int value_1 = three.base.base.value;
    int value_2 = three.base.base_1.value;
    three.base.base.value = value_1 + 3;
    int t_1 = value + 1;
    int p;
    p = t_1 / 2;
    float q;
    q = (float)t_1 * 0.5f;
    int r;
    r = three.base.base_1.value + 5;
    three.base.base_1.value = 7;
    /* standard.cu:63-65 */
    int t_2 = value / 2 + convert_int_sat((float)value * 0.5f * 4.0f) + value_1 + value_2 * 10 + 3
        + three.base.base.value * 3 + p + convert_int_sat(q) + r + 7 + (int)(wide % 1000) +
        *(condition ? (int *)&window + 2 : (int *)&window + 1) * 3;
    int value_3 = ((int *)&window)[3];
    int value_4 = in[i];
    float t_3 = (float)value_4;
    int t_4 = t_2 + *(condition ? (int *)&window + 1 : (int *)&window + 2) + 4 + (2147483646
        < value_3 ? 2147483646 : value_3) + convert_int_sat(t_3 < 0.0f ? 0.0f : t_3)
        + convert_int_sat(sqrt((float)(int)((uint)k * k))) + (t + 97) + (int)abs(value_4)
        + (isnan(best_1) ? 1 : 0);
    out[i] = t_4 + 255;
}
