// CUB's operations in kernels, with our headers. What a whole device does is a call of host code and stops nothing.
// exercises: frontend/toolkit
#include <cub/block/block_scan.cuh>
#include <cub/cub.cuh>

__global__ void total(const float *x, float *sum)
{
    typedef cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_WARP_REDUCTIONS> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    const float s = Reduce(storage).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
        *sum = s;
}

__global__ void running(const int *x, int *sums)
{
    using Scan = cub::BlockScan<int, 128>;
    __shared__ Scan::TempStorage storage;
    int s;
    Scan(storage).InclusiveSum(x[threadIdx.x], s);
    sums[threadIdx.x] = s;
}

__global__ void largest(const cub::KeyValuePair<int, float> *x, cub::KeyValuePair<int, float> *y)
{
    y[0] = cub::ArgMax()(x[0], x[1]);
}

void all(float *x, int n)
{
    size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, x, x, n);
    total<<<1, 128>>>(x, x);
}
