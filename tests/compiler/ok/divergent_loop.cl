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

/* run, divergent_loop.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int box[32];
    __local uint vote;
    __local uint vote_1;

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    int turns = (in[i] & 7) + 1;
    box[tid] = tid;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int sum = 0;
    bool active = true;
    int k = 0;
    if (active)
        k = 0;
    bool in_loop = active && k < turns;
    while (qn_any_in_group(&vote, in_loop)) {
        bool taken = in_loop && (k != 2 || (tid & 3) != 1);
        int seen = 0;
        if (taken)
            seen = box[(tid + k) & 31];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (taken) {
            sum += seen * (k + 1);
            if (sum > 90) {
                taken = false;
                in_loop = false;
            } else if (sum == 17) {
                out[i] = -17;
                taken = false;
                in_loop = false;
                active = false;
            }
        }
        if (in_loop)
            k++;
        in_loop = in_loop && k < turns;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int w = 0;
    if (active)
        w = in[i] & 15;
    bool in_loop_1 = active && w > 3;
    while (qn_any_in_group(&vote_1, in_loop_1)) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (in_loop_1)
            w -= 1 + (tid & 1);
        in_loop_1 = in_loop_1 && w > 3;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (active) {
        if (i < n)
            out[i] = sum * 100 + w;
    }
}
