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

/* run, flatten_keeps_values.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int box[32];
    __local uint vote;

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    box[tid] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int last = -1;
    int k = 0;
    bool in_loop = k < n;
    while (qn_any_in_group(&vote, in_loop)) {
        if (in_loop) {
            if (in[i] % 7 == k)
                in_loop = false;
            else
                last = k * 10;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (in_loop)
            k++;
        in_loop = in_loop && k < n;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int kept = 0;
    int seen = 0;
    for (int turn = 0; turn < 4; turn++) {
        seen += kept;
        bool taken = ((in[i] + turn) & 1) == 0;
        if (taken)
            kept = turn + 1;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (taken)
            seen += box[(tid + turn) & 31];
    }
    out[i] = last * 1000 + k * 100 + kept * 10 + seen;
}
