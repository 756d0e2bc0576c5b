#pragma OPENCL FP_CONTRACT ON

/* run, alignment.cu:2 */
__kernel void run(__global float4 *out, __global const float *in, int n,
                  __local uint4 *dynamic_shared)
{
    __local float tile[64] __attribute__((aligned(16)));
    __local float turned[64] __attribute__((aligned(32)));
    __local float *rest = (__local float *)dynamic_shared;

    int i = get_local_id(0);
    tile[i] = in[i];
    turned[i] = in[n - 1 - i];
    rest[i] = in[i] * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i >= 16)
        return;
    int t = 4 * i;
    float4 v = vload4(0, &tile[t]);
    float4 w = ((__local float4 *)turned)[i];
    float w_1 = w.y;
    float v_1 = v.x;
    out[i] = (float4)(v_1 + w_1, v.y, v.z, v.w);
    vstore4(w, 0, &rest[t]);
    out[16 + i] = w;
}
