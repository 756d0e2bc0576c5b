#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* the value of another lane of the warp, or one's own where there is no such work-item */
uint qn_lane_32_local(__local uint *slots, uint value, int lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2))
        value = slots[from];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

/* __shfl_sync: from a lane of the same segment of `width` lanes */
uint qn_shfl_32_local(__local uint *slots, uint value, int lane, int width)
{
    const int own = qn_linear_id() % 32;
    return qn_lane_32_local(slots, value, (own & ~(width - 1)) | (lane & (width - 1)));
}

/* run, undefined.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int lane = get_local_id(0) % 32;
    int sum = 0;
    int k = 0;
    int last = 0;
    while (k < 5) {
        int sum_1 = sum + last;
        int t = k + 1;
        last = in[i] * t;
        sum = k > 0 ? sum_1 : sum;
        k = t;
    }
    int v = 0;
    if (lane < 16)
        v = in[i ^ 1] + 1;
    int got = as_int(qn_shfl_32_local(lanes, as_uint(v), lane & 15, 32));
    if (i < n)
        out[i] = sum * 100 + got * 3;
}
