// A header that is refused, where a kernel needs it.
#include <curand_kernel.h>
__global__ void k(curandState *state, float *x)
{
    *x = curand_uniform(state);
}
