/* SPDX-License-Identifier: Apache-2.0
 *
 * gelu: out[i] = x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3)
 *
 *   out, x     (n) f32 or f16; out may be x; finite
 *   n          any, 0 included
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 2e-6 |want| + 1e-7; f16 5e-4 |want| + 1.5e-7
 *   source     Hendrycks, Gimpel, arXiv:1606.08415, the tanh form that language models use
 *
 * Computed as x / (1 + exp(-2u)), which is the same function without the cancellation of 1 + tanh(u)
 * at negative x. */
#include "quern_kernel.cuh"

struct gelu {
    static __device__ __forceinline__ float of(float x)
    {
        const float two_u = 1.5957691216057308f * (x + 0.044715f * x * x * x);
        return x / (1.0f + qk_expf(-two_u));
    }
};

extern "C" __global__ void gelu_f32(float *out, const float *x, qk_u64 n)
{
    qk_map<gelu>(out, x, n);
}

extern "C" __global__ void gelu_f16(qk_half *out, const qk_half *x, qk_u64 n)
{
    qk_map<gelu>(out, x, n);
}
