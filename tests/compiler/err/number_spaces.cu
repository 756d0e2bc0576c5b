// A number that is an address in shared memory and leaves for global memory.
extern "C" __global__ void left(unsigned long long *out, int n)
{
    __shared__ int tile[32];
    out[0] = (unsigned long long)tile;
    __syncthreads();
    out[1] = *(const int *)out[n];
}
