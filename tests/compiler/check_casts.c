/* SPDX-License-Identifier: Apache-2.0
 *
 * Floats cast to integers on a device: NaN, infinities, numbers out of range and the limits, as
 * values of the run and as constants, by a cast and by the functions with the rounding in the name.
 * Compared with a plain model of NVIDIA's conversion instruction. The same source runs through
 * NVRTC (QUERN_BACKEND=cuda) and through the translator.
 *
 * covers: compiler/lower/float_to_int */
#include "tests/runtime_fixture.h"

#include <math.h>
#include <stdint.h>

/* All of them floats. */
static const double values[] = {0.0,
                                0.5,
                                -0.5,
                                1.5,
                                -1.5,
                                2.5,
                                -2.5,
                                -0.875,
                                -1,
                                127,
                                128,
                                255,
                                256,
                                300,
                                -128,
                                -129,
                                1000.75,
                                32767,
                                32768,
                                40000,
                                65504,
                                -32768,
                                -40000,
                                70000,
                                -70000,
                                16777215,
                                2147483520,
                                2147483648.0,
                                -2147483648.0,
                                -2147483904.0,
                                4294967040.0,
                                4294967296.0,
                                5e9,
                                -5e9,
                                9223371487098961920.0,
                                9223372036854775808.0,
                                -9223372036854775808.0,
                                -9223373136366403584.0,
                                18446742974197923840.0,
                                18446744073709551616.0,
                                0x1p100,
                                -0x1p100,
                                0x1p127,
                                -0x1p127,
                                INFINITY,
                                -INFINITY,
                                NAN};
enum { N = sizeof values / sizeof *values };

static const char text[] =
    "#include <cuda_fp16.h>\n"
    "template <class F, class T> __global__ void cast(long long *out, const double *in, int n)\n"
    "{\n"
    "    const int i = threadIdx.x;\n"
    "    if (i < n)\n"
    "        out[i] = (long long)(T)(F)in[i];\n"
    "}\n"
    "template <class F, class T> __global__ void constant(long long *out, const double *in, int "
    "n)\n"
    "{\n"
    "    int i = 0;\n"
    "#define V(x) out[i++] = (long long)(T)(F)(x);\n"
    "    CONSTANTS\n"
    "}\n"
    "#define MODES(k, f) out[(k)*n + i] = (long long)f##_rn(x); \\\n"
    "    out[(k + 1) * n + i] = (long long)f##_rz(x); \\\n"
    "    out[(k + 2) * n + i] = (long long)f##_ru(x); \\\n"
    "    out[(k + 3) * n + i] = (long long)f##_rd(x);\n"
    "#define NAMED(F) \\\n"
    "    extern \"C\" __global__ void named_##F(long long *out, const double *in, int n) \\\n"
    "    { \\\n"
    "        const int i = threadIdx.x; \\\n"
    "        const F x = i < n ? (F)in[i] : 0; \\\n"
    "        if (i >= n) \\\n"
    "            return; \\\n"
    "        MODES(0, __##F##2int) MODES(4, __##F##2uint) MODES(8, __##F##2ll) \\\n"
    "        MODES(12, __##F##2ull) \\\n"
    "    }\n"
    "NAMED(float)\n"
    "NAMED(double)\n"
    "#define LATE(F, NAN_OF) \\\n"
    "    extern \"C\" __global__ void late_##F(long long *result, const double *in, int n) \\\n"
    "    { \\\n"
    "        const F v[8] = {(F)3e9, (F)-3e9, (F)1e20, -(F)__int_as_float(0x7f800000), NAN_OF, "
    "(F)2.5, (F)-0.5, \\\n"
    "                        (F)2147483648.5}; \\\n"
    "        _Pragma(\"unroll\") \\\n"
    "        for (int i = 0; i < 8; i++) { \\\n"
    "            const F x = v[i]; \\\n"
    "            long long *out = result; \\\n"
    "            MODES(0, __##F##2int) MODES(4, __##F##2uint) MODES(8, __##F##2ll) \\\n"
    "            MODES(12, __##F##2ull) \\\n"
    "        } \\\n"
    "    }\n"
    "LATE(float, __int_as_float(0x7fffffff))\n"
    "LATE(double, __longlong_as_double(0x7fffffffffffffffll))\n"
    "extern \"C\" __global__ void ranges(long long *out, const double *in, int n)\n"
    "{\n"
    "    const int i = threadIdx.x;\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    const float x = (float)in[i];\n"
    "    float y = x;\n"
    "    if (y > 255.0f)\n"
    "        y = 255.0f;\n"
    "    if (!(y >= 0.0f))\n"
    "        y = 0.0f;\n"
    "    out[i] = (unsigned char)fminf(fmaxf(x, 0.0f), 255.0f);\n"
    "    out[n + i] = (unsigned char)y;\n"
    "    out[2 * n + i] = (unsigned char)(x < 0.0f ? 0.0f : x > 255.0f ? 255.0f : x);\n"
    "    out[3 * n + i] = x >= 0.0f && x < 300.0f ? (int)x : -1;\n"
    "    out[4 * n + i] = x < -40000.0f || x > 40000.0f ? -1 : (int)x;\n"
    "    out[5 * n + i] = (int)(float)(0x7fffffff - i);\n"
    "    out[6 * n + i] = (signed char)fmaxf(-300.0f, fminf(300.0f, x));\n"
    "}\n";

struct type {
    const char *name;
    unsigned bits;
    bool is_signed;
};
static const struct type types[] = {
    {"signed char", 8, true}, {"unsigned char", 8, false},
    {"short", 16, true},      {"unsigned short", 16, false},
    {"int", 32, true},        {"unsigned int", 32, false},
    {"long long", 64, true},  {"unsigned long long", 64, false},
};
enum { N_TYPES = sizeof types / sizeof *types, N_SOURCES = 3 };
static const char *const sources[N_SOURCES] = {"float", "double", "__half"};

/* The instruction: `x` has its integer value already. */
static int64_t convert(double x, bool from_double, unsigned bits, bool is_signed)
{
    const uint64_t top = (uint64_t)1 << (bits - 1), all = top - 1 + top;
    const double limit = ldexp(1, (int)(is_signed ? bits - 1 : bits));
    if (isnan(x))
        return !from_double && bits <= 32 ? 0 : is_signed ? -(int64_t)(top - 1) - 1 : (int64_t)top;
    if (is_signed)
        return x >= limit ? (int64_t)(top - 1) : x < -limit ? -(int64_t)(top - 1) - 1 : (int64_t)x;
    return x >= limit ? (int64_t)all : x <= 0 ? 0 : (int64_t)(uint64_t)x;
}

/* The nearest half: 11 bits. */
static double as_half(double x)
{
    int exponent;
    const double part = frexp(x, &exponent);
    const double near = ldexp(rint(ldexp(part, 11)), exponent - 11);
    return fabs(near) < 65536 || isnan(x) ? near : copysign(INFINITY, x);
}

/* What (to)x gives; a half goes to the type itself, others to 32 bits first. */
static int64_t cast(double x, int source, const struct type *to)
{
    const bool half = source == 2;
    if (half)
        x = as_half(x);
    const unsigned bits = half || to->bits > 32 ? to->bits : 32;
    const int64_t whole = convert(trunc(x), source == 1, bits, to->is_signed);
    switch (to->bits) {
    case 8: return to->is_signed ? (int8_t)whole : (uint8_t)whole;
    case 16: return to->is_signed ? (int16_t)whole : (uint16_t)whole;
    case 32: return to->is_signed ? (int32_t)whole : (int64_t)(uint32_t)whole;
    default: return whole;
    }
}

static qn_module *module;

static void add_constants(char *out, size_t size)
{
    size_t n = 0;
    for (int i = 0; i < N; i++) {
        const double x = values[i];
        const char *const word =
            isnan(x)   ? "__int_as_float(0x7fffffff)"
            : isinf(x) ? (x > 0 ? "__int_as_float(0x7f800000)" : "__int_as_float(0xff800000)")
                       : NULL;
        n += (size_t)(word ? snprintf(out + n, size - n, "V(%s) ", word)
                           : snprintf(out + n, size - n, "V(%.17g%s) ", x,
                                      x == trunc(x) && fabs(x) < 1e17 ? ".0" : ""));
    }
    ck_assert_uint_lt(n, size);
}

static void build(void)
{
    static char constants[4096] = "-DCONSTANTS=", names[N_SOURCES * N_TYPES * 2][64];
    const char *list[N_SOURCES * N_TYPES * 2];
    uint32_t n = 0;
    add_constants(constants + strlen(constants), sizeof constants - strlen(constants));
    for (int s = 0; s < N_SOURCES; s++)
        for (int t = 0; t < N_TYPES; t++)
            for (int k = 0; k < 2; k++, n++) {
                snprintf(names[n], sizeof names[n], "%s<%s, %s>", k ? "constant" : "cast",
                         sources[s], types[t].name);
                list[n] = names[n];
            }
    const char *const options[] = {constants};
    const qn_source source = {.text = text,
                              .path = "casts.cu",
                              .options = options,
                              .n_options = 1,
                              .names = list,
                              .n_names = n};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
}

static void run(int64_t *out, const char *name, int rows)
{
    const qn_kernel *kernel;
    int n = N;
    const uint64_t bytes = (uint64_t)rows * N * sizeof *out;
    qn_addr in = alloc(sizeof values), result = alloc(bytes);
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    void *const args[] = {&result, &in, &n};
    must(qn_kernel_find(&kernel, module, name));
    must(qn_memory_upload(device, in, values, sizeof values, stream));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_memory_download(device, out, result, bytes, stream));
    must(qn_stream_sync(stream));
    qn_memory_free(device, in);
    qn_memory_free(device, result);
}

static bool is_in_range(double x, int source, int64_t want)
{
    return fabs(x) < 0x1p63 && (double)want == trunc(source == 2 ? as_half(x) : x);
}

static void compare_casts(const char *kernel, int index, bool skips)
{
    int64_t got[N];
    const int source = index / N_TYPES;
    const struct type *const t = &types[index % N_TYPES];
    char name[64];
    snprintf(name, sizeof name, "%s<%s, %s>", kernel, sources[source], t->name);
    run(got, name, 1);
    for (int i = 0; i < N; i++) {
        const int64_t want = cast(values[i], source, t);
        if (skips && !is_in_range(values[i], source, want))
            continue;
        ck_assert_msg(got[i] == want, "%s of %.17g: %lld instead of %lld", name, values[i],
                      (long long)got[i], (long long)want);
    }
}

START_TEST(a_cast_gives_the_nearest_integer)
{
    compare_casts("cast", _i, false);
}
END_TEST

START_TEST(a_cast_of_a_constant_gives_the_nearest_integer)
{
    /* NVRTC's own front end folds those out of range, (long long)0x1p63f to 9223372000000000000 */
    compare_casts("constant", _i, strcmp(qn_device_get_info(device)->backend, "opencl") != 0);
}
END_TEST

START_TEST(functions_with_the_rounding_in_the_name_saturate)
{
    enum { ROWS = 16 };
    static int64_t got[ROWS * N];
    static double (*const modes[])(double) = {rint, trunc, ceil, floor};
    run(got, _i ? "named_double" : "named_float", ROWS);
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < N; i++) {
            const int64_t whole =
                convert(modes[row % 4](values[i]), _i, row < 8 ? 32 : 64, row / 4 % 2 == 0);
            ck_assert_msg(got[row * N + i] == whole, "row %d, %.17g: %lld instead of %lld", row,
                          values[i], (long long)got[row * N + i], (long long)whole);
        }
}
END_TEST

/* Which the driver's compiler alone sees: in a private array, from a loop that it unrolls. */
START_TEST(a_constant_that_is_seen_late_is_converted_alike)
{
    enum { ROWS = 16, MOST = 8 };
    static int64_t got[ROWS * N];
    static double (*const modes[])(double) = {rint, trunc, ceil, floor};
    const double all[MOST] = {3e9, -3e9, 1e20, -INFINITY, NAN, 2.5, -0.5, 2147483648.5};
    const char *const name = _i ? "late_double" : "late_float";
    run(got, name, ROWS);
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < MOST; i++) {
            const double x = _i ? all[i] : (double)(float)all[i];
            const int64_t whole =
                convert(modes[row % 4](x), _i, row < 8 ? 32 : 64, row / 4 % 2 == 0);
            ck_assert_msg(got[row * N + i] == whole, "%s, row %d, %.17g: %lld instead of %lld",
                          name, row, x, (long long)got[row * N + i], (long long)whole);
        }
}
END_TEST

START_TEST(a_value_with_a_known_range_keeps_its_value)
{
    enum { ROWS = 7 };
    static int64_t got[ROWS * N];
    run(got, "ranges", ROWS);
    for (int i = 0; i < N; i++) {
        const double x = values[i], clamped = fmin(fmax(x, 0), 255);
        const float near = (float)(0x7fffffff - i);
        const int64_t want[ROWS] = {(int64_t)clamped,
                                    (int64_t)clamped,
                                    (int64_t)clamped,
                                    x >= 0 && x < 300 ? (int64_t)x : -1,
                                    x < -40000 || x > 40000 ? -1
                                                            : convert(trunc(x), false, 32, true),
                                    near >= 0x1p31f ? INT32_MAX : (int64_t)near,
                                    (int8_t)(int64_t)fmax(-300, fmin(300, x))};
        for (int row = 0; row < ROWS; row++)
            ck_assert_msg(got[row * N + i] == want[row], "row %d, %.17g: %lld instead of %lld", row,
                          x, (long long)got[row * N + i], (long long)want[row]);
    }
}
END_TEST

static void close_module(void)
{
    qn_module_close(module);
}

int main(void)
{
    const struct fixture_case cases[] = {
        {a_cast_gives_the_nearest_integer, N_SOURCES * N_TYPES},
        {a_cast_of_a_constant_gives_the_nearest_integer, N_SOURCES * N_TYPES},
        {functions_with_the_rounding_in_the_name_saturate, 2},
        {a_constant_that_is_seen_late_is_converted_alike, 2},
        {a_value_with_a_known_range_keeps_its_value, 1},
        {NULL, 0}};
    return fixture_run("casts to integers", NULL, build, close_module, cases);
}
