// SPDX-License-Identifier: Apache-2.0
// A kernel that faults: the error stays until cudaDeviceReset().
#include "check.h"

__global__ void stray(int *p)
{
    *p = 1;
}
__global__ void fine(int *p)
{
    *p = 2;
}

int main()
{
    int *p;
    GOOD(cudaMalloc(&p, 4));
    stray<<<1, 1>>>((int *)16);
    const cudaError_t error = cudaDeviceSynchronize();
    EXPECT(error == cudaErrorIllegalAddress);
    EXPECT(cudaMemset(p, 0, 4) == error);
    fine<<<1, 1>>>(p);
    EXPECT(cudaGetLastError() == error);
    GOOD(cudaDeviceReset());
    GOOD(cudaMalloc(&p, 4));
    fine<<<1, 1>>>(p);
    int h = 0;
    GOOD(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost));
    EXPECT(h == 2);
    FINISH();
}
