// A float's width that printf would take from its arguments and that is not known here; %% before a
// star is none.
#include <cstdio>

__global__ void k(int *out)
{
    printf("100%%* of %d\n", out[0]);
    printf("%*.2f\n", out[1], (float)out[0]);
    printf("%5.2f %-8.*f\n", 1.0f, out[2], (float)out[1]);
}
