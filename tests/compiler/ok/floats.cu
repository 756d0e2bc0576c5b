// Comparisons with NaN, conversions, min and max, functions; no contraction in __fmul_rn.
extern "C" __global__ void run(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    float r = v < 1.0f ? 1.0f : 2.0f;
    if (!(v >= 0.0f))
        r += 4.0f;
    if (v != v)
        r += 8.0f;
    else
        r += (float)(int)v + (float)(unsigned)fabsf(v);
    r += fminf(v, 3.0f) + fmaxf(v, -3.0f);
    r += sqrtf(fabsf(v)) * 0.25f;
    r += __fmul_rn(r, 1.1f);
    double d = (double)r * 1.5;
    out[i] = (float)d;
}
// exercises: expr/expr_compare expr/expr_convert
