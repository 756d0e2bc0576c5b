/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches on tensor cores (product.h), as the kernels lay out their shared memory. */
#include "kernels/product.h"

#include "kernels/launch_sizes.h"

enum {
    THREADS = 128,
    GROUPS = 2, /* of so many, of a product's block */
    ROWS = 128, /* of a block, of y */
    TOKENS = 128,
    STRIPS = ROWS / QN__TILE_ROWS,
    STAGES_MIN = 3,
    STAGES_MAX = 6,
    ALIGNED = 1024,
    RESERVED = 1024, /* of a block's shared memory: the driver's, static variables */
    PIECE = 64,      /* elements */
    ATTEND_TOKENS = 64,
};

/* What a piece of a strip takes: codes and scales. */
static const uint32_t piece_bytes[QN__N_FORMATS] = {
    [QN__FORMAT_f16] = 2048,
    [QN__FORMAT_q8_0] = 1024 + 256,
    [QN__FORMAT_q4_k] = 512 + 256,
    [QN__FORMAT_q6_k] = 1536 + 288,
};

static uint32_t at_most(uint64_t blocks, const qn_device_info *dev)
{
    const uint64_t most = dev->grid_max[0] ? dev->grid_max[0] : UINT32_MAX;
    return (uint32_t)(blocks < most ? blocks : most);
}

static uint64_t stage_bytes(const struct qn__format *f)
{
    return qn__ceil_div(STRIPS * piece_bytes[f->id], ALIGNED) * ALIGNED + TOKENS * PIECE * 2;
}

static uint64_t product_blocks(uint64_t rows, uint64_t tokens)
{
    return qn__ceil_div(rows, ROWS) * qn__ceil_div(tokens, TOKENS);
}

/* What a block may take of a unit's shared memory, where it is alone and where two are to fit. */
static uint64_t room_of(const qn_device_info *dev, bool alone)
{
    const uint64_t all = dev->shared_bytes_max > RESERVED ? dev->shared_bytes_max - RESERVED : 0;
    return alone ? all : all / 2;
}

/* Groups that share n: two where a unit has one block alone, and there is shared memory for both.
 */
static uint32_t product_groups(const struct qn__format *f, uint64_t rows, uint64_t tokens,
                               const qn_device_info *dev)
{
    const bool alone = product_blocks(rows, tokens) <= dev->compute_units;
    return alone && GROUPS * STAGES_MIN * stage_bytes(f) <= room_of(dev, true) ? GROUPS : 1;
}

uint32_t qn__product_stages(const struct qn__format *f, uint64_t rows, uint64_t tokens,
                            const qn_device_info *dev)
{
    const uint32_t groups = product_groups(f, rows, tokens, dev);
    if (!piece_bytes[f->id] || STAGES_MIN * stage_bytes(f) > room_of(dev, true))
        return 0;
    uint32_t n = STAGES_MAX;
    while (n > STAGES_MIN && groups * n * stage_bytes(f) > room_of(dev, groups > 1))
        n--;
    return n;
}

bool qn__product_accepts(const struct qn__format *f, const qn_device_info *dev)
{
    return qn__product_stages(f, 1, 1, dev) > 0;
}

bool qn__product_in_fours(const struct qn__format *f)
{
    return f->id != QN__FORMAT_f16;
}

qn_dims qn__product_plan(const struct qn__format *f, uint64_t rows, uint64_t tokens,
                         const qn_device_info *dev)
{
    const uint32_t groups = product_groups(f, rows, tokens, dev);
    const uint64_t stages = groups * qn__product_stages(f, rows, tokens, dev);
    return (qn_dims){.grid = {at_most(product_blocks(rows, tokens), dev), 1, 1},
                     .block = {groups * THREADS, 1, 1},
                     .shared_bytes = (uint32_t)(stages * stage_bytes(f))};
}

/* Queries in two parts, and a piece of keys and of values, in rows made up to 64, 128 or 256. */
static uint64_t attention_bytes(uint32_t head_dim)
{
    const uint32_t row = head_dim <= 64 ? 64 : head_dim <= 128 ? 128 : 256;
    const uint32_t keys = row == 256 ? 32 : 64;
    return (uint64_t)2 * (2 * ATTEND_TOKENS + 2 * keys) * (row + 8);
}

bool qn__tensor_attention_accepts(uint32_t head_dim, const qn_device_info *dev)
{
    return head_dim % 8 == 0 && head_dim <= 256 &&
           attention_bytes(head_dim) <= dev->shared_bytes_max;
}

qn_dims qn__tensor_attention_plan(uint32_t head_dim, uint64_t tokens, uint64_t heads,
                                  const qn_device_info *dev)
{
    return (qn_dims){.grid = {at_most(qn__ceil_div(tokens, ATTEND_TOKENS) * heads, dev), 1, 1},
                     .block = {THREADS, 1, 1},
                     .shared_bytes = (uint32_t)attention_bytes(head_dim)};
}
