// A format and a text that are not known when the kernel is compiled: OpenCL's printf takes literals.
#include <cstdio>

extern "C" __global__ void k(const char *text, int n)
{
    printf("100%% of %d %s\n", n, n > 3 ? "many" : "few");
    printf(text, n);
    printf("%d %5s\n", n, text + n);
    printf("%lld %s\n", (long long)n, text);
}
