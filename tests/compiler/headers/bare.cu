/* SPDX-License-Identifier: Apache-2.0
 *
 * No include at all, as for NVRTC: the language, and types the source makes itself. */
typedef unsigned long long uint64_t;
typedef unsigned char uint8_t;

template <class T> struct box {
    T v;
};

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter;

static __device__ __forceinline__ float blend(float2 a, float2 b)
{
    return a.x * b.y + a.y * b.x;
}

extern "C" __global__ void __launch_bounds__(128, 2)
    plain(float *__restrict__ out, const float4 *__restrict__ in, box<uint64_t> b, uint8_t n)
{
    extern __shared__ float dynamic[];
    __shared__ int2 tile[32];
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x & 31] = make_int2(n, warpSize);
    dynamic[threadIdx.x] = in[i].w;
    __syncthreads();
    out[i] = dynamic[threadIdx.x ^ 1] + blend(make_float2(1, 2), make_float2(3, 4)) +
             table[i & 3] + tile[0].x + (float)b.v + sin(in[i].x) + min(3, 4u);
    atomicAdd(&counter, 1);
}
