/* SPDX-License-Identifier: Apache-2.0
 *
 * vector_add: out[i] = a[i] + b[i]
 *
 *   out, a, b  (n) f32 or f16; out may be a or b
 *   n          any, 0 included
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 exact to 1 unit: 1.2e-7 |want|; f16 4.9e-4 |want| + 3e-8
 *   source     the definition */
#include "quern_kernel.cuh"

struct add {
    static __device__ __forceinline__ float of(float a, float b)
    {
        return a + b;
    }
};

extern "C" __global__ void vector_add_f32(float *out, const float *a, const float *b, qk_u64 n)
{
    qk_map<add>(out, a, b, n);
}

extern "C" __global__ void vector_add_f16(qk_half *out, const qk_half *a, const qk_half *b,
                                          qk_u64 n)
{
    qk_map<add>(out, a, b, n);
}
