/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C functions that kernels use when OpenCL has no builtin for a CUDA one. The translator
 * copies those a kernel needs, with those they call, to the top of its text.
 *
 * Form of this file: a line "//@ name", then the function with its comment, up to the next "//@". Every
 * name begins with qn_. A name that ends in _SPACE is one function per address space: in its text
 * SPACE stands for global, local or private.
 */

//@ qn_mul_rn_f32
/* a product that never becomes part of a fused multiply-add */
float qn_mul_rn_f32(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a * b;
}

//@ qn_atomic_add_f32_SPACE
/* float addition as compare-and-swap on the bits; returns the old value */
float qn_atomic_add_f32_SPACE(volatile __SPACE float *p, float value)
{
    uint seen = as_uint(*p), old;
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile __SPACE uint *)p, old, as_uint(as_float(old) + value));
    } while (seen != old);
    return as_float(old);
}

//@ qn_add_rn_f32
/* a sum that never becomes part of a fused multiply-add */
float qn_add_rn_f32(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a + b;
}

//@ qn_sub_rn_f32
/* a difference that never becomes part of a fused multiply-add */
float qn_sub_rn_f32(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a - b;
}

//@ qn_ilogb_f32
/* the exponent; CUDA gives INT_MIN for 0 and NaN, INT_MAX for infinity */
int qn_ilogb_f32(float x)
{
    return x == 0 || isnan(x) ? INT_MIN : isinf(x) ? INT_MAX : ilogb(x);
}

//@ qn_frexp_f32
/* the fraction of frexp */
float qn_frexp_f32(float x)
{
    int exponent;
    return frexp(x, &exponent);
}

//@ qn_frexp_exponent_f32
/* the exponent of frexp; 0 for 0, infinity and NaN */
int qn_frexp_exponent_f32(float x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

//@ qn_remquo_f32
/* the low bits of the quotient of remquo */
int qn_remquo_f32(float x, float y)
{
    int quotient;
    remquo(x, y, &quotient);
    return quotient;
}

//@ qn_rcbrt_f32
/* 1 / cbrt(x), with one Newton step on the exact residual */
float qn_rcbrt_f32(float x)
{
#pragma OPENCL FP_CONTRACT OFF
    const float y = 1.0f / cbrt(x);
    if (x == 0 || !isfinite(x))
        return y;
    /* x * y * y * y as a sum of two */
    const float a = x * y, al = fma(x, y, -a);
    const float b = a * y, bl = fma(a, y, -b) + al * y;
    const float residual = fma(-b, y, 1.0f) - bl * y;
    return fma(y, residual / 3, y);
}

//@ qn_squares_f32
/* x*x + y*y + z*z + w*w as a sum of two numbers; the arguments are scaled */
float2 qn_squares_f32(float4 v)
{
#pragma OPENCL FP_CONTRACT OFF
    const float a = v.x * v.x, b = v.y * v.y, c = v.z * v.z, d = v.w * v.w;
    const float ab = a + b, cd = c + d, sum = ab + cd;
    float t = ab - a;
    float low = (a - (ab - t)) + (b - t);
    t = cd - c;
    low += (c - (cd - t)) + (d - t);
    t = sum - ab;
    low += (ab - (sum - t)) + (cd - t);
    low += fma(v.x, v.x, -a) + fma(v.y, v.y, -b) + fma(v.z, v.z, -c) + fma(v.w, v.w, -d);
    return (float2)(sum, low);
}

//@ qn_norm_f32
/* length of a vector, scaled by its largest element */
float qn_norm_f32(float4 v)
{
    v = fabs(v);
    if (isinf(v.x) || isinf(v.y) || isinf(v.z) || isinf(v.w))
        return INFINITY;
    const float largest = fmax(fmax(v.x, v.y), fmax(v.z, v.w));
    if (largest == 0 || isnan(v.x + v.y + v.z + v.w))
        return v.x + v.y + v.z + v.w;
    const int e = ilogb(largest);
    const float2 s = qn_squares_f32(ldexp(v, -e));
    return ldexp(sqrt(s.x + s.y), e);
}

//@ qn_rnorm_f32
/* 1 / length of a vector, with one Newton step on the exact residual */
float qn_rnorm_f32(float4 v)
{
#pragma OPENCL FP_CONTRACT OFF
    v = fabs(v);
    if (isinf(v.x) || isinf(v.y) || isinf(v.z) || isinf(v.w))
        return 0;
    const float largest = fmax(fmax(v.x, v.y), fmax(v.z, v.w));
    if (largest == 0 || isnan(v.x + v.y + v.z + v.w))
        return 1.0f / (v.x + v.y + v.z + v.w);
    const int e = ilogb(largest);
    const float2 s = qn_squares_f32(ldexp(v, -e));
    const float sum = s.x + s.y, low = (s.x - sum) + s.y;
    const float y = 1.0f / sqrt(sum), a = y * y, al = fma(y, y, -a);
    const float residual = fma(-sum, a, 1.0f) - sum * al - low * a;
    return ldexp(fma(y, residual * 0.5f, y), -e);
}

//@ qn_norm3d_f32
/* length of (x, y, z) */
float qn_norm3d_f32(float x, float y, float z)
{
    return qn_norm_f32((float4)(x, y, z, 0));
}

//@ qn_norm4d_f32
/* length of (x, y, z, w) */
float qn_norm4d_f32(float x, float y, float z, float w)
{
    return qn_norm_f32((float4)(x, y, z, w));
}

//@ qn_rnorm3d_f32
/* 1 / length of (x, y, z) */
float qn_rnorm3d_f32(float x, float y, float z)
{
    return qn_rnorm_f32((float4)(x, y, z, 0));
}

//@ qn_rnorm4d_f32
/* 1 / length of (x, y, z, w) */
float qn_rnorm4d_f32(float x, float y, float z, float w)
{
    return qn_rnorm_f32((float4)(x, y, z, w));
}

//@ qn_rhypot_f32
/* 1 / hypot(x, y) */
float qn_rhypot_f32(float x, float y)
{
    return qn_rnorm_f32((float4)(x, y, 0, 0));
}

//@ qn_add_rn_f64
/* a sum that never becomes part of a fused multiply-add */
double qn_add_rn_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a + b;
}

//@ qn_sub_rn_f64
/* a difference that never becomes part of a fused multiply-add */
double qn_sub_rn_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a - b;
}

//@ qn_mul_rn_f64
/* a product that never becomes part of a fused multiply-add */
double qn_mul_rn_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a * b;
}

//@ qn_ilogb_f64
/* the exponent; CUDA gives INT_MIN for 0 and NaN, INT_MAX for infinity */
int qn_ilogb_f64(double x)
{
    return x == 0 || isnan(x) ? INT_MIN : isinf(x) ? INT_MAX : ilogb(x);
}

//@ qn_frexp_f64
/* the fraction of frexp */
double qn_frexp_f64(double x)
{
    int exponent;
    return frexp(x, &exponent);
}

//@ qn_frexp_exponent_f64
/* the exponent of frexp; 0 for 0, infinity and NaN */
int qn_frexp_exponent_f64(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

//@ qn_remquo_f64
/* the low bits of the quotient of remquo */
int qn_remquo_f64(double x, double y)
{
    int quotient;
    remquo(x, y, &quotient);
    return quotient;
}

//@ qn_rcbrt_f64
/* 1 / cbrt(x), with one Newton step on the exact residual */
double qn_rcbrt_f64(double x)
{
#pragma OPENCL FP_CONTRACT OFF
    const double y = 1.0 / cbrt(x);
    if (x == 0 || !isfinite(x))
        return y;
    /* x * y * y * y as a sum of two */
    const double a = x * y, al = fma(x, y, -a);
    const double b = a * y, bl = fma(a, y, -b) + al * y;
    const double residual = fma(-b, y, 1.0) - bl * y;
    return fma(y, residual / 3, y);
}

//@ qn_squares_f64
/* x*x + y*y + z*z + w*w as a sum of two numbers; the arguments are scaled */
double2 qn_squares_f64(double4 v)
{
#pragma OPENCL FP_CONTRACT OFF
    const double a = v.x * v.x, b = v.y * v.y, c = v.z * v.z, d = v.w * v.w;
    const double ab = a + b, cd = c + d, sum = ab + cd;
    double t = ab - a;
    double low = (a - (ab - t)) + (b - t);
    t = cd - c;
    low += (c - (cd - t)) + (d - t);
    t = sum - ab;
    low += (ab - (sum - t)) + (cd - t);
    low += fma(v.x, v.x, -a) + fma(v.y, v.y, -b) + fma(v.z, v.z, -c) + fma(v.w, v.w, -d);
    return (double2)(sum, low);
}

//@ qn_norm_f64
/* length of a vector, scaled by its largest element */
double qn_norm_f64(double4 v)
{
    v = fabs(v);
    if (isinf(v.x) || isinf(v.y) || isinf(v.z) || isinf(v.w))
        return INFINITY;
    const double largest = fmax(fmax(v.x, v.y), fmax(v.z, v.w));
    if (largest == 0 || isnan(v.x + v.y + v.z + v.w))
        return v.x + v.y + v.z + v.w;
    const int e = ilogb(largest);
    const double2 s = qn_squares_f64(ldexp(v, -e));
    return ldexp(sqrt(s.x + s.y), e);
}

//@ qn_rnorm_f64
/* 1 / length of a vector, with one Newton step on the exact residual */
double qn_rnorm_f64(double4 v)
{
#pragma OPENCL FP_CONTRACT OFF
    v = fabs(v);
    if (isinf(v.x) || isinf(v.y) || isinf(v.z) || isinf(v.w))
        return 0;
    const double largest = fmax(fmax(v.x, v.y), fmax(v.z, v.w));
    if (largest == 0 || isnan(v.x + v.y + v.z + v.w))
        return 1.0 / (v.x + v.y + v.z + v.w);
    const int e = ilogb(largest);
    const double2 s = qn_squares_f64(ldexp(v, -e));
    const double sum = s.x + s.y, low = (s.x - sum) + s.y;
    const double y = 1.0 / sqrt(sum), a = y * y, al = fma(y, y, -a);
    const double residual = fma(-sum, a, 1.0) - sum * al - low * a;
    return ldexp(fma(y, residual * 0.5, y), -e);
}

//@ qn_norm3d_f64
/* length of (x, y, z) */
double qn_norm3d_f64(double x, double y, double z)
{
    return qn_norm_f64((double4)(x, y, z, 0));
}

//@ qn_norm4d_f64
/* length of (x, y, z, w) */
double qn_norm4d_f64(double x, double y, double z, double w)
{
    return qn_norm_f64((double4)(x, y, z, w));
}

//@ qn_rnorm3d_f64
/* 1 / length of (x, y, z) */
double qn_rnorm3d_f64(double x, double y, double z)
{
    return qn_rnorm_f64((double4)(x, y, z, 0));
}

//@ qn_rnorm4d_f64
/* 1 / length of (x, y, z, w) */
double qn_rnorm4d_f64(double x, double y, double z, double w)
{
    return qn_rnorm_f64((double4)(x, y, z, w));
}

//@ qn_rhypot_f64
/* 1 / hypot(x, y) */
double qn_rhypot_f64(double x, double y)
{
    return qn_rnorm_f64((double4)(x, y, 0, 0));
}

//@ qn_bessel_i0_f64
/* modified Bessel function I0: its power series; the asymptotic series from 30 on */
double qn_bessel_i0_f64(double x)
{
    const double a = fabs(x);
    if (a < 30)
        return qn_bessel_series(0, a, 1.0, 0);
    if (!(a < 720)) /* overflows, or is no number */
        return a * INFINITY;
    double term = 1, rest = 0; /* of the series, behind its 1 */
    for (int k = 1; k < 30 && fabs(term) > 1e-18; k++) {
        term *= (double)((2 * k - 1) * (2 * k - 1) - 0) / (8.0 * k * a);
        rest += term;
    }
    int k;
    const double2 e = qn_exp_pair(a, &k);
    const double scale = (1 + rest) / sqrt(2 * M_PI * a);
    const double value = ldexp(fma(scale, e.x, scale * e.y), k);
    return value;
}

//@ qn_bessel_i1_f64
/* modified Bessel function I1: its power series; the asymptotic series from 30 on */
double qn_bessel_i1_f64(double x)
{
    const double a = fabs(x);
    if (a < 30)
        return qn_bessel_series(1, x, 1.0, 0);
    if (!(a < 720)) /* overflows, or is no number */
        return x * INFINITY;
    double term = 1, rest = 0; /* of the series, behind its 1 */
    for (int k = 1; k < 30 && fabs(term) > 1e-18; k++) {
        term *= (double)((2 * k - 1) * (2 * k - 1) - 4) / (8.0 * k * a);
        rest += term;
    }
    int k;
    const double2 e = qn_exp_pair(a, &k);
    const double scale = (1 + rest) / sqrt(2 * M_PI * a);
    const double value = ldexp(fma(scale, e.x, scale * e.y), k);
    return copysign(value, x);
}

//@ qn_erfcx_f64
/* exp(x*x) * erfc(x); x*x as a sum of two, so that its rounding does not grow in the exponential;
 * the asymptotic series from 12 on */
double qn_erfcx_f64(double x)
{
#pragma OPENCL FP_CONTRACT OFF
    if (x < 12) {
        const double square = x * x, low = fma(x, x, -square);
        const double e = exp(square);
        return isinf(e) ? e : fma(e, low, e) * erfc(x);
    }
    const double r = 1 / (2 * x * x);
    double term = 1, sum = 1;
    for (int k = 1; k < 20; k++) {
        term *= -(2 * k - 1) * r;
        sum += term;
    }
    return sum / x * 0.56418958354775629; /* 1 / sqrt(pi) */
}

//@ qn_normcdf_f64
/* 0.5 * erfc(-x / sqrt(2)); the part of the argument that rounding lost is put back */
double qn_normcdf_f64(double x)
{
#pragma OPENCL FP_CONTRACT OFF
    if (x < -39)
        return 0; /* less than half the smallest number */
    const double c = 0.70710678118654757, c_low = -4.8336466567264567e-17; /* 1 / sqrt(2) */
    const double a = -x * c;
    const double low = fma(-x, c, -a) - x * c_low;
    const double e = erfc(a);
    return isfinite(x) ? 0.5 * (e - low * 1.1283791670955126 * exp(-a * a)) : 0.5 * e;
}

//@ qn_erfinv_core_f64
/* y with erf(y) = p, given also q = 1 - p, 0 <= p < 1: a start good to 3 digits (Winitzki 2008),
 * then Halley steps on erf or, in the tail, on erfc */
double qn_erfinv_core_f64(double p, double q)
{
    if (p < 1e-8)
        return p * 0.88622692545275801; /* sqrt(pi) / 2; the next term is below rounding */
    const double l = log(q * (1 + p)), h = 4.3307467508 + l / 2; /* 2 / (pi * 0.147) */
    double y = sqrt(sqrt(h * h - l / 0.147) - h);
    if (q < 1e-10)
        y = sqrt(-log(q * y * 1.7724538509055161)); /* erfc(y) ~ exp(-y*y) / (y sqrt(pi)) */
    for (int i = 0; i < 3; i++) {
        /* distance to the root over the derivative; in the tail relative to erfc */
        const double d = p < 0.5 ? (erf(y) - p) * exp(y * y) * 0.88622692545275801
                                 : (1 - q / erfc(y)) * qn_erfcx_f64(y) * -0.88622692545275801;
        y -= d / (1 + d * y);
    }
    return y;
}

//@ qn_erfinv_f64
/* inverse of erf */
double qn_erfinv_f64(double x)
{
    const double p = fabs(x);
    return p < 1 ? copysign(qn_erfinv_core_f64(p, 1 - p), x) : p == 1 ? copysign((double)INFINITY, x) : NAN;
}

//@ qn_erfcinv_f64
/* inverse of erfc */
double qn_erfcinv_f64(double x)
{
    if (!(x > 0 && x < 2))
        return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
    return x <= 1 ? qn_erfinv_core_f64(1 - x, x) : -qn_erfinv_core_f64(x - 1, 2 - x);
}

//@ qn_normcdfinv_f64
/* inverse of the normal distribution */
double qn_normcdfinv_f64(double x)
{
    return -1.4142135623730951 * qn_erfcinv_f64(2 * x);
}

//@ qn_bessel_series
/* Sum of the power series of J_n(x) (sign -1) or I_n(x) (sign 1), n 0 or 1, |x| < 30, in pairs of
 * doubles, since its terms cancel or are many. With `harmonic` each term is weighted as in the series
 * of Y_n: by 1 + 1/2 + ... 1/k, and for n = 1 by that plus the next. */
double qn_bessel_series(int n, double x, double sign, int harmonic)
{
#pragma OPENCL FP_CONTRACT OFF
    const double half_x = x / 2, q = sign * (half_x * half_x);
    const double q_low = fma(sign * half_x, half_x, -q);
    double term = n ? half_x : 1, term_low = 0, sum = 0, sum_low = 0;
    double weight = harmonic ? n : 1, weight_low = 0;
    for (int k = 1; k < 150 && fabs(term) > 1e-40; k++) {
        const double part = term * weight;
        const double part_low = fma(term, weight, -part) + term * weight_low + term_low * weight;
        const double s = sum + part, t = s - sum;
        sum_low += (sum - (s - t)) + (part - t) + part_low;
        sum = s;
        const double product = term * q;
        const double product_low = fma(term, q, -product) + term * q_low + term_low * q;
        const double d = (double)k * (k + n), quotient = product / d;
        term_low = (fma(-quotient, d, product) + product_low) / d;
        term = quotient;
        for (int i = k; harmonic && i <= k + n; i++) {
            const double step = 1.0 / i, w = weight + step, u = w - weight;
            weight_low += (weight - (w - u)) + (step - u) + fma(-step, (double)i, 1.0) / i;
            weight = w;
        }
    }
    return sum + sum_low;
}

//@ qn_bessel_near_zero
/* Y_n(x), n 0 or 1, near its zero z + z_low, where the slope is given: Taylor series, the coefficients
 * by Bessel's equation */
double qn_bessel_near_zero(int n, double x, double z, double z_low, double slope)
{
    const double d = (x - z) - z_low;
    double before2 = 0, before = 0, here = 0, next = slope, power = d, sum = slope * d;
    for (int k = 0; k < 40; k++) {
        const double after =
            n ? -(z * (2 * k + 1) * (k + 1) * next + (k * k + z * z - 1) * here + 2 * z * before + before2) /
                    (z * z * (k + 1) * (k + 2))
              : -((double)(k + 1) * (k + 1) * next + z * here + before) / (z * (k + 1) * (k + 2));
        power *= d;
        sum += after * power;
        before2 = before, before = here, here = next, next = after;
    }
    return sum;
}

//@ qn_bessel_hankel
/* J_n (kind 0) or Y_n (kind 1), n 0 or 1, by the asymptotic series: absolute error below exp(-2 x) */
double qn_bessel_hankel(int n, int kind, double x)
{
    if (isinf(x))
        return 0;
    const double mu = 4 * n * n;
    double p = 0, q = 0, term = 1;
    for (int k = 0; k < 40 && fabs(term) > 1e-18; k++) {
        const double signed_term = k & 2 ? -term : term;
        if (k & 1)
            q += signed_term;
        else
            p += signed_term;
        const double odd = 2 * k + 1, ratio = (mu - odd * odd) / (8 * x * (k + 1));
        if (fabs(ratio) >= 1)
            break;
        term *= ratio;
    }
    /* sine and cosine of x - (2n + 1) pi / 4, times sqrt(2) */
    const double s = sin(x), c = cos(x);
    const double cosine = n ? s - c : s + c, sine = n ? -s - c : s - c;
    const double wave = kind ? p * sine + q * cosine : p * cosine - q * sine;
    return wave / sqrt(M_PI * x);
}

//@ qn_j0_f64
/* Bessel function of the first kind, order 0 */
double qn_j0_f64(double x)
{
    const double a = fabs(x);
    const double value = a < 25 ? qn_bessel_series(0, a, -1.0, 0) : qn_bessel_hankel(0, 0, a);
    return value;
}

//@ qn_j1_f64
/* Bessel function of the first kind, order 1 */
double qn_j1_f64(double x)
{
    const double a = fabs(x);
    const double value = a < 25 ? qn_bessel_series(1, a, -1.0, 0) : qn_bessel_hankel(1, 0, a);
    return x < 0 ? -value : value;
}

//@ qn_y0_f64
/* Bessel function of the second kind, order 0 */
double qn_y0_f64(double x)
{
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (fabs(x - 0.89357696627916749) < 0.2)
        return qn_bessel_near_zero(0, x, 0.89357696627916749, 2.6596231539720385e-17, 0.87942080249719479);
    if (fabs(x - 3.957678419314858) < 0.6)
        return qn_bessel_near_zero(0, x, 3.957678419314858, -1.0764340697562706e-16, -0.40254267177502423);
    if (fabs(x - 7.0860510603017728) < 0.9)
        return qn_bessel_near_zero(0, x, 7.0860510603017728, -8.8352857230854081e-17, 0.30009761491047521);
    if (x >= 25)
        return qn_bessel_hankel(0, 1, x);
    return 0.63661977236758138 * ((log(x / 2) + 0.57721566490153287) * qn_bessel_series(0, x, -1.0, 0) -
                                  qn_bessel_series(0, x, -1.0, 1));
}

//@ qn_y1_f64
/* Bessel function of the second kind, order 1 */
double qn_y1_f64(double x)
{
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (fabs(x - 2.1971413260310171) < 0.3)
        return qn_bessel_near_zero(1, x, 2.1971413260310171, -4.8259835876454966e-17, 0.52078641240226753);
    if (fabs(x - 5.4296810407941347) < 0.6)
        return qn_bessel_near_zero(1, x, 5.4296810407941347, 4.162514026670377e-16, -0.34031804552344058);
    if (x >= 25)
        return qn_bessel_hankel(1, 1, x);
    return 0.63661977236758138 * ((log(x / 2) + 0.57721566490153287) * qn_bessel_series(1, x, -1.0, 0) -
                                  1 / x - qn_bessel_series(1, x, -1.0, 1) / 2);
}

//@ qn_jn_f64
/* Bessel function of the first kind, order n: forward recurrence where n < x, else backward from a
 * high order (Miller), scaled by J0 or J1 */
double qn_jn_f64(int n, double x)
{
    const bool negative = (n < 0) != (x < 0) && (n & 1);
    const int order = abs(n);
    const double a = fabs(x);
    double value;
    if (order < 2) {
        value = order ? qn_j1_f64(a) : qn_j0_f64(a);
    } else if (a == 0 || isinf(a)) {
        value = 0;
    } else if (order < a) {
        double before = qn_j0_f64(a);
        value = qn_j1_f64(a);
        for (int k = 1; k < order; k++) {
            const double next = 2 * k / a * value - before;
            before = value;
            value = next;
        }
    } else {
        double above = 0, here = 1e-300, wanted = 0;
        for (int k = order + 40 + (int)sqrt(40.0 * order); k > 0; k--) {
            const double below = 2 * k / a * here - above;
            above = here;
            here = below;
            if (fabs(here) > 1e250) {
                here *= 1e-250;
                above *= 1e-250;
                wanted *= 1e-250;
            }
            if (k - 1 == order)
                wanted = here;
        }
        const double j0 = qn_j0_f64(a), j1 = qn_j1_f64(a);
        value = fabs(j0) > fabs(j1) ? wanted / here * j0 : wanted / above * j1;
    }
    return negative ? -value : value;
}

//@ qn_yn_f64
/* Bessel function of the second kind, order n: forward recurrence, which is stable */
double qn_yn_f64(int n, double x)
{
    const int order = abs(n);
    double before = qn_y0_f64(x), value = qn_y1_f64(x);
    if (order == 0)
        return before;
    for (int k = 1; k < order && !isinf(value); k++) {
        const double next = 2 * k / x * value - before;
        before = value;
        value = next;
    }
    return n < 0 && (n & 1) ? -value : value;
}

//@ qn_erfinv_f32
/* in double, rounded */
float qn_erfinv_f32(float x)
{
    return (float)qn_erfinv_f64(x);
}

//@ qn_erfcinv_f32
/* in double, rounded */
float qn_erfcinv_f32(float x)
{
    return (float)qn_erfcinv_f64(x);
}

//@ qn_erfcx_f32
/* in double, rounded */
float qn_erfcx_f32(float x)
{
    return (float)qn_erfcx_f64(x);
}

//@ qn_normcdf_f32
/* in double, rounded */
float qn_normcdf_f32(float x)
{
    return (float)qn_normcdf_f64(x);
}

//@ qn_normcdfinv_f32
/* in double, rounded */
float qn_normcdfinv_f32(float x)
{
    return (float)qn_normcdfinv_f64(x);
}

//@ qn_j0_f32
/* in double, rounded */
float qn_j0_f32(float x)
{
    return (float)qn_j0_f64(x);
}

//@ qn_j1_f32
/* in double, rounded */
float qn_j1_f32(float x)
{
    return (float)qn_j1_f64(x);
}

//@ qn_y0_f32
/* in double, rounded */
float qn_y0_f32(float x)
{
    return (float)qn_y0_f64(x);
}

//@ qn_y1_f32
/* in double, rounded */
float qn_y1_f32(float x)
{
    return (float)qn_y1_f64(x);
}

//@ qn_bessel_i0_f32
/* in double, rounded */
float qn_bessel_i0_f32(float x)
{
    return (float)qn_bessel_i0_f64(x);
}

//@ qn_bessel_i1_f32
/* in double, rounded */
float qn_bessel_i1_f32(float x)
{
    return (float)qn_bessel_i1_f64(x);
}

//@ qn_jn_f32
/* in double, rounded */
float qn_jn_f32(int n, float x)
{
    return (float)qn_jn_f64(n, x);
}

//@ qn_yn_f32
/* in double, rounded */
float qn_yn_f32(int n, float x)
{
    return (float)qn_yn_f64(n, x);
}

//@ qn_ffs_i32
/* 1 + the number of zeros below the lowest one bit; 0 for 0 */
int qn_ffs_i32(int x)
{
    return 32 - clz(x & -x);
}

//@ qn_ffs_i64
/* 1 + the number of zeros below the lowest one bit; 0 for 0 */
int qn_ffs_i64(long x)
{
    return 64 - (int)clz(x & -x);
}

//@ qn_brev_u32
/* bits in reverse order */
uint qn_brev_u32(uint x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return as_uint(as_uchar4(x).wzyx);
}

//@ qn_brev_u64
/* bits in reverse order */
ulong qn_brev_u64(ulong x)
{
    return upsample(qn_brev_u32((uint)x), qn_brev_u32((uint)(x >> 32)));
}

//@ qn_fns
/* the bit of `mask` that is `offset` ones from bit `base`: upwards when positive, downwards when
 * negative, `base` itself when 0; ~0 when there is none */
uint qn_fns(uint mask, uint base, int offset)
{
    if (offset == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    const int step = offset > 0 ? 1 : -1;
    for (int bit = (int)base, left = abs(offset); bit >= 0 && bit < 32; bit += step)
        if ((mask >> bit & 1) && --left == 0)
            return (uint)bit;
    return 0xffffffffu;
}

//@ qn_byte_perm
/* four bytes picked from the eight of y:x by the low three bits of each nibble of s; bit 3 spreads
 * the sign of the byte */
uint qn_byte_perm(uint x, uint y, uint s)
{
    const ulong bytes = upsample(y, x);
    uint r = 0;
    for (uint i = 0; i < 4; i++) {
        const uint select = s >> (4 * i);
        const uint byte = (uint)(bytes >> (8 * (select & 7))) & 0xff;
        r |= (select & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
    }
    return r;
}

//@ qn_dp4a_i32
/* four byte products added to c */
int qn_dp4a_i32(int a, int b, int c)
{
    const char4 p = as_char4(a), q = as_char4(b);
    return c + (int)p.x * q.x + (int)p.y * q.y + (int)p.z * q.z + (int)p.w * q.w;
}

//@ qn_dp2a_lo_i32
/* two products of 16 bits with the lower bytes of b, added to c */
int qn_dp2a_lo_i32(int a, int b, int c)
{
    return c + (int)as_short2(a).x * as_char4(b).x + (int)as_short2(a).y * as_char4(b).y;
}

//@ qn_dp2a_hi_i32
/* two products of 16 bits with the upper bytes of b, added to c */
int qn_dp2a_hi_i32(int a, int b, int c)
{
    return c + (int)as_short2(a).x * as_char4(b).z + (int)as_short2(a).y * as_char4(b).w;
}

//@ qn_dp4a_i32_ptx
/* NVIDIA */
int qn_dp4a_i32_ptx(int a, int b, int c)
{
    int d;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

//@ qn_dp2a_lo_i32_ptx
/* NVIDIA */
int qn_dp2a_lo_i32_ptx(int a, int b, int c)
{
    int d;
    asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

//@ qn_dp2a_hi_i32_ptx
/* NVIDIA */
int qn_dp2a_hi_i32_ptx(int a, int b, int c)
{
    int d;
    asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

//@ qn_dp4a_u32
/* four byte products added to c */
uint qn_dp4a_u32(uint a, uint b, uint c)
{
    const uchar4 p = as_uchar4(a), q = as_uchar4(b);
    return c + (uint)p.x * q.x + (uint)p.y * q.y + (uint)p.z * q.z + (uint)p.w * q.w;
}

//@ qn_dp2a_lo_u32
/* two products of 16 bits with the lower bytes of b, added to c */
uint qn_dp2a_lo_u32(uint a, uint b, uint c)
{
    return c + (uint)as_ushort2(a).x * as_uchar4(b).x + (uint)as_ushort2(a).y * as_uchar4(b).y;
}

//@ qn_dp2a_hi_u32
/* two products of 16 bits with the upper bytes of b, added to c */
uint qn_dp2a_hi_u32(uint a, uint b, uint c)
{
    return c + (uint)as_ushort2(a).x * as_uchar4(b).z + (uint)as_ushort2(a).y * as_uchar4(b).w;
}

//@ qn_dp4a_u32_ptx
/* NVIDIA */
uint qn_dp4a_u32_ptx(uint a, uint b, uint c)
{
    uint d;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

//@ qn_dp2a_lo_u32_ptx
/* NVIDIA */
uint qn_dp2a_lo_u32_ptx(uint a, uint b, uint c)
{
    uint d;
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

//@ qn_dp2a_hi_u32_ptx
/* NVIDIA */
uint qn_dp2a_hi_u32_ptx(uint a, uint b, uint c)
{
    uint d;
    asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

//@ qn_vavgs2
/* signed averages: halves go up, except that a negative average goes down */
uint qn_vavgs2(uint a, uint b)
{
    const short2 down = hadd(as_short2(a), as_short2(b)), up = rhadd(as_short2(a), as_short2(b));
    return as_uint(select(up, down, down < (short2)(0)));
}

//@ qn_vsads2
/* sum of absolute differences */
uint qn_vsads2(uint a, uint b)
{
    const ushort2 d = abs_diff(as_short2(a), as_short2(b));
    return (uint)d.x + d.y;
}

//@ qn_vsadu2
/* sum of absolute differences */
uint qn_vsadu2(uint a, uint b)
{
    const ushort2 d = abs_diff(as_ushort2(a), as_ushort2(b));
    return (uint)d.x + d.y;
}

//@ qn_vavgs4
/* signed averages: halves go up, except that a negative average goes down */
uint qn_vavgs4(uint a, uint b)
{
    const char4 down = hadd(as_char4(a), as_char4(b)), up = rhadd(as_char4(a), as_char4(b));
    return as_uint(select(up, down, down < (char4)(0)));
}

//@ qn_vsads4
/* sum of absolute differences */
uint qn_vsads4(uint a, uint b)
{
    const uchar4 d = abs_diff(as_char4(a), as_char4(b));
    return (uint)d.x + d.y + d.z + d.w;
}

//@ qn_vsadu4
/* sum of absolute differences */
uint qn_vsadu4(uint a, uint b)
{
    const uchar4 d = abs_diff(as_uchar4(a), as_uchar4(b));
    return (uint)d.x + d.y + d.z + d.w;
}

//@ qn_half_float
/* the value of half bits; exact */
float qn_half_float(ushort bits)
{
    return vload_half(0, (const half *)&bits);
}

//@ qn_half_rte
/* float to half bits, to nearest even */
ushort qn_half_rte(float x)
{
    ushort bits;
    vstore_half_rte(x, 0, (half *)&bits);
    return bits;
}

//@ qn_half_add
/* sum of halves, rounded once */
ushort qn_half_add(ushort a, ushort b)
{
    return qn_half_rte(qn_half_float(a) + qn_half_float(b));
}

//@ qn_half_sub
/* difference of halves, rounded once */
ushort qn_half_sub(ushort a, ushort b)
{
    return qn_half_rte(qn_half_float(a) - qn_half_float(b));
}

//@ qn_half_mul
/* product of halves, rounded once */
ushort qn_half_mul(ushort a, ushort b)
{
    return qn_half_rte(qn_half_float(a) * qn_half_float(b));
}

//@ qn_half_div
/* quotient of halves, rounded once; a float division that is not correctly rounded is put right */
ushort qn_half_div(ushort a, ushort b)
{
    const float x = qn_half_float(a), y = qn_half_float(b), q = x / y;
    return qn_half_rte(isfinite(q) && isfinite(y) ? q + fma(-q, y, x) / y : q);
}

//@ qn_half_rte_f64
/* double to half bits, one rounding */
ushort qn_half_rte_f64(double x)
{
    ushort bits;
    vstore_half_rte(x, 0, (half *)&bits);
    return bits;
}

//@ qn_half_rtz
/* float to half bits, rounded towards zero */
ushort qn_half_rtz(float x)
{
    ushort bits;
    vstore_half_rtz(x, 0, (half *)&bits);
    return bits;
}

//@ qn_half_rtp
/* float to half bits, rounded upwards */
ushort qn_half_rtp(float x)
{
    ushort bits;
    vstore_half_rtp(x, 0, (half *)&bits);
    return bits;
}

//@ qn_half_rtn
/* float to half bits, rounded downwards */
ushort qn_half_rtn(float x)
{
    ushort bits;
    vstore_half_rtn(x, 0, (half *)&bits);
    return bits;
}

//@ qn_add_odd
/* a + b rounded to odd: a later rounding to far fewer digits is then as if it had been the only one
 * */
float qn_add_odd(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    const float sum = a + b, t = sum - a;
    const float lost = (a - (sum - t)) + (b - t);
    const uint bits = as_uint(sum);
    if (lost == 0 || !isfinite(sum) || (bits & 1))
        return sum;
    return as_float((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

//@ qn_add_odd_f64
/* a + b rounded to odd */
double qn_add_odd_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double sum = a + b, t = sum - a;
    const double lost = (a - (sum - t)) + (b - t);
    const ulong bits = as_ulong(sum);
    if (lost == 0 || !isfinite(sum) || (bits & 1))
        return sum;
    return as_double((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

//@ qn_fma_f16
/* fused multiply-add of halves: the product is exact in float */
ushort qn_fma_f16(ushort a, ushort b, ushort c)
{
#pragma OPENCL FP_CONTRACT OFF
    const float product = qn_half_float(a) * qn_half_float(b);
    return qn_half_rte(qn_add_odd(product, qn_half_float(c)));
}

//@ qn_bf16_rte
/* float to bfloat16 bits, to nearest even */
ushort qn_bf16_rte(float x)
{
    const uint bits = as_uint(x);
    return isnan(x) ? 0x7fff : (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

//@ qn_bf16_rtz
/* float to bfloat16 bits, towards zero */
ushort qn_bf16_rtz(float x)
{
    return isnan(x) ? 0x7fff : (ushort)(as_uint(x) >> 16);
}

//@ qn_bf16_rtp
/* float to bfloat16 bits, upwards */
ushort qn_bf16_rtp(float x)
{
    const uint bits = as_uint(x);
    return isnan(x) ? 0x7fff : (ushort)((bits >> 16) + (!(bits >> 31) && (bits & 0xffff)));
}

//@ qn_bf16_rtn
/* float to bfloat16 bits, downwards */
ushort qn_bf16_rtn(float x)
{
    const uint bits = as_uint(x);
    return isnan(x) ? 0x7fff : (ushort)((bits >> 16) + ((bits >> 31) && (bits & 0xffff)));
}

//@ qn_bf16_rte_f64
/* double to bfloat16 bits: to odd in float, then to nearest even */
ushort qn_bf16_rte_f64(double x)
{
    const float cut = convert_float_rtz(x);
    return qn_bf16_rte(isfinite(cut) && (double)cut != x ? as_float(as_uint(cut) | 1) : cut);
}

//@ qn_fma_bf16
/* fused multiply-add of bfloat16s: the product is exact in float, short of underflow */
ushort qn_fma_bf16(ushort a, ushort b, ushort c)
{
#pragma OPENCL FP_CONTRACT OFF
    const float product = as_float((uint)a << 16) * as_float((uint)b << 16);
    return qn_bf16_rte(qn_add_odd(product, as_float((uint)c << 16)));
}

//@ qn_fma_bf16_f64
/* fused multiply-add of bfloat16s: the product is exact in double */
ushort qn_fma_bf16_f64(ushort a, ushort b, ushort c)
{
#pragma OPENCL FP_CONTRACT OFF
    const double product = (double)as_float((uint)a << 16) * (double)as_float((uint)b << 16);
    return qn_bf16_rte_f64(qn_add_odd_f64(product, as_float((uint)c << 16)));
}

//@ qn_atomic_inc_u32_SPACE
/* adds 1, back to 0 at the limit; returns the old value */
uint qn_atomic_inc_u32_SPACE(volatile __SPACE uint *p, uint limit)
{
    uint seen = *p, old;
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old >= limit ? 0 : old + 1);
    } while (seen != old);
    return old;
}

//@ qn_atomic_dec_u32_SPACE
/* subtracts 1, back to the limit at 0; returns the old value */
uint qn_atomic_dec_u32_SPACE(volatile __SPACE uint *p, uint limit)
{
    uint seen = *p, old;
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old == 0 || old > limit ? limit : old - 1);
    } while (seen != old);
    return old;
}

//@ qn_atomic_min_f32_SPACE
/* float minimum as compare-and-swap on the bits; returns the old value */
float qn_atomic_min_f32_SPACE(volatile __SPACE float *p, float value)
{
    uint seen = as_uint(*p), old;
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile __SPACE uint *)p, old, as_uint(fmin(as_float(old), value)));
    } while (seen != old);
    return as_float(old);
}

//@ qn_atomic_max_f32_SPACE
/* float maximum as compare-and-swap on the bits; returns the old value */
float qn_atomic_max_f32_SPACE(volatile __SPACE float *p, float value)
{
    uint seen = as_uint(*p), old;
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile __SPACE uint *)p, old, as_uint(fmax(as_float(old), value)));
    } while (seen != old);
    return as_float(old);
}

//@ qn_atomic_add_f64_SPACE
/* double addition as compare-and-swap on the bits; returns the old value */
double qn_atomic_add_f64_SPACE(volatile __SPACE double *p, double value)
{
    ulong seen = as_ulong(*p), old;
    do {
        old = seen;
        seen = atom_cmpxchg((volatile __SPACE ulong *)p, old, as_ulong(as_double(old) + value));
    } while (seen != old);
    return as_double(old);
}

//@ qn_atomic_min_f64_SPACE
/* double minimum as compare-and-swap on the bits; returns the old value */
double qn_atomic_min_f64_SPACE(volatile __SPACE double *p, double value)
{
    ulong seen = as_ulong(*p), old;
    do {
        old = seen;
        seen = atom_cmpxchg((volatile __SPACE ulong *)p, old, as_ulong(fmin(as_double(old), value)));
    } while (seen != old);
    return as_double(old);
}

//@ qn_atomic_max_f64_SPACE
/* double maximum as compare-and-swap on the bits; returns the old value */
double qn_atomic_max_f64_SPACE(volatile __SPACE double *p, double value)
{
    ulong seen = as_ulong(*p), old;
    do {
        old = seen;
        seen = atom_cmpxchg((volatile __SPACE ulong *)p, old, as_ulong(fmax(as_double(old), value)));
    } while (seen != old);
    return as_double(old);
}

//@ qn_atomic_exch_f64_SPACE
/* exchange of a double as its bits */
double qn_atomic_exch_f64_SPACE(volatile __SPACE double *p, double value)
{
    return as_double(atom_xchg((volatile __SPACE ulong *)p, as_ulong(value)));
}

//@ qn_word_cas_SPACE
/* compare-and-swap of a 16-bit number through the 32-bit word around it; returns the old number */
ushort qn_word_cas_SPACE(volatile __SPACE ushort *p, ushort expected, ushort value)
{
    const size_t address = (size_t)p;
    volatile __SPACE uint *const word = (volatile __SPACE uint *)(address & ~(size_t)3);
    const uint shift = (uint)(address & 2) * 8;
    uint seen = *word, old;
    do {
        old = seen;
        if ((ushort)(old >> shift) != expected)
            return (ushort)(old >> shift);
        seen = atomic_cmpxchg(word, old, (old & ~(0xffffu << shift)) | (uint)value << shift);
    } while (seen != old);
    return expected;
}

//@ qn_atomic_cas_u16_SPACE
/* compare-and-swap of 16 bits */
ushort qn_atomic_cas_u16_SPACE(volatile __SPACE ushort *p, ushort expected, ushort value)
{
    return qn_word_cas_SPACE(p, expected, value);
}

//@ qn_bfloat16_add
/* the sum of two bfloat16s, rounded once */
ushort qn_bfloat16_add(ushort a, ushort b)
{
    return qn_bf16_rte(as_float((uint)a << 16) + as_float((uint)b << 16));
}

//@ qn_atomic_add_half_SPACE
/* half addition; returns the old value */
ushort qn_atomic_add_half_SPACE(volatile __SPACE ushort *p, ushort value)
{
    ushort seen = *p, old;
    do {
        old = seen;
        seen = qn_word_cas_SPACE(p, old, qn_half_add(old, value));
    } while (seen != old);
    return old;
}

//@ qn_atomic_add_half2_SPACE
/* addition of a pair of halfs; returns the old pair */
uint qn_atomic_add_half2_SPACE(volatile __SPACE uint *p, uint value)
{
    uint seen = *p, old;
    do {
        old = seen;
        const uint low = qn_half_add((ushort)old, (ushort)value);
        const uint high = qn_half_add((ushort)(old >> 16), (ushort)(value >> 16));
        seen = atomic_cmpxchg(p, old, low | high << 16);
    } while (seen != old);
    return old;
}

//@ qn_atomic_add_bfloat16_SPACE
/* bfloat16 addition; returns the old value */
ushort qn_atomic_add_bfloat16_SPACE(volatile __SPACE ushort *p, ushort value)
{
    ushort seen = *p, old;
    do {
        old = seen;
        seen = qn_word_cas_SPACE(p, old, qn_bfloat16_add(old, value));
    } while (seen != old);
    return old;
}

//@ qn_atomic_add_bfloat162_SPACE
/* addition of a pair of bfloat16s; returns the old pair */
uint qn_atomic_add_bfloat162_SPACE(volatile __SPACE uint *p, uint value)
{
    uint seen = *p, old;
    do {
        old = seen;
        const uint low = qn_bfloat16_add((ushort)old, (ushort)value);
        const uint high = qn_bfloat16_add((ushort)(old >> 16), (ushort)(value >> 16));
        seen = atomic_cmpxchg(p, old, low | high << 16);
    } while (seen != old);
    return old;
}

//@ qn_atomic_add_f32_ptx_SPACE
/* NVIDIA; PTX calls OpenCL's local memory shared */
#define qn_ptx_global "global"
#define qn_ptx_local  "shared"
float qn_atomic_add_f32_ptx_SPACE(volatile __SPACE float *p, float value)
{
    float old;
    asm volatile("atom." qn_ptx_SPACE ".add.f32 %0, [%1], %2;" : "=f"(old) : "l"(p), "f"(value) : "memory");
    return old;
}

//@ qn_atomic_add_f64_ptx_SPACE
/* NVIDIA; PTX calls OpenCL's local memory shared */
#define qn_ptx_global "global"
#define qn_ptx_local  "shared"
double qn_atomic_add_f64_ptx_SPACE(volatile __SPACE double *p, double value)
{
    double old;
    asm volatile("atom." qn_ptx_SPACE ".add.f64 %0, [%1], %2;" : "=d"(old) : "l"(p), "d"(value) : "memory");
    return old;
}

//@ qn_is_global_SPACE
/* is the pointer into global memory? The names of the four spaces differ in length */
uint qn_is_global_SPACE(const __SPACE void *p)
{
    return sizeof "SPACE" == sizeof "global";
}

//@ qn_is_local_SPACE
/* is the pointer into local memory? The names of the four spaces differ in length */
uint qn_is_local_SPACE(const __SPACE void *p)
{
    return sizeof "SPACE" == sizeof "local";
}

//@ qn_is_constant_SPACE
/* is the pointer into constant memory? The names of the four spaces differ in length */
uint qn_is_constant_SPACE(const __SPACE void *p)
{
    return sizeof "SPACE" == sizeof "constant";
}

//@ qn_is_private_SPACE
/* is the pointer into private memory? The names of the four spaces differ in length */
uint qn_is_private_SPACE(const __SPACE void *p)
{
    return sizeof "SPACE" == sizeof "private";
}

//@ qn_syncwarp_ptx
/* NVIDIA */
void qn_syncwarp_ptx(uint mask)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}

//@ qn_ballot_ptx
/* NVIDIA */
uint qn_ballot_ptx(uint mask, int predicate)
{
    uint r;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

//@ qn_any_ptx
/* NVIDIA */
int qn_any_ptx(uint mask, int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

//@ qn_all_ptx
/* NVIDIA */
int qn_all_ptx(uint mask, int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.all.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

//@ qn_uni_ptx
/* NVIDIA */
int qn_uni_ptx(uint mask, int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.uni.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"(predicate), "r"(mask));
    return r;
}

//@ qn_activemask_ptx
/* NVIDIA */
uint qn_activemask_ptx(void)
{
    uint r;
    asm volatile("activemask.b32 %0;" : "=r"(r));
    return r;
}

//@ qn_shfl_32_ptx
/* NVIDIA */
uint qn_shfl_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

//@ qn_shfl_64_ptx
/* NVIDIA */
ulong qn_shfl_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_32_ptx(mask, (uint)value, lane, width));
}

//@ qn_shfl_up_32_ptx
/* NVIDIA */
uint qn_shfl_up_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0), "r"(mask));
    return r;
}

//@ qn_shfl_up_64_ptx
/* NVIDIA */
ulong qn_shfl_up_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_up_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_up_32_ptx(mask, (uint)value, lane, width));
}

//@ qn_shfl_down_32_ptx
/* NVIDIA */
uint qn_shfl_down_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

//@ qn_shfl_down_64_ptx
/* NVIDIA */
ulong qn_shfl_down_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_down_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_down_32_ptx(mask, (uint)value, lane, width));
}

//@ qn_shfl_xor_32_ptx
/* NVIDIA */
uint qn_shfl_xor_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | 0x1f), "r"(mask));
    return r;
}

//@ qn_shfl_xor_64_ptx
/* NVIDIA */
ulong qn_shfl_xor_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_xor_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_xor_32_ptx(mask, (uint)value, lane, width));
}

//@ qn_match_any_32_ptx
/* NVIDIA */
uint qn_match_any_32_ptx(uint mask, uint value)
{
    uint r;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(value), "r"(mask));
    return r;
}

//@ qn_match_all_32_ptx
/* NVIDIA */
uint qn_match_all_32_ptx(uint mask, uint value)
{
    uint r;
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, %2; }" : "=r"(r) : "r"(value), "r"(mask));
    return r;
}

//@ qn_match_any_64_ptx
/* NVIDIA */
uint qn_match_any_64_ptx(uint mask, ulong value)
{
    uint r;
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(r) : "l"(value), "r"(mask));
    return r;
}

//@ qn_match_all_64_ptx
/* NVIDIA */
uint qn_match_all_64_ptx(uint mask, ulong value)
{
    uint r;
    asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %1, %2; }" : "=r"(r) : "l"(value), "r"(mask));
    return r;
}

//@ qn_reduce_add_i32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
int qn_reduce_add_i32_ptx(uint mask, int value)
{
    uint left = mask & (mask - 1);
    int r = (int)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const int other = (int)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = r + other;
    }
    return r;
}

//@ qn_reduce_add_u32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
uint qn_reduce_add_u32_ptx(uint mask, uint value)
{
    uint left = mask & (mask - 1);
    uint r = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const uint other = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = r + other;
    }
    return r;
}

//@ qn_reduce_min_i32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
int qn_reduce_min_i32_ptx(uint mask, int value)
{
    uint left = mask & (mask - 1);
    int r = (int)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const int other = (int)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = min(r, other);
    }
    return r;
}

//@ qn_reduce_min_u32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
uint qn_reduce_min_u32_ptx(uint mask, uint value)
{
    uint left = mask & (mask - 1);
    uint r = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const uint other = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = min(r, other);
    }
    return r;
}

//@ qn_reduce_max_i32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
int qn_reduce_max_i32_ptx(uint mask, int value)
{
    uint left = mask & (mask - 1);
    int r = (int)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const int other = (int)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = max(r, other);
    }
    return r;
}

//@ qn_reduce_max_u32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
uint qn_reduce_max_u32_ptx(uint mask, uint value)
{
    uint left = mask & (mask - 1);
    uint r = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const uint other = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = max(r, other);
    }
    return r;
}

//@ qn_reduce_and_u32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
uint qn_reduce_and_u32_ptx(uint mask, uint value)
{
    uint left = mask & (mask - 1);
    uint r = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const uint other = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = r & other;
    }
    return r;
}

//@ qn_reduce_or_u32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
uint qn_reduce_or_u32_ptx(uint mask, uint value)
{
    uint left = mask & (mask - 1);
    uint r = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const uint other = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = r | other;
    }
    return r;
}

//@ qn_reduce_xor_u32_ptx
/* over the lanes of the mask, one after the other (NVIDIA; redux.sync only exists from sm_80 on) */
uint qn_reduce_xor_u32_ptx(uint mask, uint value)
{
    uint left = mask & (mask - 1);
    uint r = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)mask) - 1, 32);
    for (; left; left &= left - 1) {
        const uint other = (uint)qn_shfl_32_ptx(mask, (uint)value, qn_ffs_i32((int)left) - 1, 32);
        r = r ^ other;
    }
    return r;
}

//@ qn_syncthreads_and_ptx
/* NVIDIA */
int qn_syncthreads_and_ptx(int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"(predicate) : "memory");
    return r;
}

//@ qn_syncthreads_or_ptx
/* NVIDIA */
int qn_syncthreads_or_ptx(int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"(predicate) : "memory");
    return r;
}

//@ qn_syncthreads_count_ptx
/* NVIDIA */
int qn_syncthreads_count_ptx(int predicate)
{
    int r;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(r) : "r"(predicate) : "memory");
    return r;
}

//@ qn_clock64_ptx
/* NVIDIA */
long qn_clock64_ptx(void)
{
    long r;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(r) : : "memory");
    return r;
}

//@ qn_globaltimer_ptx
/* NVIDIA */
ulong qn_globaltimer_ptx(void)
{
    ulong r;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(r) : : "memory");
    return r;
}

//@ qn_rsqrt_f64
/* 1 / sqrt(x), with one Newton step on the exact residual */
double qn_rsqrt_f64(double x)
{
#pragma OPENCL FP_CONTRACT OFF
    const double y = rsqrt(x);
    if (!(x > 0) || isinf(x))
        return y;
    const double a = x * y, al = fma(x, y, -a);
    return fma(y * 0.5, fma(-a, y, 1.0) - al * y, y);
}

//@ qn_exp_pair
/* 2^-k exp(x) as a sum of two, and k: 1 + expm1(r) with r reduced exactly (ln 2 in two parts) */
double2 qn_exp_pair(double x, int *k)
{
#pragma OPENCL FP_CONTRACT OFF
    const double n = rint(x * 1.4426950408889634);
    const double r = fma(-n, 0x1.62e42fefap-1, x), r_low = -n * 0x1.cf79abc9e3b3ap-40;
    const double e = expm1(r + r_low), high = 1 + e;
    *k = (int)n;
    return (double2)(high, (1 - high) + e + ((r - (r + r_low)) + r_low) * high);
}

//@ qn_cosh_f64
/* hyperbolic cosine, (exp(x) + 1 / exp(x)) / 2 */
double qn_cosh_f64(double x)
{
#pragma OPENCL FP_CONTRACT OFF
    x = fabs(x);
    if (!(x < 710))
        return x < 711 ? exp(x / 2) / 2 * exp(x / 2) : x * x;
    int k;
    const double2 e = qn_exp_pair(x, &k);
    const double grown = ldexp(e.x, k - 1), grown_low = ldexp(e.y, k - 1);
    return grown + (0.25 / grown + grown_low);
}

//@ qn_tan_f64
/* tangent: the argument less a multiple of pi / 2 as a sum of two (Cody and Waite, three parts, good
 * up to 2^20; beyond, the driver's), then sine over cosine, each from its Taylor series as a sum of two */
double qn_tan_f64(double x)
{
#pragma OPENCL FP_CONTRACT OFF
    const double k = rint(x * 0.63661977236758138);
    if (!(fabs(x) < 1048576) || fabs(x) < 1e-8)
        return tan(x);
    const double a = fma(-k, 0x1.921fb544p+0, x), second = k * 0x1.0b4611a6p-34;
    const double b = a - second, lost = (a - b) - second, third = k * 0x1.3198a2e037073p-69;
    const double r = b - third, low = (b - r) - third + lost, q = r * r;
    double s = 1.0 / 355687428096000; /* 1 / 17! */
    s = fma(-s, q, 1.0 / 1307674368000);
    s = fma(-s, q, 1.0 / 6227020800);
    s = fma(-s, q, 1.0 / 39916800);
    s = fma(-s, q, 1.0 / 362880);
    s = fma(-s, q, 1.0 / 5040);
    s = fma(-s, q, 1.0 / 120);
    s = fma(-s, q, 1.0 / 6);
    double c = 1.0 / 20922789888000; /* 1 / 16! */
    c = fma(-c, q, 1.0 / 87178291200);
    c = fma(-c, q, 1.0 / 479001600);
    c = fma(-c, q, 1.0 / 3628800);
    c = fma(-c, q, 1.0 / 40320);
    c = fma(-c, q, 1.0 / 720);
    c = fma(-c, q, 1.0 / 24);
    c = fma(-c, q, 0.5);
    const double sine_rest = -s * q * r, sine = r + sine_rest;
    const double cosine_rest = -c * q, cosine = 1 + cosine_rest;
    const double sine_low = (r - sine) + sine_rest + low * cosine;
    const double cosine_low = (1 - cosine) + cosine_rest - low * sine;
    const int odd = (int)k & 1; /* tan(r + pi / 2) = -cos(r) / sin(r) */
    const double above = odd ? -cosine : sine, above_low = odd ? -cosine_low : sine_low;
    const double below = odd ? sine : cosine, below_low = odd ? sine_low : cosine_low;
    const double quotient = above / below;
    return quotient + (fma(-quotient, below, above) + above_low - quotient * below_low) / below;
}

//@ qn_any_in_group
/* true for all work-items when `mine` is for one of them; every work-item of the group calls it */
bool qn_any_in_group(__local uint *vote, bool mine)
{
    if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0)
        *vote = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        atomic_or(vote, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *vote != 0;
}

//@ qn_linear_id
/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

//@ qn_ballot_local
/* one bit per lane of the warp; every work-item of the group calls it */
uint qn_ballot_local(__local uint *slots, bool predicate)
{
    const uint id = qn_linear_id();
    __local uint *bits = &slots[id / 32];
    if (id % 32 == 0)
        *bits = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (predicate)
        atomic_or(bits, 1u << id % 32);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint result = *bits;
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

//@ qn_count_local
/* how many work-items of the group say yes */
int qn_count_local(__local uint *slots, bool predicate)
{
    if (qn_linear_id() == 0)
        slots[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (predicate)
        atomic_inc(&slots[0]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int result = slots[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

//@ qn_lane_32_local
/* the value of another lane of the warp, or one's own where there is no such work-item */
uint qn_lane_32_local(__local uint *slots, uint value, int lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2))
        value = slots[from];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

//@ qn_shfl_32_local
/* __shfl_sync: from a lane of the same segment of `width` lanes */
uint qn_shfl_32_local(__local uint *slots, uint value, int lane, int width)
{
    const int own = qn_linear_id() % 32;
    return qn_lane_32_local(slots, value, (own & ~(width - 1)) | (lane & (width - 1)));
}

//@ qn_shfl_up_32_local
/* __shfl_up_sync: from `by` lanes below; one's own value below the segment */
uint qn_shfl_up_32_local(__local uint *slots, uint value, int by, int width)
{
    const int own = qn_linear_id() % 32, from = own - by;
    return qn_lane_32_local(slots, value, from < (own & ~(width - 1)) ? own : from);
}

//@ qn_shfl_down_32_local
/* __shfl_down_sync: from `by` lanes above; one's own value above the segment */
uint qn_shfl_down_32_local(__local uint *slots, uint value, int by, int width)
{
    const int own = qn_linear_id() % 32, from = own + by;
    return qn_lane_32_local(slots, value, from > (own | (width - 1)) ? own : from);
}

//@ qn_shfl_xor_32_local
/* __shfl_xor_sync: from the lane whose number differs in the bits of `mask` */
uint qn_shfl_xor_32_local(__local uint *slots, uint value, int mask, int width)
{
    const int own = qn_linear_id() % 32, from = own ^ mask;
    return qn_lane_32_local(slots, value, from > (own | (width - 1)) ? own : from);
}

//@ qn_match_any_32_local
/* the lanes of the mask that have the same value */
uint qn_match_any_32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    const uint group = (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
    const uint there = qn_ballot_local((__local uint *)slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint same = 0;
    for (uint k = 0; k < 32 && first + k < group; k++)
        if (there >> k & 1 && slots[first + k] == value)
            same |= 1u << k;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return same;
}

//@ qn_match_all_32_local
/* the mask when all its lanes have one value, else 0 */
uint qn_match_all_32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint there = qn_ballot_local((__local uint *)slots, active) & mask;
    return qn_match_any_32_local(slots, mask, value, active) == there ? there : 0;
}

//@ qn_lane_64_local
/* the value of another lane of the warp, or one's own where there is no such work-item */
ulong qn_lane_64_local(__local ulong *slots, ulong value, int lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2))
        value = slots[from];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

//@ qn_shfl_64_local
/* __shfl_sync: from a lane of the same segment of `width` lanes */
ulong qn_shfl_64_local(__local ulong *slots, ulong value, int lane, int width)
{
    const int own = qn_linear_id() % 32;
    return qn_lane_64_local(slots, value, (own & ~(width - 1)) | (lane & (width - 1)));
}

//@ qn_shfl_up_64_local
/* __shfl_up_sync: from `by` lanes below; one's own value below the segment */
ulong qn_shfl_up_64_local(__local ulong *slots, ulong value, int by, int width)
{
    const int own = qn_linear_id() % 32, from = own - by;
    return qn_lane_64_local(slots, value, from < (own & ~(width - 1)) ? own : from);
}

//@ qn_shfl_down_64_local
/* __shfl_down_sync: from `by` lanes above; one's own value above the segment */
ulong qn_shfl_down_64_local(__local ulong *slots, ulong value, int by, int width)
{
    const int own = qn_linear_id() % 32, from = own + by;
    return qn_lane_64_local(slots, value, from > (own | (width - 1)) ? own : from);
}

//@ qn_shfl_xor_64_local
/* __shfl_xor_sync: from the lane whose number differs in the bits of `mask` */
ulong qn_shfl_xor_64_local(__local ulong *slots, ulong value, int mask, int width)
{
    const int own = qn_linear_id() % 32, from = own ^ mask;
    return qn_lane_64_local(slots, value, from > (own | (width - 1)) ? own : from);
}

//@ qn_match_any_64_local
/* the lanes of the mask that have the same value */
uint qn_match_any_64_local(__local ulong *slots, uint mask, ulong value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    const uint group = (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
    const uint there = qn_ballot_local((__local uint *)slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint same = 0;
    for (uint k = 0; k < 32 && first + k < group; k++)
        if (there >> k & 1 && slots[first + k] == value)
            same |= 1u << k;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return same;
}

//@ qn_match_all_64_local
/* the mask when all its lanes have one value, else 0 */
uint qn_match_all_64_local(__local ulong *slots, uint mask, ulong value, bool active)
{
    const uint there = qn_ballot_local((__local uint *)slots, active) & mask;
    return qn_match_any_64_local(slots, mask, value, active) == there ? there : 0;
}

//@ qn_uniform_local
/* __uni_sync: do all lanes of the mask say the same? */
int qn_uniform_local(__local uint *slots, uint mask, int predicate, bool active)
{
    const uint there = qn_ballot_local(slots, active) & mask;
    const uint yes = qn_ballot_local(slots, active && predicate != 0) & mask;
    return yes == 0 || yes == there;
}

//@ qn_reduce_add_u32_local
/* __reduce_add_sync over the lanes of the mask */
uint qn_reduce_add_u32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = a + b;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_min_u32_local
/* __reduce_min_sync over the lanes of the mask */
uint qn_reduce_min_u32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = min(a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_max_u32_local
/* __reduce_max_sync over the lanes of the mask */
uint qn_reduce_max_u32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = max(a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_and_u32_local
/* __reduce_and_sync over the lanes of the mask */
uint qn_reduce_and_u32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = a & b;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_or_u32_local
/* __reduce_or_sync over the lanes of the mask */
uint qn_reduce_or_u32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = a | b;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_xor_u32_local
/* __reduce_xor_sync over the lanes of the mask */
uint qn_reduce_xor_u32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = a ^ b;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_min_i32_local
/* __reduce_min_sync over the lanes of the mask */
uint qn_reduce_min_i32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = as_uint(min(as_int(a), as_int(b)));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_reduce_max_i32_local
/* __reduce_max_sync over the lanes of the mask */
uint qn_reduce_max_i32_local(__local uint *slots, uint mask, uint value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint there = qn_ballot_local(slots, active) & mask;
    slots[id] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint a = value;
    if (there >> id % 32 & 1)
        there &= ~(1u << id % 32);
    for (; there; there &= there - 1) {
        const uint b = slots[first + 31 - clz(there & (0 - there))];
        a = as_uint(max(as_int(a), as_int(b)));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}
