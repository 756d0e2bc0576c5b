// A variable of another source file.
extern __device__ float somewhere[];
extern "C" __global__ void run(float *out) { out[threadIdx.x] = somewhere[threadIdx.x]; }
