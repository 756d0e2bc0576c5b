#pragma OPENCL FP_CONTRACT ON

struct block_q8 {
    float scale;
    char q[32];
};

/* rint, which PoCL 3.1 gets wrong for a constant beyond int or NaN */
float qn_rint_f32(float x)
{
    return fabs(x) < 0x1p23f ? rint(x) : x;
}

/* quantise, quantise.cu:7 */
__kernel void quantise(__global struct block_q8 *out, __global const float *in, int n_blocks)
{
    int b = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (b >= n_blocks)
        return;
    __global const float *x = in + b * 32;
    float most = 0.0f;
    for (int i = 0; i < 32; i++)
        most = fmax(most, fabs(x[i]));
    float scale = most / 127.0f;
    float inverse = scale != 0.0f ? 1.0f / scale : 0.0f;
    out[b].scale = scale;
    for (int i = 0; i < 32; i++)
        out[b].q[i] = (char)convert_int_sat(qn_rint_f32(x[i] * inverse));
}
