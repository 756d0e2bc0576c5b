// PTX that has no OpenCL form.
extern "C" __global__ void run(int *out)
{
    int v;
    asm volatile("mma.something %0, %1;" : "=r"(v) : "r"(out[0]));
    out[threadIdx.x] = v;
}
