// SPDX-License-Identifier: Apache-2.0
// Variables that have the names of quern_c.h's macros.
extern "C" __global__ void run(int *out, int n)
{
    int blockIdx_x = blockIdx.x, threadIdx_x = threadIdx.x, blockDim_x = blockDim.x;
    int i = blockIdx_x * blockDim_x + threadIdx_x;
    if (i < n)
        out[i] = blockIdx_x + 2 * threadIdx_x;
}
