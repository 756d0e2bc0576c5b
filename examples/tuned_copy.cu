// SPDX-License-Identifier: Apache-2.0
// A copy whose block size and work for each thread are left open, for `quern tune` (docs/tune.md).
//
// quern tune: BLOCK = 32, 64, 128, 256, 512; EACH = 1, 2, 4, 8, 16
// quern tune where: BLOCK * EACH <= 4096
// quern tune items: BLOCK * EACH
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef EACH
#define EACH 1
#endif
extern "C" __global__ void tuned_copy(float *y, const float *x, float a, int n)
{
    const int first = blockIdx.x * BLOCK * EACH + threadIdx.x;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = first + k * BLOCK;
        if (i < n)
            y[i] = a * x[i] + 1.0f;
    }
}
