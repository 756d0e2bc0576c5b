#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
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

/* 1 + the number of zeros below the lowest one bit; 0 for 0 */
int qn_ffs_i32(int x)
{
    const uint u = (uint)x; /* -INT_MIN is not an int */
    return 32 - (int)clz(u & -u);
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

/* true for all work-items when `mine` is for one of them; every work-item of the group calls it */
__attribute__((always_inline)) bool qn_any_in_group(__local uint *vote, bool mine)
{
    if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0)
        *vote = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        atomic_or(vote, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *vote != 0;
}

/* run, warps_divergent.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];
    __local uint vote;

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int r = in[i];
    int turns = (r >> 1) & 3;
    int t = r & 1;
    uint odd = qn_ballot_local(lanes, t) & 0xffffffffu;
    bool condition = t != 0;
    uint inside = qn_ballot_local(lanes, (!condition && turns > 0)) & 0xffffffffu;
    bool taken = condition;
    bool not_taken = !taken;
    int result = as_int(qn_get_32_local(lanes, as_uint(r), qn_source_idx(qn_ffs_i32((int)odd) - 1,
        32)));
    int first = 0;
    int t_1 = 0;
    if (taken) {
        first = result;
        t_1 = r & 2;
    }
    uint result_1 = qn_ballot_local(lanes, taken && t_1) & odd;
    uint both = 0;
    if (taken) {
        both = result_1;
        r += first * 3;
    }
    bool taken_1 = taken && t_1 != 0;
    int result_2 = as_int(qn_get_32_local(lanes, as_uint(r), qn_source_idx(qn_ffs_i32((int)both)
        - 1, 32)));
    if (taken_1) {
        int result_3 = result_2;
        r += result_3;
    }
    int k = 0;
    if (not_taken)
        k = 0;
    bool in_loop = not_taken && k < turns;
    while (qn_any_in_group(&vote, in_loop)) {
        int result_4 = as_int(qn_get_32_local(lanes, as_uint(r),
            qn_source_idx(qn_ffs_i32((int)inside) - 1, 32)));
        if (in_loop) {
            int result_6 = result_4;
            r += result_6 & 255;
        }
        uint result_5 = qn_ballot_local(lanes, in_loop && (k + 1 < turns)) & inside;
        if (in_loop) {
            inside = result_5;
            k++;
        }
        in_loop = in_loop && k < turns;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        out[i] = r;
}
