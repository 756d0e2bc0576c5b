// SPDX-License-Identifier: Apache-2.0
__device__ int offset = 1000;
__device__ int twice(int x)
{
    return 2 * x;
}
