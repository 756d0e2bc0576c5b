/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative groups, warp operations, textures. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

texture<float, 2> image;

__global__ void groups(float *x, int *y)
{
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    x[block.thread_rank()] = cg::reduce(warp, x[0], cg::plus<float>()) + tile.shfl_down(x[1], 2);
    block.sync();
    const cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
        y[0] = (int)active.size() + cg::reduce(tile, y[1], cg::greater<int>());
    y[1] = __ballot_sync(0xffffffffu, y[2]) + __popc(__activemask()) + __any_sync(~0u, y[3]);
    y[2] = __reduce_add_sync(~0u, y[2]) + __match_any_sync(~0u, y[4]);
    y[3] = __shfl_up_sync(~0u, y[5], 1) + __shfl(y[6], 3) + __syncthreads_count(y[7] > 0);
    __syncwarp();
}

__global__ void whole_grid(int *p)
{
    cg::grid_group grid = cg::this_grid();
    p[grid.thread_rank()] = 1;
}

__global__ void lookup(float *out, cudaTextureObject_t t)
{
    out[0] = tex2D<float>(t, 0.5f, 0.5f) + tex2D(image, 1.0f, 2.0f);
}
