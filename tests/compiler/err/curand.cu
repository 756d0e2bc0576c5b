// cuRAND's generators are refused where a kernel uses them.
#include <curand_kernel.h>
__global__ void noise(curandState *state, float *out)
{
    out[threadIdx.x] = curand_uniform(&state[threadIdx.x]);
}
