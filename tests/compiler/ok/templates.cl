#pragma OPENCL FP_CONTRACT ON

/* run<int, 3>, templates.cu:13 */
__kernel void run_int_3(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int sum = 0;
    int sum_1 = 1;
    for (int k = 0; k < 3; k++) {
        sum += in[i];
        sum_1 += in[(i + k) % n];
    }
    out[i] = 2 * sum + (i + 3) - sum_1;
}
