/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks to floats, bit for bit as the formats define it: products are rounded before a minimum is
 * added, never fused. Layouts are in format_blocks.h. */
#include "kernels/format_unpack.h"

#include "kernels/format_blocks.h"
#include "kernels/ref/ref.h"

#include <string.h>

#define half qn__float_of_half

const int8_t qn__iq4_nl_values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};

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

/* -- blocks of 256 -- */

/* Two bits of element i in the layout of q2_k. */
static int two_bits(const uint8_t *qs, int i)
{
    return qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
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
