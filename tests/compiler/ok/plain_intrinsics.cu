// What clang makes of plain C++ and of its __builtin_ functions: one intrinsic of LLVM's or more each.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned long long u64;
typedef long long i64;
typedef int int4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));

static __device__ unsigned mix(unsigned h, u64 v)
{
    return (h ^ (unsigned)v ^ (unsigned)(v >> 32)) * 16777619u + 1;
}

static __device__ unsigned bits(unsigned a, unsigned b, u64 w)
{
    unsigned h = 1;
    h = mix(h, __builtin_bswap16((u16)a) + __builtin_bswap32(a) + __builtin_bswap64(w));
    h = mix(h, __builtin_bitreverse8((u8)a) + __builtin_bitreverse16((u16)a));
    h = mix(h, __builtin_bitreverse32(a) + __builtin_bitreverse64(w));
    h = mix(h, __builtin_rotateleft8((u8)a, (u8)b) + __builtin_rotateright16((u16)a, (u16)b));
    h = mix(h, __builtin_rotateleft32(a, b) + __builtin_rotateright64(w, b));
    h = mix(h, __builtin_popcount(a) + __builtin_popcountll(w) + __builtin_parity(a));
    h = mix(h, __builtin_clz(a | 1) + __builtin_clzll(w | 1) + __builtin_ctz(a | 256));
    h = mix(h, __builtin_ctzll(w | 1024) + __builtin_ffs((int)a) + __builtin_ffsll((i64)w));
    h = mix(h, __builtin_clrsb((int)a) + __builtin_clrsbll((i64)w) + __builtin_clzs((u16)(a | 1)));
    return h;
}

static __device__ unsigned checked(int a, int b, i64 v, i64 w)
{
    unsigned h = 2, u;
    int i;
    i64 l;
    u64 m;
    short s;
    unsigned char c;
    h = mix(h, __builtin_sadd_overflow(a, b, &i)), h = mix(h, i);
    h = mix(h, __builtin_ssub_overflow(a, b, &i)), h = mix(h, i);
    h = mix(h, __builtin_smul_overflow(a, b, &i)), h = mix(h, i);
    h = mix(h, __builtin_uadd_overflow(a, b, &u)), h = mix(h, u);
    h = mix(h, __builtin_usub_overflow(a, b, &u)), h = mix(h, u);
    h = mix(h, __builtin_umul_overflow(a, b, &u)), h = mix(h, u);
    h = mix(h, __builtin_saddll_overflow(v, w, &l)), h = mix(h, l);
    h = mix(h, __builtin_ssubll_overflow(v, w, &l)), h = mix(h, l);
    h = mix(h, __builtin_smulll_overflow(v, w, &l)), h = mix(h, l);
    h = mix(h, __builtin_uaddll_overflow(v, w, &m)), h = mix(h, m);
    h = mix(h, __builtin_usubll_overflow(v, w, &m)), h = mix(h, m);
    h = mix(h, __builtin_umulll_overflow(v, w, &m)), h = mix(h, m);
    h = mix(h, __builtin_add_overflow((short)a, (short)b, &s)), h = mix(h, (u16)s);
    h = mix(h, __builtin_mul_overflow((u8)a, (u8)b, &c)), h = mix(h, c);
    h = mix(h, __builtin_sub_overflow((u8)a, (u8)b, &c)), h = mix(h, c);
    h = mix(h, __builtin_add_overflow(a, (unsigned)b, &l)), h = mix(h, l);
    return h;
}

static __device__ unsigned saturated(int a, int b, i64 v, i64 w)
{
    unsigned h = 3;
    h = mix(h, __builtin_elementwise_add_sat(a, b)), h = mix(h, __builtin_elementwise_sub_sat(a, b));
    h = mix(h, __builtin_elementwise_add_sat((unsigned)a, (unsigned)b));
    h = mix(h, __builtin_elementwise_sub_sat((unsigned)a, (unsigned)b));
    h = mix(h, (u8)__builtin_elementwise_add_sat((u8)a, (u8)b));
    h = mix(h, (u16)__builtin_elementwise_sub_sat((short)a, (short)b));
    h = mix(h, __builtin_elementwise_add_sat(v, w)), h = mix(h, __builtin_elementwise_sub_sat(v, w));
    h = mix(h, __builtin_elementwise_max(a, b) + __builtin_elementwise_min((unsigned)a, (unsigned)b));
    h = mix(h, __builtin_elementwise_abs(b) + __builtin_elementwise_max((short)a, (short)b));
    h = mix(h, __builtin_abs(a | 1) + __builtin_llabs(v | 1));
    return h;
}

static __device__ unsigned kind_of(float x, double y)
{
    unsigned h = 4;
    h = mix(h, __builtin_isnan(x) + 2 * __builtin_isinf(x) + 4 * __builtin_isfinite(x));
    h = mix(h, __builtin_isnormal(x) + 2 * !!__builtin_signbit(x) + 4 * __builtin_isinf_sign(x));
    h = mix(h, __builtin_isfpclass(x, 0x1) + 2 * __builtin_isfpclass(x, 0x2));
    h = mix(h, __builtin_isfpclass(x, 0x4) + 2 * __builtin_isfpclass(x, 0x58));
    h = mix(h, __builtin_isfpclass(y, 0x3c0) + 2 * __builtin_isfpclass(y, 0x90));
    h = mix(h, __builtin_isnan(y) + 2 * __builtin_isinf(y) + 4 * __builtin_isnormal(y));
    h = mix(h, __builtin_isgreater(x, 1.0f) + 2 * __builtin_isunordered(x, 1.0f));
    return h;
}

static __device__ unsigned as_bits(float x)
{
    return x != x ? 0x7fc00000u : __builtin_bit_cast(unsigned, x);
}

static __device__ unsigned floats(float x, float z, double y)
{
    unsigned h = 5;
    int e;
    h = mix(h, as_bits(__builtin_copysignf(x, z))), h = mix(h, as_bits(__builtin_fabsf(x)));
    h = mix(h, as_bits(__builtin_floorf(x))), h = mix(h, as_bits(__builtin_ceilf(x)));
    h = mix(h, as_bits(__builtin_truncf(x))), h = mix(h, as_bits(__builtin_rintf(x)));
    h = mix(h, as_bits(__builtin_nearbyintf(x))), h = mix(h, as_bits(__builtin_roundf(x)));
    h = mix(h, as_bits(__builtin_roundevenf(x))), h = mix(h, as_bits(__builtin_fmaf(x, z, 3)));
    h = mix(h, as_bits(__builtin_fminf(x, z) + 0.0f)), h = mix(h, as_bits(__builtin_fmaxf(x, z) + 0.0f));
    h = mix(h, as_bits((float)__builtin_scalbn(y, 5))), h = mix(h, as_bits(__builtin_scalbnf(z, -2)));
    h = mix(h, as_bits((float)__builtin_scalbln(y, 5))), h = mix(h, as_bits(__builtin_scalblnf(z, -2)));
    h = mix(h, as_bits(__builtin_ldexpf(z, 3))), h = mix(h, as_bits(__builtin_sqrtf(z * z)));
    if (__builtin_isfinite(x)) {
        h = mix(h, as_bits(__builtin_frexpf(x, &e))), h = mix(h, e);
        h = mix(h, as_bits((float)__builtin_frexp(y, &e))), h = mix(h, e);
        h = mix(h, __builtin_lrintf(x) + __builtin_llrint(y));
        h = mix(h, __builtin_lroundf(x) + __builtin_llround(y));
    }
    h = mix(h, __builtin_flt_rounds());
    return h;
}

static __device__ unsigned vectors(int a, int b, float x)
{
    unsigned h = 6;
    int4v v = {a, b, a ^ b, a - b}, w = {b, b, 7, 8};
    float4v f = {x, 2, 3, 0.5f};
    h = mix(h, __builtin_reduce_add(v)), h = mix(h, __builtin_reduce_mul(w));
    h = mix(h, __builtin_reduce_max(v)), h = mix(h, __builtin_reduce_min(v));
    h = mix(h, __builtin_reduce_xor(v)), h = mix(h, __builtin_reduce_or(v));
    h = mix(h, __builtin_reduce_and(v)), h = mix(h, as_bits(__builtin_reduce_max(f)));
    h = mix(h, as_bits(__builtin_reduce_min(f)));
    v = __builtin_elementwise_max(v, w) + __builtin_elementwise_bitreverse(v);
    f = __builtin_elementwise_floor(f) + __builtin_elementwise_abs(f);
    h = mix(h, v.x + v.y + v.z + v.w), h = mix(h, as_bits(f.y));
    return h;
}

static __device__ unsigned compiler(const int *in, int a, int *to)
{
    unsigned h = 7;
    int copy[4];
    __builtin_assume(a < 1 << 30);
    __builtin_prefetch(in);
    const int *const p = (const int *)__builtin_assume_aligned(in, 4);
    __builtin_memcpy_inline(copy, p, sizeof copy);
    h = mix(h, copy[a & 3] + *(const int *)__builtin_align_down((const char *)&p[a & 7] + 3, 4));
    h = mix(h, *(const int *)__builtin_align_up((const char *)&p[a & 7] - 3, 4));
    if (__builtin_expect(a > 3, 1) && __builtin_expect_with_probability(a < 900, 1, 0.9))
        h = mix(h, *__builtin_launder(to));
    h = mix(h, __builtin_constant_p(3) + (__builtin_object_size(in, 0) == 0));
    if (a == 1 << 29)
        __builtin_trap();
    if (a == 1 << 28)
        __builtin_unreachable();
    return h;
}

__global__ void run(int *out, const int *in, int n)
{
    const int i = threadIdx.x, a = in[i] * (i & 1 ? 70000003 : 1), b = in[i ^ 5] * (i & 2 ? -5000011 : 3);
    const i64 v = (i64)a * b + (i & 4 ? 0x7fffffff00000000 : 0), w = (i64)b * a * 77773;
    const unsigned special[8] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u,
                                 0x80000000u, 0u, 1u, 0x80400000u};
    float x = a / 64.0f;
    if (i % 3 == 0)
        x = __builtin_bit_cast(float, special[i / 3 & 7]);
    float z = i & 4 ? -0.0f : b / 128.0f;
    out[i] = bits(a, b, v);
    out[32 + i] = checked(a, b, v, w);
    out[64 + i] = saturated(a, b, v, w);
    out[96 + i] = kind_of(x, i & 1 ? x : 1e-310);
    out[128 + i] = floats(x, z, b * 0.37);
    out[160 + i] = vectors(a, b, b / 3.0f);
    int own = i + n;
    out[192 + i] = compiler(in, in[i] & 1023, &own);
}
// exercises: lower/plain_intrinsics lower/funnel_shifts
