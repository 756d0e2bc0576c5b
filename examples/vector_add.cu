// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void vector_add(float *y, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a[i] + b[i];
}
