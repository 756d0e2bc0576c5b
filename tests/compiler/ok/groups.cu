// Cooperative groups: block, tiles, coalesced threads, reduce and scan; beside each what it gives.
#ifdef QUERN_TRANSLATE
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#define EITHER(cpp, groups) groups
#else
#define EITHER(cpp, groups) cpp
#endif

extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    const int first = blockIdx.x * blockDim.x, warp = first + (t & ~31), eight = first + (t & ~7);
    __shared__ int shared[64];
    shared[t] = in[i];
#ifdef QUERN_TRANSLATE
    const cg::thread_block block = cg::this_thread_block();
    const auto whole = cg::tiled_partition<32>(block);
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    const auto four = cg::tiled_partition<4>(whole);
    const cg::thread_block_tile<2> two = cg::tiled_partition<2>(four);
    const auto labeled = cg::labeled_partition(tile, in[i] & 1);
    const auto signs = cg::binary_partition(whole, in[i] > 0);
    block.sync();
#else
    __syncthreads();
#endif
    int labels = in[eight] & 1, n_labels = 0;
    for (int k = 0; k < 8; k++)
        n_labels |= 1 << (in[eight + k] & 1);
    labels = n_labels == 3 && (in[i] & 1) != labels;
    n_labels = n_labels == 3 ? 2 : 1;
    int all = 0, most = in[eight], before = 0;
    for (int k = 0; k < 32; k++)
        all += in[warp + k];
    for (int k = 0; k < 8; k++)
        most = in[eight + k] > most ? in[eight + k] : most;
    for (int k = 0; k < (t & 7); k++)
        before += in[eight + k];
    int result = shared[(t + 1) & 63];
    result += EITHER(all, cg::reduce(whole, in[i], cg::plus<int>()));
    result += EITHER(most, cg::reduce(tile, in[i], cg::greater<int>())) * 3;
    result += EITHER(before, cg::exclusive_scan(tile, in[i])) * 5;
    result += EITHER(in[eight + 3], tile.shfl(in[i], 3)) * 7;
    result += EITHER((t & 7), (int)tile.thread_rank()) * 11;
    result += EITHER((t >> 3), (int)tile.meta_group_rank()) * 13;
    result += EITHER((64 + t), (int)(block.size() + block.thread_rank())) * 17;
    result += EITHER((t >> 2 & 7), (int)four.meta_group_rank()) * 19;
    result += EITHER(8, (int)four.meta_group_size()) * 23;
    result += EITHER((t >> 1 & 1), (int)two.meta_group_rank()) * 29;
    result += EITHER(labels, (int)labeled.meta_group_rank()) * 31;
    result += EITHER(n_labels, (int)labeled.meta_group_size()) * 37;
    result += EITHER((in[i] > 0), (int)signs.meta_group_rank()) * 41;
    if (in[i] > 0) {
        int members = 0, rank = 0;
        for (int k = 0; k < 32; k++) {
            members += in[warp + k] > 0;
            rank += k < (t & 31) && in[warp + k] > 0;
        }
#ifdef QUERN_TRANSLATE
        const cg::coalesced_group active = cg::coalesced_threads();
        members = active.size();
        rank = active.thread_rank();
#endif
        result += members * 100 + rank * 1000;
    }
    if (i < n)
        out[i] = result;
}
// exercises: frontend/header_selection stmt/flatten
