#pragma OPENCL FP_CONTRACT ON

/* pairs, recover_loops.cu:2 */
__kernel void pairs(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int sum = 0;
    int k;
    for (k = 0; k + 4 <= n; k += 4) {
        for (int j = k; j < k + 4; j++)
            sum += in[j] * (i + j);
    }
    for (int j = i; j < n - 1; j++)
        sum ^= in[j] + in[n - 1];
    for (int half_ = i; half_ < n / 2; half_++)
        sum -= in[half_ + n / 2];
    for (; k < n - 1; k++) {
        for (int right = i & 3; right * 2 < k; right++)
            sum += in[right * 2] - k;
    }
    out[i] = sum;
}
