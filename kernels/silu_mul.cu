/* SPDX-License-Identifier: Apache-2.0
 *
 * silu_mul: out[i] = silu(gate[i]) * up[i], the activation of gated feed-forward layers
 *
 *   out, gate, up  (n) f32 or f16; out may be gate or up
 *   n          any, 0 included
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 1e-6 |want| + 1e-37; f16 5e-4 |want| + 3e-8
 *   source     Shazeer, GLU variants improve transformer, arXiv:2002.05202 (SwiGLU) */
#include "quern_kernel.cuh"

struct silu_mul {
    static __device__ __forceinline__ float of(float gate, float up)
    {
        return gate / (1.0f + qk_expf(-gate)) * up;
    }
};

extern "C" __global__ void silu_mul_f32(float *out, const float *gate, const float *up, qk_u64 n)
{
    qk_map<silu_mul>(out, gate, up, n);
}

extern "C" __global__ void silu_mul_f16(qk_half *out, const qk_half *gate, const qk_half *up,
                                        qk_u64 n)
{
    qk_map<silu_mul>(out, gate, up, n);
}
