/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_phase_direct.cuh: a phase (quern_phase.cuh, in which it is included) by mma.sync where
 * shared memory has no room for rings and x: NVIDIA's GPUs through OpenCL. Weights and x go from
 * memory to registers, all of a tile at once; a wave asks for its next tiles to come into L2 before
 * it waits for this one's, and at its end for what lies behind the matrix: the next phase's, while
 * blocks end and begin. `depth`: how many KiB of that. */
#ifndef QUERN_PHASE_DIRECT_CUH
#define QUERN_PHASE_DIRECT_CUH

enum { PREFETCH_LINE = 128, PREFETCH_TILES = 2 };

__device__ void qk_prefetch_line(const qk_u8 *p) __asm__("__qn_prefetch");

template <class F> QK_DEVICE void qk_prefetch_tile(const qk_u8 *tile, qk_u32 row_bytes, qk_u32 lane)
{
#pragma unroll
    for (qk_u32 i = lane; i < (F::bytes + PREFETCH_LINE - 1) / PREFETCH_LINE; i += 32)
        qk_prefetch_line(F::copies > 1 ? tile + i / 2 * row_bytes + i % 2 * PREFETCH_LINE
                                       : tile + i * PREFETCH_LINE);
}

/* As qk_norm_factor(), by all threads: first what each adds up, then across the waves' sums. */
QK_DEVICE float qk_norm_part(const qk_joints &j)
{
    const float *squares = j.x.numbers + j.x.n / READY * 2;
    float sum = 0.0f;
    if (j.is_normed)
        for (qk_u32 i = qk_thread(); i < j.x.n / READY; i += qk_threads())
            sum += qk_fresh(squares + i);
    return sum;
}

QK_DEVICE float qk_norm_whole(const qk_joints &j, const float *parts, qk_u32 waves)
{
    float sum = 0.0f;
    if (!j.is_normed)
        return 1.0f;
    for (qk_u32 w = 0; w < waves; w++)
        sum += parts[w];
    return 1.0f / qk_sqrtf(sum / (float)j.x.n + j.eps);
}

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
    float *const parts = (float *)shared; /* (waves) of the norm */
    b.slots = parts + b.waves;
    b.starts = (qk_u32 *)(b.slots + (b.waves + b.strips) * TILE_ROWS);
    if (tiles < b.waves) { /* not every slot gets its part */
        for (qk_u32 i = qk_thread(); i < (b.waves + b.strips) * TILE_ROWS; i += qk_threads())
            b.slots[i] = 0.0f;
        qk_barrier();
    }
    const qk_u32 n_rows = b.strips * TILE_ROWS / twice;
    qk_row first = {0, 1.0f, 0.0f, 0.0f, 0.0f};
    if (qk_thread() < (n_rows + 31) / 32 * 32)
        first = qk_row_of(p, j, b, qk_thread(), n_rows);
    if (p.then == THEN_ADD && qk_thread() < n_rows)
        first.before = *(const volatile float *)(p.y + first.at);
    qk_note_waves(b, tiles);
    const float part = qk_norm_part(j);
    qk_spread r;
    r.pair = lane / 8;
    r.row_room = p.n * 2;
    qk_sums sums = {0.0f, 0.0f};
    qk_u32 strip = begin / b.per_strip, column = begin % b.per_strip;
    qk_u32 ahead = begin, ahead_strip = strip, ahead_column = column;
#pragma unroll 1
    for (qk_u32 tile = begin; tile < end; tile++) {
        for (; ahead < end && ahead <= tile + PREFETCH_TILES; ahead++) {
            if (ahead > tile)
                qk_prefetch_tile<F>(
                    p.w + F::tile_at(qk_strip(p, b.first + ahead_strip), ahead_column, p.n),
                    r.row_room, lane);
            ahead_column++;
            if (ahead_column == b.per_strip) {
                ahead_strip++;
                ahead_column = 0;
            }
        }
        r.codes = (const qk_u8 *)j.x.codes + column * (F::width * 4) + lane % 4 * 32 +
                  lane / 4 % 2 * 16;
        r.scales = j.x.numbers + column * (F::width / READY);
        r.sums = r.scales + numbers;
        F::one(&sums, p.w + F::tile_at(qk_strip(p, b.first + strip), column, p.n), r, lane);
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
    }
    const qk_u8 *const behind = p.w + F::tile_at(p.rows / TILE_ROWS, 0, p.n);
    for (qk_u32 i = p.block * qk_threads() + qk_thread(); i < depth * (1024 / PREFETCH_LINE);
         i += p.blocks * qk_threads())
        qk_prefetch_line(behind + (qk_u64)i * PREFETCH_LINE);
    const float sum = qk_wave_reduce<qk_sum>(part);
    if (lane == 0)
        parts[wave] = sum;
    qk_barrier();
    qk_finish_one(p, j, b, qk_norm_whole(j, parts, b.waves), first);
}

#endif
