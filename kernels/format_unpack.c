/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks to floats, bit for bit as the formats define it: products are rounded before a minimum is
 * added, never fused. Layouts are in format_blocks.h. */
#include "kernels/format_unpack.h"

#include "kernels/format_blocks.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <string.h>

#define half qn__float_of_half

const int8_t qn__iq4_nl_values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};

const int8_t qn__e2m1_values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

void qn__unpack_f32(float *out, const void *blocks, uint64_t n)
{
    memcpy(out, blocks, n * sizeof *out);
}

void qn__unpack_f16(float *out, const void *blocks, uint64_t n)
{
    const unsigned char *p = blocks;
    for (uint64_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, p + 2 * i, sizeof bits);
        out[i] = half(bits);
    }
}

void qn__unpack_bf16(float *out, const void *blocks, uint64_t n)
{
    const unsigned char *p = blocks;
    for (uint64_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, p + 2 * i, sizeof bits);
        out[i] = qn__float_of_bf16(bits);
    }
}

/* Head of an unpacker: for each block a local `b` of the format's struct, and `out` at its first
 * element. */
#define UNPACKER(name, elems)                                                                      \
    static void block_##name(float *out, const struct qn__block_##name *b);                        \
    void qn__unpack_##name(float *out, const void *blocks, uint64_t n)                             \
    {                                                                                              \
        const unsigned char *p = blocks;                                                           \
        for (; n >= (elems); n -= (elems)) {                                                       \
            struct qn__block_##name b;                                                             \
            memcpy(&b, p, sizeof b);                                                               \
            block_##name(out, &b);                                                                 \
            p += sizeof b;                                                                         \
            out += (elems);                                                                        \
        }                                                                                          \
    }                                                                                              \
    static void block_##name(float *out, const struct qn__block_##name *b)

/* -- blocks of 32 -- */

static int nibble(const uint8_t qs[16], int i)
{
    return i < 16 ? qs[i] & 15 : qs[i - 16] >> 4;
}

static int bit(const uint8_t *bits, int i)
{
    return bits[i / 8] >> i % 8 & 1;
}

UNPACKER(q4_0, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = half(b->d) * (float)(nibble(b->qs, i) - 8);
}

UNPACKER(q4_1, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = half(b->d) * (float)nibble(b->qs, i) + half(b->m);
}

UNPACKER(q5_0, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = half(b->d) * (float)((nibble(b->qs, i) | bit(b->qh, i) << 4) - 16);
}

UNPACKER(q5_1, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = half(b->d) * (float)(nibble(b->qs, i) | bit(b->qh, i) << 4) + half(b->m);
}

UNPACKER(q8_0, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = half(b->d) * (float)b->qs[i];
}

UNPACKER(iq4_nl, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = half(b->d) * (float)qn__iq4_nl_values[nibble(b->qs, i)];
}

UNPACKER(mxfp4, 32)
{
    for (int i = 0; i < 32; i++)
        out[i] = ldexpf(1.0f, b->e - 128) * (float)qn__e2m1_values[nibble(b->qs, i)];
}

/* Half of an unsigned 8-bit float; its NaN, and only that one, is 0. */
static float half_of_e4m3(uint8_t bits)
{
    const int exponent = bits >> 3 & 15, fraction = bits & 7;
    if (bits == 0x7f)
        return 0.0f;
    return exponent ? ldexpf((float)(8 + fraction), exponent - 11) : ldexpf((float)fraction, -10);
}

UNPACKER(nvfp4, 64)
{
    for (int i = 0; i < 64; i++) {
        const int byte = b->qs[i / 16 * 8 + i % 8], q = i % 16 < 8 ? byte & 15 : byte >> 4;
        out[i] = half_of_e4m3(b->scales[i / 16]) * (float)qn__e2m1_values[q];
    }
}

/* -- blocks of 256 -- */

UNPACKER(iq4_xs, 256)
{
    for (int i = 0; i < 256; i++) {
        const int s = i / 32, low = b->scales_l[s / 2] >> s % 2 * 4 & 15;
        const int scale = (low | (b->scales_h >> 2 * s & 3) << 4) - 32;
        const int q = nibble(b->qs + 16 * s, i % 32);
        out[i] = half(b->d) * (float)scale * (float)qn__iq4_nl_values[q];
    }
}

/* Digit n of a byte: 243 numbers of five digits are spread over 256. */
static int trit(uint8_t byte, int n)
{
    static const uint8_t powers[5] = {1, 3, 9, 27, 81};
    return (uint8_t)(byte * powers[n]) * 3 >> 8;
}

UNPACKER(tq1_0, 256)
{
    for (int i = 0; i < 256; i++) {
        const int q = i < 160   ? trit(b->qs[i % 32], i / 32)
                      : i < 240 ? trit(b->qs[32 + i % 16], (i - 160) / 16)
                                : trit(b->qh[i % 4], (i - 240) / 4);
        out[i] = half(b->d) * (float)(q - 1);
    }
}

/* Two bits of element i in the layout of q2_k. */
static int two_bits(const uint8_t *qs, int i)
{
    return qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
}

UNPACKER(tq2_0, 256)
{
    for (int i = 0; i < 256; i++)
        out[i] = half(b->d) * (float)(two_bits(b->qs, i) - 1);
}

UNPACKER(q2_k, 256)
{
    for (int i = 0; i < 256; i++) {
        const float scale = half(b->d) * (float)(b->scales[i / 16] & 15);
        const float min = half(b->dmin) * (float)(b->scales[i / 16] >> 4);
        out[i] = scale * (float)two_bits(b->qs, i) - min;
    }
}

/* Scale i of 16: low nibbles in bytes 0 .. 7, upper two bits in bytes 8 .. 11. */
static int scale_q3_k(const uint8_t scales[12], int i)
{
    const int low = i < 8 ? scales[i] & 15 : scales[i - 8] >> 4;
    const int high = scales[8 + i % 4] >> (i / 4 * 2) & 3;
    return (low | high << 4) - 32;
}

UNPACKER(q3_k, 256)
{
    for (int i = 0; i < 256; i++) {
        const int third = b->hmask[i % 32] >> i / 32 & 1;
        const float scale = half(b->d) * (float)scale_q3_k(b->scales, i / 16);
        out[i] = scale * (float)((two_bits(b->qs, i) | third << 2) - 4);
    }
}

/* The first four have six bits in one byte; the upper two bits of bytes 0 .. 7 belong to the rest.
 */
void qn__scale_min_k(const uint8_t scales[12], int i, int *scale, int *min)
{
    if (i < 4) {
        *scale = scales[i] & 63;
        *min = scales[i + 4] & 63;
    } else {
        *scale = (scales[i + 4] & 15) | scales[i - 4] >> 6 << 4;
        *min = scales[i + 4] >> 4 | scales[i] >> 6 << 4;
    }
}

static int nibble_k(const uint8_t qs[128], int i)
{
    const int byte = qs[i / 64 * 32 + i % 32];
    return i % 64 < 32 ? byte & 15 : byte >> 4;
}

UNPACKER(q4_k, 256)
{
    for (int i = 0; i < 256; i++) {
        int scale, min;
        qn__scale_min_k(b->scales, i / 32, &scale, &min);
        out[i] = half(b->d) * (float)scale * (float)nibble_k(b->qs, i) - half(b->dmin) * (float)min;
    }
}

UNPACKER(q5_k, 256)
{
    for (int i = 0; i < 256; i++) {
        const int q = nibble_k(b->qs, i) | (b->qh[i % 32] >> i / 32 & 1) << 4;
        int scale, min;
        qn__scale_min_k(b->scales, i / 32, &scale, &min);
        out[i] = half(b->d) * (float)scale * (float)q - half(b->dmin) * (float)min;
    }
}

UNPACKER(q6_k, 256)
{
    for (int i = 0; i < 256; i++) {
        const int byte = b->ql[i / 128 * 64 + i % 64];
        const int low = i % 128 < 64 ? byte & 15 : byte >> 4;
        const int q = (low | two_bits(b->qh, i) << 4) - 32;
        out[i] = half(b->d) * (float)b->scales[i / 16] * (float)q;
    }
}
