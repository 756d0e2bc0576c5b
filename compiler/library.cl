/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C functions that kernels use when OpenCL has no builtin for a CUDA one. The translator
 * copies those a kernel needs, with those they call, to the top of its text.
 *
 * Form of this file: a line "//@ name", then the function with its comment, up to the next "//@". Every
 * name begins with qn_. A name that ends in _SPACE is one function per address space: in its text
 * SPACE stands for global, local or private.
 */

//@ qn_mul_rn_f32
/* a product that never becomes part of a fused multiply-add */
float qn_mul_rn_f32(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a * b;
}

//@ qn_atomic_add_f32_SPACE
/* float addition as compare-and-swap on the bits; returns the old value */
float qn_atomic_add_f32_SPACE(volatile __SPACE float *p, float value)
{
    uint seen = as_uint(*p), old;
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile __SPACE uint *)p, old, as_uint(as_float(old) + value));
    } while (seen != old);
    return as_float(old);
}
