#pragma OPENCL FP_CONTRACT ON

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

/* n % d; by 0: all bits one */
uint qn_rem_u32(uint n, uint d)
{
    const uint r = n % (d == 0 ? 1 : d);
    return d == 0 ? (uint)-1 : r;
}

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

/* nested, flatten_vote.cu:3 */
__kernel void nested(__global int *out, __global const int *in, int n)
{
    __local uint vote;

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int x = in[i];
    int sum = 0;
    for (int round_ = 0; round_ < 4; round_++) {
        int turn = 0;
        bool in_loop = true;
        while (qn_any_in_group(&vote, in_loop)) {
            int turn_1 = 0;
            if (in_loop) {
                turn_1 = turn + 1;
                if (turn_1 > (x & 3) + 1) {
                    sum += 100;
                    in_loop = false;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (in_loop) {
                sum += turn_1 * round_;
                if (sum > n)
                    in_loop = false;
                else
                    turn++;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        sum++;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    out[i] = sum;
}

/* ballots, flatten_vote.cu:26 */
__kernel void ballots(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];
    __local uint vote;

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int turns = qn_rem_u32((uint)get_local_id(0) & 31, (uint)n);
    uint left = 0xffffffffu;
    int sum = 0;
    int turn = 0;
    bool in_loop = true;
    while (qn_any_in_group(&vote, in_loop)) {
        uint result = qn_ballot_local(lanes, in_loop && (turn < turns)) & left;
        int value = 0;
        if (in_loop) {
            left = result;
            if (turn >= turns)
                in_loop = false;
            else
                value = in[i];
        }
        int result_1 = as_int(qn_get_32_local(lanes, as_uint(value),
            qn_source_idx(qn_ffs_i32((int)left) - 1, 32)));
        if (in_loop) {
            int result_2 = result_1;
            sum += (int)popcount(left) * (turn + 1) + result_2;
            turn++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}
