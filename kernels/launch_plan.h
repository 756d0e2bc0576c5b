/* SPDX-License-Identifier: Apache-2.0
 *
 * How many blocks of how many threads: a pure function of the work and the device.
 *
 * Kernels are right for any grid; this makes them fast. On a GPU there are enough threads to fill
 * it, and never more than the work has. On a CPU a block is one thread with a long
 * loop (four, where a block reduces a row), and there are a few blocks per core so that the slowest
 * core does not decide. */
#ifndef QN_KERNELS_LAUNCH_PLAN_H
#define QN_KERNELS_LAUNCH_PLAN_H

#include "kernels/tiles.h"

#include <quern/device.h>
#include <quern/stream.h>

enum qn__launch_kind {
    QN__LAUNCH_ELEMENTS,         /* elements of the whole array, in any order */
    QN__LAUNCH_BLOCK_PER_ROW,    /* a block reduces a row */
    QN__LAUNCH_WAVE_PER_ROW,     /* a wave (on a CPU a thread) reduces a row */
    QN__LAUNCH_WEIGHT_ROWS,      /* a block (on a CPU a thread) reduces a few rows of weights */
    QN__LAUNCH_TILES,            /* a block computes a tile of rows by n (a product's tokens) */
    QN__LAUNCH_PIECES,           /* a block takes a row, its waves share it */
    QN__LAUNCH_STRIPS,           /* a block streams strips of weights: tiles.h */
    QN__LAUNCH_PHASE,            /* the same of one token, begun early: phase.h */
    QN__LAUNCH_PRODUCT,          /* a block makes a tile of a product on tensor cores: product.h */
    QN__LAUNCH_TENSOR_ATTENTION, /* a block takes some tokens of a head: product.h */
};

struct qn__work {
    enum qn__launch_kind kind;
    uint64_t rows;                            /* 1 for ELEMENTS */
    uint64_t n;                               /* elements of a row */
    uint64_t shared_bytes, wave_shared_bytes; /* dynamic, of a block and of each of its waves */
    struct qn__tile_work tiles;               /* of STRIPS, PHASE, PRODUCT */
    struct qn__tile_work second;              /* of PHASE: a second matrix; no rows: none */
    bool is_alone;                            /* of PIECES: a unit has one block at a time */
    uint32_t heads;                           /* of TENSOR_ATTENTION: rows tokens, n elements */
};

/* Shared memory of attention_token_<cache> for so many positions at once, and how many are best. */
uint32_t qn__token_attention_bytes(uint32_t group, uint32_t head_dim, uint32_t splits,
                                   uint32_t positions);
uint32_t qn__token_attention_positions(uint32_t group, uint32_t head_dim, uint32_t splits,
                                       const qn_device_info *dev);

/* Of a block of attention_token_f16: more where it reads the cache by fragments; 0: the plan's own.
 */
uint32_t qn__token_attention_threads(uint32_t group, uint32_t head_dim, uint32_t positions,
                                     const qn_device_info *dev);

/* `block` overrides the block size (0: the plan's own): a multiple of the wave width, at most 1024.
 */
qn_dims qn__launch_plan(const struct qn__work *work, const qn_device_info *dev, uint32_t block);

/* What `quern tune` found for a kernel; 0: the plan's own.
 *   each  of ELEMENTS: elements of a thread; of WAVE_PER_ROW: rows of a wave; of BLOCK_PER_ROW,
 *         WEIGHT_ROWS and TILES: rows of a block; no meaning for the others */
struct qn__launch_choice {
    uint32_t block;
    uint64_t each;
};
qn_dims qn__launch_chosen(const struct qn__work *work, const qn_device_info *dev,
                          struct qn__launch_choice choice);

#endif
