// A width or precision that printf takes from its arguments goes into the format where it is known.
#include <cstdio>
#define WIDTH 5

__global__ void k(const int *in)
{
    printf("100%%* of %*d|%-*d\n", WIDTH, in[0], 2 * WIDTH, in[1]);
    printf("%*d, %.*f %s%*.*f\n", -WIDTH, in[0], 2, (float)in[1], in[2] ? "a" : "b", 8, -1, 1.5);
}
// exercises: model/printf_format
