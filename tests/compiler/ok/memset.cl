#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct Row {
    float4 v[2];
    double d[3];
    uchar padding2[8];
};

/* clears, memset.cu:10 */
__kernel void clears(__global float *out, __global const float *in, int n, int m)
{
    float part[5];
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 5; i++)
            part[i] = in[k * (m + i) % 7];
        part[m % 5] += 1.0f;
        for (uint qn_k = 0; qn_k < 20; qn_k++)
            ((__global uchar *)&out[k * 5])[qn_k] = ((const uchar *)part)[qn_k];
    }
    float sums[8][8];
    for (uint qn_k = 0; qn_k < 8; qn_k++)
        for (uint qn_l = 0; qn_l < 8; qn_l++)
            sums[qn_k][qn_l] = 0;
    for (int at = 0; at < n; at++) {
        float value = in[at];
        *(volatile float *)&sums[(ulong)(value > 0.0f)][m & 7] += value;
    }
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            out[100 + i * 8 + j] = sums[i][j];
    }
    float4 q[4];
    for (uint qn_k = 0; qn_k < 4; qn_k++)
        q[qn_k] = 0;
    q[m & 3].x = 1.0f;
    struct Row r[2];
    for (ulong qn_k = 0; qn_k < 128; qn_k++)
        ((uchar *)r)[qn_k] = 0;
    r[m & 1].v[m >> 1].y = 2.0f;
    out[200] = (float)((double)(q[n & 3].w + r[0].v[1].y) + r[1].d[m]);
}
