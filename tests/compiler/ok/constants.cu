// Floating-point constants keep their bits: a NaN that is more than NAN, one in a table, numbers
// below the normal ones.
__constant__ float table[] = {1.5f, NAN, -INFINITY, 1e-40f};

extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = threadIdx.x;
    float *const floats = (float *)out;
    union {
        unsigned bits;
        float number;
    } boxed;
    boxed.bits = 0xffc00007u;
    const float x = table[i & 3];
    if (i >= n)
        return;
    out[4 * i] = isnan(x) ? 1 : (int)__float_as_uint(x);
    floats[4 * i + 1] = boxed.number;
    floats[4 * i + 2] = in[i] > 0 ? 0x1p-149f : -0.0f;
    out[4 * i + 3] = copysignf(1.0f, -NAN) < 0;
}
// exercises: expr/expr_constant
