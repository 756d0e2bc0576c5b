// A width that printf would take from its arguments; %% before a star is none.
#include <cstdio>

__global__ void k(int *out)
{
    printf("100%%* of %d\n", out[0]);
    printf("%*d\n", 5, out[0]);
    printf("%5.2f %-8.*f\n", 1.0f, 2, (float)out[1]);
}
