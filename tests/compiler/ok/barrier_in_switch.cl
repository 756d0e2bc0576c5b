#pragma OPENCL FP_CONTRACT ON

/* run, barrier_in_switch.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    int v = in[i];
    box[tid] = v;
    int selector = v & 7;
    bool in_case = selector == 0;
    bool in_case_1 = selector == 1;
    bool in_case_2 = selector == 2 || selector == 3;
    bool in_case_3 = !(selector == 0 || selector == 1 || selector == 2 || selector == 3);
    if (in_case)
        v++;
    in_case_1 = in_case_1 || in_case;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (in_case_1)
        v += box[(tid + 1) & 31];
    bool taken = in_case_1 && ((v & 16) == 0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken)
        v *= 3;
    if (in_case_2)
        v = 7;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (in_case_3)
        v -= box[tid ^ 1];
    if (i < n)
        out[i] = v;
}
