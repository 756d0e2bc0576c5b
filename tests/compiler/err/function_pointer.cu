// A call through a pointer that the host passes.
typedef int (*operation)(int);
extern "C" __global__ void run(int *out, operation f)
{
    out[threadIdx.x] = f(out[threadIdx.x]);
}
