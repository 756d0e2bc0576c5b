/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_phase.cuh: one phase of one token, which begins before the phase in front of it has ended.
 *
 *   y = then(factor W x + bias); QK_PHASE_KERNEL(format, struct) makes phase_<format>;
 *   QK_PHASES_KERNEL(name, struct, struct) a kernel of two matrices in two formats
 *
 *   y          (rows) f32; of pairs (rows / 2)
 *   next_codes, next_numbers  y times norm as the next phase reads it (quern_ready.cuh); or null
 *   w          (rows, n) in tiles, on 16 bytes
 *   x_codes, x_numbers  x as quern_ready.cuh has it
 *   norm       (rows of y) f32: weights of the norm between y and the next phase; null: none
 *   bias       (rows) f32 or null
 *   rows, n    multiples of 16 (pairs: of 32) and of 256; with next_codes, y's rows too
 *   is_normed  factor is 1 / root(mean square of x + eps), else 1
 *   depth      tiles of a wave on their way; where qn__phase_is_direct(): KiB behind w that are
 *              about to be read; dynamic shared: qn__phase_plan()
 *   then       as in quern_tiles.cuh
 *   grid       any; block a multiple of the wave, at most 512
 *   computes   codes and scales exactly, x to 22 bits of the largest of its sixteen, products and
 *              sums in f32
 *   tolerance  as in quern_tiles.cuh
 *   source     the definition
 *
 * From sm_90 on a block asks for its first tiles by bulk copies, one mbarrier each, and then waits
 * for the phase in front. x comes in up to sixteen pieces, past the queue in which the tiles' copies
 * stand, and a wave waits for those that it reads; nothing is computed of x again. What the end
 * needs, norm, bias, which waves have parts of a row, is fetched while x is on its way.
 *
 * A lane's column of an mma has the x of every fourth block of 32 (f16, q8_0, q4_k; of 16: q6_k)
 * and zeros elsewhere. So lane t of four gets the sums of the blocks t, t + 4, ... alone, and needs
 * a fourth of the scales. Elsewhere x becomes floats again and the phase is quern_tiles.cuh's. */
#ifndef QUERN_PHASE_CUH
#define QUERN_PHASE_CUH

#include "quern_early.cuh"
#include "quern_tiles.cuh"

#if QK_FRAGMENTS && __CUDA_ARCH__ >= 900
#define QK_BULK 1
#else
#define QK_BULK 0
#endif
#define QK_DIRECT (QK_FRAGMENTS && !defined(QK_NVIDIA)) /* by mma.sync, without room for a ring */
#define QK_ONE (QK_BULK || QK_DIRECT)

/* What a phase reads of x and leaves for the next one. */
struct qk_joints {
    qk_ready next; /* codes null: none */
    qk_ready x;
    const float *norm;
    qk_u32 is_normed;
    float eps;
};

#if QK_BULK

/* -- copies and waits -- */

QK_DEVICE qk_u32 qk_shared_address(const void *p)
{
    return (qk_u32)__cvta_generic_to_shared(p);
}

QK_DEVICE void qk_arrival_start(qk_u32 bar, qk_u32 n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(n) : "memory");
}

QK_DEVICE void qk_arrival_expect(qk_u32 bar, qk_u32 bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
                 : "memory");
}

QK_DEVICE qk_u64 qk_leaves_first()
{
    qk_u64 policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

QK_DEVICE void qk_copy_bulk(qk_u32 to, const void *from, qk_u32 bytes, qk_u32 bar, qk_u64 policy)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
                 "[%0], [%1], %2, [%3], %4;" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(bar), "l"(policy)
                 : "memory");
}

/* Sixteen bytes of a thread; and an arrival of this thread when all it has asked for are there. */
QK_DEVICE void qk_copy_past(qk_u32 to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

QK_DEVICE void qk_arrival_by_copies(qk_u32 bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
}

QK_DEVICE void qk_arrival_wait(qk_u32 bar, qk_u32 parity)
{
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n\t"
                 "@!p bra again;\n\t}" ::"r"(bar),
                 "r"(parity)
                 : "memory");
}

/* -- what a wave reads -- */

/* x of a tile: where a lane's column of pair 0 to 3 is, or zeros; and the numbers of its sixteens.
 */
struct qk_spread {
    const qk_u8 *shared;
    qk_u32 at[4];
    const float *scales, *sums;
};

QK_DEVICE qk_column qk_read(const qk_spread &r, int pair, int block)
{
    qk_column c;
    c.part[0] = *(const qk_u32x4 *)(r.shared + r.at[pair] + block * 128);
    return c;
}

/* Of the rows of a tile of f16. */
QK_DEVICE qk_u32 qk_row_room(const qk_spread &, qk_u32 room)
{
    return room;
}

/* The tile that is asked for next. */
template <class F> struct qk_ahead {
    const qk_u8 *from;
    qk_u32 strip, left; /* tiles of the strip, this one too */

    __device__ __forceinline__ void start(const qk_phase &p, const qk_part &b, qk_u32 at,
                                          qk_u32 column)
    {
        strip = at;
        left = b.per_strip - column;
        from = p.w + F::tile_at(qk_strip(p, b.first + strip), column, p.n);
    }
    __device__ __forceinline__ void next(const qk_phase &p, const qk_part &b)
    {
        from += F::step;
        if (--left == 0)
            start(p, b, strip + 1, 0);
    }
    __device__ __forceinline__ void ask(qk_u32 to, qk_u32 bar, qk_u64 policy, qk_u32 lane, qk_u32 n)
    {
        if (lane == 0)
            qk_arrival_expect(bar, F::bytes);
        if (F::copies > 1)
            qk_wave_barrier();
        if (lane < F::copies)
            qk_copy_bulk(to + lane * (F::slot_bytes / F::copies), from + (qk_u64)lane * n * 2,
                         F::bytes / F::copies, bar, policy);
    }
};

#elif QK_DIRECT

/* x of a tile: this lane's part of each 32 elements, for the blocks of its pair; the others are
 * zeros. */
struct qk_spread {
    const qk_u8 *codes;
    const float *scales, *sums;
    qk_u32 pair, row_room;
};

QK_DEVICE qk_column qk_read(const qk_spread &r, int pair, int block)
{
    const qk_u32 is_mine = r.pair == (qk_u32)pair ? 0xffffffffu : 0u; /* no branch around a load */
    qk_column c;
    c.part[0] = *(const qk_u32x4 *)(r.codes + block * 128);
    c.part[0].x &= is_mine;
    c.part[0].y &= is_mine;
    c.part[0].z &= is_mine;
    c.part[0].w &= is_mine;
    return c;
}

QK_DEVICE qk_u32 qk_row_room(const qk_spread &r, qk_u32)
{
    return r.row_room;
}

#endif

/* -- the phase -- */

#if QK_ONE

/* Which waves have parts of the block's strips, noted in b.starts: the first, and above it the
 * last. */
QK_DEVICE void qk_note_waves(const qk_part &b, qk_u32 tiles)
{
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < b.strips; i += qk_threads()) {
        const qk_u32 low = i * b.per_strip, high = low + b.per_strip;
        qk_u32 first = low * b.waves / tiles, last = (high - 1) * b.waves / tiles;
        while (tiles * (first + 1) / b.waves <= low)
            first++;
        while (last + 1 < b.waves && tiles * (last + 1) / b.waves < high)
            last++;
        b.starts[i] = first | last << 16;
    }
}

/* Row `row` of strip i, its parts added up in the order of the waves. */
QK_DEVICE float qk_slot_sum(const qk_part &b, qk_u32 i, qk_u32 row)
{
    const qk_u32 waves = b.starts[i];
    float sum = 0.0f;
#pragma unroll 4
    for (qk_u32 w = waves & 0xffffu; w <= waves >> 16; w++)
        sum += b.slots[(w + i) * TILE_ROWS + row];
    return sum;
}

/* Shared memory: x, zeros, numbers of the block, the waves' parts, which waves, arrivals of x and of
 * tiles, rings. Bulk copies to what is not on 32 bytes are slower. */
enum { ZERO_BYTES = 1024, X_PIECES = 16, RING_ALIGN = 128 };

/* Not out of a cache that other units' writes do not reach. */
QK_DEVICE float qk_fresh(const float *at)
{
#ifdef QK_NVIDIA
    return __ldcg(at);
#else
    return *(const volatile float *)at;
#endif
}

/* The factor of the norm, by one wave. */
QK_DEVICE float qk_norm_factor(const qk_joints &j, qk_u32 lane)
{
    const float *squares = j.x.numbers + j.x.n / READY * 2;
    float sum = 0.0f;
    if (!j.is_normed)
        return 1.0f;
#pragma unroll 4
    for (qk_u32 i = lane; i < j.x.n / READY; i += 32)
        sum += qk_fresh(squares + i);
    return 1.0f / qk_sqrtf(qk_wave_reduce<qk_sum>(sum) / (float)j.x.n + j.eps);
}

/* What a row of y needs besides its sums; loaded long before. */
struct qk_row {
    qk_u32 at;
    float norm, bias, above, before;
};

QK_DEVICE qk_row qk_row_of(const qk_phase &p, const qk_joints &j, const qk_part &b, qk_u32 i,
                           qk_u32 n)
{
    const qk_u32 twice = p.then >= THEN_SILU ? 2 : 1;
    qk_row r;
    r.at = qk_strip(p, b.first + qk_min(i, n - 1) / TILE_ROWS * twice) * TILE_ROWS + i % TILE_ROWS;
    r.norm = j.next.codes && j.norm ? j.norm[r.at] : 1.0f;
    r.bias = p.bias ? p.bias[r.at] : 0.0f;
    r.above = p.bias && twice == 2 ? p.bias[r.at + p.rows / 2] : 0.0f;
    r.before = 0.0f;
    return r;
}

/* A block's rows, their parts added up. `mine`: of a thread's first row. */
QK_DEVICE void qk_finish_one(const qk_phase &p, const qk_joints &j, const qk_part &b, float factor,
                             qk_row mine)
{
    const qk_u32 twice = p.then >= THEN_SILU ? 2 : 1, n = b.strips * TILE_ROWS / twice;
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < (n + 31) / 32 * 32; i += qk_threads()) {
        const qk_u32 row = i % TILE_ROWS, strip = qk_min(i, n - 1) / TILE_ROWS * twice;
        if (i >= qk_threads()) {
            mine = qk_row_of(p, j, b, i, n);
            mine.before = p.then == THEN_ADD ? *(const volatile float *)(p.y + mine.at) : 0.0f;
        }
        float v = qk_slot_sum(b, strip, row) * factor + mine.bias;
        if (twice == 2)
            v = qk_activated(v, qk_slot_sum(b, strip + 1, row) * factor + mine.above, p.then);
        if (p.then == THEN_ADD)
            v += mine.before;
        if (i < n)
            p.y[mine.at] = v;
        if (j.next.codes)
            qk_put_ready(j.next, mine.at, v, v * mine.norm, i < n);
    }
}

#endif

#if QK_BULK

/* x comes in pieces of so many times 256 elements (a power of two), each with its arrival. */
QK_DEVICE qk_u32 qk_piece_shift(qk_u32 n)
{
    qk_u32 shift = 0;
    while ((n / 256 - 1) >> shift >= X_PIECES)
        shift++;
    return shift;
}

/* Past the queue of bulk copies, in which tiles stand. By all lanes of a wave. */
QK_DEVICE void qk_ask_x(const qk_ready &x, qk_u32 to, qk_u32 bar, qk_u32 shift, qk_u32 wave,
                        qk_u32 waves)
{
    const qk_u32 numbers = x.n / READY, lane = qk_thread() % 32;
#pragma unroll 1
    for (qk_u32 i = wave; i << shift < x.n / 256; i += waves) {
        const qk_u32 from = i << shift, some = qk_min(1u << shift, x.n / 256 - from);
        const qk_u32 codes = to + from * 1024, scales = to + 4 * x.n + from * 64;
#pragma unroll 4
        for (qk_u32 c = lane; c < some * 64; c += 32)
            qk_copy_past(codes + c * 16, x.codes + from * 512 + c * 8);
#pragma unroll 1
        for (qk_u32 c = lane; c < some * 4; c += 32) {
            qk_copy_past(scales + c * 16, x.numbers + from * 16 + c * 4);
            qk_copy_past(scales + 4 * numbers + c * 16, x.numbers + numbers + from * 16 + c * 4);
        }
        qk_arrival_by_copies(bar + 8 * i);
    }
}

#endif

#if QK_DIRECT

#include "quern_phase_direct.cuh"

#elif QK_BULK

template <class F>
QK_DEVICE void qk_run_one(const qk_phase &p, const qk_joints &j, qk_u32 depth, qk_u8 *shared)
{
    const qk_u32 lane = qk_thread() % 32, wave = qk_thread() / 32;
    const qk_u32 twice = p.then >= THEN_SILU ? 2 : 1, strips = p.rows / TILE_ROWS / twice;
    qk_part b;
    b.first = strips * p.block / p.blocks * twice;
    b.strips = strips * (p.block + 1) / p.blocks * twice - b.first;
    b.per_strip = p.n / F::width;
    b.waves = qk_threads() / 32;
    const qk_u32 tiles = b.strips * b.per_strip, numbers = p.n / READY;
    const qk_u32 begin = tiles * wave / b.waves, end = tiles * (wave + 1) / b.waves;
    const qk_u32 zeros = 4 * p.n + 8 * numbers, n_slots = (b.waves + b.strips) * TILE_ROWS;
    float *const factor = (float *)(shared + zeros + ZERO_BYTES);
    b.slots = factor + 4;
    b.starts = (qk_u32 *)(b.slots + n_slots);
    const qk_u32 here = qk_shared_address(shared);
    const qk_u32 of_x = qk_shared_address(b.starts + (b.strips + 1) / 2 * 2);
    const qk_u32 bars = of_x + X_PIECES * 8, bar = bars + wave * depth * 8;
    const qk_u32 slot_bytes = (F::slot_bytes + RING_ALIGN - 1) / RING_ALIGN * RING_ALIGN;
    const qk_u32 rings = (bars + b.waves * depth * 8 + RING_ALIGN - 1) / RING_ALIGN * RING_ALIGN;
    const qk_u32 ring = rings + wave * depth * slot_bytes;
    const qk_u64 policy = qk_leaves_first();
    if (lane < depth)
        qk_arrival_start(bar + 8 * lane, 1);
    if (qk_thread() < X_PIECES)
        qk_arrival_start(of_x + 8 * qk_thread(), 32);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    qk_wave_barrier();
    qk_u32 strip = begin / b.per_strip, column = begin % b.per_strip, asked = begin;
    qk_ahead<F> ahead;
    ahead.start(p, b, strip, column);
#pragma unroll 1
    for (qk_u32 i = 0; i < depth && asked < end; i++, asked++) {
        ahead.ask(ring + i * slot_bytes, bar + 8 * i, policy, lane, p.n);
        ahead.next(p, b);
    }
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < ZERO_BYTES / 4; i += qk_threads())
        ((float *)(shared + zeros))[i] = 0.0f;
    if (tiles < b.waves) /* some waves leave nothing */
#pragma unroll 1
        for (qk_u32 i = qk_thread(); i < n_slots; i += qk_threads())
            b.slots[i] = 0.0f;
    qk_barrier(); /* zeros, x's arrivals */
    qk_wait_for_previous();
    qk_next_may_start(); /* not before: a unit has room for the block that has it */
    qk_u32 shift = qk_piece_shift(p.n), there = X_PIECES;
    qk_ask_x(j.x, here, of_x, shift, wave, b.waves);
    const qk_u32 n_rows = b.strips * TILE_ROWS / twice;
    qk_row first = {0, 1.0f, 0.0f, 0.0f, 0.0f};
    if (qk_thread() < (n_rows + 31) / 32 * 32)
        first = qk_row_of(p, j, b, qk_thread(), n_rows);
    qk_note_waves(b, tiles);
    if (p.then == THEN_ADD && qk_thread() < n_rows)
        first.before = *(const volatile float *)(p.y + first.at);
    if (wave == b.waves - 1) {
        const float f = qk_norm_factor(j, lane);
        if (lane == 0)
            factor[0] = f;
    }
    shift += F::width == 128; /* of tiles now */
    const qk_u32 mine = lane % 4 * 32 + lane / 4 % 2 * 16;
    qk_sums sums = {0.0f, 0.0f};
    qk_u32 slot = 0, parity = 0;
#pragma unroll 1
    for (qk_u32 tile = begin; tile < end; tile++) {
        if (column >> shift != there) {
            there = column >> shift;
            qk_arrival_wait(of_x + 8 * there, 0);
        }
        qk_spread r;
        r.shared = shared;
#pragma unroll
        for (qk_u32 pair = 0; pair < 4; pair++)
            r.at[pair] = lane / 8 == pair ? mine + column * (F::width * 4) : zeros;
        r.scales = (const float *)(shared + 4 * p.n) + column * (F::width / READY);
        r.sums = r.scales + numbers;
        qk_arrival_wait(bar + slot * 8, parity);
        F::one(&sums, shared + (ring - here) + slot * slot_bytes, r, lane);
        qk_wave_barrier();
        if (asked < end) {
            ahead.ask(ring + slot * slot_bytes, bar + slot * 8, policy, lane, p.n);
            ahead.next(p, b);
            asked++;
        }
        column++;
        if (column == b.per_strip || tile + 1 == end) {
            sums.low += qk_shuffle_xor(sums.low, 1);
            sums.high += qk_shuffle_xor(sums.high, 1);
            sums.low += qk_shuffle_xor(sums.low, 2);
            sums.high += qk_shuffle_xor(sums.high, 2);
            if (lane % 4 == 0) {
                float *to = b.slots + (wave + strip) * TILE_ROWS + lane / 4;
                to[0] = sums.low;
                to[8] = sums.high;
            }
            sums.low = sums.high = 0.0f;
            strip++;
            column = 0;
        }
        slot = slot + 1 == depth ? 0 : slot + 1;
        parity ^= slot == 0;
    }
    qk_barrier();
    qk_finish_one(p, j, b, factor[0], first);
}
#else

/* Element i of x. */
QK_DEVICE float qk_ready_value(const qk_ready &x, qk_u32 i)
{
    const qk_half *at = x.codes + i / 32 * 64 + i % 16 / 4 * 16 + i % 32 / 16 * 4 + i % 4;
    return (qk_float(at[0]) + qk_float(at[8])) * x.numbers[i / READY];
}

/* Shared memory: x as floats, then qk_run_phase()'s. The strips of a block are its own, and so are
 * their sixteens of y. */
template <class F>
QK_DEVICE void qk_run_one(const qk_phase &p, const qk_joints &j, qk_u32, qk_u8 *shared)
{
    float *x = (float *)shared, squares = 0.0f;
    for (qk_u32 i = 0; j.is_normed && i < p.n / READY; i++)
        squares += j.x.numbers[p.n / READY * 2 + i];
    const float factor = j.is_normed ? 1.0f / qk_sqrtf(squares / (float)p.n + j.eps) : 1.0f;
    for (qk_u32 i = qk_thread(); i < p.n; i += qk_threads())
        x[i] = qk_ready_value(j.x, i) * factor;
    qk_barrier();
    qk_run_phase<F>(p, x, 0, 1, 0.0f, shared + 4 * p.n);
    qk_barrier();
    const qk_u32 strips = p.rows / TILE_ROWS / (p.then >= THEN_SILU ? 2 : 1);
    const qk_u32 first = strips * p.block / p.blocks * TILE_ROWS;
    const qk_u32 end = strips * (p.block + 1) / p.blocks * TILE_ROWS;
    if (!j.next.codes)
        return;
#if QK_WAVE_WIDTH > 1
    for (qk_u32 i = first + qk_thread();
         i < (end + QK_WAVE_WIDTH - 1) / QK_WAVE_WIDTH * QK_WAVE_WIDTH + qk_threads();
         i += qk_threads()) {
        const qk_u32 at = qk_min(i, end - 1);
        const float v = p.y[at];
        qk_put_ready(j.next, at, v, v * (j.norm ? j.norm[at] : 1.0f), i < end);
    }
#else
    for (qk_u32 i = first + qk_thread() * READY; i < end; i += qk_threads() * READY)
        qk_put_sixteen(j.next, i, p.y + i, j.norm ? j.norm + i : 0);
#endif
}
#endif

#define QK_PHASE_KERNEL(format, F)                                                                 \
    extern "C" __global__ void __launch_bounds__(512, 1) phase_##format(                           \
        float *y, qk_half *next_codes, float *next_numbers, const void *w, const qk_half *x_codes, \
        const float *x_numbers, const float *norm, const float *bias, qk_u32 rows, qk_u32 n,       \
        qk_u32 is_normed, qk_u32 depth, float eps, qk_u32 then)                                    \
    {                                                                                              \
        extern __shared__ qk_u32x4 shared[];                                                       \
        const qk_phase p = {y, (const qk_u8 *)w, bias, rows, n, then, qk_block(), qk_blocks()};    \
        const qk_joints j = {{next_codes, next_numbers, rows / (then >= THEN_SILU ? 2 : 1)},       \
                             {(qk_half *)x_codes, (float *)x_numbers, n},                          \
                             norm,                                                                 \
                             is_normed,                                                            \
                             eps};                                                                 \
        qk_run_one<F>(p, j, depth, (qk_u8 *)shared);                                               \
    }

/* Of `blocks`, at least two, those that take the second matrix: in proportion to its bytes. */
template <class F, class G>
QK_DEVICE qk_u32 qk_second_blocks(qk_u32 rows, qk_u32 rows2, qk_u32 blocks)
{
    const qk_u32 one = rows / TILE_ROWS * F::bytes, two = rows2 / TILE_ROWS * G::bytes;
    const qk_u32 share = (qk_u32)(((qk_u64)blocks * two + (one + two) / 2) / (one + two));
    return qk_min(qk_max(share, 1u), blocks - 1);
}

/* Two matrices of the same x, in two formats, y one after the other; nothing is left ready. */
#define QK_PHASES_KERNEL(name, F, G)                                                               \
    extern "C" __global__ void __launch_bounds__(512, 1)                                           \
        name(float *y, const void *w, const void *w2, const qk_half *x_codes,                      \
             const float *x_numbers, const float *bias, qk_u32 rows, qk_u32 rows2, qk_u32 n,       \
             qk_u32 is_normed, qk_u32 depth, float eps)                                            \
    {                                                                                              \
        extern __shared__ qk_u32x4 shared[];                                                       \
        const qk_u32 second = qk_second_blocks<F, G>(rows, rows2, qk_blocks());                    \
        const qk_u32 first = qk_blocks() - second;                                                 \
        const qk_joints j = {                                                                      \
            {0, 0, 0}, {(qk_half *)x_codes, (float *)x_numbers, n}, 0, is_normed, eps};            \
        if (qk_block() < first) {                                                                  \
            const qk_phase p = {                                                                   \
                y, (const qk_u8 *)w, bias, rows, n, THEN_STORE, qk_block(), first};                \
            qk_run_one<F>(p, j, depth, (qk_u8 *)shared);                                           \
        } else {                                                                                   \
            const qk_phase p = {y + rows,                                                          \
                                (const qk_u8 *)w2,                                                 \
                                bias ? bias + rows : bias,                                         \
                                rows2,                                                             \
                                n,                                                                 \
                                THEN_STORE,                                                        \
                                qk_block() - first,                                                \
                                second};                                                           \
            qk_run_one<G>(p, j, depth, (qk_u8 *)shared);                                           \
        }                                                                                          \
    }

#endif
