/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_codebook.cuh: formats whose codes are numbers of entries of a codebook: eight elements, or
 * two times four. A format F has F::eight(out, block, g), the elements 8 g .. 8 g + 7 of a block of
 * 256, scale and all. */
#ifndef QUERN_CODEBOOK_CUH
#define QUERN_CODEBOOK_CUH

#include "quern_weights.cuh"

template <class F> struct qk_codebook_of : qk_blocks_of<F> {
    enum {
        elems = 256,
        run = QK_RUN(8),
        runs = 1,
        gap = 0,
        scales = 1,
        zero = 0,
        has_scale = 0,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * run;
    }
    static __device__ __forceinline__ void load(qk_piece<F> *q, const qk_u8 *block, qk_u32 part)
    {
        float all[run];
#pragma unroll
        for (int j = 0; j < run / 8; j++)
            F::eight(all + 8 * j, block, start(part) / 8 + j);
        qk_take_run(&q->v[0], all);
        q->scale[0] = 1.0f;
        q->offset[0] = 0.0f;
    }
};

QK_DEVICE qk_u32 qk_u16_at(const qk_u8 *p)
{
    return (qk_u32) * (const qk_u16 *)p;
}

/* Four bits: the lower half of the byte for an even index. */
QK_DEVICE qk_u32 qk_half_byte(const qk_u8 *p, qk_u32 index)
{
    return (qk_u32)p[index / 2] >> index % 2 * 4 & 15u;
}

/* Eight signs of which seven are stored: the number of negative ones is even. */
QK_DEVICE qk_u32 qk_signs_of_seven(qk_u32 seven)
{
    qk_u32 odd = seven ^ seven >> 4;
    odd ^= odd >> 2;
    odd ^= odd >> 1;
    return seven | (odd & 1u) << 7;
}

/* Values of iq2: 8, 25, 43 for codes 0, 1, 2 of two bits. */
QK_DEVICE void qk_iq2_eight(float *out, qk_u32 entry, qk_u32 signs, float scale)
{
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const qk_u32 code = entry >> 2 * k & 3u;
        const float x = scale * (float)(8 + 17 * code + (code >> 1));
        out[k] = signs >> k & 1u ? -x : x;
    }
}

/* step code + first, of four codes of three bits each; the largest code has `more` besides. */
QK_DEVICE void qk_iq3_four(float *out, qk_u32 entry, qk_u32 signs, float scale, qk_u32 step,
                           qk_u32 first, qk_u32 more)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const qk_u32 code = entry >> 3 * k & 7u;
        const float x = scale * (float)(first + step * code + (code == 7 ? more : 0));
        out[k] = signs >> k & 1u ? -x : x;
    }
}

/* -1, 0 or 1, moved by an eighth. */
QK_DEVICE void qk_iq1_eight(float *out, qk_u32 entry, bool is_less, float scale)
{
    const float delta = is_less ? -1.125f : -0.875f;
#pragma unroll
    for (int k = 0; k < 8; k++)
        out[k] = scale * ((float)(entry >> 2 * k & 3u) + delta);
}

#endif
