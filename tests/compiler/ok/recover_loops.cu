// Loops whose heads do something for others as well: each stays the for it is.
extern "C" __global__ void pairs(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0, k = 0;
    for (; k + 4 <= n; k += 4) // the step is what the test computes
        for (int j = k; j < k + 4; j++)
            sum += in[j] * (i + j);
    for (int j = i; j < n - 1; j++)
        sum ^= in[j] + in[n - 1];
    for (int half = i; half < n / 2; half++)
        sum -= in[half + n / 2];
    for (int left = k; left < n - 1; left++)
        for (int right = i & 3; right * 2 < left; right++)
            sum += in[right * 2] - left;
    out[i] = sum;
}
// exercises: stmt/recover_loops lower/split_loop_step
