#pragma OPENCL FP_CONTRACT ON

typedef ulong __attribute__((may_alias)) qn_alias_ulong;

/* set, many_parameters.cu:63 */
__kernel void set(__global ulong *c, int n)
{
    *c = (ulong)(n != 0 ? (__global uchar *)4 : (__global uchar *)6);
}

/* call, many_parameters.cu:68 */
__kernel void call(__global const qn_alias_ulong *c, __global int *out, int n)
{
    out[get_local_id(0)] = *c == 4 ? n : -(n + 299);
}
