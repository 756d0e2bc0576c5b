#pragma OPENCL FP_CONTRACT ON

/* run, unroll.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local float tile[4];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    float sum = 0.0f;
    #pragma unroll
    for (int k = 0; k < 4; k++)
        sum += in[i + k];
    #pragma unroll 2
    for (int k = 0; k < n; k++)
        sum += in[k];
    #pragma unroll 1
    for (int k = n; k > 0; k -= 3)
        sum *= in[k];
    #pragma clang loop vectorize_width(8) vectorize(enable)
    for (int k = 0; k < n; k++)
        out[i + k] = sum;
    int left;
    #pragma unroll 4
    for (left = n; left > 0; left -= 2)
        ;
    for (int k = 0; k < 2; k++) {
        tile[get_local_id(0) & 3] = sum;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        sum += tile[k] + (float)left;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    out[i] = sum;
}
