/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_product_sync.cuh: a block's part of a product by mma.sync (quern_product.cuh, in which it is
 * included). Of two groups of 128 threads each takes every other piece of n, through a ring of its
 * own. */
#ifndef QUERN_PRODUCT_SYNC_CUH
#define QUERN_PRODUCT_SYNC_CUH

enum { WARP_STRIPS = BLOCK_STRIPS / ROW_WARPS };

QK_DEVICE qk_u32 group_thread()
{
    return qk_thread() % PRODUCT_THREADS;
}

template <class F>
QK_DEVICE void product_multiply(product_sums *sums, const product_ring &ring, qk_u32 stage,
                                qk_u32 warp, qk_u32 piece, qk_u32 lane)
{
    const qk_u32 row_warp = warp % ROW_WARPS, token_warp = warp / ROW_WARPS;
    const qk_u8 *w = ring.w + (stage * BLOCK_STRIPS + row_warp * WARP_STRIPS) * F::piece_bytes;
    const qk_u8 *x = ring.x + stage * INPUT_BYTES;
    const qk_u32 token = token_warp * WARP_GROUPS * 8 + lane / 16 * 8 + lane % 8;
QK_TENSOR_UNROLL
    for (int i = 0; i < 2; i++) {
        qk_u32 b[2][WARP_GROUPS / 2][4];
QK_TENSOR_UNROLL
        for (int s = 0; s < 2; s++)
QK_TENSOR_UNROLL
            for (int g = 0; g < WARP_GROUPS / 2; g++)
                qk_load_matrices(b[s][g], (const qk_half *)(x + ring_place(token + 16 * g,
                                                                           4 * i + 2 * s +
                                                                               lane / 8 % 2)));
QK_TENSOR_UNROLL
        for (int m = 0; m < WARP_STRIPS; m++) {
            qk_u32 a[2][4];
            const qk_u8 *strip = w + m * F::piece_bytes;
            const product_rows rows = {{strip, strip}, {0, 8}};
            F::fragments(a, rows, piece, i, lane);
QK_TENSOR_UNROLL
            for (int s = 0; s < 2; s++)
QK_TENSOR_UNROLL
                for (int g = 0; g < WARP_GROUPS; g++)
                    qk_tensor_product(sums[m][g], a[s], b[s][g / 2][g % 2 * 2],
                                      b[s][g / 2][g % 2 * 2 + 1]);
        }
    }
}

/* The second group's sums are added to the first one's, through the ring's memory. */
QK_DEVICE void product_join(product_sums *sums, float *shared, qk_u32 group)
{
    qk_barrier();
    if (group)
QK_TENSOR_UNROLL
        for (int m = 0; m < WARP_STRIPS; m++)
QK_TENSOR_UNROLL
            for (int g = 0; g < WARP_GROUPS; g++)
QK_TENSOR_UNROLL
                for (int i = 0; i < 4; i++)
                    shared[((m * WARP_GROUPS + g) * 4 + i) * PRODUCT_THREADS + group_thread()] =
                        sums[m][g][i];
    qk_barrier();
    if (!group)
QK_TENSOR_UNROLL
        for (int m = 0; m < WARP_STRIPS; m++)
QK_TENSOR_UNROLL
            for (int g = 0; g < WARP_GROUPS; g++)
QK_TENSOR_UNROLL
                for (int i = 0; i < 4; i++)
                    sums[m][g][i] +=
                        shared[((m * WARP_GROUPS + g) * 4 + i) * PRODUCT_THREADS + group_thread()];
}

/* Rows g and g + 8 of a strip, tokens 2 t and 2 t + 1 of each group; pairs are strips in twos. */
QK_DEVICE void product_finish(const product_sums *sums, const product_work &p, qk_u32 strip0,
                              qk_u32 token0, qk_u32 lane)
{
    const bool pairs = p.then >= PRODUCT_SILU;
QK_TENSOR_UNROLL
    for (int g = 0; g < WARP_GROUPS; g++)
QK_TENSOR_UNROLL
        for (int i = 0; i < 2; i++) {
            const qk_u32 token = token0 + 8 * g + lane % 4 * 2 + i;
            if (token >= p.tokens)
                continue;
QK_TENSOR_UNROLL
            for (int m = 0; m < WARP_STRIPS; m++) {
                if (strip0 + m >= p.rows / 16 || (pairs && m % 2))
                    continue;
                const qk_u32 row = product_strip(p, strip0 + m) * 16 + lane / 4;
QK_TENSOR_UNROLL
                for (int r = 0; r < 2; r++)
                    product_put(p, row + 8 * r, token, sums[m][g][2 * r + i],
                                sums[m / 2 * 2 + 1][g][2 * r + i]);
            }
        }
}

/* Of `groups` groups each takes every so many-th piece, through a ring of its own. */
template <class F>
QK_DEVICE void product_tile(const product_work &p, const product_ring &ring, qk_u32 strip0,
                            qk_u32 token0, float *shared)
{
    const qk_u32 group = qk_thread() / PRODUCT_THREADS, groups = qk_threads() / PRODUCT_THREADS;
    const qk_u32 warp = group_thread() / 32, lane = qk_thread() % 32;
    const qk_u32 pieces = p.n / PIECE / groups;
    product_sums sums[WARP_STRIPS];
QK_TENSOR_UNROLL
    for (int m = 0; m < WARP_STRIPS; m++)
QK_TENSOR_UNROLL
        for (int g = 0; g < WARP_GROUPS; g++)
            sums[m][g][0] = sums[m][g][1] = sums[m][g][2] = sums[m][g][3] = 0.0f;
    const qk_u32 distance = ring.stages - 1;
    for (qk_u32 i = 0; i < distance; i++) {
        if (i < pieces)
            product_load<F, PRODUCT_THREADS>(ring, i, p, strip0, token0,
                                                           i * groups + group, group_thread());
        qk_copies_end();
    }
    qk_u32 stage = 0, ahead = distance;
    for (qk_u32 i = 0; i < pieces; i++) {
        product_wait(distance);
        qk_barrier();
        if (i + distance < pieces)
            product_load<F, PRODUCT_THREADS>(
                ring, ahead, p, strip0, token0, (i + distance) * groups + group, group_thread());
        qk_copies_end();
        product_multiply<F>(sums, ring, stage, warp, i * groups + group, lane);
        stage = stage + 1 == ring.stages ? 0 : stage + 1;
        ahead = ahead + 1 == ring.stages ? 0 : ahead + 1;
    }
    const qk_u32 strip = strip0 + warp % ROW_WARPS * WARP_STRIPS;
    const qk_u32 token = token0 + warp / ROW_WARPS * 8 * WARP_GROUPS;
    qk_copies_wait<0>();
    if (groups > 1)
        product_join(sums, shared, group);
    if (!group)
        product_finish(sums, p, strip, token, lane);
    qk_barrier(); /* the ring is used again */
}

template <class F>
QK_DEVICE void run_product(const product_work &p, qk_u32 bytes, void *shared)
{
    const qk_u32 group = qk_thread() / PRODUCT_THREADS, groups = qk_threads() / PRODUCT_THREADS;
    const product_ring ring = product_ring_at<F>(
        (qk_u8 *)shared + group * (bytes / groups), bytes / groups);
    const qk_u32 across = (p.tokens + 8 * BLOCK_GROUPS - 1) / (8 * BLOCK_GROUPS);
    const qk_u32 down = (p.rows / 16 + BLOCK_STRIPS - 1) / BLOCK_STRIPS;
    for (qk_u32 item = qk_block(); item < across * down; item += qk_blocks())
        product_tile<F>(p, ring, item / across * BLOCK_STRIPS, item % across * 8 * BLOCK_GROUPS,
                        (float *)shared);
}

#endif
