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

/* A block per row. */
template <class T>
QK_DEVICE void gather(float *out, const T *table, const qk_i32 *ids, qk_u32 rows, qk_u32 n,
                      qk_u32 table_rows)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_span mine = qk_share(rows, qk_block(), qk_blocks());
    for (qk_u64 r = mine.begin; r < mine.end; r += mine.step) {
        const qk_u32 id = (qk_u32)ids[r]; /* a negative one is large */
        const bool valid = id < table_rows;
        const T *from = table + (qk_u64)(valid ? id : 0) * n;
        float *to = out + r * n;
        const qk_u64 packs = valid && qk_packs(to, n) ? qk_packs(from, n) : 0;
        const qk_span s = qk_share(packs, qk_thread(), qk_threads());
        for (qk_u64 p = s.begin; p < s.end; p += s.step) {
            float v[qk_pack<T>::n];
            qk_load_pack(v, from + p * width);
            qk_store_floats<T>(to + p * width, v);
        }
        const qk_u64 done = packs * width;
        const qk_span rest = qk_share(n - done, qk_thread(), qk_threads());
        for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
            to[i] = valid ? qk_float(from[i]) : qk_nan();
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
