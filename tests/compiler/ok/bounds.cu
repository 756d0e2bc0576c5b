// Launch bounds, a pointer that walks, pointer differences and comparisons.
extern "C" __global__ void __launch_bounds__(64) run(float *out, const float *in, int n)
{
    const float *p = in + threadIdx.x, *end = in + n;
    float sum = 0.0f;
    while (p < end) {
        sum += *p;
        p += blockDim.x;
    }
    out[threadIdx.x] = sum + (float)(p - in);
}
// exercises: lower/find_kernels expr/expr_place expr/expr_compare
