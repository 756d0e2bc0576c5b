#pragma OPENCL FP_CONTRACT ON

struct half_ {
    ushort x;
};

struct half2_ {
    struct half_ x;
    struct half_ y;
} __attribute__((aligned(4)));

struct number {
    ushort bits;
};

typedef float __attribute__((may_alias)) qn_alias_float;

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

/* sum of halves, rounded once */
ushort qn_half_add(ushort a, ushort b)
{
    return qn_half_rte(qn_half_float(a) + qn_half_float(b));
}

/* larger, half_without_operators.cu:23 */
__kernel void larger(__global qn_alias_float *out, __global struct half2_ *pairs,
                     __global const struct number *in)
{
    int i = get_local_id(0);
    ushort value = in[i].bits;
    int t = i + 1;
    ushort value_1 = in[t].bits;
    out[i] = qn_half_float(value) > qn_half_float(value_1) ? qn_half_float(value)
        + qn_half_float(value_1) : qn_half_float(value);
    short2 value_2 = *(__global short2 *)&pairs[t];
    short2 value_3 = *(__global short2 *)&pairs[i];
    *(__global short2 *)&pairs[i] = (short2)(qn_half_add((ushort)value_2.x, (ushort)value_3.x),
        qn_half_add((ushort)value_2.y, (ushort)value_3.y));
}
