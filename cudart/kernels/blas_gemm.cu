// SPDX-License-Identifier: Apache-2.0
// C = alpha op(A) op(B) + beta C, matrices stored by columns, a plane of the grid for each of a
// batch. AB, TC (QN_AB, QN_TC, ...): types of the elements; TS: what is added up, and the factors
// by value; TF: the factors in memory. Threads: 16 by 16, each has 4 by 4 elements of a tile of 64
// by 64. grid.x goes along the columns. A batch's matrices are `stride` apart, or where a table of
// pointers says. alpha and beta are the pointers' where there are pointers. Where beta is 0, C is
// not read.
#if QN_HALF
#include <cuda_fp16.h>
#endif
#if QN_BF16
#include <cuda_bf16.h>
#endif
typedef signed char byte;
typedef QN_AB AB;
typedef QN_TC TC;
typedef QN_TS TS;
typedef QN_TF TF;

enum { TILE = 64, DEPTH = 16, SIDE = 16, EACH = 4 };

extern "C" __global__ void __launch_bounds__(256)
    blas_gemm(TC *c, const AB *a, const AB *b, TC *const *cs, const AB *const *as,
              const AB *const *bs, long long stride_c, long long stride_a, long long stride_b,
              int m, int n, int k, int ldc, int lda, int ldb, int turns_a, int turns_b, TS alpha,
              TS beta, const TF *alpha_at, const TF *beta_at)
{
    __shared__ TS left[DEPTH][TILE + 1], right[DEPTH][TILE + 1];
    const int tx = (int)threadIdx.x % SIDE, ty = (int)threadIdx.x / SIDE;
    const int tiles_m = (m + TILE - 1) / TILE;
    const int row = (int)(blockIdx.x % (unsigned)tiles_m) * TILE;
    const int column = (int)(blockIdx.x / (unsigned)tiles_m) * TILE;
    const long long plane = blockIdx.y;
    const AB *const from_a = as ? as[plane] : a + plane * stride_a;
    const AB *const from_b = bs ? bs[plane] : b + plane * stride_b;
    TC *const to = cs ? cs[plane] : c + plane * stride_c;
    const TS by_alpha = alpha_at ? (TS)*alpha_at : alpha;
    const TS by_beta = beta_at ? (TS)*beta_at : beta;
    TS sum[EACH][EACH];
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            sum[i][j] = (TS)0;
    for (int first = 0; first < k; first += DEPTH) {
        for (int at = (int)threadIdx.x; at < TILE * DEPTH; at += SIDE * SIDE) {
            /* neighbours in memory for neighbouring threads */
            const int i = turns_a ? at / DEPTH : at % TILE, p = turns_a ? at % DEPTH : at / TILE;
            const int r = row + i, s = first + p;
            TS v = (TS)0;
            if (r < m && s < k)
                v = (TS)from_a[turns_a ? s + (long long)r * lda : r + (long long)s * lda];
            left[p][i] = v;
        }
        for (int at = (int)threadIdx.x; at < TILE * DEPTH; at += SIDE * SIDE) {
            const int j = turns_b ? at % TILE : at / DEPTH, p = turns_b ? at / TILE : at % DEPTH;
            const int q = column + j, s = first + p;
            TS v = (TS)0;
            if (q < n && s < k)
                v = (TS)from_b[turns_b ? q + (long long)s * ldb : s + (long long)q * ldb];
            right[p][j] = v;
        }
        __syncthreads();
        for (int p = 0; p < DEPTH; p++)
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += left[p][tx + i * SIDE] * right[p][ty + j * SIDE];
        __syncthreads();
    }
    for (int j = 0; j < EACH; j++)
        for (int i = 0; i < EACH; i++) {
            const int r = row + tx + i * SIDE, q = column + ty + j * SIDE;
            if (r >= m || q >= n)
                continue;
            TC *const at = to + r + (long long)q * ldc;
            TS v = by_alpha * sum[i][j];
            if (by_beta != (TS)0)
                v += by_beta * (TS)*at;
            *at = (TC)v;
        }
}
