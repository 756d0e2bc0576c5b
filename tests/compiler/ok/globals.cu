// __constant__ and __device__ variables, one per template instance; a table nobody writes.
__constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 4.0f};
__device__ int visits;
__device__ struct {
    int low, high;
} range = {3, 9};
template <int N> __device__ int slot[N];

static const int primes[6] = {2, 3, 5, 7, 11, 13};

template <int N> __device__ int touch(int i)
{
    slot<N>[i % N] = i;
    return slot<N>[i % N];
}

extern "C" __global__ void run(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&visits, 1);
    int extra = i == 0 ? touch<2>(i) + touch<3>(i + 1) : 0;
    out[i] = in[i] * weights[i & 3] + primes[i % 6] + (i < range.low ? range.high : extra);
}
// exercises: expr/expr_variable expr/expr_constant
