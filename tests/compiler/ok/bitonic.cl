#pragma OPENCL FP_CONTRACT ON

/* sort, bitonic.cu:11 */
__kernel void sort(__global int *keys)
{
    __local int s[512];

    uint tid = get_local_id(0);
    __global int *mine = keys + (uint)get_group_id(0) * 512;
    s[tid] = mine[tid];
    uint t = tid + 256;
    s[t] = mine[t];
    for (uint size = 2; size <= 512; size <<= 1) {
        uint stride = size / 2;
        bool condition = (tid & stride) == 0;
        for (; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            uint pos = 2 * tid - (tid & (stride - 1));
            uint t_1 = pos + stride;
            /* bitonic.cu:4-7 */
            int value = s[pos];
            int value_1 = s[t_1];
            if (value > value_1 == condition) {
                s[pos] = value_1;
                s[t_1] = value;
            }
        }
    }
    /* bitonic.cu:26-28 */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    mine[tid] = s[tid];
    mine[t] = s[t];
}
