// Work-items that return before a barrier the others reach, and a uniform loop behind it.
extern "C" __global__ void run(float *out, const float *in, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = 0.0f;
    if (i >= n)
        return;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            tile[threadIdx.x] += tile[threadIdx.x + stride];
        __syncthreads();
    }
    out[i] = tile[0] - in[i];
}
// exercises: stmt/flatten stmt/flatten_uniform
