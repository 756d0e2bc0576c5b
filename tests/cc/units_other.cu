// SPDX-License-Identifier: Apache-2.0
#include "units.h"

static __device__ int hidden = 20;
static __global__ void local(int *p)
{
    *p += hidden;
}
__global__ void units_start(int *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = threadIdx.x + 100;
}
int units_in_other(int *p)
{
    local<<<1, 1>>>(p);
    return cudaGetLastError();
}
