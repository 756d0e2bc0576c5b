/* SPDX-License-Identifier: Apache-2.0
 *
 * 16- and 8-bit floats. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <class T> __device__ T twice(T v)
{
    return v + v;
}

extern "C" __global__ void halves(__half *x, half2 *y, __nv_bfloat16 *z, __nv_bfloat162 *w, float *f,
                                  __nv_fp8_e4m3 *q)
{
    const int i = threadIdx.x;
    x[i] = twice(x[i]) * __float2half(0.5f) - (half)3;
    x[i + 1] = __hfma(x[i], x[1], x[2]) / hexp(x[3]);
    x[i + 2] = f[i] > 0 ? x[0] : __int2half_rn(i);
    y[i] = __hadd2(y[i], __float2half2_rn(1.0f)) * __halves2half2(x[0], x[1]);
    z[i] = twice(z[i]) + __float2bfloat16(f[1]);
    w[i] = __hmul2(w[i], w[1]);
    f[i] = __half2float(x[1]) + __bfloat162float(z[1]) + __low2float(y[1]) + (float)x[5];
    f[i + 1] = __hgt(x[0], x[1]) || x[2] < x[3] ? 1.0f : 0.0f;
    q[i] = __nv_fp8_e4m3(f[2]);
    f[i + 2] = float(q[1]);
    atomicAdd(&y[3], y[4]);
    x[7] = __shfl_xor_sync(0xffffffffu, x[8], 1);
    x[9] = __hmax(x[1], x[2]);
    z[9] = __hmin(z[1], z[2]);
    f[9] = __half_as_ushort(x[1]) + __bfloat16_as_ushort(z[1]);
}

static float on_host(float v)
{
    return __half2float(__float2half(v)) + __bfloat162float(__float2bfloat16(v));
}
int main() { return on_host(1.0f) > 0; }
