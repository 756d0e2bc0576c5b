/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C functions that kernels use when OpenCL has no builtin for a CUDA one. The translator
 * copies those a kernel needs, with those they call, to the top of its text.
 *
 * Form of this file: a line "//@ name", then the function with its comment, up to the next "//@". Every
 * name begins with qn_. One function stands for several where its name has an uppercase word, a key.
 * The line then lists the values of that key, and of others that go with it:
 *
 *     //@ qn_half_TYPE TYPE=ONE: float=1.0f; double=1.0
 *
 * is qn_half_float and qn_half_double, with TYPE and ONE replaced in their texts. The key SPACE, the
 * last word of a name, needs no list: it is global, local, constant or private. PEEK(swap, p) is *p, a
 * first guess for a loop of compare-and-swaps, and swap(p, 0, 0) where races are searched for.
 *
 * Warp functions end in _ptx (NVIDIA), _sub (subgroups of 32 work-items) or _local (local memory). A
 * function with a barrier is always_inline: where PoCL 3.1 has to inline one itself, in a loop with
 * several calls, it computes wrong.
 */

//@ qn_opaque_TYPE TYPE: int; uint; long; ulong
/* x, of which a compiler does not see how it grows: an address has no top bit, and none knows it */
TYPE qn_opaque_TYPE(TYPE x)
{
    uint here;
    return x | (TYPE)((long)(ulong)&here >> 63);
}

//@ qn_rint_WIDTH WIDTH=REAL=WHOLE: f32=float=0x1p23f; f64=double=0x1p52
/* rint, which PoCL 3.1 gets wrong for a constant beyond int or NaN */
REAL qn_rint_WIDTH(REAL x)
{
    return fabs(x) < WHOLE ? rint(x) : x;
}

//@ qn_floor_WIDTH WIDTH=REAL: f32=float; f64=double
/* floor, which PoCL 3.1 gets wrong for a constant NaN */
REAL qn_floor_WIDTH(REAL x)
{
    return isnan(x) ? x : floor(x);
}

//@ qn_div_WIDTH WIDTH=INT=UNSIGNED: i32=int=uint; i64=long=ulong
/* n / d; by 0: all bits one, and by -1 the negated number, which wraps */
INT qn_div_WIDTH(INT n, INT d)
{
    const INT q = n / (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : d == -1 ? (INT)-(UNSIGNED)n : q;
}

//@ qn_rem_WIDTH WIDTH=INT: i32=int; i64=long
/* n % d; by 0: all bits one, and by -1 always 0 */
INT qn_rem_WIDTH(INT n, INT d)
{
    const INT r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

//@ qn_div_WIDTH WIDTH=INT: u32=uint; u64=ulong
/* n / d; by 0: all bits one */
INT qn_div_WIDTH(INT n, INT d)
{
    const INT q = n / (d == 0 ? 1 : d);
    return d == 0 ? (INT)-1 : q;
}

//@ qn_rem_WIDTH WIDTH=INT: u32=uint; u64=ulong
/* n % d; by 0: all bits one */
INT qn_rem_WIDTH(INT n, INT d)
{
    const INT r = n % (d == 0 ? 1 : d);
    return d == 0 ? (INT)-1 : r;
}

//@ qn_add_u128
/* of 128 bits, as those below: x is the lower half */
ulong2 qn_add_u128(ulong2 a, ulong2 b)
{
    const ulong low = a.x + b.x;
    return (ulong2)(low, a.y + b.y + (low < a.x));
}

//@ qn_sub_u128
ulong2 qn_sub_u128(ulong2 a, ulong2 b)
{
    return (ulong2)(a.x - b.x, a.y - b.y - (a.x < b.x));
}

//@ qn_mul_u128
ulong2 qn_mul_u128(ulong2 a, ulong2 b)
{
    return (ulong2)(a.x * b.x, mul_hi(a.x, b.x) + a.x * b.y + a.y * b.x);
}

//@ qn_shl_u128
/* by 128 or more: 0 */
ulong2 qn_shl_u128(ulong2 a, ulong n)
{
    const ulong by = n & 63, more = a.x >> 1 >> (63 - by);
    const ulong2 near = (ulong2)(a.x << by, a.y << by | more), far = (ulong2)(0, a.x << by);
    return n < 64 ? near : n < 128 ? far : (ulong2)(0, 0);
}

//@ qn_shr_u128
/* by 128 or more: 0 */
ulong2 qn_shr_u128(ulong2 a, ulong n)
{
    const ulong by = n & 63, more = a.y << 1 << (63 - by);
    const ulong2 near = (ulong2)(a.x >> by | more, a.y >> by), far = (ulong2)(a.y >> by, 0);
    return n < 64 ? near : n < 128 ? far : (ulong2)(0, 0);
}

//@ qn_shr_i128
/* by 128 or more: the sign */
ulong2 qn_shr_i128(ulong2 a, ulong n)
{
    const ulong sign = (ulong)((long)a.y >> 63), by = n & 63, more = a.y << 1 << (63 - by);
    const ulong high = (ulong)((long)a.y >> by);
    const ulong2 near = (ulong2)(a.x >> by | more, high), far = (ulong2)(high, sign);
    return n < 64 ? near : n < 128 ? far : (ulong2)(sign, sign);
}

//@ qn_less_u128
int qn_less_u128(ulong2 a, ulong2 b)
{
    return a.y == b.y ? a.x < b.x : a.y < b.y;
}

//@ qn_less_i128
int qn_less_i128(ulong2 a, ulong2 b)
{
    return a.y == b.y ? a.x < b.x : (long)a.y < (long)b.y;
}

//@ qn_negate_u128
/* -a where `sign` has all bits set, a where it is 0 */
ulong2 qn_negate_u128(ulong2 a, ulong sign)
{
    return qn_sub_u128((ulong2)(a.x ^ sign, a.y ^ sign), (ulong2)(sign, sign));
}

//@ qn_div_u128
/* by 0: all bits one */
ulong2 qn_div_u128(ulong2 n, ulong2 d)
{
    if ((n.y | d.y) == 0)
        return d.x ? (ulong2)(n.x / d.x, 0) : (ulong2)(~0ul, ~0ul);
    ulong2 q = (ulong2)(0, 0), rest = (ulong2)(0, 0);
    for (int i = 0; i < 128; i++) {
        const ulong out = rest.y >> 63;
        rest = (ulong2)(rest.x << 1 | n.y >> 63, rest.y << 1 | rest.x >> 63);
        n = (ulong2)(n.x << 1, n.y << 1 | n.x >> 63);
        q = (ulong2)(q.x << 1, q.y << 1 | q.x >> 63);
        if (out || !qn_less_u128(rest, d)) {
            rest = qn_sub_u128(rest, d);
            q.x |= 1;
        }
    }
    return q;
}

//@ qn_rem_u128
/* by 0: n */
ulong2 qn_rem_u128(ulong2 n, ulong2 d)
{
    return qn_sub_u128(n, qn_mul_u128(qn_div_u128(n, d), d));
}

//@ qn_div_i128
/* by 0: -1 or 1; the smallest by -1: itself */
ulong2 qn_div_i128(ulong2 n, ulong2 d)
{
    const ulong a = (ulong)((long)n.y >> 63), b = (ulong)((long)d.y >> 63);
    return qn_negate_u128(qn_div_u128(qn_negate_u128(n, a), qn_negate_u128(d, b)), a ^ b);
}

//@ qn_rem_i128
/* by 0: n */
ulong2 qn_rem_i128(ulong2 n, ulong2 d)
{
    return qn_sub_u128(n, qn_mul_u128(qn_div_i128(n, d), d));
}

//@ qn_u128_to_WIDTH WIDTH=REAL: f32=float; f64=double
/* the upper 64 bits of those that are used, with a bit for the others: rounded once */
REAL qn_u128_to_WIDTH(ulong2 a)
{
    if (a.y == 0)
        return (REAL)a.x;
    const int by = (int)clz(a.y);
    const ulong2 top = qn_shl_u128(a, (ulong)by);
    return ldexp((REAL)(top.y | (top.x != 0)), 64 - by);
}

//@ qn_i128_to_WIDTH WIDTH=REAL: f32=float; f64=double
REAL qn_i128_to_WIDTH(ulong2 a)
{
    const ulong sign = (ulong)((long)a.y >> 63);
    const REAL x = qn_u128_to_WIDTH(qn_negate_u128(a, sign));
    return sign ? -x : x;
}

//@ qn_WIDTH_to_u128 WIDTH=REAL=TOP: f32=float=0x1p64f; f64=double=0x1p64
/* the nearest; of NaN: 0 */
ulong2 qn_WIDTH_to_u128(REAL x)
{
    if (!(x >= 1))
        return (ulong2)(0, 0);
    if (x < TOP)
        return (ulong2)((ulong)x, 0);
    if (x / TOP >= TOP)
        return (ulong2)(~0ul, ~0ul);
    const ulong high = (ulong)(x / TOP);
    return (ulong2)((ulong)(x - (REAL)high * TOP), high);
}

//@ qn_WIDTH_to_i128 WIDTH=REAL=LIMIT: f32=float=0x1p127f; f64=double=0x1p127
/* the nearest; of NaN: 0 */
ulong2 qn_WIDTH_to_i128(REAL x)
{
    if (fabs(x) >= LIMIT)
        return x < 0 ? (ulong2)(0, 1ul << 63) : (ulong2)(~0ul, ~0ul >> 1);
    return qn_negate_u128(qn_WIDTH_to_u128(fabs(x)), x < 0 ? ~0ul : 0);
}

//@ qn_abs_WIDTH WIDTH=INT=UNSIGNED: i32=int=uint; i64=long=ulong
/* abs(x), which is x itself for the smallest number */
INT qn_abs_WIDTH(INT x)
{
    return x < 0 ? (INT)-(UNSIGNED)x : x;
}

//@ qn_ctz_WIDTH WIDTH=UNSIGNED=INT: u32=uint=int; u64=ulong=long
/* the zeros below the lowest one of x; of 0 as many as x has bits */
INT qn_ctz_WIDTH(UNSIGNED x)
{
    return (INT)popcount(~x & (x - 1));
}

//@ qn_mul_rn_WIDTH WIDTH=REAL: f32=float; f64=double
/* a product that never becomes part of a fused multiply-add */
REAL qn_mul_rn_WIDTH(REAL a, REAL b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a * b;
}

//@ qn_step_MODE MODE=WHEN=TO: rtz=(rest < 0 && x > 0) || (rest > 0 && x < 0)=0.0; rtp=rest > 0=(double)INFINITY; rtn=rest < 0=-(double)INFINITY
/* x, or its neighbour where the exact value, which is `rest` away, is rounded there */
double qn_step_MODE(double x, double rest)
{
    return WHEN ? nextafter(x, TO) : x;
}

//@ qn_rest_of_sum
/* what the sum s of a and b lost; of one that is too large, its sign */
double qn_rest_of_sum(double s, double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double t = s - a;
    return isinf(s) && isfinite(a) && isfinite(b) ? -s : (a - (s - t)) + (b - t);
}

//@ qn_sum_MODE_f32 MODE=ZERO: rtz=s; rtp=s; rtn=signbit(a) || signbit(b) ? -0.0 : 0.0
/* the sum of two numbers, rounded once to a float: where the double lost something its last bit is set,
 * so that it is between the same floats as the exact sum */
float qn_sum_MODE_f32(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b, rest = qn_rest_of_sum(s, a, b);
    long bits = as_long(s);
    if ((rest < 0 || rest > 0) && (bits & 1) == 0)
        bits += (rest > 0) == (s > 0) ? 1 : -1;
    return s == 0 ? (float)(ZERO) : convert_float_MODE(as_double(bits));
}

//@ qn_sum_MODE_f64 MODE=ZERO: rtz=s; rtp=s; rtn=signbit(a) || signbit(b) ? -0.0 : 0.0
/* a sum, rounded as MODE says */
double qn_sum_MODE_f64(double a, double b)
{
#pragma OPENCL FP_CONTRACT OFF
    const double s = a + b;
    return s == 0 ? ZERO : qn_step_MODE(s, qn_rest_of_sum(s, a, b));
}

//@ qn_scale_MODE MODE: rtz; rtp; rtn
/* (x + rest) * 2^e, where the rest is less than half of x's last bit, rounded as MODE says */
double qn_scale_MODE(double x, double rest, int e)
{
    const double r = ldexp(x, e), back = ldexp(r, -e);
    return qn_step_MODE(r, back == x ? rest : x - back);
}

//@ qn_product_MODE_f64 MODE: rtz; rtp; rtn
/* a product, rounded as MODE says */
double qn_product_MODE_f64(double a, double b)
{
    int ea, eb;
    const double x = frexp(a, &ea), y = frexp(b, &eb), p = x * y;
    return p == 0 || !isfinite(p) ? a * b : qn_scale_MODE(p, fma(x, y, -p), ea + eb);
}

//@ qn_quotient_MODE_f64 MODE: rtz; rtp; rtn
/* a quotient, rounded as MODE says */
double qn_quotient_MODE_f64(double a, double b)
{
    int ea, eb;
    const double x = frexp(a, &ea), y = frexp(b, &eb), q = x / y, rest = fma(-q, y, x);
    return q == 0 || !isfinite(q) || isinf(b) ? a / b : qn_scale_MODE(q, y < 0 ? -rest : rest, ea - eb);
}

//@ qn_shr_sticky_u128
/* the lowest bit is set as well where a bit is lost */
ulong2 qn_shr_sticky_u128(ulong2 a, ulong n)
{
    const ulong2 r = qn_shr_u128(a, n), back = qn_shl_u128(r, n);
    return (ulong2)(r.x | (back.x != a.x || back.y != a.y), r.y);
}

//@ qn_fraction_f64
/* the bits of a finite number other than 0 from the first one on, and in *exponent how often they are
 * doubled */
ulong qn_fraction_f64(double a, int *exponent)
{
    const ulong bits = as_ulong(a) & 0xffffffffffffful;
    const int e = (int)(as_ulong(a) >> 52 & 0x7ff), small = (int)clz(bits | 1) - 11;
    *exponent = (e ? e : 1 - small) - 1075;
    return e ? bits | 1ul << 52 : bits << small;
}

//@ qn_fma_MODE_f64 MODE=AWAY=ZERO: rtz=0=0.0; rtp=!sign=0.0; rtn=sign=-0.0
/* a * b + c in 128 bits, of which the product takes 106; rounded once */
double qn_fma_MODE_f64(double a, double b, double c)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
        return fma(a, b, c);
    if (a == 0 || b == 0)
        return qn_sum_MODE_f64(a * b, c);
    if (c == 0)
        return qn_product_MODE_f64(a, b);
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
        return ZERO;
    const int n = s.y ? (int)clz(s.y) : 64 + (int)clz(s.x);
    const int e = max(ex, ey) - n + 127 + 1023;
    const ulong2 first = qn_shl_u128(s, (ulong)n);
    const ulong2 r = e < 1 ? qn_shr_sticky_u128(first, (ulong)(1 - e)) : first;
    ulong bits = (r.y >> 11) + ((ulong)(e < 1 ? 0 : e - 1) << 52);
    bits += (AWAY) && ((r.y & 0x7ff) != 0 || r.x != 0);
    if (e > 0x7fe)
        bits = AWAY ? 0x7fful << 52 : (0x7fful << 52) - 1;
    return as_double(bits | (ulong)sign << 63);
}

//@ qn_root_MODE_f64 MODE: rtz; rtp; rtn
/* a square root, rounded as MODE says */
double qn_root_MODE_f64(double a)
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
    return qn_scale_MODE(s, fma(-s, s, x), e / 2);
}

//@ qn_atomic_OP_SPACE OP=REAL=BITS=CAS=SUM: add_f32=float=uint=atomic_cmpxchg=as_float(old) + value; min_f32=float=uint=atomic_cmpxchg=fmin(as_float(old), value); max_f32=float=uint=atomic_cmpxchg=fmax(as_float(old), value); add_f64=double=ulong=atom_cmpxchg=as_double(old) + value; min_f64=double=ulong=atom_cmpxchg=fmin(as_double(old), value); max_f64=double=ulong=atom_cmpxchg=fmax(as_double(old), value)
/* float arithmetic as compare-and-swap on the bits; returns the old value */
REAL qn_atomic_OP_SPACE(volatile __SPACE REAL *p, REAL value)
{
    BITS seen = PEEK(CAS, (volatile __SPACE BITS *)p), old;
    do {
        old = seen;
        seen = CAS((volatile __SPACE BITS *)p, old, as_BITS(SUM));
    } while (seen != old);
    return as_REAL(old);
}

//@ qn_add_rn_WIDTH WIDTH=REAL: f32=float; f64=double
/* a sum that never becomes part of a fused multiply-add */
REAL qn_add_rn_WIDTH(REAL a, REAL b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a + b;
}

//@ qn_sub_rn_WIDTH WIDTH=REAL: f32=float; f64=double
/* a difference that never becomes part of a fused multiply-add */
REAL qn_sub_rn_WIDTH(REAL a, REAL b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a - b;
}

//@ qn_sincos_WIDTH WIDTH=REAL: f32=float; f64=double
/* sine and cosine of an angle that is reduced once */
REAL2 qn_sincos_WIDTH(REAL x)
{
    REAL cosine;
    const REAL sine = sincos(x, &cosine);
    return (REAL2)(sine, cosine);
}

//@ qn_sincos_fast
/* sine and cosine with -use_fast_math */
float2 qn_sincos_fast(float x)
{
    return (float2)(native_sin(x), native_cos(x));
}

//@ qn_ilogb_WIDTH WIDTH=REAL: f32=float; f64=double
/* the exponent; CUDA gives INT_MIN for 0 and NaN, INT_MAX for infinity */
int qn_ilogb_WIDTH(REAL x)
{
    return x == 0 || isnan(x) ? INT_MIN : isinf(x) ? INT_MAX : ilogb(x);
}

//@ qn_frexp_WIDTH WIDTH=REAL: f32=float; f64=double
/* the fraction of frexp */
REAL qn_frexp_WIDTH(REAL x)
{
    int exponent;
    return frexp(x, &exponent);
}

//@ qn_frexp_exponent_WIDTH WIDTH=REAL: f32=float; f64=double
/* the exponent of frexp; 0 for 0, infinity and NaN */
int qn_frexp_exponent_WIDTH(REAL x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

//@ qn_remquo_WIDTH WIDTH=REAL: f32=float; f64=double
/* the low bits of the quotient of remquo */
int qn_remquo_WIDTH(REAL x, REAL y)
{
    int quotient;
    remquo(x, y, &quotient);
    return quotient;
}

//@ qn_rcbrt_WIDTH WIDTH=REAL: f32=float; f64=double
/* 1 / cbrt(x), with one Newton step on the exact residual */
REAL qn_rcbrt_WIDTH(REAL x)
{
#pragma OPENCL FP_CONTRACT OFF
    const REAL y = (REAL)1 / cbrt(x);
    if (x == 0 || !isfinite(x))
        return y;
    /* x * y * y * y as a sum of two */
    const REAL a = x * y, al = fma(x, y, -a);
    const REAL b = a * y, bl = fma(a, y, -b) + al * y;
    const REAL residual = fma(-b, y, (REAL)1) - bl * y;
    return fma(y, residual / 3, y);
}

//@ qn_squares_WIDTH WIDTH=REAL: f32=float; f64=double
/* x*x + y*y + z*z + w*w as a sum of two numbers; the arguments are scaled */
REAL2 qn_squares_WIDTH(REAL4 v)
{
#pragma OPENCL FP_CONTRACT OFF
    const REAL a = v.x * v.x, b = v.y * v.y, c = v.z * v.z, d = v.w * v.w;
    const REAL ab = a + b, cd = c + d, sum = ab + cd;
    REAL t = ab - a;
    REAL low = (a - (ab - t)) + (b - t);
    t = cd - c;
    low += (c - (cd - t)) + (d - t);
    t = sum - ab;
    low += (ab - (sum - t)) + (cd - t);
    low += fma(v.x, v.x, -a) + fma(v.y, v.y, -b) + fma(v.z, v.z, -c) + fma(v.w, v.w, -d);
    return (REAL2)(sum, low);
}

//@ qn_norm_WIDTH WIDTH=REAL: f32=float; f64=double
/* length of a vector, scaled by its largest element */
REAL qn_norm_WIDTH(REAL4 v)
{
    v = fabs(v);
    if (isinf(v.x) || isinf(v.y) || isinf(v.z) || isinf(v.w))
        return INFINITY;
    const REAL largest = fmax(fmax(v.x, v.y), fmax(v.z, v.w));
    if (largest == 0 || isnan(v.x + v.y + v.z + v.w))
        return v.x + v.y + v.z + v.w;
    const int e = ilogb(largest);
    const REAL2 s = qn_squares_WIDTH(ldexp(v, -e));
    return ldexp(sqrt(s.x + s.y), e);
}

//@ qn_rnorm_WIDTH WIDTH=REAL: f32=float; f64=double
/* 1 / length of a vector, with one Newton step on the exact residual */
REAL qn_rnorm_WIDTH(REAL4 v)
{
#pragma OPENCL FP_CONTRACT OFF
    v = fabs(v);
    if (isinf(v.x) || isinf(v.y) || isinf(v.z) || isinf(v.w))
        return 0;
    const REAL largest = fmax(fmax(v.x, v.y), fmax(v.z, v.w));
    if (largest == 0 || isnan(v.x + v.y + v.z + v.w))
        return (REAL)1 / (v.x + v.y + v.z + v.w);
    const int e = ilogb(largest);
    const REAL2 s = qn_squares_WIDTH(ldexp(v, -e));
    const REAL sum = s.x + s.y, low = (s.x - sum) + s.y;
    const REAL y = (REAL)1 / sqrt(sum), a = y * y, al = fma(y, y, -a);
    const REAL residual = fma(-sum, a, (REAL)1) - sum * al - low * a;
    return ldexp(fma(y, residual * (REAL)0.5, y), -e);
}

//@ qn_norm3d_WIDTH WIDTH=REAL: f32=float; f64=double
/* length of (x, y, z) */
REAL qn_norm3d_WIDTH(REAL x, REAL y, REAL z)
{
    return qn_norm_WIDTH((REAL4)(x, y, z, 0));
}

//@ qn_norm4d_WIDTH WIDTH=REAL: f32=float; f64=double
/* length of (x, y, z, w) */
REAL qn_norm4d_WIDTH(REAL x, REAL y, REAL z, REAL w)
{
    return qn_norm_WIDTH((REAL4)(x, y, z, w));
}

//@ qn_rnorm3d_WIDTH WIDTH=REAL: f32=float; f64=double
/* 1 / length of (x, y, z) */
REAL qn_rnorm3d_WIDTH(REAL x, REAL y, REAL z)
{
    return qn_rnorm_WIDTH((REAL4)(x, y, z, 0));
}

//@ qn_rnorm4d_WIDTH WIDTH=REAL: f32=float; f64=double
/* 1 / length of (x, y, z, w) */
REAL qn_rnorm4d_WIDTH(REAL x, REAL y, REAL z, REAL w)
{
    return qn_rnorm_WIDTH((REAL4)(x, y, z, w));
}

//@ qn_rhypot_WIDTH WIDTH=REAL: f32=float; f64=double
/* 1 / hypot(x, y) */
REAL qn_rhypot_WIDTH(REAL x, REAL y)
{
    return qn_rnorm_WIDTH((REAL4)(x, y, 0, 0));
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
        return x == 0 ? x : qn_bessel_series(1, x, 1.0, 0);
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
    return signbit(x) ? -value : value;
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
 * high order (Miller), scaled by J0 or J1. CUDA has none of negative order */
double qn_jn_f64(int order, double x)
{
    const double a = fabs(x);
    double value;
    if (order < 0) {
        value = NAN;
    } else if (order < 2) {
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
    return signbit(x) && (order & 1) ? -value : value;
}

//@ qn_yn_f64
/* Bessel function of the second kind, order n: forward recurrence, which is stable. CUDA has none of
 * negative order */
double qn_yn_f64(int order, double x)
{
    double before = qn_y0_f64(x), value = qn_y1_f64(x);
    if (order <= 0)
        return order < 0 ? NAN : before;
    for (int k = 1; k < order && !isinf(value); k++) {
        const double next = 2 * k / x * value - before;
        before = value;
        value = next;
    }
    return value;
}

//@ qn_NAME_f32 NAME: erfinv; erfcinv; erfcx; normcdf; normcdfinv; j0; j1; y0; y1; bessel_i0; bessel_i1
/* in double, rounded */
float qn_NAME_f32(float x)
{
    return (float)qn_NAME_f64(x);
}

//@ qn_NAME_f32 NAME: jn; yn
/* in double, rounded */
float qn_NAME_f32(int n, float x)
{
    return (float)qn_NAME_f64(n, x);
}

//@ qn_ffs_i32
/* 1 + the number of zeros below the lowest one bit; 0 for 0 */
int qn_ffs_i32(int x)
{
    const uint u = (uint)x; /* -INT_MIN is not an int */
    return 32 - (int)clz(u & -u);
}

//@ qn_ffs_i64
/* 1 + the number of zeros below the lowest one bit; 0 for 0 */
int qn_ffs_i64(long x)
{
    const ulong u = (ulong)x; /* -LONG_MIN is not a long */
    return 64 - (int)clz(u & -u);
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
/* four bytes picked from the eight of y:x by the low three bits of each nibble of s */
uint qn_byte_perm(uint x, uint y, uint s)
{
    const ulong bytes = upsample(y, x);
    uint r = 0;
    for (uint i = 0; i < 32; i += 8, s >>= 4)
        r |= ((uint)(bytes >> (8 * (s & 7))) & 0xff) << i;
    return r;
}

//@ qn_prmt
/* as qn_byte_perm; bit 3 of a nibble spreads the sign of the byte over it */
uint qn_prmt(uint x, uint y, uint s)
{
    const uint bytes = qn_byte_perm(x, y, s);
    const uint spread = (s & 8) << 4 | (s & 0x80) << 8 | (s & 0x800) << 12 | (s & 0x8000) << 16;
    const uint mask = (spread >> 7) * 0xff;
    return (bytes & ~mask) | (((bytes & spread) >> 7) * 0xff);
}

//@ qn_prmt_ptx
/* NVIDIA */
uint qn_prmt_ptx(uint x, uint y, uint s)
{
    uint r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(s));
    return r;
}

//@ qn_mul24
/* the low 32 bits of a product of 24-bit numbers */
int qn_mul24(int a, int b)
{
    return (int)((uint)(a << 8 >> 8) * (uint)(b << 8 >> 8));
}

//@ qn_dp4a_SIGN SIGN=TYPE=BYTES: i32=int=char4; u32=uint=uchar4
/* four byte products added to c; the sum wraps */
TYPE qn_dp4a_SIGN(TYPE a, TYPE b, TYPE c)
{
    const BYTES p = as_BYTES(a), q = as_BYTES(b);
    return (TYPE)((uint)c + (uint)(p.x * q.x) + (uint)(p.y * q.y) + (uint)(p.z * q.z) + (uint)(p.w * q.w));
}

//@ qn_dp2a_HALF HALF=TYPE=SHORTS=BYTES=FIRST=SECOND: lo_i32=int=short2=char4=x=y; lo_u32=uint=ushort2=uchar4=x=y; hi_i32=int=short2=char4=z=w; hi_u32=uint=ushort2=uchar4=z=w
/* two products of 16 bits with the lower or upper bytes of b, added to c; the sum wraps */
TYPE qn_dp2a_HALF(TYPE a, TYPE b, TYPE c)
{
    const SHORTS p = as_SHORTS(a);
    const BYTES q = as_BYTES(b);
    return (TYPE)((uint)c + (uint)(p.x * q.FIRST) + (uint)(p.y * q.SECOND));
}

//@ qn_dot4_lanes
/* to each sum the products of four unsigned bytes with the four signed ones of x; sums wrap */
int16 qn_dot4_lanes(int16 sum, int16 codes, int x)
{
    sum += (codes & 255) * (x << 24 >> 24);
    sum += (codes >> 8 & 255) * (x << 16 >> 24);
    sum += (codes >> 16 & 255) * (x << 8 >> 24);
    return sum + (codes >> 24 & 255) * (x >> 24);
}

//@ qn_f16_lanes
/* halves to floats; exact */
float16 qn_f16_lanes(ushort16 bits)
{
    return vload_half16(0, (const half *)&bits);
}

//@ qn_DOT_ptx DOT=TYPE=PTX: dp4a_i32=int=dp4a.s32.s32; dp4a_u32=uint=dp4a.u32.u32; dp2a_lo_i32=int=dp2a.lo.s32.s32; dp2a_lo_u32=uint=dp2a.lo.u32.u32; dp2a_hi_i32=int=dp2a.hi.s32.s32; dp2a_hi_u32=uint=dp2a.hi.u32.u32
/* NVIDIA */
TYPE qn_DOT_ptx(TYPE a, TYPE b, TYPE c)
{
    TYPE d;
    asm("PTX %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
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
    return qn_half_rte(isfinite(q) && isfinite(y) && q != 0 ? q + fma(-q, y, x) / y : q);
}

//@ qn_OP_f16x2_ptx OP=SIGN: add=+; sub=-; mul=*
/* of pairs of halves (NVIDIA); in float, rounded, on GPUs that have no such instruction */
uint qn_OP_f16x2_ptx(uint a, uint b)
{
#if QN_SM >= 53
    uint r;
    asm("OP.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
#else
    const float low = qn_half_float((ushort)a) SIGN qn_half_float((ushort)b);
    const float high = qn_half_float((ushort)(a >> 16)) SIGN qn_half_float((ushort)(b >> 16));
    return (uint)qn_half_rte(high) << 16 | qn_half_rte(low);
#endif
}

//@ qn_fma_f16x2_ptx
/* of pairs of halves (NVIDIA); one by one on GPUs that have no such instruction */
uint qn_fma_f16x2_ptx(uint a, uint b, uint c)
{
#if QN_SM >= 53
    uint r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
#else
    const ushort low = qn_fma_f16((ushort)a, (ushort)b, (ushort)c);
    return (uint)qn_fma_f16((ushort)(a >> 16), (ushort)(b >> 16), (ushort)(c >> 16)) << 16 | low;
#endif
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

//@ qn_to_long_f32
/* float to long as the hardware casts it: the nearest one, and for NaN the top bit */
long qn_to_long_f32(float x)
{
    return isnan(x) ? LONG_MIN : convert_long_sat(x);
}

//@ qn_to_ulong_f32
/* float to ulong as the hardware casts it: the nearest one, and for NaN the top bit */
ulong qn_to_ulong_f32(float x)
{
    return isnan(x) ? 1ul << 63 : convert_ulong_sat(x);
}

//@ qn_to_CAST_ptx CAST=TO=FROM=R=X=PTX: int_f32=int=float=r=f=s32.f32; uint_f32=uint=float=r=f=u32.f32; long_f32=long=float=l=f=s64.f32; ulong_f32=ulong=float=l=f=u64.f32; int_f64=int=double=r=d=s32.f64; uint_f64=uint=double=r=d=u32.f64; long_f64=long=double=l=d=s64.f64; ulong_f64=ulong=double=l=d=u64.f64
/* NVIDIA; a cast in C may become anything where the float is out of range */
TO qn_to_CAST_ptx(FROM x)
{
    TO r;
    asm("cvt.rzi.PTX %0, %1;" : "=R"(r) : "X"(x));
    return r;
}

//@ qn_to_int_f64
/* double to int as the hardware casts it: the nearest one, and for NaN the top bit */
int qn_to_int_f64(double x)
{
    return isnan(x) ? INT_MIN : convert_int_sat(x);
}

//@ qn_to_uint_f64
/* double to uint as the hardware casts it: the nearest one, and for NaN the top bit */
uint qn_to_uint_f64(double x)
{
    return isnan(x) ? 1u << 31 : convert_uint_sat(x);
}

//@ qn_to_long_f64
/* double to long as the hardware casts it: the nearest one, and for NaN the top bit */
long qn_to_long_f64(double x)
{
    return isnan(x) ? LONG_MIN : convert_long_sat(x);
}

//@ qn_to_ulong_f64
/* double to ulong as the hardware casts it: the nearest one, and for NaN the top bit */
ulong qn_to_ulong_f64(double x)
{
    return isnan(x) ? 1ul << 63 : convert_ulong_sat(x);
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
    uint seen = PEEK(atomic_cmpxchg, p), old;
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
    uint seen = PEEK(atomic_cmpxchg, p), old;
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old == 0 || old > limit ? limit : old - 1);
    } while (seen != old);
    return old;
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
    uint seen = PEEK(atomic_cmpxchg, word), old;
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

//@ qn_atomic_cas_u8_SPACE
/* compare-and-swap of 8 bits through the 32-bit word around them; returns the old number */
uchar qn_atomic_cas_u8_SPACE(volatile __SPACE uchar *p, uchar expected, uchar value)
{
    const size_t address = (size_t)p;
    volatile __SPACE uint *const word = (volatile __SPACE uint *)(address & ~(size_t)3);
    const uint shift = (uint)(address & 3) * 8;
    uint seen = PEEK(atomic_cmpxchg, word), old;
    do {
        old = seen;
        if ((uchar)(old >> shift) != expected)
            return (uchar)(old >> shift);
        seen = atomic_cmpxchg(word, old, (old & ~(0xffu << shift)) | (uint)value << shift);
    } while (seen != old);
    return expected;
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
    ushort seen = PEEK(qn_word_cas_SPACE, p), old;
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
    uint seen = PEEK(atomic_cmpxchg, p), old;
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
    ushort seen = PEEK(qn_word_cas_SPACE, p), old;
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
    uint seen = PEEK(atomic_cmpxchg, p), old;
    do {
        old = seen;
        const uint low = qn_bfloat16_add((ushort)old, (ushort)value);
        const uint high = qn_bfloat16_add((ushort)(old >> 16), (ushort)(value >> 16));
        seen = atomic_cmpxchg(p, old, low | high << 16);
    } while (seen != old);
    return old;
}

//@ qn_atomic_add_WIDTH_ptx_SPACE WIDTH=REAL=LETTER: f32=float=f; f64=double=d
/* NVIDIA; PTX calls OpenCL's local memory shared */
#define qn_ptx_global "global"
#define qn_ptx_local  "shared"
REAL qn_atomic_add_WIDTH_ptx_SPACE(volatile __SPACE REAL *p, REAL value)
{
    REAL old;
    asm volatile("atom." qn_ptx_SPACE ".add.WIDTH %0, [%1], %2;" : "=LETTER"(old) : "l"(p), "LETTER"(value) : "memory");
    return old;
}

//@ qn_is_WHERE_SPACE WHERE: global; local; constant; private
/* is the pointer into that memory? The names of the four spaces differ in length */
uint qn_is_WHERE_SPACE(const __SPACE void *p)
{
    return sizeof "SPACE" == sizeof "WHERE";
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

//@ qn_clock64_cpu
/* PoCL */
long qn_clock64_cpu(void)
{
#ifdef __aarch64__
    long r;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(r) : : "memory");
    return r;
#else
    return (long)__builtin_readcyclecounter();
#endif
}

//@ qn_nanoseconds_cpu
/* PoCL links no function of the C library: clock_gettime(CLOCK_MONOTONIC) of Linux */
ulong qn_nanoseconds_cpu(void)
{
    long t[2] = {0, 0};
#ifdef __aarch64__
    register long number __asm__("x8") = 113;
    register long clock __asm__("x0") = 1;
    register long *at __asm__("x1") = t;
    __asm__ volatile("svc #0" : "+r"(clock) : "r"(number), "r"(at) : "memory");
#else
    long number = 228;
    __asm__ volatile("syscall" : "+a"(number) : "D"(1L), "S"(t) : "rcx", "r11", "memory");
#endif
    return (ulong)t[0] * 1000000000ul + (ulong)t[1];
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

//@ qn_fail
/* leaves where and what failed for the host, which looks when it syncs; the first one counts */
void qn_fail(__global int *fault, __constant char *file, uint line, __constant char *text)
{
    __global uchar *words = (__global uchar *)&fault[2];
    if (atomic_cmpxchg(&fault[0], 0, 1) != 0)
        return;
    fault[1] = (int)line;
    for (uint k = 0; k < 123 && file[k]; k++)
        words[k] = file[k];
    for (uint k = 0; k < 123 && text[k]; k++)
        words[124 + k] = text[k];
}

//@ qn_heap_give
/* the units first to first + n - 1 are free again */
void qn_heap_give(volatile __global int *bits, uint first, uint n)
{
    for (uint at = first; at < first + n;) {
        const uint some = min(32 - at % 32, first + n - at);
        atomic_and(&bits[at / 32], ~(int)(0xffffffffu >> (32 - some) << at % 32));
        at += some;
    }
}

//@ qn_heap_take
/* takes these units, or none: the first that another has, or first + n */
uint qn_heap_take(volatile __global int *bits, uint first, uint n)
{
    for (uint at = first; at < first + n;) {
        const uint some = min(32 - at % 32, first + n - at);
        const uint wanted = 0xffffffffu >> (32 - some) << at % 32;
        const uint taken = (uint)atomic_or(&bits[at / 32], (int)wanted) & wanted;
        if (taken) {
            atomic_and(&bits[at / 32], ~(int)(wanted & ~taken));
            qn_heap_give(bits, first, at - first);
            return at - at % 32 + popcount((taken & -taken) - 1);
        }
        at += some;
    }
    return first + n;
}

//@ qn_heap_find
/* takes n free units in a row of those from `from` to end - 1: the first of them, or end */
uint qn_heap_find(volatile __global int *bits, uint n, uint from, uint end)
{
    uint run = 0; /* free units before `at` */
    for (uint at = from; at < end;) {
        const uint room = min(32 - at % 32, end - at);
        volatile __global int *word = &bits[at / 32];
        const uint here = (uint)PEEK(atomic_cmpxchg, word) >> at % 32;
        const uint change = here & 1 ? ~here : here;
        const uint same = min(room, (uint)popcount((change & -change) - 1));
        at += same;
        run = here & 1 ? 0 : run + same;
        if (run < n)
            continue;
        const uint first = at - run, stop = qn_heap_take(bits, first, n);
        if (stop == first + n)
            return first;
        at = stop + 1;
        run = 0;
    }
    return end;
}

//@ qn_malloc
/* units for so many bytes, and one in front of them that says which they are; no one waits here:
 * who finds a unit taken looks further on. What others take for a moment may hide what is free, so
 * it is looked for again. */
__global void *qn_malloc(__global int *heap, ulong bytes, ulong align)
{
    volatile __global int *bits = heap + 4;
    volatile __global int *taken = heap + 1;
    const uint total = (uint)heap[0];
    const ulong spare = align > 16 ? align / 16 - 1 : 0;
    if (bytes > total * 16ul || spare > total)
        return 0;
    const ulong wanted = (bytes + (bytes == 0) + 15) / 16 + 1 + spare;
    if (wanted > total)
        return 0;
    const uint n = (uint)wanted;
    const uint from = (uint)atomic_add(&heap[2], (int)n) % total;
    for (uint tries = 0; tries < 4 && n <= total - min(total, (uint)PEEK(atomic_cmpxchg, taken)); tries++) {
        uint first = qn_heap_find(bits, n, from, total);
        if (first == total) {
            first = qn_heap_find(bits, n, 0, min(total, from + n));
            if (first == min(total, from + n))
                continue;
        }
        atomic_add(taken, (int)n);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        const ulong at = (ulong)(heap + 4 + total / 32) + (first + 1) * 16ul;
        __global int *p = (__global int *)((at + (spare * 16 + 15)) & ~(spare * 16 + 15));
        p[-4] = (int)first;
        p[-3] = (int)n;
        p[-2] = 0x716e6d61;
        return p;
    }
    return 0;
}

//@ qn_free
/* what malloc did not give, or was freed before, is for the host to know */
void qn_free(__global int *heap, __global int *fault, __global void *p, __constant char *file, uint line)
{
    __global int *const block = (__global int *)p - 4;
    const ulong units = (ulong)(heap + 4 + (uint)heap[0] / 32);
    if (!p)
        return;
    if ((ulong)p % 16 || (ulong)p < units + 16 || (ulong)p > units + (uint)heap[0] * 16ul ||
        atomic_cmpxchg(&block[2], 0x716e6d61, 0) != 0x716e6d61) {
        qn_fail(fault, file, line, "free: an address that malloc did not give, or that is free");
        return;
    }
    const uint first = (uint)block[0], n = (uint)block[1];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    qn_heap_give((volatile __global int *)(heap + 4), first, n);
    atomic_sub(&heap[1], (int)n);
}

//@ qn_linear_id
/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

//@ qn_group_size
/* work-items of the group */
uint qn_group_size(void)
{
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
}

//@ qn_any_in_group
/* true for all work-items when `mine` is for one of them; every work-item of the group calls it */
__attribute__((always_inline)) bool qn_any_in_group(__local uint *vote, bool mine)
{
    if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0)
        *vote = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        atomic_or(vote, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *vote != 0;
}

//@ qn_count_local
/* how many work-items of the group say yes */
__attribute__((always_inline)) int qn_count_local(__local uint *slots, bool predicate)
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

//@ qn_source_idx
/* __shfl_sync reads from a lane of the same segment of `width` lanes */
uint qn_source_idx(int lane, int width)
{
    const uint own = qn_linear_id() % 32, inside = (uint)width - 1;
    return (own & ~inside) | ((uint)lane & inside);
}

//@ qn_source_up
/* __shfl_up_sync reads from `by` lanes below; below the segment, its own value */
uint qn_source_up(int by, int width)
{
    const uint own = qn_linear_id() % 32, below = own & ((uint)width - 1), step = (uint)by & 31;
    return step > below ? own : own - step;
}

//@ qn_source_down
/* __shfl_down_sync reads from `by` lanes above; above the segment, its own value */
uint qn_source_down(int by, int width)
{
    const uint own = qn_linear_id() % 32, from = own + ((uint)by & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

//@ qn_source_xor
/* __shfl_xor_sync reads from the lane whose number differs in the bits of `mask`; above the segment,
 * its own value */
uint qn_source_xor(int mask, int width)
{
    const uint own = qn_linear_id() % 32, from = own ^ ((uint)mask & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

//@ qn_lowest
/* the lowest lane of a mask that is not 0 */
uint qn_lowest(uint mask)
{
    return 31 - clz(mask & (0 - mask));
}

//@ qn_put_32
/* a work-item's number for the others of its warp */
void qn_put_32(__local uint *slots, uint id, uint value)
{
    slots[id] = value;
}

//@ qn_at_32
/* the number that a work-item left */
uint qn_at_32(const __local uint *slots, uint id)
{
    return slots[id];
}

//@ qn_put_64
/* a work-item's number for the others of its warp */
void qn_put_64(__local uint *slots, uint id, ulong value)
{
    slots[2 * id] = (uint)value;
    slots[2 * id + 1] = (uint)(value >> 32);
}

//@ qn_at_64
/* the number that a work-item left */
ulong qn_at_64(const __local uint *slots, uint id)
{
    return upsample(slots[2 * id + 1], slots[2 * id]);
}

//@ qn_get_BITS_local BITS=TYPE: 32=uint; 64=ulong
/* the value of another lane of the warp, or one's own where there is no such work-item */
__attribute__((always_inline)) TYPE qn_get_BITS_local(__local uint *slots, TYPE value, uint lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    qn_put_BITS(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < qn_group_size())
        value = qn_at_BITS(slots, from);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

//@ qn_ballot_local
/* one bit per lane of the warp; every work-item of the group calls it */
__attribute__((always_inline)) uint qn_ballot_local(__local uint *slots, bool predicate)
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

//@ qn_uniform_local
/* __uni_sync: do all lanes of the mask say the same? */
__attribute__((always_inline)) int qn_uniform_local(__local uint *slots, uint mask, int predicate, bool active)
{
    const uint there = qn_ballot_local(slots, active) & mask;
    const uint yes = qn_ballot_local(slots, active && predicate != 0) & mask;
    return yes == 0 || yes == there;
}

//@ qn_match_any_BITS_local BITS=TYPE: 32=uint; 64=ulong
/* the lanes of the mask that have the same value */
__attribute__((always_inline)) uint qn_match_any_BITS_local(__local uint *slots, uint mask, TYPE value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint same = 0;
    uint left = qn_ballot_local(slots, active) & mask;
    qn_put_BITS(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (; left; left &= left - 1)
        if (qn_at_BITS(slots, first + qn_lowest(left)) == value)
            same |= 1u << qn_lowest(left);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return same;
}

//@ qn_match_all_BITS_local BITS=TYPE: 32=uint; 64=ulong
/* the mask when all its lanes have one value, else 0 */
__attribute__((always_inline)) uint qn_match_all_BITS_local(__local uint *slots, uint mask, TYPE value, bool active)
{
    const uint there = qn_ballot_local(slots, active) & mask;
    return qn_match_any_BITS_local(slots, mask, value, active) == there ? there : 0;
}

//@ qn_reduce_OP_local OP=TYPE=SUM: add_i32=int=(int)((uint)a + (uint)b); add_u32=uint=a + b; min_i32=int=min(a, b); min_u32=uint=min(a, b); max_i32=int=max(a, b); max_u32=uint=max(a, b); and_u32=uint=a & b; or_u32=uint=a | b; xor_u32=uint=a ^ b
/* over the lanes of the mask */
__attribute__((always_inline)) TYPE qn_reduce_OP_local(__local uint *slots, uint mask, TYPE value, bool active)
{
    const uint id = qn_linear_id(), first = id / 32 * 32;
    uint others = qn_ballot_local(slots, active) & mask & ~(1u << id % 32);
    slots[id] = (uint)value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    TYPE a = value;
    for (; others; others &= others - 1) {
        const TYPE b = (TYPE)slots[first + qn_lowest(others)];
        a = SUM;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return a;
}

//@ qn_uniform_sub
/* __uni_sync: do all lanes of the mask say the same? */
int qn_uniform_sub(uint mask, int predicate)
{
    const uint there = sub_group_ballot(1).x & mask;
    const uint yes = sub_group_ballot(predicate != 0).x & mask;
    return yes == 0 || yes == there;
}

//@ qn_match_any_BITS_sub BITS=TYPE: 32=uint; 64=ulong
/* the lanes of the mask that have the same value */
uint qn_match_any_BITS_sub(uint mask, TYPE value)
{
    uint same = 0;
    uint left = sub_group_ballot(1).x & mask;
    for (; left; left &= left - 1)
        if (sub_group_shuffle(value, qn_lowest(left)) == value)
            same |= 1u << qn_lowest(left);
    return same;
}

//@ qn_match_all_BITS_sub BITS=TYPE: 32=uint; 64=ulong
/* the mask when all its lanes have one value, else 0 */
uint qn_match_all_BITS_sub(uint mask, TYPE value)
{
    const uint there = sub_group_ballot(1).x & mask;
    const TYPE first = sub_group_shuffle(value, qn_lowest(there));
    return (sub_group_ballot(value != first).x & mask) == 0 ? there : 0;
}

//@ qn_reduce_OP_sub OP=TYPE=SUM: add_i32=int=(int)((uint)a + (uint)b); add_u32=uint=a + b; min_i32=int=min(a, b); min_u32=uint=min(a, b); max_i32=int=max(a, b); max_u32=uint=max(a, b); and_u32=uint=a & b; or_u32=uint=a | b; xor_u32=uint=a ^ b
/* over the lanes of the mask; other lanes may go by other masks at the same time */
TYPE qn_reduce_OP_sub(uint mask, TYPE value)
{
    uint others = sub_group_ballot(1).x & mask & ~(1u << qn_linear_id() % 32);
    TYPE a = value;
    for (; others; others &= others - 1) {
        const TYPE b = sub_group_shuffle(value, qn_lowest(others));
        a = SUM;
    }
    return a;
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

//@ qn_VOTE_ptx VOTE: any; all; uni
/* NVIDIA */
int qn_VOTE_ptx(uint mask, int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.VOTE.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
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

//@ qn_shfl_MODE_32_ptx MODE=CLAMP: idx=0x1f; up=0; down=0x1f; bfly=0x1f
/* NVIDIA */
uint qn_shfl_MODE_32_ptx(uint mask, uint value, int lane, int width)
{
    uint r;
    asm volatile("shfl.sync.MODE.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r) : "r"(value), "r"(lane), "r"((32 - width) << 8 | CLAMP), "r"(mask));
    return r;
}

//@ qn_shfl_MODE_64_ptx MODE: idx; up; down; bfly
/* NVIDIA */
ulong qn_shfl_MODE_64_ptx(uint mask, ulong value, int lane, int width)
{
    return upsample(qn_shfl_MODE_32_ptx(mask, (uint)(value >> 32), lane, width),
                    qn_shfl_MODE_32_ptx(mask, (uint)value, lane, width));
}

//@ qn_match_any_BITS_ptx BITS=TYPE=LETTER: 32=uint=r; 64=ulong=l
/* NVIDIA */
uint qn_match_any_BITS_ptx(uint mask, TYPE value)
{
    uint r;
    asm volatile("match.any.sync.bBITS %0, %1, %2;" : "=r"(r) : "LETTER"(value), "r"(mask));
    return r;
}

//@ qn_match_all_BITS_ptx BITS=TYPE=LETTER: 32=uint=r; 64=ulong=l
/* NVIDIA */
uint qn_match_all_BITS_ptx(uint mask, TYPE value)
{
    uint r;
    asm volatile("{ .reg .pred p; match.all.sync.bBITS %0|p, %1, %2; }" : "=r"(r) : "LETTER"(value), "r"(mask));
    return r;
}

//@ qn_reduce_OP_ptx OP=TYPE=SUM=PTX: add_i32=int=(int)((uint)a + (uint)b)=add.s32; add_u32=uint=a + b=add.u32; min_i32=int=min(a, b)=min.s32; min_u32=uint=min(a, b)=min.u32; max_i32=int=max(a, b)=max.s32; max_u32=uint=max(a, b)=max.u32; and_u32=uint=a & b=and.b32; or_u32=uint=a | b=or.b32; xor_u32=uint=a ^ b=xor.b32
/* over the lanes of the mask (NVIDIA); one instruction from sm_80 on. QN_SM comes from whoever builds this
 * text; without it the other way is taken, which is right on every card */
TYPE qn_reduce_OP_ptx(uint mask, TYPE value)
{
    TYPE a = value;
#if QN_SM >= 80
    asm volatile("redux.sync.PTX %0, %1, %2;" : "=r"(a) : "r"(value), "r"(mask));
#else
    uint others = qn_ballot_ptx(mask, 1) & ~(1u << qn_linear_id() % 32);
    for (; others; others &= others - 1) {
        const TYPE b = (TYPE)qn_shfl_idx_32_ptx(mask, (uint)value, (int)qn_lowest(others), 32);
        a = SUM;
    }
#endif
    return a;
}

//@ qn_mma_sum
/* of all */
float qn_mma_sum(float8 v)
{
    const float4 four = v.lo + v.hi;
    const float2 two = four.lo + four.hi;
    return two.x + two.y;
}

//@ qn_mma_count
/* of all */
int qn_mma_count(int16 v)
{
    const int8 eight = v.lo + v.hi;
    const int4 four = eight.lo + eight.hi;
    const int2 two = four.lo + four.hi;
    return two.x + two.y;
}

//@ qn_mma_halves
/* eight halves */
float8 qn_mma_halves(uint4 words)
{
    return vload_half8(0, (const half *)&words);
}

//@ qn_mma_fp8_LESS LESS=SHIFT=LOW=TIMES: e4m3=16=0x7f=256.0f; e5m2=16=0x80=1.0f
/* the lower (shift 0) or upper (8) of each pair of bytes, as halves: e5m2 is the upper half of one, e4m3 has
 * its exponent 8 less and no infinity */
float8 qn_mma_fp8_LESS(uint4 words, uint shift)
{
    const uint4 pairs = words >> shift & 0x00ff00ff;
    uint4 bits = pairs << 8;
    if (LOW == 0x7f) {
        const uint4 size = pairs & 0x007f007f;
        const uint4 all = (size + 0x00010001) >> 7 & 0x00010001;
        bits = (pairs & 0x00800080) << 8 | size << 7 | all * 0x7fff;
    }
    return qn_mma_halves(bits) * TIMES;
}

//@ qn_mma_bytes_KIND KIND=BYTES: s8=char16; u8=uchar16
/* sixteen bytes */
int16 qn_mma_bytes_KIND(uint4 words)
{
    return convert_int16(as_BYTES(words));
}

//@ qn_mma_nibbles_KIND KIND=BYTES: s4=char16; u4=uchar16
/* the upper four bits of sixteen bytes */
int16 qn_mma_nibbles_KIND(uint4 words)
{
    return convert_int16(as_BYTES(words)) >> 4;
}

//@ qn_mma_dot_f16
/* c plus a row of A times a column of B: four words of each */
float qn_mma_dot_f16(uint4 a, uint4 b, float c)
{
    return c + qn_mma_sum(qn_mma_halves(a) * qn_mma_halves(b));
}

//@ qn_mma_dot_bf16
/* c plus a row of A times a column of B: four words of each */
float qn_mma_dot_bf16(uint4 a, uint4 b, float c)
{
    const float4 low = as_float4(a << 16) * as_float4(b << 16);
    const float4 four = low + as_float4(a & 0xffff0000u) * as_float4(b & 0xffff0000u);
    const float2 two = four.lo + four.hi;
    return c + (two.x + two.y);
}

//@ qn_mma_dot_tf32
/* c plus a row of A times a column of B: four words of each; their 13 last bits do not count */
float qn_mma_dot_tf32(uint4 a, uint4 b, float c)
{
    const float4 four = as_float4(a & 0xffffe000u) * as_float4(b & 0xffffe000u);
    const float2 two = four.lo + four.hi;
    return c + (two.x + two.y);
}

//@ qn_mma_dot_KIND KIND=LEFT=RIGHT: e4m3e4m3=e4m3=e4m3; e4m3e5m2=e4m3=e5m2; e5m2e4m3=e5m2=e4m3; e5m2e5m2=e5m2=e5m2
/* c plus a row of A times a column of B: four words of each */
float qn_mma_dot_KIND(uint4 a, uint4 b, float c)
{
    return c + qn_mma_sum(qn_mma_fp8_LEFT(a, 0) * qn_mma_fp8_RIGHT(b, 0)
                          + qn_mma_fp8_LEFT(a, 8) * qn_mma_fp8_RIGHT(b, 8));
}

//@ qn_mma_dot_KIND KIND=LEFT=RIGHT: s8s8=s8=s8; s8u8=s8=u8; u8s8=u8=s8; u8u8=u8=u8
/* c plus a row of A times a column of B: four words of each */
int qn_mma_dot_KIND(uint4 a, uint4 b, int c)
{
    return (int)((uint)c + (uint)qn_mma_count(qn_mma_bytes_LEFT(a) * qn_mma_bytes_RIGHT(b)));
}

//@ qn_mma_dot_KIND KIND=LEFT=RIGHT: s4s4=s4=s4; s4u4=s4=u4; u4s4=u4=s4; u4u4=u4=u4
/* c plus a row of A times a column of B: four words of each */
int qn_mma_dot_KIND(uint4 a, uint4 b, int c)
{
    const uint4 left = a << 4 & 0xf0f0f0f0u, right = b << 4 & 0xf0f0f0f0u;
    return (int)((uint)c
                 + (uint)qn_mma_count(qn_mma_nibbles_LEFT(a) * qn_mma_nibbles_RIGHT(b)
                                      + qn_mma_nibbles_LEFT(left) * qn_mma_nibbles_RIGHT(right)));
}

//@ qn_mma_dot_KIND KIND=OP: xor=a ^ b; and=a & b
/* c plus the number of bits that are set in that of a row of A and a column of B */
int qn_mma_dot_KIND(uint4 a, uint4 b, int c)
{
    const uint4 bits = OP;
    return (int)((uint)c + (uint)(popcount(bits.x) + popcount(bits.y) + popcount(bits.z) + popcount(bits.w)));
}

//@ qn_mma_KIND_local KIND=SUMS: f16=float4; bf16=float4; tf32=float4; e4m3e4m3=float4; e4m3e5m2=float4; e5m2e4m3=float4; e5m2e5m2=float4; s8s8=int4; s8u8=int4; u8s8=int4; u8u8=int4; s4s4=int4; s4u4=int4; u4s4=int4; u4u4=int4; xor=int4; and=int4
/* c + A B for a warp: A of 16 rows, B of 8 columns, `words` (4 or 8) deep. Of A a lane has words lane % 4 and
 * that plus 4 of row lane / 4, then of that plus 8 (s0, s2; s1, s3), of B the same words of column lane / 4 (s4,
 * s5), of the result columns lane % 4 * 2 and the next one of its two rows */
__attribute__((always_inline)) SUMS qn_mma_KIND_local(__local uint *slots, uint8 ab, SUMS c, uint words)
{
    const uint id = qn_linear_id(), row = id % 32 / 4, k = id % 4;
    __local uint *const a = slots + id / 32 * 192, *const b = a + 128;
    a[8 * row + k] = ab.s0;
    a[8 * row + 64 + k] = ab.s1;
    a[8 * row + k + 4] = ab.s2;
    a[8 * row + 64 + k + 4] = ab.s3;
    b[8 * row + k] = ab.s4;
    b[8 * row + k + 4] = ab.s5;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint w = 0; w < words; w += 4) {
        const uint4 upper = vload4(0, a + 8 * row + w), lower = vload4(0, a + 8 * row + 64 + w);
        const uint4 left = vload4(0, b + 16 * k + w), right = vload4(0, b + 16 * k + 8 + w);
        c.s0 = qn_mma_dot_KIND(upper, left, c.s0);
        c.s1 = qn_mma_dot_KIND(upper, right, c.s1);
        c.s2 = qn_mma_dot_KIND(lower, left, c.s2);
        c.s3 = qn_mma_dot_KIND(lower, right, c.s3);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return c;
}

//@ qn_mma_lane_sub
/* the word of a lane */
uint qn_mma_lane_sub(uint v, uint lane)
{
    return sub_group_shuffle(v, lane);
}

//@ qn_mma_lane_shfl
/* the word of a lane (NVIDIA) */
uint qn_mma_lane_shfl(uint v, uint lane)
{
    return qn_shfl_idx_32_ptx(0xffffffffu, v, (int)lane, 32);
}

//@ qn_mma_four_WAY WAY: sub; shfl
/* the words of four lanes in a row */
uint4 qn_mma_four_WAY(uint v, uint first)
{
    const uint a = qn_mma_lane_WAY(v, first), b = qn_mma_lane_WAY(v, first + 1);
    const uint c = qn_mma_lane_WAY(v, first + 2), d = qn_mma_lane_WAY(v, first + 3);
    return (uint4)(a, b, c, d);
}

//@ qn_mma_KIND KIND=WAY=DOT=SUMS: f16_sub=sub=f16=float4; f16_shfl=shfl=f16=float4; bf16_sub=sub=bf16=float4; bf16_shfl=shfl=bf16=float4; tf32_sub=sub=tf32=float4; tf32_shfl=shfl=tf32=float4; e4m3e4m3_sub=sub=e4m3e4m3=float4; e4m3e4m3_shfl=shfl=e4m3e4m3=float4; e4m3e5m2_sub=sub=e4m3e5m2=float4; e4m3e5m2_shfl=shfl=e4m3e5m2=float4; e5m2e4m3_sub=sub=e5m2e4m3=float4; e5m2e4m3_shfl=shfl=e5m2e4m3=float4; e5m2e5m2_sub=sub=e5m2e5m2=float4; e5m2e5m2_shfl=shfl=e5m2e5m2=float4; s8s8_sub=sub=s8s8=int4; s8s8_shfl=shfl=s8s8=int4; s8u8_sub=sub=s8u8=int4; s8u8_shfl=shfl=s8u8=int4; u8s8_sub=sub=u8s8=int4; u8s8_shfl=shfl=u8s8=int4; u8u8_sub=sub=u8u8=int4; u8u8_shfl=shfl=u8u8=int4; s4s4_sub=sub=s4s4=int4; s4s4_shfl=shfl=s4s4=int4; s4u4_sub=sub=s4u4=int4; s4u4_shfl=shfl=s4u4=int4; u4s4_sub=sub=u4s4=int4; u4s4_shfl=shfl=u4s4=int4; u4u4_sub=sub=u4u4=int4; u4u4_shfl=shfl=u4u4=int4; xor_sub=sub=xor=int4; xor_shfl=shfl=xor=int4; and_sub=sub=and=int4; and_shfl=shfl=and=int4
/* the same as the _local one */
SUMS qn_mma_KIND(uint8 ab, SUMS c, uint words)
{
    const uint row = qn_linear_id() % 32 / 4 * 4, column = qn_linear_id() % 4 * 8;
    for (uint w = 0; w < words; w += 4) {
        const uint4 upper = qn_mma_four_WAY(w ? ab.s2 : ab.s0, row);
        const uint4 lower = qn_mma_four_WAY(w ? ab.s3 : ab.s1, row);
        const uint4 left = qn_mma_four_WAY(w ? ab.s5 : ab.s4, column);
        const uint4 right = qn_mma_four_WAY(w ? ab.s5 : ab.s4, column + 4);
        c.s0 = qn_mma_dot_DOT(upper, left, c.s0);
        c.s1 = qn_mma_dot_DOT(upper, right, c.s1);
        c.s2 = qn_mma_dot_DOT(lower, left, c.s2);
        c.s3 = qn_mma_dot_DOT(lower, right, c.s3);
    }
    return c;
}

//@ qn_mma_KIND_8_ptx KIND=SUMS=SUM=LETTER=FORM=LEAST: f16=float4=float=f=m16n8k16.row.col.f32.f16.f16.f32=80; bf16=float4=float=f=m16n8k16.row.col.f32.bf16.bf16.f32=80; tf32=float4=float=f=m16n8k8.row.col.f32.tf32.tf32.f32=80; e4m3e4m3=float4=float=f=m16n8k32.row.col.f32.e4m3.e4m3.f32=89; e4m3e5m2=float4=float=f=m16n8k32.row.col.f32.e4m3.e5m2.f32=89; e5m2e4m3=float4=float=f=m16n8k32.row.col.f32.e5m2.e4m3.f32=89; e5m2e5m2=float4=float=f=m16n8k32.row.col.f32.e5m2.e5m2.f32=89; s8s8=int4=int=r=m16n8k32.row.col.s32.s8.s8.s32=80; s8u8=int4=int=r=m16n8k32.row.col.s32.s8.u8.s32=80; u8s8=int4=int=r=m16n8k32.row.col.s32.u8.s8.s32=80; u8u8=int4=int=r=m16n8k32.row.col.s32.u8.u8.s32=80; s4s4=int4=int=r=m16n8k64.row.col.s32.s4.s4.s32=80; s4u4=int4=int=r=m16n8k64.row.col.s32.s4.u4.s32=80; u4s4=int4=int=r=m16n8k64.row.col.s32.u4.s4.s32=80; u4u4=int4=int=r=m16n8k64.row.col.s32.u4.u4.s32=80; xor=int4=int=r=m16n8k256.row.col.s32.b1.b1.s32.xor.popc=80; and=int4=int=r=m16n8k256.row.col.s32.b1.b1.s32.and.popc=80
/* NVIDIA; by shuffles on GPUs that have no such instruction */
SUMS qn_mma_KIND_8_ptx(uint8 ab, SUMS c)
{
#if QN_SM >= LEAST
    SUM d0, d1, d2, d3;
    asm volatile("mma.sync.aligned.FORM "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=LETTER"(d0), "=LETTER"(d1), "=LETTER"(d2), "=LETTER"(d3)
                 : "r"(ab.s0), "r"(ab.s1), "r"(ab.s2), "r"(ab.s3), "r"(ab.s4), "r"(ab.s5),
                   "LETTER"(c.s0), "LETTER"(c.s1), "LETTER"(c.s2), "LETTER"(c.s3));
    return (SUMS)(d0, d1, d2, d3);
#else
    return qn_mma_KIND_shfl(ab, c, 8);
#endif
}

//@ qn_mma_KIND_4_ptx KIND=SUMS=SUM=LETTER=FORM=LEAST: f16=float4=float=f=m16n8k8.row.col.f32.f16.f16.f32=80; bf16=float4=float=f=m16n8k8.row.col.f32.bf16.bf16.f32=80; tf32=float4=float=f=m16n8k4.row.col.f32.tf32.tf32.f32=80; s8s8=int4=int=r=m16n8k16.row.col.s32.s8.s8.s32=80; s8u8=int4=int=r=m16n8k16.row.col.s32.s8.u8.s32=80; u8s8=int4=int=r=m16n8k16.row.col.s32.u8.s8.s32=80; u8u8=int4=int=r=m16n8k16.row.col.s32.u8.u8.s32=80; s4s4=int4=int=r=m16n8k32.row.col.s32.s4.s4.s32=80; s4u4=int4=int=r=m16n8k32.row.col.s32.s4.u4.s32=80; u4s4=int4=int=r=m16n8k32.row.col.s32.u4.s4.s32=80; u4u4=int4=int=r=m16n8k32.row.col.s32.u4.u4.s32=80; xor=int4=int=r=m16n8k128.row.col.s32.b1.b1.s32.xor.popc=80; and=int4=int=r=m16n8k128.row.col.s32.b1.b1.s32.and.popc=80
/* NVIDIA; by shuffles on GPUs that have no such instruction */
SUMS qn_mma_KIND_4_ptx(uint8 ab, SUMS c)
{
#if QN_SM >= LEAST
    SUM d0, d1, d2, d3;
    asm volatile("mma.sync.aligned.FORM "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                 : "=LETTER"(d0), "=LETTER"(d1), "=LETTER"(d2), "=LETTER"(d3)
                 : "r"(ab.s0), "r"(ab.s1), "r"(ab.s4),
                   "LETTER"(c.s0), "LETTER"(c.s1), "LETTER"(c.s2), "LETTER"(c.s3));
    return (SUMS)(d0, d1, d2, d3);
#else
    return qn_mma_KIND_shfl(ab, c, 4);
#endif
}

//@ qn_mma_dot_f64
/* c plus a row of A times a column of B, one product after the other */
double qn_mma_dot_f64(double4 a, double4 b, double c)
{
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, c))));
}

//@ qn_mma_four_f64_local
/* four doubles in a row */
double4 qn_mma_four_f64_local(const __local uint *slots, uint first)
{
    return (double4)(as_double(qn_at_64(slots, first)), as_double(qn_at_64(slots, first + 1)),
                     as_double(qn_at_64(slots, first + 2)), as_double(qn_at_64(slots, first + 3)));
}

//@ qn_mma_f64_local
/* c + A B for a warp, four doubles deep: of A a lane has number lane % 4 of row lane / 4 and of that plus 8 (s0,
 * s1), of B the same of column lane / 4 (s2) */
__attribute__((always_inline)) double4 qn_mma_f64_local(__local uint *slots, double4 ab, double4 c)
{
    const uint id = qn_linear_id(), lane = id % 32, column = lane % 4 * 8;
    __local uint *const a = slots + id / 32 * 192, *const b = a + 128;
    qn_put_64(a, lane, as_ulong(ab.s0));
    qn_put_64(a, 32 + lane, as_ulong(ab.s1));
    qn_put_64(b, lane, as_ulong(ab.s2));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const double4 upper = qn_mma_four_f64_local(a, lane / 4 * 4), lower = qn_mma_four_f64_local(a, 32 + lane / 4 * 4);
    const double4 left = qn_mma_four_f64_local(b, column), right = qn_mma_four_f64_local(b, column + 4);
    c.s0 = qn_mma_dot_f64(upper, left, c.s0);
    c.s1 = qn_mma_dot_f64(upper, right, c.s1);
    c.s2 = qn_mma_dot_f64(lower, left, c.s2);
    c.s3 = qn_mma_dot_f64(lower, right, c.s3);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return c;
}

//@ qn_mma_four_f64_WAY WAY: sub; shfl
/* the doubles of four lanes in a row */
double4 qn_mma_four_f64_WAY(double v, uint first)
{
    const uint2 words = as_uint2(v);
    const uint4 low = qn_mma_four_WAY(words.x, first), high = qn_mma_four_WAY(words.y, first);
    return (double4)(as_double((uint2)(low.x, high.x)), as_double((uint2)(low.y, high.y)),
                     as_double((uint2)(low.z, high.z)), as_double((uint2)(low.w, high.w)));
}

//@ qn_mma_f64_WAY WAY: sub; shfl
/* the same as the _local one */
double4 qn_mma_f64_WAY(double4 ab, double4 c)
{
    const uint row = qn_linear_id() % 32 / 4 * 4, column = qn_linear_id() % 4 * 8;
    const double4 upper = qn_mma_four_f64_WAY(ab.s0, row), lower = qn_mma_four_f64_WAY(ab.s1, row);
    const double4 left = qn_mma_four_f64_WAY(ab.s2, column), right = qn_mma_four_f64_WAY(ab.s2, column + 4);
    c.s0 = qn_mma_dot_f64(upper, left, c.s0);
    c.s1 = qn_mma_dot_f64(upper, right, c.s1);
    c.s2 = qn_mma_dot_f64(lower, left, c.s2);
    c.s3 = qn_mma_dot_f64(lower, right, c.s3);
    return c;
}

//@ qn_mma_f64_ptx
/* NVIDIA; by shuffles on GPUs that have no such instruction */
double4 qn_mma_f64_ptx(double4 ab, double4 c)
{
#if QN_SM >= 80
    double d0, d1, d2, d3;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d0), "=d"(d1) : "d"(ab.s0), "d"(ab.s2), "d"(c.s0), "d"(c.s1));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d2), "=d"(d3) : "d"(ab.s1), "d"(ab.s2), "d"(c.s2), "d"(c.s3));
    return (double4)(d0, d1, d2, d3);
#else
    return qn_mma_f64_shfl(ab, c);
#endif
}

//@ qn_mma_quad_dots
/* c plus each of two rows of A times a column of B: two words of each */
float2 qn_mma_quad_dots(uint4 rows, uint2 column, float2 c)
{
    const float8 all = qn_mma_halves(rows) * qn_mma_halves(column.xyxy);
    const float4 two = all.even + all.odd;
    return c + (two.even + two.odd);
}

//@ qn_mma_quad_sums
/* two rows of A times four columns of B: near ones and, four further on, far ones */
float8 qn_mma_quad_sums(uint4 rows, uint4 near, uint4 far, float8 c)
{
    const float2 a = qn_mma_quad_dots(rows, near.lo, c.s02), b = qn_mma_quad_dots(rows, near.hi, c.s13);
    const float2 d = qn_mma_quad_dots(rows, far.lo, c.s46), e = qn_mma_quad_dots(rows, far.hi, c.s57);
    return (float8)(a.x, b.x, a.y, b.y, d.x, e.x, d.y, e.y);
}

//@ qn_mma_quads_local
/* c + A B of lanes 4 q to 4 q + 3 and those 16 further on: each has a row of A (two words) and a column of B, number
 * lane % 4, and plus 4 the upper ones; sum i in row lane % 2 + (i & 2) and column (lane & 2) + (i & 4) + i % 2 */
__attribute__((always_inline)) float8 qn_mma_quads_local(__local uint *slots, uint4 ab, float8 c)
{
    const uint id = qn_linear_id(), lane = id % 32, row = (lane & 28) + lane % 2, column = lane & 14;
    __local uint *const warp = slots + id / 32 * 128;
    vstore4(ab, lane, warp);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint4 first = vload4(row, warp), second = vload4(row + 2, warp);
    const uint4 near = vload4(column, warp), next = vload4(column + 1, warp);
    const uint4 far = vload4(column + 16, warp), last = vload4(column + 17, warp);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return qn_mma_quad_sums((uint4)(first.x, first.y, second.x, second.y), (uint4)(near.z, near.w, next.z, next.w),
                            (uint4)(far.z, far.w, last.z, last.w), c);
}

//@ qn_mma_two_WAY WAY: sub; shfl
/* two words of each of two lanes */
uint4 qn_mma_two_WAY(uint2 v, uint first, uint second)
{
    const uint a = qn_mma_lane_WAY(v.x, first), b = qn_mma_lane_WAY(v.y, first);
    const uint c = qn_mma_lane_WAY(v.x, second), d = qn_mma_lane_WAY(v.y, second);
    return (uint4)(a, b, c, d);
}

//@ qn_mma_quads_WAY WAY: sub; shfl
/* the same as the _local one */
float8 qn_mma_quads_WAY(uint4 ab, float8 c)
{
    const uint lane = qn_linear_id() % 32, row = (lane & 28) + lane % 2, column = lane & 14;
    const uint4 rows = qn_mma_two_WAY(ab.lo, row, row + 2);
    const uint4 near = qn_mma_two_WAY(ab.hi, column, column + 1);
    const uint4 far = qn_mma_two_WAY(ab.hi, column + 16, column + 17);
    return qn_mma_quad_sums(rows, near, far, c);
}

//@ qn_mma_quads_ptx
/* NVIDIA; by shuffles on GPUs that have no such instruction */
float8 qn_mma_quads_ptx(uint4 ab, float8 c)
{
#if QN_SM >= 70
    float d0, d1, d2, d3, d4, d5, d6, d7;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
                 : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3), "=f"(d4), "=f"(d5), "=f"(d6), "=f"(d7)
                 : "r"(ab.s0), "r"(ab.s1), "r"(ab.s2), "r"(ab.s3), "f"(c.s0), "f"(c.s1), "f"(c.s2), "f"(c.s3),
                   "f"(c.s4), "f"(c.s5), "f"(c.s6), "f"(c.s7));
    return (float8)(d0, d1, d2, d3, d4, d5, d6, d7);
#else
    return qn_mma_quads_shfl(ab, c);
#endif
}

//@ qn_mma_lanes_local
/* the words of four lanes of the warp */
__attribute__((always_inline)) uint4 qn_mma_lanes_local(__local uint *slots, uint v, uint4 lanes)
{
    const uint id = qn_linear_id();
    const __local uint *const warp = slots + id / 32 * 32;
    slots[id] = v;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint4 words = (uint4)(warp[lanes.x], warp[lanes.y], warp[lanes.z], warp[lanes.w]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return words;
}

//@ qn_mma_lanes_WAY WAY: sub; shfl
/* the words of four lanes of the warp */
uint4 qn_mma_lanes_WAY(uint v, uint4 lanes)
{
    const uint a = qn_mma_lane_WAY(v, lanes.x), b = qn_mma_lane_WAY(v, lanes.y);
    const uint c = qn_mma_lane_WAY(v, lanes.z), d = qn_mma_lane_WAY(v, lanes.w);
    return (uint4)(a, b, c, d);
}

//@ qn_syncthreads_OP_ptx OP: and; or
/* NVIDIA */
int qn_syncthreads_OP_ptx(int predicate)
{
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.OP.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
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

//@ qn_f32_to_small
/* A float of 8 bits or fewer, the nearest, ties to even; what is too large becomes the largest. */
uint qn_f32_to_small(float v, uint digits, uint bias, uint largest, uint nan, uint sign)
{
    uint magnitude = as_uint(v) & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return nan;
    int exponent = (int)(magnitude >> 23) - 127 + (int)bias;
    int drop = exponent >= 1 ? 23 - (int)digits : 24 - (int)digits - exponent;
    uint result = 0;
    if (exponent > 31) {
        result = largest;
    } else if (drop <= 24) {
        uint mantissa = (magnitude & 0x7fffff) | 0x800000;
        uint low = mantissa & ((1u << drop) - 1), tie = 1u << (drop - 1);
        result = mantissa >> drop;
        if (exponent >= 1)
            result += (uint)(exponent - 1) << digits;
        result += low > tie || (low == tie && (result & 1));
    }
    return min(result, largest) | (as_uint(v) >> 31 ? sign : 0);
}

//@ qn_small_to_f32
/* Beyond the largest number are NaN and, right after it where two digits follow, infinity. */
float qn_small_to_f32(uint v, uint digits, uint bias, uint largest, uint sign)
{
    uint magnitude = v & (sign - 1), mantissa = magnitude & ((1u << digits) - 1);
    uint exponent = magnitude >> digits;
    float f = as_float((exponent - bias + 127) << 23 | mantissa << (23 - digits));
    if (exponent == 0)
        f = (float)mantissa * as_float((128 - bias - digits) << 23);
    if (magnitude > largest)
        f = digits == 2 && mantissa == 0 ? INFINITY : NAN;
    return v & sign ? -f : f;
}

//@ qn_print_blanks
void qn_print_blanks(int n)
{
    for (; n > 0; n--)
        printf(" ");
}

//@ qn_print_text_SPACE
/* %s; a width of less than zero: at the left; a precision of less: all of it */
void qn_print_text_SPACE(SPACE const void *from, int width, int precision)
{
    SPACE const uchar *text = (SPACE const uchar *)from;
    int n = 0;
    while (text && n != precision && text[n])
        n++;
    if (!text)
        n = 6;
    qn_print_blanks(width - n);
    if (!text)
        printf("(null)");
    for (int k = 0; text && k < n; k++)
        printf("%c", text[k]);
    qn_print_blanks(-width - n);
}

//@ qn_print_integer
/* how: the base, 0 for a character; 32 signed, 64 large letters, 128 '-', 256 '0', 512 '+', 1024 ' ', 2048 '#' */
void qn_print_integer(ulong value, int width, int precision, uint how)
{
    uint base = how & 31;
    bool negative = (how & 32) && (long)value < 0;
    ulong rest = negative ? 0 - value : value;
    uchar digits[24];
    int n = 0;
    for (; base && rest; rest /= base) {
        uint d = (uint)(rest % base);
        digits[n++] = (uchar)(d < 10 ? '0' + d : (how & 64 ? 'A' : 'a') + d - 10);
    }
    if (!base)
        digits[n++] = (uchar)value;
    int zeros = base ? max((precision < 0 ? 1 : precision) - n, 0) : 0;
    int sign = !(how & 32) ? 0 : negative ? '-' : how & 512 ? '+' : how & 1024 ? ' ' : 0;
    bool prefix = (how & 2048) && base == 16 && value;
    if ((how & 2048) && base == 8 && zeros == 0)
        zeros = 1;
    bool left = (how & 128) || width < 0;
    int blanks = (width < 0 ? -width : width) - n - zeros - (sign != 0) - 2 * prefix;
    if ((how & 256) && !left && precision < 0 && base) {
        zeros += max(blanks, 0);
        blanks = 0;
    }
    qn_print_blanks(left ? 0 : blanks);
    if (sign)
        printf("%c", sign);
    if (prefix)
        printf("0%c", how & 64 ? 'X' : 'x');
    for (; zeros > 0; zeros--)
        printf("0");
    for (int k = n; k > 0; k--)
        printf("%c", digits[k - 1]);
    qn_print_blanks(left ? blanks : 0);
}

//@ qn_print_KIND KIND: f; e; E; g; G
/* with a precision; of less than zero: none */
void qn_print_KIND(double v, int precision)
{
    if (precision < 0)
        precision = 6;
    switch (precision) {
    case 0: printf("%.0KIND", v); break;
    case 1: printf("%.1KIND", v); break;
    case 2: printf("%.2KIND", v); break;
    case 3: printf("%.3KIND", v); break;
    case 4: printf("%.4KIND", v); break;
    case 5: printf("%.5KIND", v); break;
    case 6: printf("%.6KIND", v); break;
    case 7: printf("%.7KIND", v); break;
    case 8: printf("%.8KIND", v); break;
    case 9: printf("%.9KIND", v); break;
    case 10: printf("%.10KIND", v); break;
    case 11: printf("%.11KIND", v); break;
    case 12: printf("%.12KIND", v); break;
    case 13: printf("%.13KIND", v); break;
    case 14: printf("%.14KIND", v); break;
    case 15: printf("%.15KIND", v); break;
    case 16: printf("%.16KIND", v); break;
    case 17: printf("%.17KIND", v); break;
    case 18: printf("%.18KIND", v); break;
    case 19: printf("%.19KIND", v); break;
    case 20: printf("%.20KIND", v); break;
    case 21: printf("%.21KIND", v); break;
    case 22: printf("%.22KIND", v); break;
    case 23: printf("%.23KIND", v); break;
    case 24: printf("%.24KIND", v); break;
    case 25: printf("%.25KIND", v); break;
    case 26: printf("%.26KIND", v); break;
    case 27: printf("%.27KIND", v); break;
    case 28: printf("%.28KIND", v); break;
    case 29: printf("%.29KIND", v); break;
    case 30: printf("%.30KIND", v); break;
    case 31: printf("%.31KIND", v); break;
    default: printf("%.32KIND", v); break;
    }
}
