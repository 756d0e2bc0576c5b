#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

typedef float __attribute__((may_alias)) qn_alias_float;

__constant int const__table0[8] = {2139095040, -8388608, 2143289344, 2139095041, -2147483648, 0, 1, -2143289344};

/* bits in reverse order */
uint qn_brev_u32(uint x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return as_uint(as_uchar4(x).wzyx);
}

/* the zeros below the lowest one of x; of 0 as many as x has bits */
int qn_ctz_u32(uint x)
{
    return (int)popcount(~x & (x - 1));
}

/* the zeros below the lowest one of x; of 0 as many as x has bits */
long qn_ctz_u64(ulong x)
{
    return (long)popcount(~x & (x - 1));
}

/* abs(x), which is x itself for the smallest number */
int qn_abs_i32(int x)
{
    return x < 0 ? (int)-(uint)x : x;
}

/* the fraction of frexp */
float qn_frexp_f32(float x)
{
    int exponent;
    return frexp(x, &exponent);
}

/* the exponent of frexp; 0 for 0, infinity and NaN */
int qn_frexp_exponent_f32(float x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

/* the exponent of frexp; 0 for 0, infinity and NaN */
int qn_frexp_exponent_f64(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return isfinite(x) ? exponent : 0;
}

/* the fraction of frexp */
double qn_frexp_f64(double x)
{
    int exponent;
    return frexp(x, &exponent);
}

/* float to long as the hardware casts it: the nearest one, and for NaN the top bit */
long qn_to_long_f32(float x)
{
    return isnan(x) ? LONG_MIN : convert_long_sat(x);
}

/* rint, which PoCL 3.1 gets wrong for a constant beyond int or NaN */
float qn_rint_f32(float x)
{
    return fabs(x) < 0x1p23f ? rint(x) : x;
}

/* double to long as the hardware casts it: the nearest one, and for NaN the top bit */
long qn_to_long_f64(double x)
{
    return isnan(x) ? LONG_MIN : convert_long_sat(x);
}

/* rint, which PoCL 3.1 gets wrong for a constant beyond int or NaN */
double qn_rint_f64(double x)
{
    return fabs(x) < 0x1p52 ? rint(x) : x;
}

/* run, plain_intrinsics.cu:148 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_local_id(0);
    bool condition = (i & 1) != 0;
    int a = (uint)in[i] * (condition ? 70000003 : 1);
    int b = (uint)in[i ^ 5] * ((i & 2) != 0 ? -5000011 : 3);
    long t = (long)a * b;
    bool condition_1 = (i & 4) != 0;
    long v = (ulong)t + (condition_1 ? 9223372032559808512l : 0l);
    long w = t * 77773ul;
    int special[8];
    for (uint qn_k = 0; qn_k < 8; qn_k++)
        special[qn_k] = const__table0[qn_k];
    float x = (float)a / 64.0f;
    if (i % 3 == 0)
        x = *(qn_alias_float *)&special[(i / 3) & 7];
    float z = condition_1 ? -0.0f : (float)b / 128.0f;
    /* plain_intrinsics.cu:17-25 */
    ushort t_1 = (ushort)(short)(((short)a & 255) << 8) | ((ushort)(short)a >> 8);
    uint t_2 = ((a & 0xffff) << 16) | ((uint)a >> 16);
    ulong t_3 = ((v & 0xffffffffl) << 32) | ((ulong)v >> 32);
    ulong t_4 = ((t_3 & 0xffff0000fffful) << 16) | ((t_3 >> 16) & 0xffff0000fffful);
    ulong t_5 = ((t_4 & 0xff00ff00ff00fful) << 8) | ((t_4 >> 8) & 0xff00ff00ff00fful);
    ulong t_6 = t_1 + (((t_2 & 0xff00ff) << 8) | ((t_2 >> 8) & 0xff00ff)) + t_5;
    uint h = (1 ^ (uint)t_6 ^ (uint)(t_6 >> 32)) * 16777619 + 1;
    uchar t_7 = (uchar)(char)(((char)a & 15) << 4) | ((uchar)(char)a >> 4);
    uchar t_8 = (uchar)((t_7 & 51) << 2) | ((t_7 >> 2) & 51);
    ushort t_9 = (ushort)((t_1 & 0xf0f) << 4) | ((t_1 >> 4) & 0xf0f);
    ushort t_10 = (ushort)((t_9 & 0x3333) << 2) | ((t_9 >> 2) & 0x3333);
    int t_11 = ((uchar)((t_8 & 85) << 1) | ((t_8 >> 1) & 85)) + ((ushort)((t_10 & 0x5555) << 1)
        | ((t_10 >> 1) & 0x5555));
    h = (h ^ t_11 ^ (uint)((ulong)t_11 >> 32)) * 16777619 + 1;
    ulong t_12 = ((t_5 & 0xf0f0f0f0f0f0f0ful) << 4) | ((t_5 >> 4) & 0xf0f0f0f0f0f0f0ful);
    ulong t_13 = ((t_12 & 0x3333333333333333ul) << 2) | ((t_12 >> 2) & 0x3333333333333333ul);
    ulong t_14 = qn_brev_u32((uint)a) + (((t_13 & 0x5555555555555555ul) << 1) | ((t_13 >> 1)
        & 0x5555555555555555ul));
    h = (h ^ (uint)t_14 ^ (uint)(t_14 >> 32)) * 16777619 + 1;
    char t_15 = (char)b & 7;
    ushort t_16 = (short)b & 15;
    int t_17 = ((uchar)(char)((char)a << t_15) | (((uchar)(char)a >> 1) >> (t_15 ^ 7)))
        + ((ushort)(short)((short)((short)a << 1) << (t_16 ^ 15)) | ((ushort)(short)a >> t_16));
    h = (h ^ t_17 ^ (uint)((ulong)t_17 >> 32)) * 16777619 + 1;
    ulong t_18 = rotate((uint)a, (uint)b) + rotate((ulong)v, -(ulong)(uint)b);
    h = (h ^ (uint)t_18 ^ (uint)(t_18 >> 32)) * 16777619 + 1;
    uint result = popcount((uint)a);
    int t_19 = result + (uint)popcount((ulong)v) + (result & 1);
    h = (h ^ t_19 ^ (uint)((ulong)t_19 >> 32)) * 16777619 + 1;
    int t_20 = a | 1;
    long t_21 = v | 1;
    int t_22 = clz((uint)t_20) + (uint)clz((ulong)t_21) + qn_ctz_u32((uint)(a | 0x100));
    h = (h ^ t_22 ^ (uint)((ulong)t_22 >> 32)) * 16777619 + 1;
    int t_23 = (int)qn_ctz_u64((ulong)(v | 0x400)) + (a == 0 ? 0 : qn_ctz_u32((uint)a) + 1u)
        + (uint)(v == 0 ? 0 : qn_ctz_u64((ulong)v) + 1ul);
    h = (h ^ t_23 ^ (uint)((ulong)t_23 >> 32)) * 16777619 + 1;
    int t_24 = clz((uint)(a < 0 ? ~a : a)) - 1 + (uint)(clz((ulong)(v < 0 ? ~v : v)) - 1)
        + clz((ushort)(ushort)(short)t_20);
    h = (h ^ t_24 ^ (uint)((ulong)t_24 >> 32)) * 16777619 + 1;
    /* plain_intrinsics.cu:158-165 */
    out[i] = h;
    /* plain_intrinsics.cu:37-52 */
    uint t_25 = (uint)a + b;
    bool condition_2 = (int)((a ^ t_25) & (b ^ t_25)) < 0;
    uint h_1 = (2 ^ (uint)(ulong)condition_2 ^ (uint)((ulong)condition_2 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ t_25 ^ (uint)((ulong)(int)t_25 >> 32)) * 16777619 + 1;
    uint t_26 = (uint)a - b;
    int t_27 = a ^ b;
    bool condition_3 = (int)(t_27 & (a ^ t_26)) < 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_3 ^ (uint)((ulong)condition_3 >> 32)) * 16777619 + 1;
    ulong t_28 = (ulong)(int)t_26 >> 32;
    h_1 = (h_1 ^ t_26 ^ (uint)t_28) * 16777619 + 1;
    uint t_29 = (uint)a * b;
    bool condition_4 = (uint)((ulong)t >> 32) != (int)t_29 >> 31;
    h_1 = (h_1 ^ (uint)(ulong)condition_4 ^ (uint)((ulong)condition_4 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ t_29 ^ (uint)((ulong)(int)t_29 >> 32)) * 16777619 + 1;
    bool condition_5 = t_25 < a;
    h_1 = (h_1 ^ (uint)(ulong)condition_5 ^ (uint)((ulong)condition_5 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ t_25 ^ (uint)((ulong)t_25 >> 32)) * 16777619 + 1;
    bool condition_6 = (uint)a < (uint)b;
    h_1 = (h_1 ^ (uint)(ulong)condition_6 ^ (uint)((ulong)condition_6 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ t_26 ^ (uint)((ulong)t_26 >> 32)) * 16777619 + 1;
    bool condition_7 = (uint)(((ulong)(uint)a * (uint)b) >> 32) != 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_7 ^ (uint)((ulong)condition_7 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ t_29 ^ (uint)((ulong)t_29 >> 32)) * 16777619 + 1;
    ulong t_30 = (ulong)v + w;
    bool condition_8 = (long)((v ^ t_30) & (w ^ t_30)) < 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_8 ^ (uint)((ulong)condition_8 >> 32)) * 16777619 + 1;
    ulong t_31 = t_30 >> 32;
    h_1 = (h_1 ^ (uint)t_30 ^ (uint)t_31) * 16777619 + 1;
    ulong t_32 = (ulong)v - w;
    bool condition_9 = (long)((v ^ w) & (v ^ t_32)) < 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_9 ^ (uint)((ulong)condition_9 >> 32)) * 16777619 + 1;
    ulong t_33 = t_32 >> 32;
    h_1 = (h_1 ^ (uint)t_32 ^ (uint)t_33) * 16777619 + 1;
    ulong t_34 = (ulong)v * w;
    bool condition_10 = mul_hi(v, w) != (long)t_34 >> 63;
    h_1 = (h_1 ^ (uint)(ulong)condition_10 ^ (uint)((ulong)condition_10 >> 32)) * 16777619 + 1;
    ulong t_35 = t_34 >> 32;
    h_1 = (h_1 ^ (uint)t_34 ^ (uint)t_35) * 16777619 + 1;
    bool condition_11 = t_30 < v;
    h_1 = (h_1 ^ (uint)(ulong)condition_11 ^ (uint)((ulong)condition_11 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_30 ^ (uint)t_31) * 16777619 + 1;
    bool condition_12 = (ulong)v < (ulong)w;
    h_1 = (h_1 ^ (uint)(ulong)condition_12 ^ (uint)((ulong)condition_12 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_32 ^ (uint)t_33) * 16777619 + 1;
    bool condition_13 = mul_hi((ulong)v, (ulong)w) != 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_13 ^ (uint)((ulong)condition_13 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_34 ^ (uint)t_35) * 16777619 + 1;
    ushort t_36 = (short)((short)a + (short)b);
    bool condition_14 = (short)(((ushort)(short)a ^ t_36) & ((ushort)(short)b ^ t_36)) < 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_14 ^ (uint)((ulong)condition_14 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_36 ^ (uint)((ulong)t_36 >> 32)) * 16777619 + 1;
    uchar t_37 = (char)((char)a * (char)b);
    bool condition_15 = (uchar)(((ulong)(uchar)a * (uchar)b) >> 8) != 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_15 ^ (uint)((ulong)condition_15 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_37 ^ (uint)((ulong)t_37 >> 32)) * 16777619 + 1;
    uchar t_38 = (char)((char)a - (char)b);
    bool condition_16 = (uchar)(char)a < (uchar)(char)b;
    h_1 = (h_1 ^ (uint)(ulong)condition_16 ^ (uint)((ulong)condition_16 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_38 ^ (uint)((ulong)t_38 >> 32)) * 16777619 + 1;
    ulong t_39 = a + (ulong)(uint)b;
    bool condition_17 = (long)((a ^ t_39) & ((uint)b ^ t_39)) < 0;
    h_1 = (h_1 ^ (uint)(ulong)condition_17 ^ (uint)((ulong)condition_17 >> 32)) * 16777619 + 1;
    h_1 = (h_1 ^ (uint)t_39 ^ (uint)(t_39 >> 32)) * 16777619 + 1;
    /* plain_intrinsics.cu:159-165 */
    out[32 + i] = h_1;
    /* plain_intrinsics.cu:59-67 */
    int result_1 = add_sat(a, b);
    uint h_2 = (3 ^ result_1 ^ (uint)((ulong)result_1 >> 32)) * 16777619 + 1;
    int result_2 = sub_sat(a, b);
    h_2 = (h_2 ^ result_2 ^ (uint)((ulong)result_2 >> 32)) * 16777619 + 1;
    uint result_3 = add_sat((uint)a, (uint)b);
    h_2 = (h_2 ^ result_3 ^ (uint)((ulong)result_3 >> 32)) * 16777619 + 1;
    uint result_4 = sub_sat((uint)a, (uint)b);
    h_2 = (h_2 ^ result_4 ^ (uint)((ulong)result_4 >> 32)) * 16777619 + 1;
    int result_5 = add_sat((int)(uchar)a, (int)(uchar)b);
    h_2 = (h_2 ^ (uint)(uchar)result_5 ^ (uint)((ulong)(uchar)result_5 >> 32)) * 16777619 + 1;
    int result_6 = sub_sat((int)(short)a, (int)(short)b);
    h_2 = (h_2 ^ (uint)(ushort)result_6 ^ (uint)((ulong)(ushort)result_6 >> 32)) * 16777619 + 1;
    long result_7 = add_sat(v, w);
    h_2 = (h_2 ^ (int)result_7 ^ (uint)((ulong)result_7 >> 32)) * 16777619 + 1;
    long result_8 = sub_sat(v, w);
    h_2 = (h_2 ^ (int)result_8 ^ (uint)((ulong)result_8 >> 32)) * 16777619 + 1;
    int result_9 = max(a, b);
    uint t_40 = result_9 + min((uint)a, (uint)b);
    h_2 = (h_2 ^ t_40 ^ (uint)((ulong)t_40 >> 32)) * 16777619 + 1;
    uint t_41 = (uint)qn_abs_i32(b) + max((int)(short)a, (int)(short)b);
    h_2 = (h_2 ^ t_41 ^ (uint)((ulong)(int)t_41 >> 32)) * 16777619 + 1;
    long t_42 = qn_abs_i32(t_20) + abs(t_21);
    h_2 = (h_2 ^ (int)t_42 ^ (uint)((ulong)t_42 >> 32)) * 16777619 + 1;
    /* plain_intrinsics.cu:160-165 */
    out[64 + i] = h_2;
    double t_43 = condition ? (double)x : 1e-310;
    /* plain_intrinsics.cu:74-80 */
    uint t_44 = as_int(x) & 0x7fffffff;
    bool condition_18 = t_44 - 2139095041 < 0x3fffff;
    bool condition_19 = t_44 - 0x7fc00000 < 0x400000;
    bool condition_20 = t_44 - 0x7f800000 < 1;
    bool condition_21 = t_44 - 0x800000 < 0x7f000000;
    bool condition_22 = t_44 - 1 < 0x7fffff;
    bool condition_23 = t_44 < 1;
    bool t_45 = condition_21 || condition_22 || condition_23;
    int t_46 = (condition_18 || condition_19) + 2 * condition_20 + 4 * t_45;
    uint h_3 = (4 ^ t_46 ^ (uint)((ulong)t_46 >> 32)) * 16777619 + 1;
    bool condition_24 = as_int(x) < 0;
    int t_47 = condition_21 + 2 * condition_24 + 4 * (fabs(x) == INFINITY ? condition_24 ? -1 : 1
        : 0);
    h_3 = (h_3 ^ t_47 ^ (uint)((ulong)t_47 >> 32)) * 16777619 + 1;
    int t_48 = condition_18 + 2 * condition_19;
    h_3 = (h_3 ^ t_48 ^ (uint)((ulong)t_48 >> 32)) * 16777619 + 1;
    int t_49 = (condition_20 && condition_24) + 2 * (condition_21 && condition_24 || condition_22
        && condition_24 || condition_23 && as_int(x) >= 0);
    h_3 = (h_3 ^ t_49 ^ (uint)((ulong)t_49 >> 32)) * 16777619 + 1;
    ulong t_50 = as_long(t_43) & 0x7fffffffffffffffl;
    bool condition_25 = t_50 - 0x7ff0000000000000ul < 1;
    bool condition_26 = as_long(t_43) >= 0;
    bool condition_27 = t_50 - 0x10000000000000ul < 0x7fe0000000000000ul;
    bool condition_28 = t_50 - 1 < 0xffffffffffffful;
    int t_51 = (condition_25 && condition_26 || condition_27 && condition_26 || condition_28
        && condition_26 || t_50 < 1 && condition_26) + 2 * condition_28;
    h_3 = (h_3 ^ t_51 ^ (uint)((ulong)t_51 >> 32)) * 16777619 + 1;
    int t_52 = (t_50 - 9218868437227405313ul < 0x7fffffffffffful || t_50 - 0x7ff8000000000000ul
        < 0x8000000000000ul) + 2 * condition_25 + 4 * condition_27;
    h_3 = (h_3 ^ t_52 ^ (uint)((ulong)t_52 >> 32)) * 16777619 + 1;
    int t_53 = (x > 1.0f) + 2 * isnan(x);
    h_3 = (h_3 ^ t_53 ^ (uint)((ulong)t_53 >> 32)) * 16777619 + 1;
    /* plain_intrinsics.cu:161-165 */
    out[96 + i] = h_3;
    double t_54 = (double)b * 0.37;
    /* plain_intrinsics.cu:93-106 */
    float result_10 = copysign(x, z);
    uint t_55 = result_10 != result_10 ? 2143289344 : as_int(result_10);
    uint h_4 = (5 ^ t_55 ^ (uint)((ulong)t_55 >> 32)) * 16777619 + 1;
    float result_11 = fabs(x);
    uint t_56 = result_11 != result_11 ? 2143289344 : as_int(result_11);
    h_4 = (h_4 ^ t_56 ^ (uint)((ulong)t_56 >> 32)) * 16777619 + 1;
    float result_12 = floor(x);
    uint t_57 = result_12 != result_12 ? 2143289344 : as_int(result_12);
    h_4 = (h_4 ^ t_57 ^ (uint)((ulong)t_57 >> 32)) * 16777619 + 1;
    float result_13 = ceil(x);
    uint t_58 = result_13 != result_13 ? 2143289344 : as_int(result_13);
    h_4 = (h_4 ^ t_58 ^ (uint)((ulong)t_58 >> 32)) * 16777619 + 1;
    float result_14 = trunc(x);
    uint t_59 = result_14 != result_14 ? 2143289344 : as_int(result_14);
    h_4 = (h_4 ^ t_59 ^ (uint)((ulong)t_59 >> 32)) * 16777619 + 1;
    float result_15 = rint(x);
    uint t_60 = result_15 != result_15 ? 2143289344 : as_int(result_15);
    h_4 = (h_4 ^ t_60 ^ (uint)((ulong)t_60 >> 32)) * 16777619 + 1;
    float result_16 = rint(x);
    uint t_61 = result_16 != result_16 ? 2143289344 : as_int(result_16);
    h_4 = (h_4 ^ t_61 ^ (uint)((ulong)t_61 >> 32)) * 16777619 + 1;
    float result_17 = round(x);
    uint t_62 = result_17 != result_17 ? 2143289344 : as_int(result_17);
    h_4 = (h_4 ^ t_62 ^ (uint)((ulong)t_62 >> 32)) * 16777619 + 1;
    float result_18 = rint(x);
    uint t_63 = result_18 != result_18 ? 2143289344 : as_int(result_18);
    h_4 = (h_4 ^ t_63 ^ (uint)((ulong)t_63 >> 32)) * 16777619 + 1;
    float result_19 = fma(x, z, 3.0f);
    uint t_64 = result_19 != result_19 ? 2143289344 : as_int(result_19);
    h_4 = (h_4 ^ t_64 ^ (uint)((ulong)t_64 >> 32)) * 16777619 + 1;
    float t_65 = fmin(x, z) + 0.0f;
    uint t_66 = t_65 != t_65 ? 2143289344 : as_int(t_65);
    h_4 = (h_4 ^ t_66 ^ (uint)((ulong)t_66 >> 32)) * 16777619 + 1;
    float t_67 = fmax(x, z) + 0.0f;
    uint t_68 = t_67 != t_67 ? 2143289344 : as_int(t_67);
    h_4 = (h_4 ^ t_68 ^ (uint)((ulong)t_68 >> 32)) * 16777619 + 1;
    float t_69 = (float)ldexp(t_54, 5);
    uint t_70 = t_69 != t_69 ? 2143289344 : as_int(t_69);
    h_4 = (h_4 ^ t_70 ^ (uint)((ulong)t_70 >> 32)) * 16777619 + 1;
    float result_20 = ldexp(z, -2);
    uint t_71 = result_20 != result_20 ? 2143289344 : as_int(result_20);
    h_4 = (h_4 ^ t_71 ^ (uint)((ulong)t_71 >> 32)) * 16777619 + 1;
    float t_72 = (float)ldexp(t_54, (int)min(max(5l, -5000l), 5000l));
    uint t_73 = t_72 != t_72 ? 2143289344 : as_int(t_72);
    h_4 = (h_4 ^ t_73 ^ (uint)((ulong)t_73 >> 32)) * 16777619 + 1;
    float result_21 = ldexp(z, (int)min(max(-2l, -5000l), 5000l));
    uint t_74 = result_21 != result_21 ? 2143289344 : as_int(result_21);
    h_4 = (h_4 ^ t_74 ^ (uint)((ulong)t_74 >> 32)) * 16777619 + 1;
    float result_22 = ldexp(z, 3);
    uint t_75 = result_22 != result_22 ? 2143289344 : as_int(result_22);
    h_4 = (h_4 ^ t_75 ^ (uint)((ulong)t_75 >> 32)) * 16777619 + 1;
    float result_23 = sqrt(z * z);
    uint t_76 = result_23 != result_23 ? 2143289344 : as_int(result_23);
    h_4 = (h_4 ^ t_76 ^ (uint)((ulong)t_76 >> 32)) * 16777619 + 1;
    if (t_45) {
        float result_28 = qn_frexp_f32(x);
        int result_29 = qn_frexp_exponent_f32(x);
        uint t_92 = result_28 != result_28 ? 2143289344 : as_int(result_28);
        h_4 = (h_4 ^ t_92 ^ (uint)((ulong)t_92 >> 32)) * 16777619 + 1;
        h_4 = (h_4 ^ result_29 ^ (uint)((ulong)result_29 >> 32)) * 16777619 + 1;
        int result_30 = qn_frexp_exponent_f64(t_54);
        float t_93 = (float)qn_frexp_f64(t_54);
        uint t_94 = t_93 != t_93 ? 2143289344 : as_int(t_93);
        h_4 = (h_4 ^ t_94 ^ (uint)((ulong)t_94 >> 32)) * 16777619 + 1;
        h_4 = (h_4 ^ result_30 ^ (uint)((ulong)result_30 >> 32)) * 16777619 + 1;
        long t_95 = qn_to_long_f32(qn_rint_f32(x)) + qn_to_long_f64(qn_rint_f64(t_54));
        h_4 = (h_4 ^ (int)t_95 ^ (uint)((ulong)t_95 >> 32)) * 16777619 + 1;
        long t_96 = qn_to_long_f32(round(x)) + qn_to_long_f64(round(t_54));
        h_4 = (h_4 ^ (int)t_96 ^ (uint)((ulong)t_96 >> 32)) * 16777619 + 1;
    }
    h_4 = (h_4 ^ 1) * 16777619 + 1;
    /* plain_intrinsics.cu:162-165 */
    out[128 + i] = h_4;
    float t_77 = (float)b / 3.0f;
    /* plain_intrinsics.cu:115-124 */
    int4 v_1 = (int4)(a, b, t_27, t_26);
    float4 f = (float4)(t_77, 2.0f, 3.0f, 0.5f);
    uint t_78 = t_25 + t_27 + t_26;
    uint h_5 = (6 ^ t_78 ^ (uint)((ulong)(int)t_78 >> 32)) * 16777619 + 1;
    uint t_79 = (uint)b * b * 7 * 8;
    h_5 = (h_5 ^ t_79 ^ (uint)((ulong)(int)t_79 >> 32)) * 16777619 + 1;
    int result_24 = max(max(result_9, t_27), (int)t_26);
    h_5 = (h_5 ^ result_24 ^ (uint)((ulong)result_24 >> 32)) * 16777619 + 1;
    int result_25 = min(min(min(a, b), t_27), (int)t_26);
    h_5 = (h_5 ^ result_25 ^ (uint)((ulong)result_25 >> 32)) * 16777619 + 1;
    h_5 = (h_5 ^ t_26 ^ (uint)t_28) * 16777619 + 1;
    int t_80 = a | b | t_26;
    h_5 = (h_5 ^ t_80 ^ (uint)((ulong)t_80 >> 32)) * 16777619 + 1;
    h_5 = h_5 * 16777619 + 1;
    float result_26 = fmax(fmax(fmax(t_77, 2.0f), 3.0f), 0.5f);
    uint t_81 = result_26 != result_26 ? 2143289344 : as_int(result_26);
    h_5 = (h_5 ^ t_81 ^ (uint)((ulong)t_81 >> 32)) * 16777619 + 1;
    float result_27 = fmin(fmin(fmin(t_77, 2.0f), 3.0f), 0.5f);
    uint t_82 = result_27 != result_27 ? 2143289344 : as_int(result_27);
    h_5 = (h_5 ^ t_82 ^ (uint)((ulong)t_82 >> 32)) * 16777619 + 1;
    int4 t_83 = as_int4(as_uint4((v_1 & 65535) << (int4)(16)) | (as_uint4(v_1) >> (int4)(16)));
    int4 t_84 = as_int4(as_uint4((t_83 & 16711935) << (int4)(8)) | ((as_uint4(t_83) >> (int4)(8))
        & as_uint4((int4)(16711935))));
    int4 t_85 = as_int4(as_uint4((t_84 & 252645135) << (int4)(4)) | ((as_uint4(t_84) >> (int4)(4))
        & as_uint4((int4)(252645135))));
    int4 t_86 = as_int4(as_uint4((t_85 & 858993459) << (int4)(2)) | ((as_uint4(t_85) >> (int4)(2))
        & as_uint4((int4)(858993459))));
    v_1 = as_int4(as_uint4(max(v_1, (int4)(b, b, 7, 8))) + (as_uint4((t_86 & 1431655765)
        << (int4)(1)) | ((as_uint4(t_86) >> (int4)(1)) & as_uint4((int4)(1431655765)))));
    f = floor(f) + fabs(f);
    uint t_87 = (uint)v_1.x + v_1.y + v_1.z + v_1.w;
    h_5 = (h_5 ^ t_87 ^ (uint)((ulong)(int)t_87 >> 32)) * 16777619 + 1;
    uint t_88 = f.y != f.y ? 2143289344 : as_int(f.y);
    h_5 = (h_5 ^ t_88 ^ (uint)((ulong)t_88 >> 32)) * 16777619 + 1;
    /* plain_intrinsics.cu:163-165 */
    out[160 + i] = h_5;
    int own = (uint)i + n;
    int t_89 = in[i] & 0x3ff;
    int copy[4];
    /* plain_intrinsics.cu:135-138 */
    for (uint qn_k = 0; qn_k < 4; qn_k++)
        copy[qn_k] = in[qn_k];
    int t_90 = t_89 & 7;
    uint t_91 = (uint)*(volatile int *)&copy[t_89 & 3] +
        *(__global const int *)&((__global const uchar *)&in[t_90]
        + 3)[-((ulong)((__global const uchar *)&in[t_90] + 3) & 3)];
    uint h_6 = (7 ^ t_91 ^ (uint)((ulong)(int)t_91 >> 32)) * 16777619 + 1;
    int value = *(__global const int *)&((__global const uchar *)&in[t_90] - 3)[3 +
        -((ulong)((__global const uchar *)&in[t_90] - 3 + 3) & 3)];
    h_6 = (h_6 ^ value ^ (uint)((ulong)value >> 32)) * 16777619 + 1;
    if ((ulong)(t_89 > 3) != 0) {
        if ((ulong)(t_89 < 900) != 0)
            h_6 = (h_6 ^ own ^ (uint)((ulong)own >> 32)) * 16777619 + 1;
    }
    h_6 = (h_6 ^ 1) * 16777619 + 1;
    /* plain_intrinsics.cu:165 */
    out[192 + i] = h_6;
}
