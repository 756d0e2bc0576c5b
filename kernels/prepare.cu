/* SPDX-License-Identifier: Apache-2.0
 *
 * prepare_f32: a vector as a phase of a token reads it (quern_ready.cuh)
 *
 *   codes, numbers  of x times norm, elementwise; squares are of x
 *   x          (n) f32
 *   norm       (n) f32 or null
 *   n          a multiple of 256
 *   grid       any; block a multiple of the wave; shared none
 *   computes   parts and scales exactly, sums in f32
 *   tolerance  parts: together w to 2^-22 of the largest of its sixteen; 2e-6 of the sums of
 *              magnitudes and of squares
 *   source     the definition */
#include "quern_early.cuh"
#include "quern_ready.cuh"

extern "C" __global__ void prepare_f32(qk_half *__restrict__ codes, float *__restrict__ numbers,
                                       const float *__restrict__ x, const float *__restrict__ norm,
                                       qk_u32 n)
{
    const qk_ready r = {codes, numbers, n};
    qk_next_may_start();
    qk_wait_for_previous();
    qk_prepare(r, x, norm, qk_block(), qk_blocks());
}
