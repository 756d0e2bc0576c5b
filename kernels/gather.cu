/* SPDX-License-Identifier: Apache-2.0
 *
 * gather: out[r][i] = table[ids[r]][i], token ids to embedding rows
 *
 *   out        (rows, n) f32
 *   table      (table_rows, n) f32 or f16
 *   ids        (rows) i32; an id outside 0 .. table_rows-1 gives a row of NaN
 *   rows, n    any
 *   grid       any; block any multiple of the wave; shared none
 *   computes   nothing: the conversion is exact
 *   tolerance  0
 *   source     the definition */
#include "quern_kernel.cuh"

template <class T>
QK_DEVICE void gather(float *out, const T *table, const qk_i32 *ids, qk_u32 rows, qk_u32 n,
                      qk_u32 table_rows)
{
    const qk_span s = qk_grid_share((qk_u64)rows * n);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u32 id = (qk_u32)ids[i / n];
        out[i] = id < table_rows ? qk_float(table[(qk_u64)id * n + i % n]) : qk_nan();
    }
}

extern "C" __global__ void gather_f32(float *__restrict__ out, const float *__restrict__ table,
                                      const qk_i32 *__restrict__ ids, qk_u32 rows, qk_u32 n,
                                      qk_u32 table_rows)
{
    gather(out, table, ids, rows, n, table_rows);
}

extern "C" __global__ void gather_f16(float *__restrict__ out, const qk_half *__restrict__ table,
                                      const qk_i32 *__restrict__ ids, qk_u32 rows, qk_u32 n,
                                      qk_u32 table_rows)
{
    gather(out, table, ids, rows, n, table_rows);
}
