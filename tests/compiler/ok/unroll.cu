// Hints on loops are kept, in the target's words; not where a barrier stands in the loop.
extern "C" __global__ void run(float *out, const float *in, int n)
{
    __shared__ float tile[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; k++)
        sum += in[i + k];
#pragma unroll 2
    for (int k = 0; k < n; k++)
        sum += in[k];
#pragma unroll 1
    for (int k = n; k > 0; k -= 3)
        sum *= in[k];
#pragma clang loop vectorize(enable) vectorize_width(8)
    for (int k = 0; k < n; k++)
        out[i + k] = sum;
    int left = n;
#pragma unroll 4
    while (left > 0)
        left -= 2;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        tile[threadIdx.x & 3] = sum;
        __syncthreads();
        sum += tile[k] + left;
        __syncthreads();
    }
    out[i] = sum;
}
// exercises: stmt/loop_hints
