// Dynamic shared memory under two names, used directly and through nested device functions.
extern __shared__ float values[];
extern __shared__ int words[];

__device__ float *second_half(int count)
{
    return values + count;
}

__device__ void put(int i, int count, float v)
{
    second_half(count)[i] = v;
}

extern "C" __global__ void run(float *out, const float *in, int n)
{
    int tid = threadIdx.x, count = blockDim.x;
    values[tid] = in[blockIdx.x * count + tid];
    put(tid, count, values[tid] * 2.0f);
    __syncthreads();
    if (tid == 0)
        words[0] = words[0] ^ (int)0x80000000; // the sign of values[0]
    __syncthreads();
    int i = blockIdx.x * count + tid;
    if (i < n)
        out[i] = values[count - 1 - tid] + second_half(count)[tid];
}
// exercises: expr/expr_variable out/kernel_text
