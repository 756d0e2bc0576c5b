// Declared, defined nowhere, and nothing Quern knows.
extern "C" __device__ int somewhere_else(int);
__device__ int through(int v) { return somewhere_else(v) + 1; }
extern "C" __global__ void run(int *out) { out[threadIdx.x] = through(7); }
