// Blocks of 32 floats to 8 bits and a scale.
struct block_q8 {
    float scale;
    signed char q[32];
};

extern "C" __global__ void quantise(block_q8 *out, const float *in, int n_blocks)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= n_blocks)
        return;
    const float *x = in + b * 32;
    float most = 0.0f;
    for (int i = 0; i < 32; i++)
        most = fmaxf(most, fabsf(x[i]));
    const float scale = most / 127.0f;
    const float inverse = scale != 0.0f ? 1.0f / scale : 0.0f;
    out[b].scale = scale;
    for (int i = 0; i < 32; i++)
        out[b].q[i] = (signed char)__float2int_rn(x[i] * inverse);
}
// exercises: expr/expr_memory expr/expr_convert
