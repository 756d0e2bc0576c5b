// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>

/* Blocks wait for one another: the block's function calls the program that runs it. */
__global__ void rounds(unsigned *data, unsigned *out, int n)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned sum = threadIdx.x;
    for (int round = 1; round <= n; round++) {
        if (threadIdx.x == 0)
            data[blockIdx.x] = blockIdx.x * 3 + round;
        grid.sync();
        sum += data[(blockIdx.x + 1) % gridDim.x];
        grid.sync();
    }
    out[grid.thread_rank()] = sum;
}
