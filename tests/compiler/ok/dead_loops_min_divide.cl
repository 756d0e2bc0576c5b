#pragma OPENCL FP_CONTRACT ON

/* run, dead_loops_min_divide.cu:14 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    uint piece = (n + (uint)get_local_size(0) - 1) / (uint)get_local_size(0);
    uint i = min(piece * (uint)get_local_id(0), (uint)n);
    uint end = min(i + piece, (uint)n);
    float sum = 0.0f;
    for (; i < end; i++)
        sum += in[i];
    out[(uint)(get_group_id(0) * get_local_size(0) + get_local_id(0))] = sum;
    int low = get_local_id(0) - 3;
    low = max(low, 2 - n);
    if (get_local_id(0) == 0)
        out[n - 1 - (uint)get_group_id(0)] = (float)(piece + low);
}
