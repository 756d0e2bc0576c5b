/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_phase_direct.cuh: a phase (quern_phase.cuh, in which it is included) by mma.sync where
 * shared memory has no room for rings and x: NVIDIA's GPUs through OpenCL. Weights and x go from
 * memory to registers, all of a tile at once; what hides their way is the other waves. Weights asked
 * into L2 ahead made a token 13 % slower. */
#ifndef QUERN_PHASE_DIRECT_CUH
#define QUERN_PHASE_DIRECT_CUH

template <class F>
QK_DEVICE void qk_run_one(const qk_phase &p, const qk_joints &j, qk_u32, qk_u8 *shared)
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
    float *const factor = (float *)shared;
    b.slots = factor + 4;
    b.starts = (qk_u32 *)(b.slots + (b.waves + b.strips) * TILE_ROWS);
    for (qk_u32 i = qk_thread(); i < (b.waves + b.strips) * TILE_ROWS; i += qk_threads())
        b.slots[i] = 0.0f;
    const qk_u32 n_rows = b.strips * TILE_ROWS / twice;
    qk_row first = {0, 1.0f, 0.0f, 0.0f, 0.0f};
    if (qk_thread() < (n_rows + 31) / 32 * 32)
        first = qk_row_of(p, j, b, qk_thread(), n_rows);
    if (p.then == THEN_ADD && qk_thread() < n_rows)
        first.before = *(const volatile float *)(p.y + first.at);
    qk_note_waves(b, tiles);
    if (wave == b.waves - 1) {
        const float f = qk_norm_factor(j, lane);
        if (lane == 0)
            factor[0] = f;
    }
    qk_barrier(); /* zeros */
    qk_spread r;
    r.pair = lane / 8;
    r.row_room = p.n * 2;
    qk_sums sums = {0.0f, 0.0f};
    qk_u32 strip = begin / b.per_strip, column = begin % b.per_strip;
#pragma unroll 1
    for (qk_u32 tile = begin; tile < end; tile++) {
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
    qk_barrier();
    qk_finish_one(p, j, b, factor[0], first);
}

#endif
