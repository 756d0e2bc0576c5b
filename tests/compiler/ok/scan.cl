#pragma OPENCL FP_CONTRACT ON

/* scan, scan.cu:2 */
__kernel void scan(__global uint *data, __global uint *sums, int n, __local uint4 *dynamic_shared)
{
    __local int *temp = (__local int *)dynamic_shared;

    int tid = get_local_id(0);
    int base = 2 * get_group_id(0) * get_local_size(0);
    int t = 2 * tid;
    int t_1 = base + t;
    bool condition = t_1 < n;
    int t_2 = condition ? data[t_1] : 0;
    temp[t] = t_2;
    int t_3 = t_1 + 1;
    bool condition_1 = t_3 < n;
    int t_4 = condition_1 ? data[t_3] : 0;
    int t_5 = t + 1;
    temp[t_5] = t_4;
    int offset = 1;
    for (int d = get_local_size(0); d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (tid < d) {
            int ai = offset * t_5 - 1;
            int bi = offset * (t + 2) - 1;
            temp[bi] += (uint)temp[ai];
        }
        offset *= 2;
    }
    if (tid == 0) {
        sums[get_group_id(0)] = temp[2 * (uint)get_local_size(0) - 1];
        temp[2 * (uint)get_local_size(0) - 1] = 0;
    }
    for (int d = 1; d < (int)(2 * get_local_size(0)); d *= 2) {
        int offset_1 = offset >> 1;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (tid < d) {
            int ai = offset_1 * t_5 - 1;
            int bi = offset_1 * (t + 2) - 1;
            uint t_6 = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t_6;
        }
        offset >>= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (condition)
        data[t_1] = temp[t];
    if (condition_1)
        data[t_3] = temp[t_5];
}
