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
    bool falls = false;
    if (selector == 0) {
        v++;
        falls = true;
    }
    bool taken = falls || selector == 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken)
        v += box[(tid + 1) & 31];
    bool taken_1 = taken && (v & 16) == 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken_1)
        v *= 3;
    if (taken)
        falls = false;
    if (selector == 2 || selector == 3)
        v = 7;
    bool taken_2 = selector != 0 && selector != 1 && selector != 2 && selector != 3;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (taken_2)
        v -= box[tid ^ 1];
    if (i < n)
        out[i] = v;
}
