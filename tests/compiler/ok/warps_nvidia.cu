// profile: nvidia
// Warp operations in the profile's own form, which divergent lanes may reach.
extern "C" __global__ void run(double *out, const double *in, const int *keys)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    int key = keys[i];
    double sum = in[i];
    for (int by = 16; by > 0; by >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, by);
    unsigned even = __ballot_sync(0xffffffffu, key % 2 == 0);
    if (even >> lane & 1) {
        key += __shfl_xor_sync(even, key, 1) + __reduce_max_sync(even, key);
        key += __popc(__match_any_sync(even, key)) + __any_sync(even, key == 7);
    }
    __syncwarp();
    out[i] = __shfl_sync(0xffffffffu, sum, 0) + key;
}
// exercises: lang/library lang/form
