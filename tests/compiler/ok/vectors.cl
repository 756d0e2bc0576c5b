#pragma OPENCL FP_CONTRACT ON

struct qn_float3 {
    float x;
    float y;
    float z;
};

/* run, vectors.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int t = i * 12;
    int t_1 = t + 11;
    if (t_1 >= n)
        return;
    int t_2 = 3 * i;
    float4 a = ((__global const float4 *)in)[t_2];
    int t_3 = t_2 + 1;
    float4 b = ((__global const float4 *)in)[t_3];
    int t_4 = 4 * i + 3;
    float c = ((__global const struct qn_float3 *)in)[t_4].x;
    float c_1 = ((__global const struct qn_float3 *)in)[t_4].y;
    float c_2 = ((__global const struct qn_float3 *)in)[t_4].z;
    float a_1 = a.x;
    float b_1 = b.x;
    float a_2 = a.y;
    float b_2 = b.y;
    float a_3 = a.z;
    float b_3 = b.z;
    float a_4 = a.w;
    ((__global float4 *)out)[t_2] = (float4)(a_1 + b_1, a_2 - b_2, a_3 * b_3, a_4 + (c + c_1
        * c_2));
    ((__global float4 *)out)[t_3] = ((__global const float4 *)in)[t_2 + 2];
    (out + t)[8] = c_2;
    (out + t)[9] = c_1;
    (out + t)[10] = c;
    out[t_1] = (float)((uchar)i + (uchar)(i + 1) + 1785);
}
