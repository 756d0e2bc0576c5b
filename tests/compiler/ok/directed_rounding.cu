// Arithmetic that is rounded up, down or to zero.
#ifndef QUERN_TRANSLATE
#include <fenv.h>
#define ROUNDED(mode, T, expression)                                                               \
    ({                                                                                             \
        fesetround(mode);                                                                          \
        volatile T a = x, b = y, c = z, r = expression;                                            \
        (void)a, (void)b, (void)c;                                                                 \
        fesetround(FE_TONEAREST);                                                                  \
        (T) r;                                                                                     \
    })
#define EITHER(mode, T, cpp, cuda) ROUNDED(mode, T, cpp)
#else
#define EITHER(mode, T, cpp, cuda) cuda
#endif

__global__ void run(double *out, const double *in, int n)
{
    const int t = threadIdx.x;
    double *const to = out + 14 * t;
    {
        const float x = (float)in[t] * 1.1f, y = (float)in[(t + 1) % n] / 3, z = -x * y;
        to[0] = EITHER(FE_DOWNWARD, float, a + b, __fadd_rd(x, y));
        to[1] = EITHER(FE_UPWARD, float, a - b, __fsub_ru(x, y));
        to[2] = EITHER(FE_TOWARDZERO, float, a *b, __fmul_rz(x, y));
        to[3] = EITHER(FE_UPWARD, float, a / b, __fdiv_ru(x, y));
        to[4] = EITHER(FE_DOWNWARD, float, 1 / a, __frcp_rd(x));
        to[5] = EITHER(FE_UPWARD, float, sqrtf(a * a), __fsqrt_ru(__fmul_ru(x, x)));
        to[6] = EITHER(FE_DOWNWARD, float, fmaf(a, b, c), __fmaf_rd(x, y, z));
        to[7] = EITHER(FE_DOWNWARD, float, a - a, __fsub_rd(x, x));
    }
    const double x = in[t] * 1.1, y = in[(t + 1) % n] / 3, z = 0;
    to[8] = EITHER(FE_DOWNWARD, double, a + b, __dadd_rd(x, y));
    to[9] = EITHER(FE_TOWARDZERO, double, a - b, __dsub_rz(x, y));
    to[10] = EITHER(FE_UPWARD, double, a *b, __dmul_ru(x, y));
    to[11] = EITHER(FE_DOWNWARD, double, a / b, __ddiv_rd(x, y));
    to[12] = EITHER(FE_UPWARD, double, sqrt(1 + a * a), __dsqrt_ru(__dadd_ru(1, __dmul_ru(x, x))));
    to[13] = EITHER(FE_UPWARD, double, a * 0x1p-1070, __dmul_ru(x, 0x1p-1070));
}

__global__ void fused(double *out, const double *in, int n)
{
    const int t = threadIdx.x;
    double *const to = out + 8 * t;
    const double x = in[t] / 3, y = in[(t + 1) % n] * 1.1, far = in[(t + 2) % n] / 7 * 0x1p-60,
                 z = -x * y;
    to[0] = EITHER(FE_TOWARDZERO, double, fma(a, b, c), __fma_rz(x, y, z));
    to[1] = EITHER(FE_UPWARD, double, fma(a, b, c), __fma_ru(x, y, z));
    to[2] = EITHER(FE_DOWNWARD, double, fma(a, b, c + 1), __fma_rd(x, y, __dadd_rd(z, 1)));
    to[3] = EITHER(FE_UPWARD, double, fma(a, b, far), __fma_ru(x, y, far));
    to[4] = EITHER(FE_DOWNWARD, double, fma(far, a, b), __fma_rd(far, x, y));
    to[5] = EITHER(FE_TOWARDZERO, double, fma(a, b * 0x1p-1070, 0x1p-1074),
                   __fma_rz(x, __dmul_rz(y, 0x1p-1070), 0x1p-1074));
    to[6] = EITHER(FE_UPWARD, double, fma(a, 0x1p1023, b), __fma_ru(x, 0x1p1023, y));
    to[7] = EITHER(FE_DOWNWARD, double, fma(a, 1, -a), __fma_rd(x, 1, -x));
}
// exercises: lang/library
