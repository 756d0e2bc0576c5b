/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch plans (launch_plan.h). The numbers: 256 threads are 8 or 4 waves, enough to hide latency
 * and small enough that a block fits beside others everywhere; a thread's share of an array starts
 * at 4 elements (a pack of f32); a GPU is full with about 2048 threads per compute unit. */
#include "kernels/launch_plan.h"

#include "kernels/launch_sizes.h"
#include "kernels/phase.h"
#include "kernels/product.h"

enum {
    BLOCK_THREADS = 256,
    GPU_THREADS_PER_UNIT = 2048,
    GPU_ELEMS_PER_THREAD = 4,
    WEIGHT_THREADS = 128, /* with few rows a block each, and small ones even out over the units */
    WEIGHT_ROWS = 4,      /* rows a block takes at once: `many` in quern_weights.cuh */
    TILE = 64, /* rows and tokens of a block's tile, about: qk_tile in quern_weights.cuh */
    TOKEN_POSITIONS = 64, /* a block of attention_token takes at once */
    TOKEN_THREADS = 512,  /* sixteen waves take 256 positions, where tensor cores do */
    TOKEN_ROOM = 4,
    CPU_BLOCKS_PER_UNIT = 4,
    CPU_ELEMS_PER_BLOCK = 4096, /* below this a block's own cost shows */
    CPU_ROW_THREADS = 4, /* PoCL 3.1 aborts on some kernels with barriers in blocks of 1 and 2 */
};

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
    return x < low ? low : min_u64(x, high);
}

/* Threads for one row of n elements: enough for a pack each, in whole waves. */
static uint64_t row_block(uint64_t n, uint64_t wave)
{
    const uint64_t waves = qn__ceil_div(qn__ceil_div(n, GPU_ELEMS_PER_THREAD), wave);
    return clamp(waves * wave, wave, n > 8192 ? 1024 : BLOCK_THREADS);
}

static qn_dims pieces_plan(const struct qn__work *work, const qn_device_info *dev, uint32_t block)
{
    const uint32_t wave = qn__kernel_wave(dev);
    const uint32_t most = dev->block_threads_max ? dev->block_threads_max : BLOCK_THREADS;
    uint32_t threads = block ? block : wave == 1 ? CPU_ROW_THREADS : BLOCK_THREADS;
    threads = threads < most ? threads : most;
    const uint64_t shared = work->shared_bytes + threads / wave * work->wave_shared_bytes;
    const uint64_t alone = work->is_alone ? qn__alone_bytes(dev) : 0;
    return (qn_dims){
        .grid = {(uint32_t)work->rows, 1, 1},
        .block = {threads, 1, 1},
        .shared_bytes = (uint32_t)(shared > alone ? shared : alone),
    };
}

qn_dims qn__launch_plan(const struct qn__work *work, const qn_device_info *dev, uint32_t block)
{
    const uint64_t wave = qn__kernel_wave(dev);
    const uint64_t units = dev->compute_units ? dev->compute_units : 1;
    const bool is_cpu = dev->device_class == QN_DEVICE_CPU;
    if (work->kind == QN__LAUNCH_STRIPS)
        return qn__tiles_plan(&work->tiles, dev, block);
    if (work->kind == QN__LAUNCH_PHASE && work->second.rows)
        return qn__phases_plan(&work->tiles, &work->second, dev, block);
    if (work->kind == QN__LAUNCH_PHASE)
        return qn__phase_plan(&work->tiles, dev, block);
    if (work->kind == QN__LAUNCH_PIECES)
        return pieces_plan(work, dev, block);
    if (work->kind == QN__LAUNCH_PRODUCT)
        return qn__product_plan(work->tiles.format, work->tiles.rows, work->tiles.tokens, dev);
    if (work->kind == QN__LAUNCH_TENSOR_ATTENTION)
        return qn__tensor_attention_plan((uint32_t)work->n, work->rows, work->heads, dev);
    uint64_t threads = is_cpu ? 1 : BLOCK_THREADS, blocks = 1, blocks_max;

    if (work->kind == QN__LAUNCH_BLOCK_PER_ROW)
        threads = is_cpu ? CPU_ROW_THREADS : row_block(work->n, wave);
    else if (work->kind == QN__LAUNCH_WEIGHT_ROWS && !is_cpu)
        threads = WEIGHT_THREADS;
    if (block)
        threads = block;
    if (dev->block_threads_max)
        threads = min_u64(threads, dev->block_threads_max);

    if (is_cpu) {
        blocks = qn__ceil_div(work->rows * work->n, CPU_ELEMS_PER_BLOCK);
        blocks_max = units * CPU_BLOCKS_PER_UNIT;
        if (work->kind == QN__LAUNCH_TILES)
            blocks = blocks_max;
        if (work->kind != QN__LAUNCH_ELEMENTS)
            blocks = min_u64(blocks, work->rows);
    } else {
        switch (work->kind) {
        case QN__LAUNCH_ELEMENTS:
            blocks = qn__ceil_div(work->rows * work->n, threads * GPU_ELEMS_PER_THREAD);
            break;
        case QN__LAUNCH_BLOCK_PER_ROW: blocks = work->rows; break;
        case QN__LAUNCH_WAVE_PER_ROW: blocks = qn__ceil_div(work->rows * wave, threads); break;
        case QN__LAUNCH_WEIGHT_ROWS: blocks = qn__ceil_div(work->rows, WEIGHT_ROWS); break;
        case QN__LAUNCH_PIECES:
        case QN__LAUNCH_PHASE:
        case QN__LAUNCH_PRODUCT:
        case QN__LAUNCH_TENSOR_ATTENTION:
        case QN__LAUNCH_STRIPS: break; /* above */
        case QN__LAUNCH_TILES:
            blocks = qn__ceil_div(work->rows, TILE) * qn__ceil_div(work->n, TILE);
            break;
        }
        blocks_max = units * qn__ceil_div(GPU_THREADS_PER_UNIT, threads);
        if (work->kind != QN__LAUNCH_ELEMENTS)
            blocks_max *= 4; /* rows are coarse: let the hardware even them out */
    }
    if (dev->grid_max[0])
        blocks_max = min_u64(blocks_max, dev->grid_max[0]);
    return (qn_dims){
        .grid = {(uint32_t)clamp(blocks, 1, clamp(blocks_max, 1, UINT32_MAX)), 1, 1},
        .block = {(uint32_t)threads, 1, 1},
    };
}

/* Rows or elements that a block does; 0: the plan decides. */
static uint64_t work_of_block(enum qn__launch_kind kind, const qn_device_info *dev,
                              uint64_t threads, uint64_t each)
{
    switch (kind) {
    case QN__LAUNCH_ELEMENTS: return each * threads;
    case QN__LAUNCH_WAVE_PER_ROW: {
        const uint64_t waves = threads / qn__kernel_wave(dev);
        return each * (waves ? waves : 1);
    }
    case QN__LAUNCH_BLOCK_PER_ROW:
    case QN__LAUNCH_WEIGHT_ROWS:
    case QN__LAUNCH_TILES: return each;
    default: return 0;
    }
}

qn_dims qn__launch_chosen(const struct qn__work *work, const qn_device_info *dev,
                          struct qn__launch_choice choice)
{
    qn_dims dims = qn__launch_plan(work, dev, choice.block);
    const uint64_t of_block = work_of_block(work->kind, dev, dims.block[0], choice.each);
    const uint64_t items = work->kind == QN__LAUNCH_ELEMENTS ? work->rows * work->n : work->rows;
    const uint64_t most = dev->grid_max[0] ? dev->grid_max[0] : UINT32_MAX;
    if (of_block)
        dims.grid[0] = (uint32_t)clamp(qn__ceil_div(items, of_block), 1, min_u64(most, UINT32_MAX));
    return dims;
}

/* As rooms_of() in quern_attention_token.cuh lays it out; pieces are put together where keys were.
 */
uint32_t qn__token_attention_bytes(uint32_t group, uint32_t head_dim, uint32_t splits,
                                   uint32_t positions)
{
    const uint32_t rows = 2 * positions * (head_dim + TOKEN_ROOM);
    const uint32_t shares = group * splits, first = rows > shares ? rows : shares;
    return 4 * (first + (2 * group + 2) * head_dim + group * (positions + 3));
}

uint32_t qn__token_attention_positions(uint32_t group, uint32_t head_dim, uint32_t splits,
                                       const qn_device_info *dev)
{
    uint32_t n = TOKEN_POSITIONS;
    while (n > 1 && qn__token_attention_bytes(group, head_dim, splits, n) > dev->shared_bytes_max)
        n /= 2;
    return n;
}

/* As by_fragments() in quern_attention_token.cuh; more than four queries were not measured. */
uint32_t qn__token_attention_threads(uint32_t group, uint32_t head_dim, uint32_t positions,
                                     const qn_device_info *dev)
{
    const bool suits = (head_dim == 64 || head_dim == 128) && group <= 4;
    return suits && positions == TOKEN_POSITIONS && qn__starts_early(dev) ? TOKEN_THREADS : 0;
}
