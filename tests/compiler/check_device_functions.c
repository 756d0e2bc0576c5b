/* SPDX-License-Identifier: Apache-2.0
 *
 * Device functions with exact results against plain C: integer and SIMD intrinsics, conversions,
 * half and bfloat16 arithmetic (every operation rounded once, as the hardware does), fp8, atomics.
 * The CUDA source goes through the whole chain to the device. */
#include "tests/runtime_fixture.h"

#include <math.h>
#include <stdbool.h>

typedef uint32_t u32;
typedef uint64_t u64;

static float as_float(u32 bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static u32 as_bits(float f)
{
    u32 bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* ---- Narrow floats ---- */

/* Value of a format with `digits` fraction bits and the given exponent bias; infinity and NaN as in
 * IEEE formats. */
static double widen(u32 bits, int digits, int bias, int top)
{
    const u32 fraction = bits & ((1u << digits) - 1);
    const int exponent = (int)(bits >> digits) & top;
    const double sign = bits >> (digits + (top == 31 ? 5 : 8)) & 1 ? -1 : 1;
    if (exponent == top)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - digits);
    return sign * ldexp(1 + ldexp(fraction, -digits), exponent - bias);
}

enum rounding { NEAREST, TO_ZERO, UP, DOWN };

/* Round once; a subnormal's place is fixed, and what is too large becomes infinity or the largest
 * number, as the direction says. */
static u32 narrow(double v, int digits, int bias, int top, enum rounding mode)
{
    const u32 sign =
        signbit(v) ? 1u << (digits + (top == 31 ? 5 : 8)) : 0; /* 5 or 8 bits of exponent */
    const u32 infinite = (u32)top << digits;
    if (isnan(v))
        return 0x7fff;
    double a = fabs(v);
    if (isinf(a))
        return sign | infinite;
    int exponent = a > 0 ? ilogb(a) : -10000;
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    const double scaled = ldexp(a, digits - exponent);
    const bool away = (mode == UP && !sign) || (mode == DOWN && sign);
    const double whole = mode == NEAREST ? rint(scaled) : away ? ceil(scaled) : floor(scaled);
    a = ldexp(whole, exponent - digits);
    if (a >= ldexp(1, top - bias))
        return sign | (mode == NEAREST || away ? infinite : infinite - 1);
    if (a < ldexp(1, 1 - bias))
        return sign | (u32)ldexp(a, bias - 1 + digits);
    exponent = ilogb(a);
    return sign | (u32)(exponent + bias) << digits |
           ((u32)ldexp(a, digits - exponent) & ((1u << digits) - 1));
}

static double half(u32 bits)
{
    return widen(bits & 0xffff, 10, 15, 31);
}
static double bf16(u32 bits)
{
    return as_float(bits << 16);
}
static u32 to_half(double v, enum rounding mode)
{
    return narrow(v, 10, 15, 31, mode);
}
static u32 to_bf16(double v, enum rounding mode)
{
    return narrow(v, 7, 127, 255, mode);
}

/* ---- Lanes of a word ---- */
static int lane(u32 w, int i, int width, bool is_signed)
{
    const u32 v = w >> (i * width) & ((1u << width) - 1);
    return is_signed && v >> (width - 1) ? (int)v - (1 << width) : (int)v;
}

typedef long long lane_function(int a, int b);
static u32 lanes(u32 a, u32 b, int width, bool is_signed, lane_function *f)
{
    u32 r = 0;
    for (int i = 0; i < 32 / width; i++)
        r |= ((u32)f(lane(a, i, width, is_signed), lane(b, i, width, is_signed)) &
              ((1u << width) - 1))
             << (i * width);
    return r;
}
static u32 lane_sum(u32 a, u32 b, int width, bool is_signed)
{
    u32 r = 0;
    for (int i = 0; i < 32 / width; i++)
        r += (u32)abs(lane(a, i, width, is_signed) - lane(b, i, width, is_signed));
    return r;
}
static long long clamp(long long v, long long low, long long high)
{
    return v < low ? low : v > high ? high : v;
}
#define LANE(name, expression)                                                                     \
    static long long lane_##name(int a, int b)                                                     \
    {                                                                                              \
        (void)b;                                                                                   \
        return expression;                                                                         \
    }
LANE(add, a + b)
LANE(sub, a - b)
LANE(abs, abs(a))
LANE(neg, -a)
LANE(absdiff, abs(a - b))
LANE(min, a < b ? a : b)
LANE(max, a > b ? a : b)
LANE(avgs, (a + b + (a + b >= 0)) >> 1)
LANE(avgu, (a + b + 1) >> 1)
LANE(hadd, (a + b) >> 1)
LANE(eq, a == b ? -1 : 0)
LANE(lt, a < b ? -1 : 0)
LANE(ge1, a >= b)
LANE(ne1, a != b)
LANE(addss4, clamp(a + b, -128, 127))
LANE(addss2, clamp(a + b, -32768, 32767))
LANE(addus4, clamp(a + b, 0, 255))
LANE(subus2, clamp(a - b, 0, 65535))
LANE(subss4, clamp(a - b, -128, 127))
LANE(absss2, clamp(abs(a), 0, 32767))
LANE(negss4, clamp(-a, -128, 127))

static u64 funnel(u32 a, u32 b, u32 s)
{
    return ((u64)b << 32 | a) << s >> 32;
}
static u32 reversed(u32 a)
{
    u32 r = 0;
    for (int i = 0; i < 32; i++)
        r |= (a >> i & 1) << (31 - i);
    return r;
}
static u32 prmt(u32 a, u32 b, u32 c)
{
    u32 r = 0;
    for (int i = 0; i < 4; i++) {
        const u32 s = c >> (4 * i) & 15;
        const u32 byte = (u32)(((u64)b << 32 | a) >> (8 * (s & 7))) & 255;
        r |= (s & 8 ? (byte & 128 ? 255u : 0) : byte) << (8 * i);
    }
    return r;
}
static u32 byte_perm(u32 a, u32 b, u32 c)
{
    return prmt(a, b, c & 0x7777);
}
static u32 dot4(u32 a, u32 b, u32 c, bool is_signed)
{
    for (int i = 0; i < 4; i++)
        c += (u32)(lane(a, i, 8, is_signed) * lane(b, i, 8, is_signed));
    return c;
}
static int mul24(u32 a, u32 b)
{
    return (int)((u32)((int)(a << 8) >> 8) * (u32)((int)(b << 8) >> 8));
}
static u32 saturated(double v, double low, double high)
{
    return isnan(v)    ? 0
           : v <= low  ? (u32)(int64_t)low
           : v >= high ? (u32)(int64_t)high
                       : (u32)(int64_t)v;
}

static u32 narrow_float(double v, enum rounding mode)
{
    return narrow(v, 23, 127, 255, mode);
}
/* Exact in double, but for sums with more than 53 digits, which are then far from any tie. */
static double fused(double a, double b, double c)
{
    const double product = a * b, sum = product + c, t = sum - product;
    const double lost = (product - (sum - t)) + (c - t);
    return lost == 0 || !isfinite(sum) ? sum : nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
}
static u32 smaller(u32 a, u32 b, double (*value)(u32), int sign)
{
    a &= 0xffff, b &= 0xffff;
    const double x = value(a), y = value(b);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? 0x7fff : isnan(x) ? b : a;
    if (x == y)
        return (a & 0x8000) == (b & 0x8000) ? a : ((a & 0x8000) != 0) == (sign > 0) ? a : b;
    return (x < y) == (sign > 0) ? a : b;
}
static u32 compared(double a, double b)
{
    const bool unordered = isnan(a) || isnan(b);
    return (u32)(a < b) | (u32)(a >= b) << 1 | (u32)(a == b || unordered) << 2 |
           (u32)(a != b && !unordered) << 3;
}
/* nearest of the 127 magnitudes, by looking at all of them; ties to the even one */
static u32 to_e4m3(float v)
{
    u32 best = 0;
    double distance = INFINITY;
    for (u32 m = 0; m < 0x7f; m++) {
        const double value = m < 8 ? m / 512.0 : ldexp(1 + (m & 7) / 8.0, (int)(m >> 3) - 7);
        const double d = fabs(value - fabs(v));
        if (d < distance || (d == distance && !(m & 1)))
            best = m, distance = d;
    }
    return isnan(v) ? 0x7f | (as_bits(v) >> 24 & 0x80)
                    : (isinf(v) ? 0x7e : best) | (as_bits(v) >> 24 & 0x80);
}

/* ---- The table: a CUDA expression of the words a, b, c, and what it must be ---- */
struct expression {
    const char *cuda;
    u32 (*exact)(u32 a, u32 b, u32 c);
};
#define E(name, text, ...)                                                                         \
    static u32 name(u32 a, u32 b, u32 c)                                                           \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (u32)(__VA_ARGS__);                                                                 \
    }
#include "tests/compiler/device_expressions.def"
#undef E
static const struct expression expressions[] = {
#define E(name, text, ...) {text, name},
#include "tests/compiler/device_expressions.def"
#undef E
};
enum {
    N_EXPRESSIONS = sizeof expressions / sizeof *expressions,
    N = 40000,
    SHORT_STEP = 13, /* make check takes every so many expressions: drivers compile slowly */
};

static qn_module *module;
static int step;

static void open_module(void)
{
    char *const text = malloc((size_t)N_EXPRESSIONS * 400 + 1000);
    ck_assert_ptr_nonnull(text);
    size_t n = (size_t)sprintf(
        text, "#include <cuda_fp8.h>\n"
              "#include <math_constants.h>\n"
              "__device__ __half h(unsigned v) { return __ushort_as_half((unsigned short)v); }\n"
              "__device__ __nv_bfloat16 f(unsigned v) { return __ushort_as_bfloat16((unsigned "
              "short)v); }\n"
              "__device__ unsigned u(__half v) { return __half_as_ushort(v); }\n"
              "__device__ unsigned u(__nv_bfloat16 v) { return __bfloat16_as_ushort(v); }\n");
    for (int i = 0; i < N_EXPRESSIONS; i += step)
        n += (size_t)sprintf(
            text + n,
            "extern \"C\" __global__ void e%d(unsigned *out, const unsigned *in, int n)\n"
            "{\n    int i = threadIdx.x + blockIdx.x * blockDim.x;\n"
            "    unsigned a = in[i], b = in[n + i], c = in[2 * n + i];\n"
            "    out[i] = %s;\n}\n",
            i, expressions[i].cuda);
    const qn_source source = {.text = text, .path = "expressions.cu"};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    free(text);
}

static void close_module(void)
{
    qn_module_close(module);
}

/* Words of all kinds: random, small, with equal halves, floats of every size. */
static u32 word(u64 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    const u32 r = (u32)(*state >> 20);
    switch (*state >> 60) {
    case 0: return r & 63;
    case 1: return (r & 0xffff) * 0x10001u;
    case 2: return r | 0x80808080u;
    case 3: return r & 0x80008000u;
    case 4: return as_bits((float)(int)r / 1024);
    case 5: return as_bits((float)(r & 0xffff) / 4096);
    case 6: return (r & 0x807fffffu) | (112 + (r >> 25 & 31)) << 23; /* within half's range */
    case 7: return (r & 0x83ff83ffu) | 0x3c003c00u;
    default: return r;
    }
}

START_TEST(results_are_bit_exact)
{
    const struct expression *const e = &expressions[_i * step];
    static u32 in[3 * N], out[N];
    u64 state = 88172645463325252u + (u64)_i;
    for (int i = 0; i < 3 * N; i++)
        in[i] = word(&state);
    const qn_addr a = alloc(sizeof in), result = alloc(sizeof out);
    must(qn_memory_upload(device, a, in, sizeof in, NULL));
    char name[16];
    snprintf(name, sizeof name, "e%d", _i * step);
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, name));
    const int n = N;
    const qn_dims dims = {.grid = {N / 64}, .block = {64}};
    void *const arguments[] = {address_of(&result), address_of(&a), address_of(&n)};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, out, result, sizeof out, NULL));
    qn_memory_free(device, a);
    qn_memory_free(device, result);
    for (int i = 0; i < N; i++) {
        const u32 expected = e->exact(in[i], in[N + i], in[2 * N + i]);
        ck_assert_msg(out[i] == expected, "%s: a = 0x%x, b = 0x%x, c = 0x%x: 0x%x, expected 0x%x",
                      e->cuda, in[i], in[N + i], in[2 * N + i], out[i], expected);
    }
}
END_TEST

START_TEST(arithmetic_of_halves_makes_one_nan)
{
    static const char text[] =
        "#include <cuda_fp16.h>\n"
        "__device__ __half h(unsigned v) { return __ushort_as_half((unsigned short)v); }\n"
        "extern \"C\" __global__ void k(unsigned *out, unsigned nan, unsigned one)\n"
        "{\n"
        "    const __half results[] = {h(nan) + h(one), h(one) - h(nan), h(nan) * h(one),\n"
        "                              h(nan) / h(one), __hfma(h(one), h(one), h(nan)),\n"
        "                              hsqrt(h(nan)), __float2half(__half2float(h(nan))),\n"
        "                              __float2half_rz(__half2float(h(nan)))};\n"
        "    for (int i = 0; i < 8; i++)\n"
        "        out[i] = __half_as_ushort(results[i]);\n"
        "}\n";
    static const u32 nans[] = {0x7e00, 0xfe00, 0x7c01, 0xffff};
    const qn_source source = {.text = text, .path = "nan.cu"};
    const qn_dims one_item = {.grid = {1}, .block = {1}};
    const qn_kernel *kernel;
    qn_module *halves;
    u32 out[8], one = 0x3c00;
    if (strcmp(qn_device_get_info(device)->backend, "opencl") == 0) {
        if (_i == 0)
            printf("skip: OpenCL leaves the bits of NaN open\n");
        return;
    }
    must(qn_module_build(&halves, device, &source, NULL, NULL));
    must(qn_kernel_find(&kernel, halves, "k"));
    qn_addr result = alloc(sizeof out);
    u32 nan = nans[_i];
    void *const args[] = {&result, &nan, &one};
    must(qn_stream_launch(stream, kernel, &one_item, args));
    must(qn_memory_download(device, out, result, sizeof out, stream));
    must(qn_stream_sync(stream));
    for (int i = 0; i < 8; i++)
        ck_assert_msg(out[i] == 0x7fff, "result %d of NaN 0x%x is 0x%x", i, nan, out[i]);
    must(qn_memory_free(device, result));
    qn_module_close(halves);
}
END_TEST

int main(void)
{
    step = getenv("QN_LONG") ? 1 : SHORT_STEP;
    const struct fixture_case cases[] = {
        {results_are_bit_exact, (N_EXPRESSIONS + step - 1) / step},
        {arithmetic_of_halves_makes_one_nan, 4},
        {NULL, 0},
    };
    return fixture_run("device_functions", NULL, open_module, close_module, cases);
}
