// An initial value that holds an address: refused where a kernel uses the variable, the other kernel is not hit.
__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int *first = numbers;

extern "C" __global__ void run(int *out)
{
    out[threadIdx.x] = *first;
}

extern "C" __global__ void other(int *out)
{
    out[threadIdx.x] = numbers[threadIdx.x & 3];
}
