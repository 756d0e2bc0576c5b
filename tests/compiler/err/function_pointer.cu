// A call through a pointer that is chosen at run time.
typedef int (*operation)(int);
__device__ int twice(int v) { return 2 * v; }
__device__ int thrice(int v) { return 3 * v; }
extern "C" __global__ void run(int *out, int which)
{
    operation f = which ? twice : thrice;
    out[threadIdx.x] = f(out[threadIdx.x]);
}
