// Bitonic sort of a block's keys in shared memory.
__device__ void order(int &a, int &b, bool up)
{
    if ((a > b) == up) {
        int t = a;
        a = b;
        b = t;
    }
}

extern "C" __global__ void sort(int *keys)
{
    __shared__ int s[512];
    const unsigned tid = threadIdx.x;
    int *mine = keys + blockIdx.x * 512;
    s[tid] = mine[tid];
    s[tid + 256] = mine[tid + 256];
    for (unsigned size = 2; size <= 512; size <<= 1) {
        bool up = (tid & (size / 2)) == 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * tid - (tid & (stride - 1));
            order(s[pos], s[pos + stride], up);
        }
    }
    __syncthreads();
    mine[tid] = s[tid];
    mine[tid + 256] = s[tid + 256];
}
// exercises: lower/internalise stmt/divergence
