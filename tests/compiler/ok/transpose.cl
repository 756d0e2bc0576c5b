#pragma OPENCL FP_CONTRACT ON

/* run, transpose.cu:3 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local float tile[8][9];
    __local int origin[2];

    int x = get_group_id(0) * 8 + get_local_id(0);
    int y = get_group_id(1) * 8 + get_local_id(1);
    int width = get_num_groups(0) * 8;
    tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
    if (get_local_id(0) == 0 && get_local_id(1) == 0) {
        origin[0] = get_group_id(1) * 8;
        origin[1] = get_group_id(0) * 8;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    x = origin[0] + get_local_id(0);
    y = origin[1] + get_local_id(1);
    int t = y * width + x;
    if (t < n)
        out[t] = tile[get_local_id(0)][get_local_id(1)];
}
