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
    float4 value = ((__global const float4 *)in)[t_2];
    int t_3 = t_2 + 1;
    float4 value_1 = ((__global const float4 *)in)[t_3];
    int t_4 = 4 * i + 3;
    float c = ((__global const struct qn_float3 *)in)[t_4].x;
    float c_1 = ((__global const struct qn_float3 *)in)[t_4].y;
    float c_2 = ((__global const struct qn_float3 *)in)[t_4].z;
    float a = value.x;
    float b = value_1.x;
    float a_1 = value.y;
    float b_1 = value_1.y;
    float a_2 = value.z;
    float b_2 = value_1.z;
    float a_3 = value.w;
    ((__global float4 *)out)[t_2] = (float4)(a + b, a_1 - b_1, a_2 * b_2, a_3 + (c + c_1 * c_2));
    ((__global float4 *)out)[t_3] = ((__global const float4 *)in)[t_2 + 2];
    (out + t)[8] = c_2;
    (out + t)[9] = c_1;
    (out + t)[10] = c;
    out[t_1] = (float)((uchar)i + (uchar)(i + 1) + 1785);
}
