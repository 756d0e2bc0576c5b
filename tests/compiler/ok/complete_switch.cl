#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* how many work-items of the group say yes */
__attribute__((always_inline)) int qn_count_local(__local uint *slots, bool predicate)
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

/* run, complete_switch.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uint lanes[1024];

    uint i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int same = *in != 0 ? 0 : in[1] != 0;
    uint selector = 288829753 % (i | 1) % 4;
    if (selector == 0u) {
        for (int k = 0; k < 3; k++)
            ;
    } else if (selector == 1u) {
        out[i] = 5;
    } else if (selector == 2u) {
        for (int k = 0; k < 3; k++)
            ;
    } else {
        atomic_add(out + i, n);
    }
    int all_ = qn_count_local(lanes, !(n < 0)) == 0;
    float kept = (float)same;
    if (i == 0)
        out[(uint)(get_local_size(0) * get_num_groups(0))] = all_ + (kept == kept ? as_int(kept)
            : 0);
}
