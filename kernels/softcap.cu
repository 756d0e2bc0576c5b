/* SPDX-License-Identifier: Apache-2.0
 *
 * softcap: out[i] = cap tanh(x[i] / cap), which keeps logits within (-cap, cap)
 *
 *   out, x     (n) f32; out may be x
 *   cap        > 0
 *   n          any, 0 included
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32
 *   tolerance  2e-6 |want|
 *   source     Gemma 2, arXiv:2408.00118 */
#include "quern_kernel.cuh"

extern "C" __global__ void softcap_f32(float *out, const float *x, qk_u64 n, float cap)
{
    const qk_span s = qk_grid_share(n);
    for (qk_u64 i = s.begin; i < s.end; i += s.step)
        out[i] = cap * qk_tanhf(x[i] / cap);
}
