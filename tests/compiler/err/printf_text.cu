// A format that is not known when the kernel is compiled: OpenCL's printf takes a literal.
#include <cstdio>

extern "C" __global__ void k(const char *text, int n)
{
    printf("100%% of %d %s\n", n, n > 3 ? "many" : "few");
    printf(text, n);
    printf("%lld %s\n", (long long)n, text);
}
