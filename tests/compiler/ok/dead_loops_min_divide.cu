// A width of 1 leaves a loop that never runs; the smaller of two values of which one has no name; one division.
template <unsigned WIDTH> __device__ float team_sum(float v)
{
    for (unsigned mask = WIDTH / 2; mask > 0; mask /= 2)
        v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

__device__ unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

extern "C" __global__ void run(float *out, const float *in, int n)
{
    const unsigned rows = n, piece = (rows + blockDim.x - 1) / blockDim.x;
    const unsigned begin = smaller(piece * threadIdx.x, rows), end = smaller(begin + piece, rows);
    float sum = 0;
    for (unsigned i = begin; i < end; i++)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = team_sum<1>(sum);
    const unsigned again = (rows + blockDim.x - 1) / blockDim.x;
    const int low = (int)threadIdx.x - 3, high = low > 2 - n ? low : 2 - n;
    if (threadIdx.x == 0)
        out[n - 1 - blockIdx.x] = again + high;
}
// exercises: lower/drop_dead_loops lower/recover_min_max lower/divide_once
