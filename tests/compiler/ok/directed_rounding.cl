#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* what the sum s of a and b lost; of one that is too large, its sign */
double qn_rest_of_sum(double s, double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double t = s - a;
    return isinf(s) && isfinite(a) && isfinite(b) ? -s : (a - (s - t)) + (b - t);
}

/* the sum of two numbers, rounded once to a float: where the double lost something its last bit is set,
 * so that it is between the same floats as the exact sum */
float qn_sum_rtn_f32(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b, rest = qn_rest_of_sum(s, a, b);
    long bits = as_long(s);
    if ((rest < 0 || rest > 0) && (bits & 1) == 0)
        bits += (rest > 0) == (s > 0) ? 1 : -1;
    return s == 0 ? (float)(signbit(a) || signbit(b) ? -0.0 : 0.0) : convert_float_rtn(as_double(bits));
}

/* the sum of two numbers, rounded once to a float: where the double lost something its last bit is set,
 * so that it is between the same floats as the exact sum */
float qn_sum_rtp_f32(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b, rest = qn_rest_of_sum(s, a, b);
    long bits = as_long(s);
    if ((rest < 0 || rest > 0) && (bits & 1) == 0)
        bits += (rest > 0) == (s > 0) ? 1 : -1;
    return s == 0 ? (float)(s) : convert_float_rtp(as_double(bits));
}

/* x, or its neighbour where the exact value, which is `rest` away, is rounded there */
double qn_step_rtn(double x, double rest)
{
    return rest < 0 ? nextafter(x, -(double)INFINITY) : x;
}

/* a sum, rounded as rtn says */
double qn_sum_rtn_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b;
    return s == 0 ? signbit(a) || signbit(b) ? -0.0 : 0.0 : qn_step_rtn(s, qn_rest_of_sum(s, a, b));
}

/* x, or its neighbour where the exact value, which is `rest` away, is rounded there */
double qn_step_rtz(double x, double rest)
{
    return (rest < 0 && x > 0) || (rest > 0 && x < 0) ? nextafter(x, 0.0) : x;
}

/* a sum, rounded as rtz says */
double qn_sum_rtz_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b;
    return s == 0 ? s : qn_step_rtz(s, qn_rest_of_sum(s, a, b));
}

/* x, or its neighbour where the exact value, which is `rest` away, is rounded there */
double qn_step_rtp(double x, double rest)
{
    return rest > 0 ? nextafter(x, (double)INFINITY) : x;
}

/* (x + rest) * 2^e, where the rest is less than half of x's last bit, rounded as rtp says */
double qn_scale_rtp(double x, double rest, int e)
{
    const double r = ldexp(x, e), back = ldexp(r, -e);
    return qn_step_rtp(r, back == x ? rest : x - back);
}

/* a product, rounded as rtp says */
double qn_product_rtp_f64(double a, double b)
{
    int ea, eb;
    const double x = frexp(a, &ea), y = frexp(b, &eb), p = x * y;
    return p == 0 || !isfinite(p) ? a * b : qn_scale_rtp(p, fma(x, y, -p), ea + eb);
}

/* (x + rest) * 2^e, where the rest is less than half of x's last bit, rounded as rtn says */
double qn_scale_rtn(double x, double rest, int e)
{
    const double r = ldexp(x, e), back = ldexp(r, -e);
    return qn_step_rtn(r, back == x ? rest : x - back);
}

/* a quotient, rounded as rtn says */
double qn_quotient_rtn_f64(double a, double b)
{
    int ea, eb;
    const double x = frexp(a, &ea), y = frexp(b, &eb), q = x / y, rest = fma(-q, y, x);
    return q == 0 || !isfinite(q) || isinf(b) ? a / b : qn_scale_rtn(q, y < 0 ? -rest : rest, ea - eb);
}

/* a sum, rounded as rtp says */
double qn_sum_rtp_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b;
    return s == 0 ? s : qn_step_rtp(s, qn_rest_of_sum(s, a, b));
}

/* a square root, rounded as rtp says */
double qn_root_rtp_f64(double a)
{
    int e;
    double x = frexp(a, &e);
    if (!(a > 0) || isinf(a))
        return sqrt(a);
    if (e % 2 != 0) {
        x *= 2;
        e--;
    }
    const double s = sqrt(x);
    return qn_scale_rtp(s, fma(-s, s, x), e / 2);
}

/* (x + rest) * 2^e, where the rest is less than half of x's last bit, rounded as rtz says */
double qn_scale_rtz(double x, double rest, int e)
{
    const double r = ldexp(x, e), back = ldexp(r, -e);
    return qn_step_rtz(r, back == x ? rest : x - back);
}

/* a product, rounded as rtz says */
double qn_product_rtz_f64(double a, double b)
{
    int ea, eb;
    const double x = frexp(a, &ea), y = frexp(b, &eb), p = x * y;
    return p == 0 || !isfinite(p) ? a * b : qn_scale_rtz(p, fma(x, y, -p), ea + eb);
}

/* the bits of a finite number other than 0 from the first one on, and in *exponent how often they are
 * doubled */
ulong qn_fraction_f64(double a, int *exponent)
{
    const ulong bits = as_ulong(a) & 0xffffffffffffful;
    const int e = (int)(as_ulong(a) >> 52 & 0x7ff), small = (int)clz(bits | 1) - 11;
    *exponent = (e ? e : 1 - small) - 1075;
    return e ? bits | 1ul << 52 : bits << small;
}

/* by 128 or more: 0 */
ulong2 qn_shl_u128(ulong2 a, ulong n)
{
    const ulong by = n & 63, more = a.x >> 1 >> (63 - by);
    const ulong2 near = (ulong2)(a.x << by, a.y << by | more), far = (ulong2)(0, a.x << by);
    return n < 64 ? near : n < 128 ? far : (ulong2)(0, 0);
}

/* by 128 or more: 0 */
ulong2 qn_shr_u128(ulong2 a, ulong n)
{
    const ulong by = n & 63, more = a.y << 1 << (63 - by);
    const ulong2 near = (ulong2)(a.x >> by | more, a.y >> by), far = (ulong2)(a.y >> by, 0);
    return n < 64 ? near : n < 128 ? far : (ulong2)(0, 0);
}

/* the lowest bit is set as well where a bit is lost */
ulong2 qn_shr_sticky_u128(ulong2 a, ulong n)
{
    const ulong2 r = qn_shr_u128(a, n), back = qn_shl_u128(r, n);
    return (ulong2)(r.x | (back.x != a.x || back.y != a.y), r.y);
}

int qn_less_u128(ulong2 a, ulong2 b)
{
    return a.y == b.y ? a.x < b.x : a.y < b.y;
}

/* of 128 bits, as those below: x is the lower half */
ulong2 qn_add_u128(ulong2 a, ulong2 b)
{
    const ulong low = a.x + b.x;
    return (ulong2)(low, a.y + b.y + (low < a.x));
}

ulong2 qn_sub_u128(ulong2 a, ulong2 b)
{
    return (ulong2)(a.x - b.x, a.y - b.y - (a.x < b.x));
}

/* a * b + c in 128 bits, of which the product takes 106; rounded once */
double qn_fma_rtz_f64(double a, double b, double c)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
        return fma(a, b, c);
    if (a == 0 || b == 0)
        return qn_sum_rtz_f64(a * b, c);
    if (c == 0)
        return qn_product_rtz_f64(a, b);
    int ea, eb, ec;
    const ulong fa = qn_fraction_f64(a, &ea), fb = qn_fraction_f64(b, &eb), fc = qn_fraction_f64(c, &ec);
    ulong2 x = qn_shl_u128((ulong2)(fa * fb, mul_hi(fa, fb)), 20), y = (ulong2)(0, fc << 8);
    const int ex = ea + eb - 20, ey = ec - 72;
    if (ex < ey)
        x = qn_shr_sticky_u128(x, (ulong)(ey - ex));
    else
        y = qn_shr_sticky_u128(y, (ulong)(ex - ey));
    const int minus = signbit(c) != 0, differ = (signbit(a) != signbit(b)) != minus;
    const int above = qn_less_u128(y, x), sign = above && differ ? !minus : minus;
    const ulong2 s = !differ ? qn_add_u128(x, y) : above ? qn_sub_u128(x, y) : qn_sub_u128(y, x);
    if (s.x == 0 && s.y == 0)
        return 0.0;
    const int n = s.y ? (int)clz(s.y) : 64 + (int)clz(s.x);
    const int e = max(ex, ey) - n + 127 + 1023;
    const ulong2 first = qn_shl_u128(s, (ulong)n);
    const ulong2 r = e < 1 ? qn_shr_sticky_u128(first, (ulong)(1 - e)) : first;
    ulong bits = (r.y >> 11) + ((ulong)(e < 1 ? 0 : e - 1) << 52);
    bits += (0) && ((r.y & 0x7ff) != 0 || r.x != 0);
    if (e > 0x7fe)
        bits = 0 ? 0x7fful << 52 : (0x7fful << 52) - 1;
    return as_double(bits | (ulong)sign << 63);
}

/* a * b + c in 128 bits, of which the product takes 106; rounded once */
double qn_fma_rtp_f64(double a, double b, double c)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
        return fma(a, b, c);
    if (a == 0 || b == 0)
        return qn_sum_rtp_f64(a * b, c);
    if (c == 0)
        return qn_product_rtp_f64(a, b);
    int ea, eb, ec;
    const ulong fa = qn_fraction_f64(a, &ea), fb = qn_fraction_f64(b, &eb), fc = qn_fraction_f64(c, &ec);
    ulong2 x = qn_shl_u128((ulong2)(fa * fb, mul_hi(fa, fb)), 20), y = (ulong2)(0, fc << 8);
    const int ex = ea + eb - 20, ey = ec - 72;
    if (ex < ey)
        x = qn_shr_sticky_u128(x, (ulong)(ey - ex));
    else
        y = qn_shr_sticky_u128(y, (ulong)(ex - ey));
    const int minus = signbit(c) != 0, differ = (signbit(a) != signbit(b)) != minus;
    const int above = qn_less_u128(y, x), sign = above && differ ? !minus : minus;
    const ulong2 s = !differ ? qn_add_u128(x, y) : above ? qn_sub_u128(x, y) : qn_sub_u128(y, x);
    if (s.x == 0 && s.y == 0)
        return 0.0;
    const int n = s.y ? (int)clz(s.y) : 64 + (int)clz(s.x);
    const int e = max(ex, ey) - n + 127 + 1023;
    const ulong2 first = qn_shl_u128(s, (ulong)n);
    const ulong2 r = e < 1 ? qn_shr_sticky_u128(first, (ulong)(1 - e)) : first;
    ulong bits = (r.y >> 11) + ((ulong)(e < 1 ? 0 : e - 1) << 52);
    bits += (!sign) && ((r.y & 0x7ff) != 0 || r.x != 0);
    if (e > 0x7fe)
        bits = !sign ? 0x7fful << 52 : (0x7fful << 52) - 1;
    return as_double(bits | (ulong)sign << 63);
}

/* a product, rounded as rtn says */
double qn_product_rtn_f64(double a, double b)
{
    int ea, eb;
    const double x = frexp(a, &ea), y = frexp(b, &eb), p = x * y;
    return p == 0 || !isfinite(p) ? a * b : qn_scale_rtn(p, fma(x, y, -p), ea + eb);
}

/* a * b + c in 128 bits, of which the product takes 106; rounded once */
double qn_fma_rtn_f64(double a, double b, double c)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
        return fma(a, b, c);
    if (a == 0 || b == 0)
        return qn_sum_rtn_f64(a * b, c);
    if (c == 0)
        return qn_product_rtn_f64(a, b);
    int ea, eb, ec;
    const ulong fa = qn_fraction_f64(a, &ea), fb = qn_fraction_f64(b, &eb), fc = qn_fraction_f64(c, &ec);
    ulong2 x = qn_shl_u128((ulong2)(fa * fb, mul_hi(fa, fb)), 20), y = (ulong2)(0, fc << 8);
    const int ex = ea + eb - 20, ey = ec - 72;
    if (ex < ey)
        x = qn_shr_sticky_u128(x, (ulong)(ey - ex));
    else
        y = qn_shr_sticky_u128(y, (ulong)(ex - ey));
    const int minus = signbit(c) != 0, differ = (signbit(a) != signbit(b)) != minus;
    const int above = qn_less_u128(y, x), sign = above && differ ? !minus : minus;
    const ulong2 s = !differ ? qn_add_u128(x, y) : above ? qn_sub_u128(x, y) : qn_sub_u128(y, x);
    if (s.x == 0 && s.y == 0)
        return -0.0;
    const int n = s.y ? (int)clz(s.y) : 64 + (int)clz(s.x);
    const int e = max(ex, ey) - n + 127 + 1023;
    const ulong2 first = qn_shl_u128(s, (ulong)n);
    const ulong2 r = e < 1 ? qn_shr_sticky_u128(first, (ulong)(1 - e)) : first;
    ulong bits = (r.y >> 11) + ((ulong)(e < 1 ? 0 : e - 1) << 52);
    bits += (sign) && ((r.y & 0x7ff) != 0 || r.x != 0);
    if (e > 0x7fe)
        bits = sign ? 0x7fful << 52 : (0x7fful << 52) - 1;
    return as_double(bits | (ulong)sign << 63);
}

/* run, directed_rounding.cu:17 */
__kernel void run(__global double *out, __global const double *in, int n)
{
    int t = get_local_id(0);
    __global double *to = out + 14 * t;
    float x = (float)in[t] * 1.1f;
    int result = qn_rem_i32(t + 1, n);
    float y = (float)in[result] / 3.0f;
    float z = -x * y;
    *to = (double)qn_sum_rtn_f32((double)x, (double)y);
    to[1] = (double)qn_sum_rtp_f32((double)x, -(double)y);
    to[2] = (double)convert_float_rtz((double)x * (double)y);
    to[3] = (double)convert_float_rtp((double)x / (double)y);
    to[4] = (double)convert_float_rtn(1.0 / (double)x);
    to[5] = (double)convert_float_rtp(sqrt((double)convert_float_rtp((double)x * (double)x)));
    to[6] = (double)qn_sum_rtn_f32((double)x * (double)y, (double)z);
    to[7] = (double)qn_sum_rtn_f32((double)x, -(double)x);
    double x_1 = in[t] * 1.1;
    double y_1 = in[result] / 3.0;
    to[8] = qn_sum_rtn_f64(x_1, y_1);
    to[9] = qn_sum_rtz_f64(x_1, -y_1);
    to[10] = qn_product_rtp_f64(x_1, y_1);
    to[11] = qn_quotient_rtn_f64(x_1, y_1);
    to[12] = qn_root_rtp_f64(qn_sum_rtp_f64(1.0, qn_product_rtp_f64(x_1, x_1)));
    to[13] = qn_product_rtp_f64(x_1, 8e-323);
}

/* fused, directed_rounding.cu:41 */
__kernel void fused(__global double *out, __global const double *in, int n)
{
    int t = get_local_id(0);
    __global double *to = out + 8 * t;
    double x = in[t] / 3.0;
    double y = in[qn_rem_i32(t + 1, n)] * 1.1;
    double far = in[qn_rem_i32(t + 2, n)] / 7.0 * 8.673617379884035e-19;
    double t_1 = -x;
    double z = t_1 * y;
    *to = qn_fma_rtz_f64(x, y, z);
    to[1] = qn_fma_rtp_f64(x, y, z);
    to[2] = qn_fma_rtn_f64(x, y, qn_sum_rtn_f64(z, 1.0));
    to[3] = qn_fma_rtp_f64(x, y, far);
    to[4] = qn_fma_rtn_f64(far, x, y);
    to[5] = qn_fma_rtz_f64(x, qn_product_rtz_f64(y, 8e-323), 5e-324);
    to[6] = qn_fma_rtp_f64(x, 8.98846567431158e+307, y);
    to[7] = qn_fma_rtn_f64(x, 1.0, t_1);
}
