/* SPDX-License-Identifier: Apache-2.0
 *
 * row_sum: out[r] = sum over i of x[r][i], modulo 2^32: reads every byte and computes next to
 * nothing, which makes it the measure of a device's read bandwidth
 *
 *   out        (rows) u32
 *   x          (rows, n) u32
 *   rows, n    any; n 0 gives 0
 *   grid       any; block any multiple of the wave; static shared only. A block per row
 *   computes   exactly
 *   tolerance  none
 *   source     the definition */
#include "quern_kernel.cuh"

/* Four sums side by side, so that as many 16-byte loads are under way. */
QK_DEVICE qk_u32 sum_of(const qk_u32 *x, qk_u32 n, qk_u32 rank, qk_u32 size)
{
    const qk_u32 quads = ((qk_u64)x & 15u) == 0 ? n / 4 : 0;
    const qk_u32x4 *q = (const qk_u32x4 *)x;
    const qk_span s = qk_share(quads, rank, size);
    qk_u32 a = 0, b = 0, c = 0, d = 0;
#pragma unroll 4
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        a += q[i].x;
        b += q[i].y;
        c += q[i].z;
        d += q[i].w;
    }
    qk_u32 sum = a + b + c + d;
    const qk_u32 done = quads * 4;
    const qk_span rest = qk_share(n - done, rank, size);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        sum += x[i];
    return sum;
}

extern "C" __global__ void row_sum_u32(qk_u32 *__restrict__ out, const qk_u32 *__restrict__ x,
                                       qk_u32 rows, qk_u32 n)
{
    typedef qk_block_team team;
    const qk_span mine = qk_share(rows, team::index(), team::count());
    for (qk_u64 r = mine.begin; r < mine.end; r += mine.step) {
        const qk_u32 sum =
            team::reduce<qk_sum>(sum_of(x + r * n, n, team::rank(), team::size()));
        if (team::rank() == 0)
            out[r] = sum;
    }
}
