#pragma OPENCL FP_CONTRACT ON

/* run, reduce.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local float sums[128];

    int tid = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tid;
    sums[tid] = i < n ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int stride = get_local_size(0) / 2; stride > 0; stride >>= 1) {
        if (tid < stride)
            sums[tid] += sums[tid + stride];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (tid == 0)
        out[get_group_id(0)] = sums[0];
}
