// The Mersenne Twister. A kernel that only has its state is no concern, nor are other generators.
#include <curand_kernel.h>

__global__ void draw(float *x, curandStateMtgp32 *states)
{
    x[threadIdx.x] = curand_uniform(&states[blockIdx.x]);
}

__global__ void count(unsigned *x, curandStateMtgp32_t *states)
{
    x[threadIdx.x] = curand_poisson(&states[blockIdx.x], 4.0);
}

__global__ void copy(curandStateMtgp32 *to, const curandStateMtgp32 *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
