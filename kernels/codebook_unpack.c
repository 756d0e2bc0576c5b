/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of the formats of codebooks to floats (format_unpack.h), bit for bit. A code is the number
 * of an entry, which has eight values, or four; layouts are those of weights_<format>.cu. */
#include "kernels/format_blocks.h"
#include "kernels/format_unpack.h"
#include "kernels/ref/ref.h"

#include <stdbool.h>
#include <string.h>

#define half qn__float_of_half

static const uint16_t codes_iq2_xxs[256] = {
#include "kernels/quern_codes_iq2_xxs.cuh"
};
static const uint16_t codes_iq2_xs[512] = {
#include "kernels/quern_codes_iq2_xs.cuh"
};
static const uint16_t codes_iq2_s[1024] = {
#include "kernels/quern_codes_iq2_s.cuh"
};
static const uint16_t codes_iq3_xxs[256] = {
#include "kernels/quern_codes_iq3_xxs.cuh"
};
static const uint16_t codes_iq3_s[512] = {
#include "kernels/quern_codes_iq3_s.cuh"
};
static const uint16_t codes_iq1[2048] = {
#include "kernels/quern_codes_iq1.cuh"
};

/* Head of an unpacker: for each block a local `b`, and each of its 32 groups of eight elements. */
#define UNPACKER(name)                                                                             \
    static void group_##name(float *out, const struct qn__block_##name *b, uint32_t g);            \
    void qn__unpack_##name(float *out, const void *blocks, uint64_t n)                             \
    {                                                                                              \
        const unsigned char *p = blocks;                                                           \
        for (; n >= 256; n -= 256) {                                                               \
            struct qn__block_##name b;                                                             \
            memcpy(&b, p, sizeof b);                                                               \
            for (uint32_t g = 0; g < 32; g++)                                                      \
                group_##name(out + 8 * g, &b, g);                                                  \
            p += sizeof b;                                                                         \
            out += 256;                                                                            \
        }                                                                                          \
    }                                                                                              \
    static void group_##name(float *out, const struct qn__block_##name *b, uint32_t g)

static uint32_t word(const uint8_t *p)
{
    uint32_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

static uint32_t nibble(const uint8_t *p, uint32_t i)
{
    return p[i / 2] >> i % 2 * 4 & 15u;
}

/* The eighth sign makes the number of negative ones even. */
static uint32_t signs_of_seven(uint32_t seven)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < 7; k++)
        n += seven >> k & 1u;
    return seven | (n % 2) << 7;
}

static void put(float *out, const float *values, uint32_t entry, uint32_t bits, uint32_t n,
                uint32_t signs, float scale)
{
    for (uint32_t k = 0; k < n; k++) {
        const float x = scale * values[entry >> bits * k & ((1u << bits) - 1)];
        out[k] = signs >> k & 1u ? -x : x;
    }
}

static const float iq2_values[4] = {8, 25, 43, 0};
static const float iq3_xxs_values[8] = {4, 12, 20, 28, 36, 44, 52, 62};
static const float iq3_s_values[8] = {1, 3, 5, 7, 9, 11, 13, 15};

UNPACKER(iq2_xxs)
{
    const uint8_t *p = b->qs + g / 4 * 8;
    const uint32_t w = word(p + 4);
    const float scale = half(b->d) * (0.5f + (float)(w >> 28)) * 0.25f;
    put(out, iq2_values, codes_iq2_xxs[p[g % 4]], 2, 8, signs_of_seven(w >> g % 4 * 7 & 127u),
        scale);
}

UNPACKER(iq2_xs)
{
    const float scale = half(b->d) * (0.5f + (float)nibble(b->scales, g / 2)) * 0.25f;
    put(out, iq2_values, codes_iq2_xs[b->qs[g] & 511u], 2, 8, signs_of_seven(b->qs[g] >> 9u),
        scale);
}

UNPACKER(iq2_s)
{
    const uint32_t q = b->qs[g] | (b->qh[g / 4] >> g % 4 * 2 & 3u) << 8;
    const float scale = half(b->d) * (0.5f + (float)nibble(b->scales, g / 2)) * 0.25f;
    put(out, iq2_values, codes_iq2_s[q], 2, 8, b->signs[g], scale);
}

UNPACKER(iq3_xxs)
{
    const uint32_t w = word(b->words + g / 4 * 4), signs = signs_of_seven(w >> g % 4 * 7 & 127u);
    const float scale = half(b->d) * (0.5f + (float)(w >> 28)) * 0.5f;
    for (uint32_t k = 0; k < 2; k++)
        put(out + 4 * k, iq3_xxs_values, codes_iq3_xxs[b->qs[2 * g + k]], 3, 4, signs >> 4 * k,
            scale);
}

UNPACKER(iq3_s)
{
    const float scale = half(b->d) * (1.0f + 2.0f * (float)nibble(b->scales, g / 4));
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t i = 2 * g + k, q = b->qs[i] | (b->qh[i / 8] >> i % 8 & 1u) << 8;
        put(out + 4 * k, iq3_s_values, codes_iq3_s[q], 3, 4, b->signs[g] >> 4 * k, scale);
    }
}

static void put_iq1(float *out, uint32_t q, bool is_less, float scale)
{
    const float values[4] = {is_less ? -1.125f : -0.875f, is_less ? -0.125f : 0.125f,
                             is_less ? 0.875f : 1.125f, 0};
    put(out, values, codes_iq1[q], 2, 8, 0, scale);
}

UNPACKER(iq1_s)
{
    const uint32_t h = b->qh[g / 4], q = b->qs[g] | (h >> g % 4 * 3 & 7u) << 8;
    put_iq1(out, q, h & 0x8000u, half(b->d) * (float)(2 * (h >> 12 & 7u) + 1));
}

UNPACKER(iq1_m)
{
    const uint16_t *s = b->scales;
    const uint32_t h = nibble(b->qh, g), q = b->qs[g] | (h & 7u) << 8, i = g / 2;
    const uint16_t d =
        (uint16_t)(s[0] >> 12 | (s[1] >> 8 & 0xf0) | (s[2] >> 4 & 0xf00) | (s[3] & 0xf000));
    put_iq1(out, q, h & 8u, half(d) * (float)(2 * (s[i / 4] >> i % 4 * 3 & 7u) + 1));
}
