/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for driver.cpp, which loads them from a file. */
struct pair {
    char tag;
    double value;
};
__constant__ int offset = 5;
__device__ int counter;
namespace table
{
__device__ float scale = 2;
}

extern "C" __global__ void add(int *out, const int *a, const int *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i] + offset;
}

extern "C" __global__ void mixed(double *out, char c, struct pair p, short s, int *count)
{
    *out = c + p.tag + p.value + s;
    atomicAdd(&counter, 3);
    *count = counter;
}

template <class T> __global__ void times(T *p)
{
    extern __shared__ char bytes[];
    T *const own = (T *)bytes;
    own[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x] * (T)table::scale;
}
template __global__ void times<float>(float *);
