/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused phase over weights stored as f16. The contract is in quern_tiles.cuh. Rows are read as
 * they are stored: 16 bytes of a row are 8 elements, which is what a lane takes. */
#include "quern_phase.cuh"

struct tiles_f16 {
    enum {
        lines = 8,
        scale_bytes = 0,
        bytes = lines * LINE_BYTES,
        width = 128,
        in_halves = 0,
        copies = 16,
        row_room = 288,
        slot_bytes = 16 * row_room,
        step = 256
    };
    static __device__ __forceinline__ qk_u64 tile_at(qk_u64 strip, qk_u32 tile, qk_u32 n)
    {
        return (strip * TILE_ROWS * n + tile * width) * 2;
    }
    static __device__ __forceinline__ qk_u64 lane_bytes(qk_u32 lane, qk_u64 row_bytes)
    {
        return lane / 4 * row_bytes + lane % 4 * 16;
    }
    static __device__ __forceinline__ qk_u64 line_at(int line, qk_u64 row_bytes)
    {
        return line % 2 * 8 * row_bytes + line / 2 * 64;
    }
    template <class S, class R>
    static __device__ __forceinline__ void multiply(qk_sums *sum, S &s, const R &r, qk_u32 at,
                                                    qk_u32)
    {
        float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        QK_UNROLL_LINES
        for (int i = 0; i < lines / 2; i++) {
            const qk_u32x4 g = s.take(2 * i), h = s.take(2 * i + 1);
            const qk_column x = qk_read(r, at + 32 * i);
            qk_multiply(c, g.x, g.y, h.x, h.y, x, 0);
            qk_multiply(c, g.z, g.w, h.z, h.w, x, 1);
        }
        qk_take(sum, c, 1.0f, 1.0f);
    }
#if QK_ONE
    static __device__ __forceinline__ void one(qk_sums *sum, const qk_u8 *tile, const qk_spread &r,
                                               qk_u32 lane)
    {
        const qk_u32 room = qk_row_room(r, row_room);
        const qk_u8 *row = tile + lane / 4 * room + lane % 4 * 8;
        const float *by = r.scales + 2 * (lane % 4);
        float c[2][4] = {};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const qk_column x = qk_read(r, i, i);
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const qk_u32x2 g = *(const qk_u32x2 *)(row + 64 * i + 32 * half);
                const qk_u32x2 h = *(const qk_u32x2 *)(row + 8 * room + 64 * i + 32 * half);
                qk_multiply(c[half], g.x, g.y, h.x, h.y, x, half);
            }
        }
        sum->low += by[0] * (c[0][0] + c[0][1]) + by[1] * (c[1][0] + c[1][1]);
        sum->high += by[0] * (c[0][2] + c[0][3]) + by[1] * (c[1][2] + c[1][3]);
    }
#endif
};

QK_FUSED_KERNEL(f16, tiles_f16)
QK_PHASE_KERNEL(f16, tiles_f16)
