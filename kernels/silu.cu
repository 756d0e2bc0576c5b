/* SPDX-License-Identifier: Apache-2.0
 *
 * silu: out[i] = x[i] / (1 + exp(-x[i]))
 *
 *   out, x     (n) f32 or f16; out may be x
 *   n          any, 0 included
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 1e-6 |want| + 1e-37; f16 5e-4 |want| + 3e-8
 *   source     Elfwing, Uchibe, Doya, arXiv:1702.03118
 *
 * The quotient form keeps full relative precision for large negative x, down to where exp(-x)
 * overflows and the result is -0. */
#include "quern_kernel.cuh"

struct silu {
    static __device__ __forceinline__ float of(float x)
    {
        return x / (1.0f + qk_expf(-x));
    }
};

extern "C" __global__ void silu_f32(float *out, const float *x, qk_u64 n)
{
    qk_map<silu>(out, x, n);
}

extern "C" __global__ void silu_f16(qk_half *out, const qk_half *x, qk_u64 n)
{
    qk_map<silu>(out, x, n);
}
