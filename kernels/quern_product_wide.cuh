/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_product_wide.cuh: a block's part of a product by wgmma (quern_product.cuh, in which it is
 * included). Blocks have two groups of 128 threads. */
#ifndef QUERN_PRODUCT_WIDE_CUH
#define QUERN_PRODUCT_WIDE_CUH

enum { WIDE_THREADS = PRODUCT_GROUPS * PRODUCT_THREADS };

/* 64 rows of a, 16 of each warp, by 128 tokens. */
QK_DEVICE void product_wide(float (*c)[4], const qk_u32 *a, qk_u64 b)
{
#define SUMS(i) "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "{%64, %65, %66, %67}, %68, p, 1, 1, 0;\n}"
                 : SUMS(0), SUMS(1), SUMS(2), SUMS(3), SUMS(4), SUMS(5), SUMS(6), SUMS(7), SUMS(8),
                   SUMS(9), SUMS(10), SUMS(11), SUMS(12), SUMS(13), SUMS(14), SUMS(15)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
#undef SUMS
}

/* Rows of 128 bytes in groups of eight, 1024 bytes apart, as ring_place() has them. */
QK_DEVICE qk_u64 product_descriptor(const qk_u8 *x)
{
    const qk_u64 at = (qk_u64)__cvta_generic_to_shared(x);
    return (at & 0x3ffffu) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

/* Half a piece, of two. While its products are made the next half's weights are unpacked: what is
 * under way at the end are these. */
template <class F, int half>
QK_DEVICE void product_half(product_sums &sums, const product_rows &rows, const qk_u8 *x,
                            qk_u32 piece, qk_u32 lane)
{
    qk_u32 a[2][4];
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    F::fragments(a, rows, piece, half, lane);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const qk_u64 b = product_descriptor(x);
#pragma unroll
    for (int s = 0; s < 2; s++)
        product_wide(sums, a[s], b + 2 * (2 * half + s));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* The warp's strip, or of pairs half a gate's and half of its way up. */
template <class F>
QK_DEVICE product_rows product_rows_of(const product_work &p, const qk_u8 *w, qk_u32 warp)
{
    const bool pairs = p.then >= PRODUCT_SILU;
    product_rows r;
    r.strip[0] = w + (pairs ? warp / 2 * 2 : warp) * F::piece_bytes;
    r.strip[1] = r.strip[0] + (pairs ? F::piece_bytes : 0);
    r.from[0] = pairs ? warp % 2 * 8 : 0;
    r.from[1] = pairs ? warp % 2 * 8 : 8;
    return r;
}

/* Rows g and g + 8 of the warp's strip, of pairs row g of a gate and of its way up; tokens 2 t and
 * 2 t + 1 of each group. */
QK_DEVICE void product_finish(const product_sums &sums, const product_work &p, qk_u32 strip0,
                              qk_u32 token0, qk_u32 warp, qk_u32 lane)
{
    const bool pairs = p.then >= PRODUCT_SILU;
    const qk_u32 strip = strip0 + (pairs ? warp / 2 * 2 : warp);
    const qk_u32 row = product_strip(p, strip) * 16 + (pairs ? warp % 2 * 8 : 0) + lane / 4;
    if (strip >= p.rows / 16)
        return;
#pragma unroll
    for (int g = 0; g < WARP_GROUPS; g++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const qk_u32 token = token0 + 8 * g + lane % 4 * 2 + i;
            if (token >= p.tokens)
                continue;
            product_put(p, row, token, sums[g][i], sums[g][2 + i]);
            if (!pairs)
                product_put(p, row + 8, token, sums[g][2 + i], 0.0f);
        }
}

template <class F>
QK_DEVICE void product_tile(const product_work &p, const product_ring &ring, qk_u32 strip0,
                            qk_u32 token0)
{
    const qk_u32 warp = qk_thread() / 32, lane = qk_thread() % 32, pieces = p.n / PIECE;
    product_sums sums;
#pragma unroll
    for (int g = 0; g < WARP_GROUPS; g++)
        sums[g][0] = sums[g][1] = sums[g][2] = sums[g][3] = 0.0f;
    /* what is loaded takes the place of what was multiplied one piece before the last one, whose
     * products may be under way */
    const qk_u32 distance = ring.stages - 2;
    for (qk_u32 i = 0; i < distance; i++) {
        if (i < pieces)
            product_load<F, WIDE_THREADS>(ring, i, p, strip0, token0, i, qk_thread());
        qk_copies_end();
    }
    qk_u32 stage = 0, ahead = distance;
    for (qk_u32 i = 0; i < pieces; i++) {
        product_wait(distance);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        qk_barrier();
        const qk_u8 *w = ring.w + stage * BLOCK_STRIPS * F::piece_bytes;
        const qk_u8 *x = ring.x + stage * INPUT_BYTES;
        const product_rows rows = product_rows_of<F>(p, w, warp);
        product_half<F, 0>(sums, rows, x, i, lane);
        product_half<F, 1>(sums, rows, x, i, lane);
        if (i + distance < pieces)
            product_load<F, WIDE_THREADS>(ring, ahead, p, strip0, token0, i + distance,
                                          qk_thread());
        qk_copies_end();
        stage = stage + 1 == ring.stages ? 0 : stage + 1;
        ahead = ahead + 1 == ring.stages ? 0 : ahead + 1;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    qk_copies_wait<0>();
    product_finish(sums, p, strip0, token0, warp, lane);
    qk_barrier(); /* the ring is used again */
}

template <class F>
QK_DEVICE void run_product(const product_work &p, qk_u32 bytes, void *shared)
{
    const product_ring ring = product_ring_at<F>((qk_u8 *)shared, bytes);
    const qk_u32 across = (p.tokens + 8 * BLOCK_GROUPS - 1) / (8 * BLOCK_GROUPS);
    const qk_u32 down = (p.rows / 16 + BLOCK_STRIPS - 1) / BLOCK_STRIPS;
    for (qk_u32 item = qk_block(); item < across * down; item += qk_blocks())
        product_tile<F>(p, ring, item / across * BLOCK_STRIPS, item % across * 8 * BLOCK_GROUPS);
}

#endif
