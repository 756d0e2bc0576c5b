// Work-efficient exclusive scan in shared memory, then the block's sum.
extern "C" __global__ void scan(unsigned *data, unsigned *sums, int n)
{
    extern __shared__ unsigned temp[];
    const int tid = threadIdx.x;
    const int base = 2 * blockIdx.x * blockDim.x;
    int offset = 1;
    temp[2 * tid] = base + 2 * tid < n ? data[base + 2 * tid] : 0;
    temp[2 * tid + 1] = base + 2 * tid + 1 < n ? data[base + 2 * tid + 1] : 0;
    for (int d = blockDim.x; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (tid == 0) {
        sums[blockIdx.x] = temp[2 * blockDim.x - 1];
        temp[2 * blockDim.x - 1] = 0;
    }
    for (int d = 1; d < 2 * (int)blockDim.x; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            unsigned t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (base + 2 * tid < n)
        data[base + 2 * tid] = temp[2 * tid];
    if (base + 2 * tid + 1 < n)
        data[base + 2 * tid + 1] = temp[2 * tid + 1];
}
// exercises: expr/expr_variable lower/split_loop_step
