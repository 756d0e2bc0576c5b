/* SPDX-License-Identifier: Apache-2.0
 *
 * Normals by inversion: a random number picks a step of the table of quantiles and a place inside
 * it, which costs a few nanoseconds and has no rejected draws. */
#include "engine/random_weights.h"

#include "kernels/format_blocks.h"
#include "kernels/ref/ref.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { AT_ONCE = 4096, BLOCK_BYTES_MAX = 256 }; /* elements: whole blocks of every format */

void qn__random_table_fill(struct qn__random_table *t)
{
    static const double widest = 4.0;
    for (uint32_t i = 0; i <= QN__NORMAL_STEPS; i++) {
        const double want = (double)i / QN__NORMAL_STEPS;
        double low = -widest, high = widest;
        for (uint32_t step = 0; step < 40; step++) {
            const double middle = (low + high) / 2;
            if (erfc(-middle / sqrt(2.0)) / 2 < want)
                low = middle;
            else
                high = middle;
        }
        t->quantiles[i] = (float)high;
    }
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static float normal(uint32_t random, const struct qn__random_table *t)
{
    const uint32_t step = random >> 20; /* of 4096; the other 20 bits say where inside */
    const float low = t->quantiles[step], high = t->quantiles[step + 1];
    return low + (high - low) * ((float)(random & 0xfffff) * 0x1p-20f);
}

static void fill_normals(float *out, uint64_t n, float mean, float deviation, uint64_t *state,
                         const struct qn__random_table *t)
{
    for (uint64_t i = 0; i < n; i += 2) {
        const uint64_t random = next(state);
        out[i] = mean + deviation * normal((uint32_t)random, t);
        if (i + 1 < n)
            out[i + 1] = mean + deviation * normal((uint32_t)(random >> 32), t);
    }
}

static void fill_bytes(void *out, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t random = next(state);
        memcpy((char *)out + i, &random, n - i < 8 ? n - i : 8);
    }
}

/* d scale (code - 1.5): a minimum with the same 4-bit number as its scale, and dmin = 1.5 d. The
 * scales are 8 to 15, so their root mean square is 11.7, and that of the codes 1.118. */
static void random_q2_k(struct qn__block_q2_k *b, float deviation, uint64_t *state)
{
    fill_bytes(b, sizeof *b, state);
    for (uint32_t i = 0; i < sizeof b->scales; i++) {
        const unsigned scale = 8U | (b->scales[i] & 7U);
        b->scales[i] = (uint8_t)(scale | scale << 4);
    }
    const float d = deviation / (11.7f * 1.118f);
    b->d = qn__half_of_float(d);
    b->dmin = qn__half_of_float(1.5f * d);
}

/* d (scale - 32) (code - 4), all 6-bit scales and 3-bit codes: root mean squares 18.5 and 2.35. */
static void random_q3_k(struct qn__block_q3_k *b, float deviation, uint64_t *state)
{
    fill_bytes(b, sizeof *b, state);
    b->d = qn__half_of_float(deviation / (18.5f * 2.35f));
}

/* Root mean squares: of the values of iq4_nl, of 4-bit floats as whole numbers, of trits. */
static const float rms_iq4_nl = 67.44f, rms_e2m1 = 5.852f, rms_trit = 0.8165f;

/* d (scale - 32) value[q], all 6-bit scales. */
static void random_iq4_xs(struct qn__block_iq4_xs *b, float deviation, uint64_t *state)
{
    fill_bytes(b, sizeof *b, state);
    b->d = qn__half_of_float(deviation / (18.5f * rms_iq4_nl));
}

static void random_tq1_0(struct qn__block_tq1_0 *b, float deviation, uint64_t *state)
{
    fill_bytes(b, sizeof *b, state);
    b->d = qn__half_of_float(deviation / rms_trit);
}

/* Three of the four codes. */
static void random_tq2_0(struct qn__block_tq2_0 *b, float deviation, uint64_t *state)
{
    for (uint32_t i = 0; i < sizeof b->qs; i++) {
        const uint64_t random = next(state);
        b->qs[i] = 0;
        for (int k = 0; k < 4; k++)
            b->qs[i] = (uint8_t)(b->qs[i] | (random >> 16 * k & 0xffff) % 3 << 2 * k);
    }
    b->d = qn__half_of_float(deviation / rms_trit);
}

/* Formats of codebooks: any entry, any signs, any scale. `rms` is that of all these. */
static void random_codebook(void *block, size_t n, float rms, float deviation, uint64_t *state)
{
    const uint16_t d = qn__half_of_float(deviation / rms);
    fill_bytes(block, n, state);
    memcpy(block, &d, sizeof d); /* the first field of all but iq1_m */
}

static void random_iq1_m(struct qn__block_iq1_m *b, float rms, float deviation, uint64_t *state)
{
    const uint32_t d = qn__half_of_float(deviation / rms);
    fill_bytes(b, sizeof *b, state);
    for (int k = 0; k < 4; k++)
        b->scales[k] = (uint16_t)((b->scales[k] & 0xfff) | (d >> 4 * k & 15) << 12);
}

/* The two powers of two around the scale, as often as gives its square. */
static void random_mxfp4(struct qn__block_mxfp4 *b, float deviation, uint64_t *state)
{
    int exponent;
    const float part = frexpf(deviation / rms_e2m1, &exponent); /* 0.5 .. 1: 2^(exponent - 1) .. */
    const float share = (4 * part * part - 1) / 3;
    fill_bytes(b, sizeof *b, state);
    const bool is_upper = (float)(next(state) >> 40) * 0x1p-24f < share;
    b->e = (uint8_t)(exponent - 1 + is_upper + 128);
}

/* The two 8-bit floats around it, likewise. */
static void random_nvfp4(struct qn__block_nvfp4 *b, float deviation, uint64_t *state)
{
    int exponent;
    const float part = frexpf(2 * deviation / rms_e2m1, &exponent) * 16; /* 8 .. 16 */
    const int low = (int)part;
    const float share = (part * part - (float)(low * low)) / (float)(2 * low + 1);
    fill_bytes(b, sizeof *b, state);
    for (int s = 0; s < 4; s++) {
        const bool is_upper = (float)(next(state) >> 40) * 0x1p-24f < share;
        b->scales[s] = (uint8_t)((exponent + 6) * 8 + low - 8 + is_upper);
    }
}

/* A block of a format that nothing here packs. */
static void random_block(void *out, enum qn__format_id id, float deviation, uint64_t *state)
{
    switch (id) {
    case QN__FORMAT_q2_k: random_q2_k(out, deviation, state); break;
    case QN__FORMAT_q3_k: random_q3_k(out, deviation, state); break;
    case QN__FORMAT_iq2_xxs: random_codebook(out, 66, 23.12f * 2.308f, deviation, state); break;
    case QN__FORMAT_iq2_xs: random_codebook(out, 74, 24.22f * 2.308f, deviation, state); break;
    case QN__FORMAT_iq2_s: random_codebook(out, 82, 24.43f * 2.308f, deviation, state); break;
    case QN__FORMAT_iq3_xxs: random_codebook(out, 98, 30.85f * 4.617f, deviation, state); break;
    case QN__FORMAT_iq3_s: random_codebook(out, 110, 7.594f * 18.47f, deviation, state); break;
    case QN__FORMAT_iq1_s: random_codebook(out, 50, 0.7809f * 9.22f, deviation, state); break;
    case QN__FORMAT_iq1_m: random_iq1_m(out, 0.7809f * 9.22f, deviation, state); break;
    case QN__FORMAT_iq4_xs: random_iq4_xs(out, deviation, state); break;
    case QN__FORMAT_tq1_0: random_tq1_0(out, deviation, state); break;
    case QN__FORMAT_tq2_0: random_tq2_0(out, deviation, state); break;
    case QN__FORMAT_mxfp4: random_mxfp4(out, deviation, state); break;
    case QN__FORMAT_nvfp4: random_nvfp4(out, deviation, state); break;
    default: assert(!"a format without pack() and without random blocks");
    }
}

void qn__random_blocks(void *blocks, const struct qn__format *format, uint64_t n, float mean,
                       float deviation, uint64_t seed, const struct qn__random_table *table)
{
    float values[AT_ONCE];
    uint64_t state = seed, block[BLOCK_BYTES_MAX / 8];
    char *out = blocks;
    for (uint64_t done = 0; done < n; done += AT_ONCE) {
        const uint64_t now = n - done < AT_ONCE ? n - done : AT_ONCE;
        const uint64_t n_blocks = now / format->block_elems;
        if (format->pack) {
            fill_normals(values, now, mean, deviation, &state, table);
            format->pack(out, values, now);
        }
        for (uint64_t i = 0; !format->pack && i < n_blocks; i++) {
            random_block(block, format->id, deviation, &state);
            memcpy(out + i * format->block_bytes, block, format->block_bytes);
        }
        out += n_blocks * format->block_bytes;
    }
}
