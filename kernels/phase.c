/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases of one token (phase.h), as quern_phase.cuh lays out its shared memory. */
#include "kernels/phase.h"

#include "kernels/ref/ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 512,
    DEPTH = 2, /* a third tile brings nothing */
    ZERO_BYTES = 1024,
    BLOCK_NUMBERS = 16, /* bytes */
    BAR_BYTES = 8,
    X_PIECES = 16,
    RING_ALIGN = 128,
};

/* Of a tile in a ring: f16's rows lie apart, so that lanes of different rows meet no bank twice. */
static uint32_t slot_bytes(const struct qn__format *f)
{
    const uint32_t bytes = f->id == QN__FORMAT_f16 ? QN__TILE_ROWS * 288 : qn__tile_bytes(f);
    return (bytes + RING_ALIGN - 1) / RING_ALIGN * RING_ALIGN;
}

bool qn__starts_early(const qn_device_info *dev)
{
    const char *const sm = "cuda:sm_";
    return strncmp(dev->target, sm, strlen(sm)) == 0 && atoi(dev->target + strlen(sm)) >= 90;
}

bool qn__phase_is_direct(const qn_device_info *dev)
{
    const char *const target = "opencl:nvidia", *const sm = "sm_";
    return strncmp(dev->target, target, strlen(target)) == 0 &&
           strncmp(dev->arch, sm, strlen(sm)) == 0 && atoi(dev->arch + strlen(sm)) >= 80;
}

/* The norm's factor, the waves' parts of rows, and which waves have some. */
static uint32_t direct_bytes(const struct qn__tile_work *w, const qn_dims *d)
{
    const uint64_t twice = w->pairs ? 2 : 1, waves = d->block[0] / 32;
    const uint64_t strips = w->rows / QN__TILE_ROWS / twice;
    const uint64_t of_block = (strips + d->grid[0] - 1) / d->grid[0] * twice;
    return (uint32_t)((4 + (waves + of_block) * QN__TILE_ROWS + of_block) * sizeof(float));
}

/* Three blocks of eight waves on a unit. */
static qn_dims direct_plan(const struct qn__tile_work *w, const qn_device_info *dev,
                           uint32_t threads)
{
    enum { DIRECT_THREADS = 256, DIRECT_BLOCKS = 3 };
    const uint64_t strips = w->rows / QN__TILE_ROWS / (w->pairs ? 2 : 1);
    const uint64_t most = DIRECT_BLOCKS * (dev->compute_units ? dev->compute_units : 1);
    qn_dims d = {.grid = {(uint32_t)(strips < most ? strips : most), 1, 1},
                 .block = {threads ? threads : DIRECT_THREADS, 1, 1}};
    d.shared_bytes = direct_bytes(w, &d);
    return d;
}

uint32_t qn__alone_bytes(const qn_device_info *dev)
{
    return qn__starts_early(dev) ? dev->shared_bytes_max / 2 + 1024 : 0;
}

static uint64_t shared_bytes(const struct qn__tile_work *w, const qn_dims *d,
                             const qn_device_info *dev, uint64_t depth)
{
    const uint64_t twice = w->pairs ? 2 : 1, waves = d->block[0] / 32;
    const uint64_t strips = w->rows / QN__TILE_ROWS / twice;
    const uint64_t of_block = (strips + d->grid[0] - 1) / d->grid[0] * twice;
    const uint64_t x = 4ull * w->n + w->n / QN__READY * 8;
    const uint64_t starts = (of_block + 1) / 2 * 2 * 4;
    const uint64_t all = x + ZERO_BYTES + BLOCK_NUMBERS + (waves + of_block) * QN__TILE_ROWS * 4 +
                         starts + (X_PIECES + waves * depth) * BAR_BYTES +
                         waves * depth * slot_bytes(w->format) + RING_ALIGN;
    return all > qn__alone_bytes(dev) ? all : qn__alone_bytes(dev);
}

/* What the driver keeps, and variables of the kernel, are not in the number. */
static uint64_t room(const qn_device_info *dev)
{
    return dev->shared_bytes_max > 1024 ? dev->shared_bytes_max - 1024 : 0;
}

/* Of blocks as `d` has them. */
static uint32_t depth_of(const struct qn__tile_work *w, const qn_dims *d, const qn_device_info *dev)
{
    uint32_t depth = DEPTH;
    if (qn__phase_is_direct(dev))
        return direct_bytes(w, d) <= dev->shared_bytes_max;
    if (!qn__starts_early(dev))
        return 4ull * w->n + d->shared_bytes <= dev->shared_bytes_max;
    while (depth && shared_bytes(w, d, dev, depth) > room(dev))
        depth--;
    return depth;
}

uint32_t qn__phase_depth(const struct qn__tile_work *w, const qn_device_info *dev)
{
    const qn_dims d = qn__tiles_plan(w, dev, 0);
    return depth_of(w, &d, dev);
}

static void set_shared(qn_dims *d, const struct qn__tile_work *w, const qn_device_info *dev,
                       uint32_t depth)
{
    if (qn__phase_is_direct(dev))
        d->shared_bytes = direct_bytes(w, d);
    else if (qn__starts_early(dev))
        d->shared_bytes = (uint32_t)shared_bytes(w, d, dev, depth);
    else
        d->shared_bytes += 4 * (uint32_t)w->n;
}

qn_dims qn__phase_plan(const struct qn__tile_work *w, const qn_device_info *dev, uint32_t threads)
{
    if (qn__phase_is_direct(dev))
        return direct_plan(w, dev, threads);
    qn_dims d = qn__tiles_plan(w, dev, threads > THREADS ? THREADS : threads);
    set_shared(&d, w, dev, qn__phase_depth(w, dev));
    return d;
}

/* As qk_second_blocks(). */
static uint32_t second_blocks(const struct qn__tile_work *first, const struct qn__tile_work *second,
                              uint32_t blocks)
{
    const uint64_t one = first->rows / QN__TILE_ROWS * qn__tile_bytes(first->format);
    const uint64_t two = second->rows / QN__TILE_ROWS * qn__tile_bytes(second->format);
    const uint64_t share = (blocks * two + (one + two) / 2) / (one + two);
    return share < 1 ? 1 : share < blocks ? (uint32_t)share : blocks - 1;
}

static void divide(qn_dims parts[2], const struct qn__tile_work *first,
                   const struct qn__tile_work *second, const qn_device_info *dev, uint32_t threads)
{
    const uint64_t strips = (first->rows + second->rows) / QN__TILE_ROWS;
    const uint64_t units = dev->compute_units > 2 ? dev->compute_units : 2;
    const uint32_t blocks = (uint32_t)(strips < units ? strips : units);
    const uint32_t of_second = second_blocks(first, second, blocks);
    parts[0] = qn__tiles_plan_on(first, dev, threads, blocks - of_second);
    parts[1] = qn__tiles_plan_on(second, dev, threads, of_second);
}

uint32_t qn__phases_depth(const struct qn__tile_work *first, const struct qn__tile_work *second,
                          const qn_device_info *dev)
{
    qn_dims parts[2];
    divide(parts, first, second, dev, 0);
    const uint32_t one = depth_of(first, &parts[0], dev), two = depth_of(second, &parts[1], dev);
    return one < two ? one : two;
}

qn_dims qn__phases_plan(const struct qn__tile_work *first, const struct qn__tile_work *second,
                        const qn_device_info *dev, uint32_t threads)
{
    const uint32_t depth = qn__phases_depth(first, second, dev);
    qn_dims parts[2];
    divide(parts, first, second, dev, threads > THREADS ? THREADS : threads);
    set_shared(&parts[0], first, dev, depth);
    set_shared(&parts[1], second, dev, depth);
    parts[0].grid[0] += parts[1].grid[0];
    if (parts[0].shared_bytes < parts[1].shared_bytes)
        parts[0].shared_bytes = parts[1].shared_bytes;
    return parts[0];
}

static void pack_sixteen(uint16_t *codes, float *numbers, const float *w, uint32_t at, uint32_t n)
{
    float largest = 0;
    double sum = 0;
    for (int i = 0; i < QN__READY; i++) {
        largest = fmaxf(largest, fabsf(w[i]));
        sum += (double)w[i];
    }
    const int exponent = largest > 0 ? ilogbf(largest) : -127;
    const int up = 14 - (exponent < -100 ? -100 : exponent);
    for (uint32_t i = 0; i < QN__READY; i++) {
        const uint32_t e = at + i, to = e / 32 * 64 + e % 16 / 4 * 16 + e % 32 / 16 * 4 + e % 4;
        const float scaled = ldexpf(w[i], up);
        codes[to] = qn__half_of_float(scaled);
        codes[to + 8] = qn__half_of_float(scaled - qn__float_of_half(codes[to]));
    }
    numbers[at / QN__READY] = ldexpf(1, -up);
    numbers[n / QN__READY + at / QN__READY] = (float)sum;
}

void qn__ready_pack(uint16_t *codes, float *numbers, const float *x, const float *norm, uint32_t n)
{
    for (uint32_t at = 0; at < n; at += QN__READY) {
        float w[QN__READY];
        double squares = 0;
        for (uint32_t i = 0; i < QN__READY; i++) {
            w[i] = x[at + i] * (norm ? norm[at + i] : 1.0f);
            squares += (double)x[at + i] * (double)x[at + i];
        }
        pack_sixteen(codes, numbers, w, at, n);
        numbers[n / QN__READY * 2 + at / QN__READY] = (float)squares;
    }
}
