/* SPDX-License-Identifier: Apache-2.0
 *
 * Packing tiles (dot_tiles.h). A reader takes 32 elements of a row apart; where they go does not
 * depend on the format. */
#include "kernels/dot_tiles.h"

#include "kernels/format_blocks.h"
#include "kernels/format_unpack.h"
#include "kernels/ref/ref.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WORD_BYTES = 64, QUADS = 8 };

struct unit { /* 32 elements of a row */
    uint8_t codes[QN__DOT_ELEMS];
    float scale[2], offset; /* the second scale: of the second half, where it has one */
};

static void nibbles(uint8_t *codes, const uint8_t qs[16])
{
    for (int i = 0; i < 16; i++) {
        codes[i] = qs[i] & 15;
        codes[16 + i] = qs[i] >> 4;
    }
}

static void fifth_bits(uint8_t *codes, const uint8_t qh[4])
{
    for (int i = 0; i < 32; i++)
        codes[i] |= (uint8_t)((qh[i / 8] >> i % 8 & 1) << 4);
}

/* Head of a reader: `b` is a local copy of the block, `part` which 32 of its elements. */
#define READER(name)                                                                               \
    static void take_##name(struct unit *out, const struct qn__block_##name *b, uint32_t part);    \
    static void read_##name(struct unit *out, const uint8_t *block, uint32_t part)                 \
    {                                                                                              \
        struct qn__block_##name b;                                                                 \
        memcpy(&b, block, sizeof b);                                                               \
        take_##name(out, &b, part);                                                                \
    }                                                                                              \
    static void take_##name(struct unit *out, const struct qn__block_##name *b, uint32_t part)

READER(q4_0)
{
    (void)part;
    nibbles(out->codes, b->qs);
    out->scale[0] = qn__float_of_half(b->d);
}

READER(q4_1)
{
    (void)part;
    nibbles(out->codes, b->qs);
    out->scale[0] = qn__float_of_half(b->d);
    out->offset = qn__float_of_half(b->m);
}

READER(q5_0)
{
    (void)part;
    nibbles(out->codes, b->qs);
    fifth_bits(out->codes, b->qh);
    out->scale[0] = qn__float_of_half(b->d);
}

READER(q5_1)
{
    (void)part;
    nibbles(out->codes, b->qs);
    fifth_bits(out->codes, b->qh);
    out->scale[0] = qn__float_of_half(b->d);
    out->offset = qn__float_of_half(b->m);
}

READER(q8_0)
{
    (void)part;
    for (int i = 0; i < 32; i++)
        out->codes[i] = (uint8_t)(b->qs[i] + 128);
    out->scale[0] = qn__float_of_half(b->d);
}

/* Scale and minimum of a sub-block. */
static void scale_min(struct unit *out, uint16_t d, uint16_t dmin, const uint8_t scales[12],
                      uint32_t part)
{
    int scale, min;
    qn__scale_min_k(scales, (int)part, &scale, &min);
    out->scale[0] = qn__float_of_half(d) * (float)scale;
    out->offset = -(qn__float_of_half(dmin) * (float)min);
}

READER(q4_k)
{
    const uint8_t *qs = b->qs + part / 2 * 32;
    for (int i = 0; i < 32; i++)
        out->codes[i] = qs[i] >> part % 2 * 4 & 15;
    scale_min(out, b->d, b->dmin, b->scales, part);
}

READER(q5_k)
{
    const uint8_t *qs = b->qs + part / 2 * 32;
    for (int i = 0; i < 32; i++)
        out->codes[i] = (uint8_t)((qs[i] >> part % 2 * 4 & 15) | (b->qh[i] >> part & 1) << 4);
    scale_min(out, b->d, b->dmin, b->scales, part);
}

READER(q6_k)
{
    const uint32_t half = part / 4, in = part % 4;
    const uint8_t *ql = b->ql + half * 64 + in % 2 * 32, *qh = b->qh + half * 32;
    for (int i = 0; i < 32; i++)
        out->codes[i] = (uint8_t)((ql[i] >> in / 2 * 4 & 15) | (qh[i] >> 2 * in & 3) << 4);
    for (int k = 0; k < 2; k++)
        out->scale[k] = qn__float_of_half(b->d) * (float)b->scales[part * 2 + (uint32_t)k];
}

static const struct {
    struct qn__tiling tiling;
    void (*read)(struct unit *, const uint8_t *block, uint32_t part);
} tilings[QN__N_FORMATS] = {
    [QN__FORMAT_q4_0] = {{"dots_u4", 4, 1, false, 8}, read_q4_0},
    [QN__FORMAT_q4_1] = {{"dots_u4_min", 4, 1, true, 0}, read_q4_1},
    [QN__FORMAT_q4_k] = {{"dots_u4_min", 4, 1, true, 0}, read_q4_k},
    [QN__FORMAT_q5_0] = {{"dots_u5", 5, 1, false, 16}, read_q5_0},
    [QN__FORMAT_q5_1] = {{"dots_u5_min", 5, 1, true, 0}, read_q5_1},
    [QN__FORMAT_q5_k] = {{"dots_u5_min", 5, 1, true, 0}, read_q5_k},
    [QN__FORMAT_q6_k] = {{"dots_u6", 6, 2, false, 32}, read_q6_k},
    [QN__FORMAT_q8_0] = {{"dots_u8", 8, 1, false, 128}, read_q8_0},
};

const struct qn__tiling *qn__tiling(const struct qn__format *f)
{
    return tilings[f->id].read ? &tilings[f->id].tiling : NULL;
}

uint64_t qn__dot_tile_bytes(const struct qn__tiling *t, uint64_t n)
{
    const uint64_t bytes = t->words * WORD_BYTES + 2 * QN__DOT_ROWS * (t->scales + t->has_offset);
    return (n / QN__DOT_ELEMS * bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

/* The codes of one row into its places of a block's words. */
static void put_codes(uint8_t *words, const struct qn__tiling *t, const uint8_t *codes)
{
    if (t->words == 8) {
        for (int q = 0; q < QUADS; q++)
            memcpy(words + q * WORD_BYTES, codes + 4 * q, 4);
        return;
    }
    for (int w = 0; w < 4; w++)
        for (int i = 0; i < 4; i++)
            words[w * WORD_BYTES + i] =
                (uint8_t)((codes[4 * w + i] & 15) | (codes[16 + 4 * w + i] & 15) << 4);
    const int bits = (int)t->words - 4, quads = bits ? QUADS / bits : 0; /* a word's */
    for (int w = 0; w < bits; w++)
        for (int i = 0; i < 4; i++) {
            int high = 0;
            for (int q = 0; q < quads; q++)
                high |= codes[4 * (w * quads + q) + i] >> 4 << bits * q;
            words[(4 + w) * WORD_BYTES + i] = (uint8_t)high;
        }
}

static void put_half(uint8_t *at, float x)
{
    const uint16_t half = qn__half_of_float(x);
    memcpy(at, &half, sizeof half);
}

void qn__dot_tile_pack(void *out, const struct qn__format *f, const void *rows, uint64_t n)
{
    const struct qn__tiling *t = &tilings[f->id].tiling;
    const uint64_t blocks = n / QN__DOT_ELEMS, row_bytes = qn__format_bytes(f, n);
    const uint32_t parts = f->block_elems / QN__DOT_ELEMS;
    const uint64_t vector = 2 * QN__DOT_ROWS; /* bytes of the scales of a block */
    uint8_t *const codes = out, *const scales = codes + blocks * t->words * WORD_BYTES,
                   *const offsets = scales + blocks * t->scales * vector;
    assert(tilings[f->id].read && n % QN__DOT_ELEMS == 0);
    memset(out, 0, qn__dot_tile_bytes(t, n));
    for (uint32_t r = 0; r < QN__DOT_ROWS; r++)
        for (uint64_t b = 0; b < blocks; b++) {
            struct unit u;
            const uint8_t *row = (const uint8_t *)rows + r * row_bytes;
            tilings[f->id].read(&u, row + b / parts * f->block_bytes, (uint32_t)(b % parts));
            put_codes(codes + b * t->words * WORD_BYTES + (size_t)r * 4, t, u.codes);
            for (uint32_t s = 0; s < t->scales; s++)
                put_half(scales + (b * t->scales + s) * vector + (size_t)r * 2, u.scale[s]);
            if (t->has_offset)
                put_half(offsets + b * vector + (size_t)r * 2, u.offset);
        }
}

/* The codes of one row of a block, back. */
static void get_codes(uint8_t *codes, const struct qn__tiling *t, const uint8_t *words)
{
    const int bits = (int)t->words - 4, quads = bits ? QUADS / bits : 0;
    for (int e = 0; e < QN__DOT_ELEMS; e++) {
        const int q = e / 4, i = e % 4;
        if (t->words == 8) {
            codes[e] = words[q * WORD_BYTES + i];
            continue;
        }
        const int high = bits ? words[(4 + q / quads) * WORD_BYTES + i] >> q % quads * bits : 0;
        codes[e] = (uint8_t)((words[q % 4 * WORD_BYTES + i] >> q / 4 * 4 & 15) |
                             (high & ((1 << bits) - 1)) << 4);
    }
}

static float get_half(const uint8_t *at)
{
    uint16_t half;
    memcpy(&half, at, sizeof half);
    return qn__float_of_half(half);
}

void qn__dot_tile_unpack(float *values, float *size, const struct qn__format *f, const void *tile,
                         uint64_t n)
{
    const struct qn__tiling *t = &tilings[f->id].tiling;
    const uint64_t blocks = n / QN__DOT_ELEMS, vector = 2 * QN__DOT_ROWS;
    const uint8_t *const codes = tile, *const scales = codes + blocks * t->words * WORD_BYTES,
                         *const offsets = scales + blocks * t->scales * vector;
    for (uint32_t r = 0; r < QN__DOT_ROWS; r++)
        for (uint64_t b = 0; b < blocks; b++) {
            uint8_t u[QN__DOT_ELEMS];
            get_codes(u, t, codes + b * t->words * WORD_BYTES + (size_t)r * 4);
            const float offset =
                t->has_offset ? get_half(offsets + b * vector + (size_t)r * 2) : 0.0f;
            float *const to = values + r * n + b * QN__DOT_ELEMS;
            float largest = 0.0f;
            for (uint32_t e = 0; e < QN__DOT_ELEMS; e++) {
                const uint64_t s = b * t->scales + (t->scales == 2 ? e / 16 : 0);
                const float scale = get_half(scales + s * vector + (size_t)r * 2);
                const float product = scale * (float)((int)u[e] - (int)t->zero);
                to[e] = product + offset;
                largest = fmaxf(largest, fabsf(product) + fabsf(offset));
            }
            for (uint32_t e = 0; e < QN__DOT_ELEMS; e++)
                size[r * n + b * QN__DOT_ELEMS + e] = largest;
        }
}
