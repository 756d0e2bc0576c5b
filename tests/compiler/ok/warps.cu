// Shuffles, ballots and votes, in straight lines, in a loop and under a branch of whole warps.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    int v = in[i], sum = v;
    for (int by = 16; by > 0; by >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, by);
    sum = __shfl_sync(0xffffffffu, sum, 0);
    int low = __shfl_xor_sync(0xffffffffu, v, 3) + __shfl_up_sync(0xffffffffu, v, 2, 8);
    unsigned positive = __ballot_sync(0xffffffffu, v > 0);
    int r = sum + low * 3 + __popc(positive & ((1u << lane) - 1));
    if (threadIdx.x >= 32) {
        float f = __shfl_sync(0xffffffffu, (float)v, (lane + 5) & 31, 16);
        r += (int)f * 7;
    }
    r += __any_sync(0xffffffffu, v == 5) * 1000 + __all_sync(0xffffffffu, v > -2000) * 2000;
    r += __syncthreads_count(v > 100);
    if (i < n)
        out[i] = r;
}
// exercises: lang/library expr/expr_call
