// profile: nvidia
// Threads that have returned count as arrived: nothing is flattened, and no warp operation waits.
extern "C" __global__ void sums(float *out, const float *in, int n)
{
    __shared__ float part[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = in[i];
    const unsigned here = __ballot_sync(0xffffffffu, 1);
    for (int d = 16; d > 0; d /= 2) {
        const float other = __shfl_down_sync(here, sum, d);
        if (threadIdx.x % 32 + d < __popc(here))
            sum += other;
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    out[i] = part[0] + sum;
}
// exercises: pipeline lang/library
