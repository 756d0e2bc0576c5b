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
