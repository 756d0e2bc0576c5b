// A device function that calls itself.
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
extern "C" __global__ void run(int *out) { out[threadIdx.x] = factorial(out[0]); }
