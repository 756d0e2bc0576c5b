#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* a work-item's number for the others of its warp */
void qn_put_32(__local uint *slots, uint id, uint value)
{
    slots[id] = value;
}

/* work-items of the group */
uint qn_group_size(void)
{
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
}

/* the number that a work-item left */
uint qn_at_32(const __local uint *slots, uint id)
{
    return slots[id];
}

/* the value of another lane of the warp, or one's own where there is no such work-item */
__attribute__((always_inline)) uint qn_get_32_local(__local uint *slots, uint value, uint lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    qn_put_32(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < qn_group_size())
        value = qn_at_32(slots, from);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

/* __shfl_xor_sync reads from the lane whose number differs in the bits of `mask`; above the segment,
 * its own value */
uint qn_source_xor(int mask, int width)
{
    const uint own = qn_linear_id() % 32, from = own ^ ((uint)mask & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* __shfl_down_sync reads from `by` lanes above; above the segment, its own value */
uint qn_source_down(int by, int width)
{
    const uint own = qn_linear_id() % 32, from = own + ((uint)by & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* double to int as the hardware casts it: the nearest one, and for NaN the top bit */
int qn_to_int_f64(double x)
{
    return isnan(x) ? INT_MIN : convert_int_sat(x);
}

/* run, group_structs.cu:30 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int t = get_local_id(0);
    int value = in[t];
    double d = (double)t + 0.5;
    int t_1 = value;
    short t_2 = (short)t;
    uint t_3 = 0;
    for (uint by = 16; by != 0; by /= 2) {
        uint result_6 = qn_get_32_local(lanes, (uint)t_1, qn_source_xor((int)by, 32));
        t_3 = qn_get_32_local(lanes, ((t_3 & 0xffff0000u) | (ushort)t_2) & 0xffff,
            qn_source_xor((int)by, 32));
        if (t_1 <= (int)result_6) {
            if (t_1 == result_6) {
                if (t_2 < (short)t_3)
                    continue;
            }
            t_2 = (ushort)t_3;
            t_1 = result_6;
        }
    }
    uint result = qn_get_32_local(lanes, (uint)(((((((uchar)value << 16) & 0xff00ff) | 0x200)
        & 0xffff00) | (uchar)t) & 0xffffff), qn_source_idx(3, 8));
    uint t_4 = result & 0xffffff;
    uint t_5 = 255 << ((uint)((get_local_id(2) * get_local_size(1) + get_local_id(1))
        * get_local_size(0) + get_local_id(0)) & 31 & 24);
    uint result_1 = qn_get_32_local(lanes, (uint)(int)as_long(d), qn_source_down(1, 8));
    uint result_2 = qn_get_32_local(lanes, (uint)((ulong)as_long(d) >> 32), qn_source_down(1, 8));
    qn_get_32_local(lanes, 0x3f800000u, qn_source_down(1, 8));
    uint result_3 = qn_get_32_local(lanes, 0x40000000u, qn_source_down(1, 8));
    uint result_4 = qn_get_32_local(lanes, (uint)as_int((float)value), qn_source_down(1, 8));
    uint result_5 = qn_get_32_local(lanes, (uint)((ushort)(3 * t) & 0xffff), qn_source_down(1, 8));
    int t_6 = t % 8;
    int x = *(__global const volatile int *)&((__global const int4 *)in)[t_6];
    *(__global const volatile int *)&((__global const int *)&((__global const int4 *)in)[t_6])[1];
    *(__global const volatile int *)&((__global const int *)&((__global const int4 *)in)[t_6])[2];
    int w =
        *(__global const volatile int *)&((__global const int *)&((__global const int4
        *)in)[t_6])[3];
    *(__global const volatile uchar *)&((__global const uchar2 *)in)[t];
    uchar y =
        *(__global const volatile uchar *)((__global const uchar *)&((__global const uchar2
        *)in)[t] + 1);
    out[t] = t_1 + 7 * t_2 + 11 * (char)result + 13 * (char)(t_4 >> 8) + 17 * (char)(t_4 >> 16);
    out[64 + t] = qn_to_int_f64(2.0 * as_double((((as_long(d) & -4294967296l) | (ulong)result_1)
        & 0xfffffffful) | ((ulong)result_2 << 32))) + convert_int_sat(as_float(result_4)
        + as_float(result_3)) + (short)result_5 + x - w + y + n;
}
