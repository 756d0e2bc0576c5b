// Random numbers in kernels. A kernel that only has the states is no concern.
#include <curand_kernel.h>

__global__ void draw(float *x, curandState *states)
{
    curandState s = states[threadIdx.x];
    x[threadIdx.x] = curand_uniform(&s);
    states[threadIdx.x] = s;
}

__global__ void seed(curandStatePhilox4_32_10_t *states)
{
    curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]);
}

__global__ void copy(curandState *to, const curandState *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
