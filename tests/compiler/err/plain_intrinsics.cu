// What clang makes of plain C++ and nothing in OpenCL C can do.
extern "C" __global__ void breakpoint(int *out)
{
    __builtin_debugtrap();
    out[0] = 1;
}

extern "C" __global__ void cycles(long long *out)
{
    out[0] = __builtin_readcyclecounter();
}

extern "C" __global__ void caller(void **out)
{
    out[0] = __builtin_return_address(0);
    out[1] = __builtin_frame_address(0);
}

extern "C" __global__ void length(int *out, int n)
{
    int *values = (int *)__builtin_alloca(4 * n);
    for (int i = 0; i < n; i++)
        values[i] = out[i];
    out[0] = values[out[1]];
}
