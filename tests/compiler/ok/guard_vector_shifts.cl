#pragma OPENCL FP_CONTRACT ON

/* run, guard_vector_shifts.cu:24 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int t = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (t >= n)
        return;
    int x = in[t];
    int count = get_local_id(0) * 2;
    int4 t_1 = (int4)(x, 0, 0, 0);
    int4 u = (int4)(t_1.x, 1, -1, count);
    int4 counts = u & 63;
    int4 t_2 = (int4)(count);
    int4 result = as_int4(min(as_uint4(t_2), as_uint4((int4)(31))));
    int4 t_3 = (int4)(t_1.x, -x, x * 3, ~x) >> result;
    uint r = ((t_3.x * 31u + t_3.y) * 31 + t_3.z) * 31 + t_3.w;
    int4 t_4 = (u << result) << (min(as_uint4(t_2), as_uint4((int4)(32))) - as_uint4(result));
    r = r * 31 + (((t_4.x * 31u + t_4.y) * 31 + t_4.z) * 31 + t_4.w);
    int4 result_1 = as_int4(min(as_uint4(counts), as_uint4((int4)(31))));
    int4 t_5 = as_int4((as_uint4(u) >> result_1) >> (min(as_uint4(counts), as_uint4((int4)(32)))
        - as_uint4(result_1)));
    r = r * 31 + (((t_5.x * 31u + t_5.y) * 31 + t_5.z) * 31 + t_5.w);
    int4 t_6 = as_int4(as_uint4(u) >> (counts & 31));
    int4 t_7 = u << (int4)(5);
    r = r * 31 + (((t_6.x * 31u + t_6.y) * 31 + t_6.z) * 31 + t_6.w) + (((t_7.x * 31u + t_7.y) * 31
        + t_7.z) * 31 + t_7.w);
    int4 t_8 = (u << (int4)(4, 31, 31, 31)) << (int4)(0, 1, 1, 0);
    r = r * 31 + (((t_8.x * 31u + t_8.y) * 31 + t_8.z) * 31 + t_8.w);
    uchar few = (uchar)(get_local_id(0) & 15);
    int8 t_9 = (int8)(few);
    uchar8 result_2 = min(as_uchar8(convert_char8(t_9)), (uchar8)(7));
    uchar8 t_10 = ((uchar8)((char)x, 255, 1, 128, 7, 77, (char)count, 3) >> result_2)
        >> (min(as_uchar8(convert_char8(t_9)), (uchar8)(8)) - result_2);
    r = r * 31 + (((t_10.s0 * 31u + t_10.s1) * 31 + t_10.s2) * 31 + t_10.s3);
    out[t] = r;
}
