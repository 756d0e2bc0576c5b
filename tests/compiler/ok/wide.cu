// 64-bit integers, size_t and bool parameters, double.
extern "C" __global__ void run(double *out, const double *in, size_t n, bool negate, long long big,
                               double scale)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = in[i] * scale + (double)(big >> 32);
    unsigned long long bits = (unsigned long long)big * (i + 1);
    v += (double)(bits % 1000ull);
    out[i] = negate ? -v : v;
}
// exercises: model/parameters expr/expr_convert
