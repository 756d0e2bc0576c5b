// SPDX-License-Identifier: Apache-2.0
// A program in HIP's words.
#include <cstdio>
#include <hip/hip_runtime.h>

__global__ void twice(float *p, int n)
{
    const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
    if (i < n)
        p[i] *= 2;
}

int main()
{
    float *p, h[100];
    for (int i = 0; i < 100; i++)
        h[i] = i;
    hipDeviceProp_t prop;
    bool good = hipGetDeviceProperties(&prop, 0) == hipSuccess;
    good = good && hipMalloc(&p, sizeof h) == hipSuccess;
    good = good && hipMemcpy(p, h, sizeof h, hipMemcpyHostToDevice) == hipSuccess;
    hipLaunchKernelGGL(twice, dim3(4), dim3(32), 0, 0, p, 100);
    good = good && hipGetLastError() == hipSuccess;
    good = good && hipMemcpy(h, p, sizeof h, hipMemcpyDeviceToHost) == hipSuccess;
    for (int i = 0; i < 100; i++)
        good = good && h[i] == 2.0f * i;
    puts(good ? "PASS" : "FAIL");
    return !good;
}
