#pragma OPENCL FP_CONTRACT ON

/* run, divergent_branch.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int shared_sum[2];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int v = in[i];
    if (get_local_id(0) < 2)
        shared_sum[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    bool taken = v > 0;
    bool not_taken = !taken;
    if (taken)
        atomic_add(shared_sum, v);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken)
        v = v * 2 + (shared_sum[0] > 100);
    bool taken_1 = taken && v % 3 == 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken_1)
        v += 7;
    if (not_taken)
        atomic_add(shared_sum + 1, v);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (not_taken)
        v -= 5;
    if (i < n)
        out[i] = v;
}
