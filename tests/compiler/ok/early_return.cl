#pragma OPENCL FP_CONTRACT ON

/* run, early_return.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local float tile[64];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    bool active = true;
    tile[get_local_id(0)] = 0.0f;
    if (i >= n)
        active = false;
    else
        tile[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int stride = 32; stride > 0; stride /= 2) {
        if (active) {
            if ((uint)get_local_id(0) < stride)
                tile[get_local_id(0)] += tile[(uint)get_local_id(0) + stride];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (active)
        out[i] = tile[0] - in[i];
}
