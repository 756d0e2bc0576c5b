#pragma OPENCL FP_CONTRACT ON

struct bits {
    int a;
};

/* bit_field_index, bit_field_index.cu:8 */
__kernel void bit_field_index(__global int *o, __global const struct bits *in)
{
    __local uchar s[64];

    s[get_local_id(0)] = (uchar)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    o[get_local_id(0)] = (char)(s + 32)[(int)~(((uint)in[get_local_id(0)].a >> 2) & 0x7ff & 31)];
}
