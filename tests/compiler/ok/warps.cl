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

/* __shfl_down_sync: from `by` lanes above; one's own value above the segment */
uint qn_shfl_down_32_local(__local uint *slots, uint value, int by, int width)
{
    const int own = qn_linear_id() % 32, from = own + by;
    return qn_lane_32_local(slots, value, from > (own | (width - 1)) ? own : from);
}

/* __shfl_sync: from a lane of the same segment of `width` lanes */
uint qn_shfl_32_local(__local uint *slots, uint value, int lane, int width)
{
    const int own = qn_linear_id() % 32;
    return qn_lane_32_local(slots, value, (own & ~(width - 1)) | (lane & (width - 1)));
}

/* __shfl_xor_sync: from the lane whose number differs in the bits of `mask` */
uint qn_shfl_xor_32_local(__local uint *slots, uint value, int mask, int width)
{
    const int own = qn_linear_id() % 32, from = own ^ mask;
    return qn_lane_32_local(slots, value, from > (own | (width - 1)) ? own : from);
}

/* __shfl_up_sync: from `by` lanes below; one's own value below the segment */
uint qn_shfl_up_32_local(__local uint *slots, uint value, int by, int width)
{
    const int own = qn_linear_id() % 32, from = own - by;
    return qn_lane_32_local(slots, value, from < (own & ~(width - 1)) ? own : from);
}

/* one bit per lane of the warp; every work-item of the group calls it */
uint qn_ballot_local(__local uint *slots, bool predicate)
{
    const uint id = qn_linear_id();
    __local uint *bits = &slots[id / 32];
    if (id % 32 == 0)
        *bits = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (predicate)
        atomic_or(bits, 1u << id % 32);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint result = *bits;
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

/* how many work-items of the group say yes */
int qn_count_local(__local uint *slots, bool predicate)
{
    if (qn_linear_id() == 0)
        slots[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (predicate)
        atomic_inc(&slots[0]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int result = slots[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

/* run, warps.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int lane = get_local_id(0) % 32;
    int v = in[i];
    int sum = v;
    for (int by = 16; by > 0; by >>= 1) {
        int result_6 = as_int(qn_shfl_down_32_local(lanes, as_uint(sum), by, 32));
        sum += result_6;
    }
    int sum_1 = as_int(qn_shfl_32_local(lanes, as_uint(sum), 0, 32));
    int result = as_int(qn_shfl_xor_32_local(lanes, as_uint(v), 3, 32));
    int result_1 = as_int(qn_shfl_up_32_local(lanes, as_uint(v), 2, 8));
    int low = result + result_1;
    uint positive = qn_ballot_local(lanes, (v > 0) != 0) & 0xffffffffu;
    int r = sum_1 + low * 3 + (int)popcount(positive & ((1 << lane) - 1u));
    bool taken = get_local_id(0) >= 32;
    float result_5 = as_float(qn_shfl_32_local(lanes, as_uint((float)v), (lane + 5) & 31, 16));
    if (taken) {
        float f = result_5;
        r += (int)f * 7;
    }
    int result_2 = (qn_ballot_local(lanes, (v == 5) != 0) & 0xffffffffu) != 0;
    int result_3 = (qn_ballot_local(lanes, (v > -2000) == 0) & 0xffffffffu) == 0;
    r += result_2 * 1000 + result_3 * 2000;
    int result_4 = qn_count_local(lanes, (v > 100) != 0);
    r += result_4;
    if (i < n)
        out[i] = r;
}
