/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights in tiles (tiles.h). */
#include "kernels/tiles.h"

#include "kernels/launch_sizes.h"

#include <stddef.h>
#include <string.h>

enum {
    THREADS = 512,
    COLUMN_PAD = 32,
    LINE_BYTES = 512,
    LINE_ELEMS = 32, /* of a row in a line */
};

/* A tile on its way to a wave, and the elements of a row in it. */
static const struct {
    uint32_t bytes, width;
} tiles[QN__N_FORMATS] = {
    [QN__FORMAT_f16] = {16 * 128 * 2, 128},
    [QN__FORMAT_q8_0] = {16 * 8 * 34, QN__TILE_WIDTH},
    [QN__FORMAT_q4_k] = {16 * 144, QN__TILE_WIDTH},
    [QN__FORMAT_q6_k] = {16 * 210, QN__TILE_WIDTH},
};

const char *qn__tiles_refusal(const struct qn__format *f, uint64_t rows, uint64_t n, bool pairs)
{
    if (!tiles[f->id].bytes)
        return "no fused kernel for the format";
    if (n == 0 || n % QN__TILE_WIDTH != 0)
        return "rows are no multiple of 256 elements";
    if (rows == 0 || rows % (pairs ? 2 * QN__TILE_ROWS : QN__TILE_ROWS) != 0)
        return "the rows are no multiple of 16";
    return NULL;
}

uint32_t qn__tile_bytes(const struct qn__format *f)
{
    return tiles[f->id].bytes;
}

bool qn__tiles_accept(const struct qn__format *f, uint64_t rows, uint64_t n, bool pairs)
{
    return !qn__tiles_refusal(f, rows, n, pairs);
}

/* A block for each unit: what waits for its weights is in rings, not in waves. */
static uint64_t block_count(const struct qn__tile_work *w, const qn_device_info *dev)
{
    const uint64_t strips = w->rows / QN__TILE_ROWS / (w->pairs ? 2 : 1);
    const uint64_t units = dev->compute_units ? dev->compute_units : 1;
    return strips < units ? strips : units;
}

/* As qk_run_phase() lays it out. */
static uint64_t shared_bytes(const struct qn__tile_work *w, uint64_t blocks, uint64_t waves,
                             bool has_ring)
{
    const uint64_t twice = w->pairs ? 2 : 1, tokens = w->tokens;
    const uint64_t strips = qn__ceil_div(w->rows / QN__TILE_ROWS / twice, blocks) * twice;
    const uint64_t ring = has_ring ? waves * tiles[w->format->id].bytes : 0;
    const uint64_t columns = 2 * tokens * (w->n + COLUMN_PAD) * 2;
    const uint64_t numbers =
        tokens * (w->n / 32) + QN__TILE_COLUMNS + 2 * tokens * waves + waves + 1;
    return ring + columns + 4 * (numbers + (strips + waves) * QN__TILE_ROWS * tokens);
}

qn_dims qn__tiles_plan(const struct qn__tile_work *w, const qn_device_info *dev, uint32_t threads)
{
    return qn__tiles_plan_on(w, dev, threads, (uint32_t)block_count(w, dev));
}

qn_dims qn__tiles_plan_on(const struct qn__tile_work *w, const qn_device_info *dev,
                          uint32_t threads, uint32_t blocks)
{
    const uint32_t lanes = qn__kernel_wave(dev) > 1 ? 32 : 1;
    const uint32_t most = dev->block_threads_max ? dev->block_threads_max : THREADS;
    if (!threads)
        threads = lanes == 1 ? 4 : THREADS;
    if (threads > most)
        threads = most;
    return (qn_dims){
        .grid = {blocks, 1, 1},
        .block = {threads, 1, 1},
        .shared_bytes =
            (uint32_t)shared_bytes(w, blocks, threads / lanes, strcmp(dev->backend, "cuda") == 0),
    };
}

uint32_t qn__tiles_at_once(const struct qn__tile_work *w, const qn_device_info *dev)
{
    struct qn__tile_work trial = *w;
    trial.tokens = w->tokens < QN__TILE_COLUMNS ? w->tokens : QN__TILE_COLUMNS;
    while (trial.tokens && qn__tiles_plan(&trial, dev, 0).shared_bytes > dev->shared_bytes_max)
        trial.tokens--;
    return trial.tokens;
}

/* -- packing -- */

/* Elements of 32 in the order of a line: four and four for each of four lanes. */
static uint32_t element(uint32_t lane, uint32_t i)
{
    return i / 4 * 16 + lane % 4 * 4 + i % 4;
}

/* A line: of each of 16 rows 32 bytes, from `at` of its block on. */
static uint8_t *put_line(uint8_t *out, const uint8_t *const *rows, uint32_t at, bool swaps)
{
    static const uint8_t plain[8] = {0, 1, 2, 3, 4, 5, 6, 7}, swapped[8] = {0, 2, 1, 3, 4, 6, 5, 7};
    const uint8_t *order = swaps ? swapped : plain;
    for (uint32_t lane = 0; lane < LINE_BYTES / 16; lane++)
        for (uint32_t i = 0; i < 16; i++)
            *out++ = rows[lane / 4 + i / 8 * 8][at + element(lane, order[i % 8])];
    return out;
}

static uint8_t *put_rows(uint8_t *out, const uint8_t *const *rows, uint32_t at, uint32_t n)
{
    for (int r = 0; r < QN__TILE_ROWS; r++, out += n)
        memcpy(out, rows[r] + at, n);
    return out;
}

static void put_q8_0(uint8_t *out, const uint8_t *const *rows)
{
    for (uint32_t b = 0; b < 8; b++)
        out = put_line(out, rows, 34 * b + 2, false);
    for (int r = 0; r < QN__TILE_ROWS; r++)
        for (uint32_t b = 0; b < 8; b++, out += 2)
            memcpy(out, rows[r] + 34 * b, 2);
}

static void put_q4_k(uint8_t *out, const uint8_t *const *rows)
{
    for (uint32_t line = 0; line < 4; line++)
        out = put_line(out, rows, 16 + LINE_ELEMS * line, true);
    put_rows(out, rows, 0, 16);
}

static void put_q6_k(uint8_t *out, const uint8_t *const *rows)
{
    for (uint32_t half = 0; half < 2; half++) {
        out = put_line(out, rows, 64 * half, false);
        out = put_line(out, rows, 64 * half + 32, false);
        out = put_line(out, rows, 128 + 32 * half, false);
    }
    out = put_rows(out, rows, 192, 16);
    put_rows(out, rows, 208, 2);
}

void qn__tiles_pack(uint8_t *out, const uint8_t *in, const struct qn__format *f, uint64_t rows,
                    uint64_t n)
{
    void (*put)(uint8_t *, const uint8_t *const *) = f->id == QN__FORMAT_q8_0   ? put_q8_0
                                                     : f->id == QN__FORMAT_q4_k ? put_q4_k
                                                     : f->id == QN__FORMAT_q6_k ? put_q6_k
                                                                                : NULL;
    const uint64_t row_bytes = qn__format_bytes(f, n), width_bytes = tiles[f->id].bytes / 16;
    if (!put) { /* as it is stored */
        memcpy(out, in, rows * row_bytes);
        return;
    }
    for (uint64_t strip = 0; strip < rows / QN__TILE_ROWS; strip++)
        for (uint64_t at = 0; at < row_bytes; at += width_bytes, out += tiles[f->id].bytes) {
            const uint8_t *r[QN__TILE_ROWS];
            for (uint64_t i = 0; i < QN__TILE_ROWS; i++)
                r[i] = in + (strip * QN__TILE_ROWS + i) * row_bytes + at;
            put(out, r);
        }
}
