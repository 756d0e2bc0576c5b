#pragma OPENCL FP_CONTRACT ON

/* run, switch_cases.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int box[32];

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    int v = in[i];
    uchar narrow = (char)v;
    int selector = tid % 4;
    if (selector == 3) {
        v += 30;
    } else if (selector == 2)
        v = 20;
    box[tid] = v;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint selector_1 = (uint)get_group_id(0) % 4;
    if (selector_1 == 0u) {
        if (v >= 25 || box[3] == 7) {
            out[i] = 1;
            v++;
        }
    }
    int turns = 0;
    do {
        turns++;
        if ((in[i] & 3) == 1)
            v = box[tid ^ 1];
    } while (turns < 2 && v > 50);
    if (i < n)
        out[i] = v + min(1150097356, (int)narrow) + turns * 1000;
}
