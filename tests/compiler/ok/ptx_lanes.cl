#pragma OPENCL FP_CONTRACT ON

typedef float __attribute__((may_alias)) qn_alias_float;

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

/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

/* __shfl_xor_sync reads from the lane whose number differs in the bits of `mask`; above the segment,
 * its own value */
uint qn_source_xor(int mask, int width)
{
    const uint own = qn_linear_id() % 32, from = own ^ ((uint)mask & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* one bit per lane of the warp; every work-item of the group calls it */
__attribute__((always_inline)) uint qn_ballot_local(__local uint *slots, bool predicate)
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

/* adds 1, back to 0 at the limit; returns the old value */
uint qn_atomic_inc_u32_global(volatile __global uint *p, uint limit)
{
    uint seen = *p, old;
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old >= limit ? 0 : old + 1);
    } while (seen != old);
    return old;
}

/* float arithmetic as compare-and-swap on the bits; returns the old value */
float qn_atomic_add_f32_global(volatile __global float *p, float value)
{
    uint seen = *(volatile __global uint *)p, old;
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile __global uint *)p, old, as_uint(as_float(old) + value));
    } while (seen != old);
    return as_float(old);
}

/* run, ptx_lanes.cu:64 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int segments = n > 0 ? 6144 : 0;
    int v = in[i];
    for (int by = 1; by < 8; by *= 2) {
        /* ptx_lanes.cu:13 */
        int t_7 = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1))
            * get_local_size(0) + get_local_id(0)) & 31;
        uint t_8 = (uint)t_7 - (by & 31);
        bool condition = (int)t_8 >= (int)(t_7 & (((uint)segments >> 8) & 31));
        uint result_4 = qn_get_32_local(lanes, (uint)v, qn_source_idx((int)(condition ? t_8 : t_7),
            32));
        v = condition ? result_4 + v : result_4;
    }
    /* ptx_lanes.cu:25 */
    int t = segments + 3;
    int t_1 = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0)) & 31;
    int t_2 = ((uint)t >> 8) & 31;
    uint t_3 = t_1 + 2u;
    int other = qn_get_32_local(lanes, (uint)v, qn_source_idx((int)((int)t_3 <= ((t_1 & t_2) | (t
        & (t_2 ^ 31))) ? t_3 : t_1), 32));
    int t_4 = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0)) & 31;
    uint result = qn_get_32_local(lanes, (uint)v, qn_source_xor(5, 16));
    uint result_1 = qn_get_32_local(lanes, (uint)v, qn_source_idx(3, 4));
    uint result_2 = qn_ballot_local(lanes, ((v & 1) != 0)) & 0xffffffffu;
    int result_3 = (qn_ballot_local(lanes, (v == 77)) & 0xffffffffu) != 0;
    /* ptx_lanes.cu:71 */
    int t_5 = i % 40;
    int t_6 = i / 3;
    uint clamped = (uint)(((1l << (ulong)(uint)((uint)t_6 > 32 ? 32 : t_6)) - 1ul)
        << (ulong)(uint)((uint)t_5 > 32 ? 32 : t_5));
    uint wrapped = (uint)(((1l << (ulong)(uint)(t_6 & 31)) - 1ul) << (ulong)(uint)(t_5 & 31));
    out[i] = v + other + (result * 3 + result_1 + ((t_4 ^ 5) <= ((t_4 & 16) | 15) ? 1 : 0) * 1000u)
        + (result_2 + (result_3 != 0 ? 1 : 0)) + (clamped ^ (wrapped * 3));
}

/* atomics, ptx_lanes.cu:74 */
__kernel void atomics(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    __global qn_alias_float *own = (__global qn_alias_float *)(out + i);
    uint v = in[i];
    *(__global int *)own = 5;
    uint result = atomic_add((__global uint *)own, v);
    int result_1 = atomic_max((__global int *)own, 3);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint result_2 = atomic_cmpxchg((__global uint *)own, 3u, 9u);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint result_3 = qn_atomic_inc_u32_global((__global uint *)own, 10u);
    uint result_4 = atomic_xchg((__global uint *)own, v);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_xor((__global uint *)own, 85u);
    uint result_5 = atomic_and((__global uint *)own, 65535u);
    uint last = *(__global int *)own;
    *own = 1.5f;
    qn_atomic_add_f32_global(own, 0.25f);
    uint bits = *(__global int *)own;
    *(__global int *)own = result + result_1 * 2u + result_2 * 3 + result_3 * 5 + result_4 * 7
        + result_5 * 11 + last * 13 + (bits >> 8);
}
