/* SPDX-License-Identifier: Apache-2.0
 *
 * Floats to blocks: for the random models of tests and benches, and for conversion.
 *
 * Each block takes its scale from its extremes, so that the largest element is met exactly (up to
 * f16) and no code overflows; iq4_nl tries a few scales and keeps the best. Codes are chosen
 * against the scale as it is stored where that helps, so nothing is rounded twice. Tools that
 * search longer make better files of the same format. Layouts are in format_blocks.h. */
#include "kernels/format_pack.h"

#include "kernels/format_blocks.h"
#include "kernels/format_unpack.h"
#include "kernels/ref/ref.h"

#include <float.h>
#include <math.h>
#include <string.h>

void qn__pack_f32(void *blocks, const float *in, uint64_t n)
{
    memcpy(blocks, in, n * sizeof *in);
}

void qn__pack_f16(void *blocks, const float *in, uint64_t n)
{
    unsigned char *p = blocks;
    for (uint64_t i = 0; i < n; i++) {
        const uint16_t bits = qn__half_of_float(in[i]);
        memcpy(p + 2 * i, &bits, sizeof bits);
    }
}

void qn__pack_bf16(void *blocks, const float *in, uint64_t n)
{
    unsigned char *p = blocks;
    for (uint64_t i = 0; i < n; i++) {
        const uint16_t bits = qn__bf16_of_float(in[i]);
        memcpy(p + 2 * i, &bits, sizeof bits);
    }
}

/* Head of a packer: for each block `in` at its first element and a zeroed `b` to fill. */
#define PACKER(name, elems)                                                                        \
    static void block_##name(struct qn__block_##name *b, const float *in);                         \
    void qn__pack_##name(void *blocks, const float *in, uint64_t n)                                \
    {                                                                                              \
        unsigned char *p = blocks;                                                                 \
        for (; n >= (elems); n -= (elems)) {                                                       \
            struct qn__block_##name b = {0};                                                       \
            block_##name(&b, in);                                                                  \
            memcpy(p, &b, sizeof b);                                                               \
            p += sizeof b;                                                                         \
            in += (elems);                                                                         \
        }                                                                                          \
    }                                                                                              \
    static void block_##name(struct qn__block_##name *b, const float *in)

/* The element of largest magnitude, with its sign. */
static float extreme(const float *in, int n)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = fabsf(in[i]) > fabsf(most) ? in[i] : most;
    return most;
}

static void range(const float *in, int n, float *low, float *high)
{
    *low = *high = in[0];
    for (int i = 1; i < n; i++) {
        *low = fminf(*low, in[i]);
        *high = fmaxf(*high, in[i]);
    }
}

/* 1/x where x can divide; a block of scale 0 has only zeros. */
static float inverse(float x)
{
    return x != 0.0f ? 1.0f / x : 0.0f;
}

/* x rounded half away from zero, in low .. high; NaN gives low. */
static int code(float x, int low, int high)
{
    if (!(x > (float)low))
        return low;
    return x >= (float)high ? high : (int)roundf(x);
}

static void put_nibble(uint8_t qs[16], int i, int q)
{
    qs[i % 16] |= (uint8_t)(i < 16 ? q & 15 : (q & 15) << 4);
}

static void put_bit(uint8_t *bits, int i, int bit)
{
    bits[i / 8] |= (uint8_t)(bit << i % 8);
}

/* -- blocks of 32 -- */

/* The extreme element gets the code with the most room: -8 of -8 .. 7. */
PACKER(q4_0, 32)
{
    const float d = extreme(in, 32) / -8.0f, per_d = inverse(d);
    b->d = qn__half_of_float(d);
    for (int i = 0; i < 32; i++)
        put_nibble(b->qs, i, code(in[i] * per_d, -8, 7) + 8);
}

PACKER(q4_1, 32)
{
    float low, high;
    range(in, 32, &low, &high);
    const float d = (high - low) / 15.0f, per_d = inverse(d);
    b->d = qn__half_of_float(d);
    b->m = qn__half_of_float(low);
    for (int i = 0; i < 32; i++)
        put_nibble(b->qs, i, code((in[i] - low) * per_d, 0, 15));
}

PACKER(q5_0, 32)
{
    const float d = extreme(in, 32) / -16.0f, per_d = inverse(d);
    b->d = qn__half_of_float(d);
    for (int i = 0; i < 32; i++) {
        const int q = code(in[i] * per_d, -16, 15) + 16;
        put_nibble(b->qs, i, q);
        put_bit(b->qh, i, q >> 4);
    }
}

PACKER(q5_1, 32)
{
    float low, high;
    range(in, 32, &low, &high);
    const float d = (high - low) / 31.0f, per_d = inverse(d);
    b->d = qn__half_of_float(d);
    b->m = qn__half_of_float(low);
    for (int i = 0; i < 32; i++) {
        const int q = code((in[i] - low) * per_d, 0, 31);
        put_nibble(b->qs, i, q);
        put_bit(b->qh, i, q >> 4);
    }
}

PACKER(q8_0, 32)
{
    const float d = fabsf(extreme(in, 32)) / 127.0f, per_d = inverse(d);
    b->d = qn__half_of_float(d);
    for (int i = 0; i < 32; i++)
        b->qs[i] = (int8_t)code(in[i] * per_d, -127, 127);
}

static int nearest_value(float x)
{
    int best = 0;
    for (int q = 1; q < 16; q++)
        if (fabsf(x - (float)qn__iq4_nl_values[q]) < fabsf(x - (float)qn__iq4_nl_values[best]))
            best = q;
    return best;
}

/* The steps are not even, so meeting the extreme exactly may not be best: scales that put it on
 * values between -96 and -144 compete. */
PACKER(iq4_nl, 32)
{
    const float most = extreme(in, 32);
    float best_error = FLT_MAX;
    for (int top = -144; top <= -96; top += 4) {
        const uint16_t bits = qn__half_of_float(most / (float)top);
        const float d = qn__float_of_half(bits), per_d = inverse(d);
        float error = 0;
        for (int i = 0; i < 32; i++) {
            const float off = in[i] - d * (float)qn__iq4_nl_values[nearest_value(in[i] * per_d)];
            error += off * off;
        }
        if (error < best_error) {
            best_error = error;
            b->d = bits;
        }
    }
    const float per_d = inverse(qn__float_of_half(b->d));
    for (int i = 0; i < 32; i++)
        put_nibble(b->qs, i, nearest_value(in[i] * per_d));
}

/* -- blocks of 256 -- */

/* Eight scales and minima of 6 bits in 12 bytes, as qn__scale_min_k() reads them. */
static void put_scale_min(uint8_t scales[12], int i, int scale, int min)
{
    if (i < 4) {
        scales[i] |= (uint8_t)scale;
        scales[i + 4] |= (uint8_t)min;
    } else {
        scales[i + 4] |= (uint8_t)((scale & 15) | (min & 15) << 4);
        scales[i - 4] |= (uint8_t)(scale >> 4 << 6);
        scales[i] |= (uint8_t)(min >> 4 << 6);
    }
}

/* Codes 0 .. top of 256 elements for q4_k and q5_k, their scales, and their minima: of each
 * sub-block x = d scale q - dmin min. A minimum is never above 0. */
static void pack_with_min(const float *in, int top, uint16_t *d_bits, uint16_t *dmin_bits,
                          uint8_t scales[12], int q[256])
{
    float step[8], min[8], most_step = 0, most_min = 0;
    for (int s = 0; s < 8; s++) {
        float low, high;
        range(in + 32 * s, 32, &low, &high);
        min[s] = fmaxf(0, -low);
        step[s] = fmaxf(0, high + min[s]) / (float)top;
        most_step = fmaxf(most_step, step[s]);
        most_min = fmaxf(most_min, min[s]);
    }
    *d_bits = qn__half_of_float(most_step / 63.0f);
    *dmin_bits = qn__half_of_float(most_min / 63.0f);
    const float d = qn__float_of_half(*d_bits), dmin = qn__float_of_half(*dmin_bits);
    for (int s = 0; s < 8; s++) {
        const int scale = code(step[s] * inverse(d), 0, 63);
        const int floor_ = code(min[s] * inverse(dmin), 0, 63);
        const float per_step = inverse(d * (float)scale), offset = dmin * (float)floor_;
        put_scale_min(scales, s, scale, floor_);
        for (int i = 32 * s; i < 32 * s + 32; i++)
            q[i] = code((in[i] + offset) * per_step, 0, top);
    }
}

static void put_nibble_k(uint8_t qs[128], int i, int q)
{
    qs[i / 64 * 32 + i % 32] |= (uint8_t)(i % 64 < 32 ? q & 15 : (q & 15) << 4);
}

PACKER(q4_k, 256)
{
    int q[256];
    pack_with_min(in, 15, &b->d, &b->dmin, b->scales, q);
    for (int i = 0; i < 256; i++)
        put_nibble_k(b->qs, i, q[i]);
}

PACKER(q5_k, 256)
{
    int q[256];
    pack_with_min(in, 31, &b->d, &b->dmin, b->scales, q);
    for (int i = 0; i < 256; i++) {
        put_nibble_k(b->qs, i, q[i]);
        b->qh[i % 32] |= (uint8_t)(q[i] >> 4 << i / 32);
    }
}

/* Each sub-block's extreme gets code -32, the largest of them scale -128. */
PACKER(q6_k, 256)
{
    float step[16];
    for (int s = 0; s < 16; s++)
        step[s] = extreme(in + 16 * s, 16) / -32.0f;
    b->d = qn__half_of_float(extreme(step, 16) / -128.0f);
    const float d = qn__float_of_half(b->d);
    for (int i = 0; i < 256; i++) {
        const int scale = code(step[i / 16] * inverse(d), -128, 127);
        const int q = code(in[i] * inverse(d * (float)scale), -32, 31) + 32;
        b->scales[i / 16] = (int8_t)scale;
        b->ql[i / 128 * 64 + i % 64] |= (uint8_t)(i % 128 < 64 ? q & 15 : (q & 15) << 4);
        b->qh[i / 128 * 32 + i % 32] |= (uint8_t)(q >> 4 << (i % 128 / 32 * 2));
    }
}
