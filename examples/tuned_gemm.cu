// SPDX-License-Identifier: Apache-2.0
// A product of square matrices whose block size, columns for each thread and unrolling are left open, for
// `quern tune` (docs/tune.md).
//
// quern tune: BLOCK = 32, 64, 128; COLS = 1, 2, 4, 8; UNROLL = 1, 2, 4, 8
// quern tune items: BLOCK * COLS
#ifndef BLOCK
#define BLOCK 32
#define COLS 1
#define UNROLL 1
#endif
extern "C" __global__ void tuned_gemm(float *c, const float *a, const float *b, int n)
{
    const int first = (blockIdx.x * BLOCK + threadIdx.x) * COLS;
    const int row = first / n, col = first % n;
    float sum[COLS] = {0};
#pragma unroll UNROLL
    for (int k = 0; k < n; k++)
        for (int j = 0; j < COLS; j++)
            sum[j] += a[row * n + k] * b[k * n + col + j];
    for (int j = 0; j < COLS; j++)
        c[row * n + col + j] = sum[j];
}
