#pragma OPENCL FP_CONTRACT ON

/* run<int, 3>, templates.cu:13 */
__kernel void run_int_3(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int sum = 0;
    int sum_1 = 1;
    int k = 0;
    while (k < 3) {
        int k_1 = k + 1;
        sum += in[i];
        sum_1 += in[(i + k) % n];
        k = k_1;
    }
    out[i] = 2 * sum + (i + 3) - sum_1;
}
