#pragma OPENCL FP_CONTRACT ON

/* the value of half bits; exact */
float qn_half_float(ushort bits)
{
    return vload_half(0, (const half *)&bits);
}

/* float to half bits, to nearest even */
ushort qn_half_rte(float x)
{
    ushort bits;
    vstore_half_rte(x, 0, (half *)&bits);
    return bits;
}

/* of pairs of halves (NVIDIA); in float, rounded, on GPUs that have no such instruction */
uint qn_add_f16x2_ptx(uint a, uint b)
{
#if QN_SM >= 53
    uint r;
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
#else
    const float low = qn_half_float((ushort)a) + qn_half_float((ushort)b);
    const float high = qn_half_float((ushort)(a >> 16)) + qn_half_float((ushort)(b >> 16));
    return (uint)qn_half_rte(high) << 16 | qn_half_rte(low);
#endif
}

/* of pairs of halves (NVIDIA); in float, rounded, on GPUs that have no such instruction */
uint qn_sub_f16x2_ptx(uint a, uint b)
{
#if QN_SM >= 53
    uint r;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
#else
    const float low = qn_half_float((ushort)a) - qn_half_float((ushort)b);
    const float high = qn_half_float((ushort)(a >> 16)) - qn_half_float((ushort)(b >> 16));
    return (uint)qn_half_rte(high) << 16 | qn_half_rte(low);
#endif
}

/* of pairs of halves (NVIDIA); in float, rounded, on GPUs that have no such instruction */
uint qn_mul_f16x2_ptx(uint a, uint b)
{
#if QN_SM >= 53
    uint r;
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
#else
    const float low = qn_half_float((ushort)a) * qn_half_float((ushort)b);
    const float high = qn_half_float((ushort)(a >> 16)) * qn_half_float((ushort)(b >> 16));
    return (uint)qn_half_rte(high) << 16 | qn_half_rte(low);
#endif
}

/* a + b rounded to odd: a later rounding to far fewer digits is then as if it had been the only one
 * */
float qn_add_odd(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    const float sum = a + b, t = sum - a;
    const float lost = (a - (sum - t)) + (b - t);
    const uint bits = as_uint(sum);
    if (lost == 0 || !isfinite(sum) || (bits & 1))
        return sum;
    return as_float((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* fused multiply-add of halves: the product is exact in float */
ushort qn_fma_f16(ushort a, ushort b, ushort c)
{
#pragma OPENCL FP_CONTRACT OFF
    const float product = qn_half_float(a) * qn_half_float(b);
    return qn_half_rte(qn_add_odd(product, qn_half_float(c)));
}

/* of pairs of halves (NVIDIA); one by one on GPUs that have no such instruction */
uint qn_fma_f16x2_ptx(uint a, uint b, uint c)
{
#if QN_SM >= 53
    uint r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
#else
    const ushort low = qn_fma_f16((ushort)a, (ushort)b, (ushort)c);
    return (uint)qn_fma_f16((ushort)(a >> 16), (ushort)(b >> 16), (ushort)(c >> 16)) << 16 | low;
#endif
}

/* a sum that never becomes part of a fused multiply-add */
float qn_add_rn_f32(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a + b;
}

/* pairs, half_pairs_nvidia.cu:4 */
__kernel void pairs(__global uint *x, uint a, uint b)
{
    uint sum = qn_add_f16x2_ptx(a, b);
    uint less = qn_sub_f16x2_ptx(a, b);
    uint product = qn_mul_f16x2_ptx(a, b);
    uint both = qn_fma_f16x2_ptx(a, b, sum);
    uint bounded = (qn_half_rte(fmin(fmax(qn_add_rn_f32(qn_half_float((ushort)(ushort)(a >> 16)),
        qn_half_float((ushort)(ushort)(b >> 16))), 0.0f), 1.0f)) << 16)
        | qn_half_rte(fmin(fmax(qn_add_rn_f32(qn_half_float((ushort)(ushort)a),
        qn_half_float((ushort)(ushort)b)), 0.0f), 1.0f));
    *x = sum;
    x[1] = less;
    x[2] = product;
    x[3] = both;
    x[4] = bounded;
}
