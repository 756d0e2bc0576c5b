/* SPDX-License-Identifier: Apache-2.0
 *
 * clamped_swiglu: out = (u + 1) g / (1 + exp(-alpha g)), where g = min(gate + its bias, limit) and
 * u = up + its bias, from -limit to limit: the activation of an expert whose matrices have biases
 *
 *   out, gate, up       (rows, n) f32; out may be gate or up
 *   gate_bias, up_bias  (experts, n) f32; null: none
 *   pick                i32, the expert whose biases are taken; null: 0
 *   rows, n             any
 *   grid                any; block any multiple of the wave; shared none
 *   computes            in f32
 *   tolerance           4e-6 (|g| + |gate| + |its bias|) (|u| + |up| + |its bias| + 1) + 1e-37
 *   source              gpt-oss, as its reference implementation computes it */
#include "quern_kernel.cuh"

extern "C" __global__ void clamped_swiglu_f32(float *out, const float *gate, const float *up,
                                              const float *__restrict__ gate_bias,
                                              const float *__restrict__ up_bias,
                                              const qk_i32 *__restrict__ pick, qk_u32 rows,
                                              qk_u32 n, float alpha, float limit)
{
    const qk_u64 first = pick ? (qk_u64)(qk_u32)pick[0] * n : 0;
    const qk_span s = qk_grid_share((qk_u64)rows * n);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u64 at = first + i % n;
        const float g = qk_min(gate[i] + (gate_bias ? gate_bias[at] : 0.0f), limit);
        const float u = qk_min(qk_max(up[i] + (up_bias ? up_bias[at] : 0.0f), -limit), limit);
        out[i] = (u + 1.0f) * (g / (1.0f + qk_expf(-alpha * g)));
    }
}
