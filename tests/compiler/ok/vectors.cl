#pragma OPENCL FP_CONTRACT ON

struct float3_ {
    float f0;
    float f1;
    float f2;
};

/* run, vectors.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    int i = (uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0);
    int t = i * 12;
    int t_1 = t + 11;
    if (t_1 >= n)
        return;
    int t_2 = 3 * i;
    float4 value = ((__global const float4 *)in)[t_2];
    int t_3 = t_2 + 1;
    float4 value_1 = ((__global const float4 *)in)[t_3];
    int t_4 = 4 * i + 3;
    float c = ((__global const struct float3_ *)in)[t_4].f0;
    __global const float *c_1 = &((__global const struct float3_ *)in)[t_4].f1;
    float c_2 = *c_1;
    __global const float *c_3 = &((__global const struct float3_ *)in)[t_4].f2;
    float c_4 = *c_3;
    float a = value.x;
    float b = value_1.x;
    float a_1 = value.y;
    float b_1 = value_1.y;
    float a_2 = value.z;
    float b_2 = value_1.z;
    float a_3 = value.w;
    float4 sum = (float4)(a + b, 0, 0, 0);
    sum = (float4)(sum.x, a_1 - b_1, sum.z, sum.w);
    sum = (float4)(sum.x, sum.y, a_2 * b_2, sum.w);
    sum = (float4)(sum.x, sum.y, sum.z, a_3);
    sum = (float4)(sum.x, sum.y, sum.z, a_3 + (c + c_2 * c_4));
    ((__global float4 *)out)[t_2] = sum;
    ((__global float4 *)out)[t_3] = ((__global const float4 *)in)[t_2 + 2];
    (&out[t])[8] = c_4;
    *(__global float *)((__global uchar *)&(&out[t])[8] + 4) = c_2;
    *(__global float *)((__global uchar *)&(&out[t])[8] + 8) = c;
    out[t_1] = (float)((uchar)(char)i + (uchar)(char)(i + 1) + 1785);
}
