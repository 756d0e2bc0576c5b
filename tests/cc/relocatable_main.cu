// SPDX-License-Identifier: Apache-2.0
// -rdc=true: a kernel that calls a function and reads a variable of another file.
#include "check.h"

extern __device__ int twice(int x);
extern __device__ int offset;

__global__ void k(int *p)
{
    p[threadIdx.x] = twice(threadIdx.x) + offset;
}

int main()
{
    int *p, h[4];
    GOOD(cudaMalloc(&p, sizeof h));
    k<<<1, 4>>>(p);
    GOOD(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 1000 && h[3] == 1006);
    FINISH();
}
