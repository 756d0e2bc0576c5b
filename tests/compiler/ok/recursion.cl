#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* run, recursion.cu:31 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int w[4];
    for (int k = 0; k < 4; k++)
        w[k] = in[i] + k * k;
    /* recursion.cu:24-27 */
    for (int i_1 = 0; i_1 < 1; i_1++) {
        int a_1 = w[i_1];
        int t = i_1 + 1;
        int b = w[t];
        w[i_1] = a_1 + b;
        w[t] = a_1 - b;
    }
    /* recursion.cu:24-27 */
    for (int i_2 = 0; i_2 < 1; i_2++) {
        int a_2 = (w + 2)[i_2];
        int t = i_2 + 1;
        int b = (w + 2)[t];
        (w + 2)[i_2] = a_2 + b;
        (w + 2)[t] = a_2 - b;
    }
    /* recursion.cu:24-27 */
    for (int i_3 = 0; i_3 < 2; i_3++) {
        int a_3 = w[i_3];
        int t = i_3 + 2;
        int b = w[t];
        w[i_3] = a_3 + b;
        w[t] = a_3 - b;
    }
    int accumulator = 1;
    for (int n_1 = i % 13; n_1 >= 2; n_1--)
        accumulator *= n_1;
    /* recursion.cu:38-42 */
    int r = 144 + accumulator;
    int a = in[i] & 0x3ff;
    int old_a;
    for (int b = n; b != 0; b = qn_rem_i32(old_a, b)) {
        old_a = a;
        a = b;
    }
    {
        r += a;
        if (i != 0) {
            int n_2 = i - 1u;
            for (;;) {
                if (n_2 == 0)
                    goto label1;
                uint t_1 = n_2 - 1u;
                if (t_1 == 0)
                    break;
                n_2 = t_1 - 1;
            }
        }
        double t = (double)(in[i] & 3);
        r += (int)(t * (t * (t * (t * t))));
    }
    label1:;
    out[i] = r + w[i & 3];
}
