// Shuffles and ballots that not all lanes of a warp reach: under a branch, nested, and in a loop that
// lanes leave at different turns.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], r = v, turns = (v >> 1) & 3;
    unsigned odd = __ballot_sync(0xffffffffu, v & 1);
    unsigned inside = __ballot_sync(0xffffffffu, !(v & 1) && turns > 0);
    if (v & 1) {
        int first = __shfl_sync(odd, v, __ffs(odd) - 1);
        unsigned both = __ballot_sync(odd, v & 2);
        r += first * 3;
        if (v & 2)
            r += __shfl_sync(both, r, __ffs(both) - 1);
    } else {
        for (int k = 0; k < turns; k++) {
            r += __shfl_sync(inside, r, __ffs(inside) - 1) & 255;
            inside = __ballot_sync(inside, k + 1 < turns);
        }
    }
    if (i < n)
        out[i] = r;
}
// exercises: stmt/flatten lang/library
