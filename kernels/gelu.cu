/* SPDX-License-Identifier: Apache-2.0
 *
 * gelu: out[i] = x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3)
 * gelu_mul: out[i] = gelu(gate[i]) * up[i], the activation of gated feed-forward layers
 *
 *   out, x, gate, up  (n) f32 or f16; out may be an input; finite
 *   n          any, 0 included
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 2e-6 |want| + 1e-7; f16 5e-4 |want| + 1.5e-7
 *              gelu_mul: the floor times |up|
 *   source     Hendrycks, Gimpel, arXiv:1606.08415, the tanh form that language models use;
 * Shazeer, arXiv:2002.05202 (GeGLU)
 *
 * Computed as x / (1 + exp(-2u)), which is the same function without the cancellation of 1 +
 * tanh(u) at negative x. */
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

struct gelu_mul {
    static __device__ __forceinline__ float of(float gate, float up)
    {
        return gelu::of(gate) * up;
    }
};

extern "C" __global__ void gelu_mul_f32(float *out, const float *gate, const float *up, qk_u64 n)
{
    qk_map<gelu_mul>(out, gate, up, n);
}

extern "C" __global__ void gelu_mul_f16(qk_half *out, const qk_half *gate, const qk_half *up,
                                        qk_u64 n)
{
    qk_map<gelu_mul>(out, gate, up, n);
}
