// The largest element of a warp and the first place it is at: an or of conditions, some of whose
// paths leave a round of the loop early, between the shuffles of two rounds.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int best = in[i] & 7, at = threadIdx.x & 31;
    for (int by = 16; by > 0; by /= 2) {
        const int other = __shfl_down_sync(0xffffffffu, best, by);
        const int place = __shfl_down_sync(0xffffffffu, at, by);
        if (other > best || (other == best && place < at)) {
            best = other;
            at = place;
        }
    }
    if (i < n)
        out[i] = (threadIdx.x & 31) == 0 ? best * 100 + at : 0;
}
// exercises: stmt/divergence stmt/structure
