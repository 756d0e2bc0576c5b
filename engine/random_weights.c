/* SPDX-License-Identifier: Apache-2.0
 *
 * Normals by inversion: a random number picks a step of the table of quantiles and a place inside
 * it, which costs a few nanoseconds and has no rejected draws. */
#include "engine/random_weights.h"

#include "kernels/format_blocks.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 4096 }; /* elements; whole blocks of every format */

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

void qn__random_blocks(void *blocks, const struct qn__format *format, uint64_t n, float mean,
                       float deviation, uint64_t seed, const struct qn__random_table *table)
{
    float values[AT_ONCE];
    uint64_t state = seed;
    char *out = blocks;
    for (uint64_t done = 0; done < n; done += AT_ONCE) {
        const uint64_t now = n - done < AT_ONCE ? n - done : AT_ONCE;
        const uint64_t n_blocks = now / format->block_elems;
        if (format->pack) {
            fill_normals(values, now, mean, deviation, &state, table);
            format->pack(out, values, now);
        }
        for (uint64_t i = 0; !format->pack && i < n_blocks; i++) {
            struct qn__block_q2_k q2;
            struct qn__block_q3_k q3;
            if (format->id == QN__FORMAT_q2_k) {
                random_q2_k(&q2, deviation, &state);
                memcpy(out + i * sizeof q2, &q2, sizeof q2);
            } else { /* the only other format without pack() */
                random_q3_k(&q3, deviation, &state);
                memcpy(out + i * sizeof q3, &q3, sizeof q3);
            }
        }
        out += n_blocks * format->block_bytes;
    }
}
