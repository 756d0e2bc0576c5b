#pragma OPENCL FP_CONTRACT ON

struct number {
    ushort bits;
};

struct nv_bfloat16 {
    ushort x;
};

typedef float __attribute__((may_alias)) qn_alias_float;

/* float to half bits, to nearest even */
ushort qn_half_rte(float x)
{
    ushort bits;
    vstore_half_rte(x, 0, (half *)&bits);
    return bits;
}

/* the value of half bits; exact */
float qn_half_float(ushort bits)
{
    return vload_half(0, (const half *)&bits);
}

/* sum of halves, rounded once */
ushort qn_half_add(ushort a, ushort b)
{
    return qn_half_rte(qn_half_float(a) + qn_half_float(b));
}

/* doubled, half_without_conversions.cu:20 */
__kernel void doubled(__global qn_alias_float *out, __global const struct number *in,
                      __global const struct nv_bfloat16 *more)
{
    int i = get_local_id(0);
    ushort value = in[i].bits;
    out[i] = qn_half_float(qn_half_add(value, value)) + as_float((uint)more[i].x << 16);
}
