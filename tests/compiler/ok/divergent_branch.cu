// Barriers under conditions that differ between work-items, with an else, nested.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int shared_sum[2];
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    if (threadIdx.x < 2)
        shared_sum[threadIdx.x] = 0;
    __syncthreads();
    if (v > 0) {
        atomicAdd(&shared_sum[0], v);
        __syncthreads();
        v = v * 2 + (shared_sum[0] > 100);
        if (v % 3 == 0) {
            __syncthreads();
            v += 7;
        }
    } else {
        atomicAdd(&shared_sum[1], v);
        __syncthreads();
        v -= 5;
    }
    if (i < n)
        out[i] = v;
}
// exercises: stmt/divergence stmt/flatten stmt/flatten_uniform
