// Static shared memory and a tree with barriers.
extern "C" __global__ void run(float *out, const float *in, int n)
{
    __shared__ float sums[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride)
            sums[tid] += sums[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sums[0];
}
// exercises: stmt/divergence stmt/recover_ternaries
