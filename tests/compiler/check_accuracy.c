/* SPDX-License-Identifier: Apache-2.0
 *
 * Math functions against MPFR: CUDA source goes through the whole chain to the device, and no
 * result may be further from the exact one than CUDA documents. The bound is the one builtins.def
 * prints into docs/builtins.md. Errors are in units of the last place of the exact value; a bound
 * of 0 means correctly rounded, half a unit. */
#include "tests/runtime_fixture.h"

#include <math.h>
#include <stdbool.h>

#ifdef QN_HAVE_MPFR
#include "tests/compiler/accuracy_reference.h"

/* A function and the arguments it is tried on: half of them even over low..high, half of them even
 * in the exponent, from 2^-30 up. */
struct function {
    const char *name; /* double; float has an f at the end */
    reference *exact;
    int n_arguments;
    double low, high;
    double low_f, high_f; /* for float; 0, 0: as for double */
    /* beyond |x| = zone, where the function has zeros, an absolute error of `absolute` will do */
    double zone, absolute, absolute_f;
    const char *row; /* of builtins.def, with f32 or f64 appended; NULL: the function's own name */
};
#define BOTH(title, f, n, from, to)                                                                \
    {.name = title, .exact = f, .n_arguments = n, .low = from, .high = to}
#define EACH(title, f, n, from, to, from_f, to_f)                                                  \
    {.name = title,                                                                                \
     .exact = f,                                                                                   \
     .n_arguments = n,                                                                             \
     .low = from,                                                                                  \
     .high = to,                                                                                   \
     .low_f = from_f,                                                                              \
     .high_f = to_f}
#define ZONE(title, f, n, from, to, off, off_f)                                                    \
    {.name = title,                                                                                \
     .exact = f,                                                                                   \
     .n_arguments = n,                                                                             \
     .low = from,                                                                                  \
     .high = to,                                                                                   \
     .zone = 8,                                                                                    \
     .absolute = off,                                                                              \
     .absolute_f = off_f}
static const struct function functions[] = {
    BOTH("acos", ref_acos, 1, -1, 1),
    EACH("acosh", ref_acosh, 1, 1, 1e300, 1, 1e38),
    BOTH("asin", ref_asin, 1, -1, 1),
    EACH("asinh", ref_asinh, 1, -1e300, 1e300, -1e38, 1e38),
    BOTH("atan", ref_atan, 1, -1e10, 1e10),
    BOTH("atanh", ref_atanh, 1, -0.9999, 0.9999),
    EACH("cbrt", ref_cbrt, 1, -1e300, 1e300, -1e38, 1e38),
    BOTH("cos", ref_cos, 1, -1e5, 1e5),
    EACH("cosh", ref_cosh, 1, -709, 709, -88, 88),
    BOTH("cospi", ref_cospi, 1, -1000, 1000),
    BOTH("erf", ref_erf, 1, -6, 6),
    EACH("erfc", ref_erfc, 1, -6, 26, -4, 9),
    EACH("erfcinv", ref_erfcinv, 1, 1e-300, 1.9999999, 1e-37, 1.9999),
    EACH("erfcx", ref_erfcx, 1, -26, 1e4, -9, 1e4),
    EACH("erfinv", ref_erfinv, 1, -0.99999999, 0.99999999, -0.9999, 0.9999),
    EACH("exp", ref_exp, 1, -708, 709, -87, 88),
    EACH("exp10", ref_exp10, 1, -307, 308, -37, 38),
    EACH("exp2", ref_exp2, 1, -1022, 1023, -126, 127),
    EACH("expm1", ref_expm1, 1, -50, 709, -50, 88),
    EACH("lgamma", ref_lgamma, 1, 2.5, 1e300, 2.5, 1e36),
    EACH("log", ref_log, 1, 1e-300, 1e300, 1e-37, 1e38),
    EACH("log10", ref_log10, 1, 1e-300, 1e300, 1e-37, 1e38),
    EACH("log1p", ref_log1p, 1, -0.9999, 1e300, -0.9999, 1e38),
    EACH("log2", ref_log2, 1, 1e-300, 1e300, 1e-37, 1e38),
    BOTH("nearbyint", ref_rint, 1, -1e6, 1e6),
    EACH("normcdf", ref_normcdf, 1, -37, 8, -13, 5),
    EACH("normcdfinv", ref_normcdfinv, 1, 1e-300, 0.9999999, 1e-37, 0.9999),
    EACH("rcbrt", ref_rcbrt, 1, -1e300, 1e300, -1e38, 1e38),
    BOTH("rint", ref_rint, 1, -1e6, 1e6),
    EACH("rsqrt", ref_rsqrt, 1, 1e-300, 1e300, 1e-37, 1e38),
    BOTH("sin", ref_sin, 1, -1e5, 1e5),
    EACH("sinh", ref_sinh, 1, -709, 709, -88, 88),
    {.name = "sincos_sine",
     .exact = ref_sin,
     .n_arguments = 1,
     .low = -1e5,
     .high = 1e5,
     .row = "__qn_sincos_"},
    {.name = "sincos_cosine",
     .exact = ref_cos,
     .n_arguments = 1,
     .low = -1e5,
     .high = 1e5,
     .row = "__qn_sincos_"},
    BOTH("sinpi", ref_sinpi, 1, -1000, 1000),
    EACH("sqrt", ref_sqrt, 1, 1e-300, 1e300, 1e-37, 1e38),
    BOTH("tan", ref_tan, 1, -1e5, 1e5),
    BOTH("tanh", ref_tanh, 1, -20, 20),
    EACH("tgamma", ref_tgamma, 1, 0.01, 170, 0.01, 35),
    ZONE("j0", ref_j0, 1, -50, 50, 5e-12, 2.2e-6),
    ZONE("j1", ref_j1, 1, -50, 50, 5e-12, 2.2e-6),
    ZONE("y0", ref_y0, 1, 1e-30, 50, 5e-12, 2.2e-6),
    ZONE("y1", ref_y1, 1, 1e-30, 50, 5e-12, 2.2e-6),
    EACH("cyl_bessel_i0", ref_cyl_bessel_i0, 1, -700, 700, -88, 88),
    EACH("cyl_bessel_i1", ref_cyl_bessel_i1, 1, -700, 700, -88, 88),
    BOTH("atan2", ref_atan2, 2, -1e10, 1e10),
    BOTH("fdim", ref_fdim, 2, -1e10, 1e10),
    BOTH("fmod", ref_fmod, 2, -1e6, 1e6),
    EACH("hypot", ref_hypot, 2, -1e300, 1e300, -1e38, 1e38),
    EACH("pow", ref_pow, 2, 1e-3, 100, 1e-3, 20),
    BOTH("remainder", ref_remainder, 2, -1e6, 1e6),
    EACH("rhypot", ref_rhypot, 2, -1e300, 1e300, -1e37, 1e37),
    BOTH("fma", ref_fma, 3, -1e10, 1e10),
    EACH("norm3d", ref_norm3d, 3, -1e300, 1e300, -1e37, 1e37),
    EACH("rnorm3d", ref_rnorm3d, 3, -1e300, 1e300, -1e37, 1e37),
    EACH("norm4d", ref_norm4d, 4, -1e300, 1e300, -1e37, 1e37),
    EACH("rnorm4d", ref_rnorm4d, 4, -1e300, 1e300, -1e37, 1e37),
};
/* Names that say their type. */
static const struct function typed[] = {
    BOTH("__fadd_rn", ref_add, 2, -1e10, 1e10),     BOTH("__fsub_rn", ref_sub, 2, -1e10, 1e10),
    BOTH("__fmul_rn", ref_mul, 2, -1e10, 1e10),     BOTH("__fdiv_rn", ref_div, 2, -1e10, 1e10),
    BOTH("__frcp_rn", ref_rcp, 1, -1e10, 1e10),     BOTH("__fsqrt_rn", ref_sqrt, 1, 0, 1e30),
    BOTH("__frsqrt_rn", ref_rsqrt, 1, 1e-30, 1e30), BOTH("__fmaf_rn", ref_fma, 3, -1e10, 1e10),
    BOTH("__dadd_rn", ref_add, 2, -1e10, 1e10),     BOTH("__dsub_rn", ref_sub, 2, -1e10, 1e10),
    BOTH("__dmul_rn", ref_mul, 2, -1e10, 1e10),     BOTH("__ddiv_rn", ref_div, 2, -1e10, 1e10),
    BOTH("__drcp_rn", ref_rcp, 1, -1e10, 1e10),     BOTH("__dsqrt_rn", ref_sqrt, 1, 0, 1e300),
    BOTH("__fma_rn", ref_fma, 3, -1e10, 1e10),
};
enum {
    N_FUNCTIONS = sizeof functions / sizeof *functions,
    N_TYPED = sizeof typed / sizeof *typed,
    N_CASES = 2 * N_FUNCTIONS + N_TYPED,
    ARGUMENTS = 4,
    SHORT_RUN = 500, /* samples */
    LONG_RUN = 20000,
    SHORT_STEP = 11, /* of the cases, make check takes every eleventh: drivers compile slowly */
};

struct trial {
    const struct function *f;
    char name[40];
    bool is_float;
    double bound;
};

static double documented(const char *name)
{
    static const struct {
        const char *name;
        double ulp;
    } rows[] = {
#define QN_BUILTIN(name, status, traits, signature, form, needs, ulp, note) {#name, ulp},
#include "compiler/model/builtins.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].ulp;
    return -1;
}

static struct trial trial_of(int i)
{
    struct trial t = {0};
    if (i < 2 * N_FUNCTIONS) {
        t.f = &functions[i / 2];
        t.is_float = i % 2 == 0;
        snprintf(t.name, sizeof t.name, "%s%s", t.f->name, t.is_float ? "f" : "");
    } else {
        t.f = &typed[i - 2 * N_FUNCTIONS];
        t.is_float = t.f->name[2] == 'f' && strcmp(t.f->name, "__fma_rn") != 0;
        snprintf(t.name, sizeof t.name, "%s", t.f->name);
    }
    char row[sizeof t.name + 8];
    snprintf(row, sizeof row, "%s%s", t.f->row ? t.f->row : t.name,
             !t.f->row    ? ""
             : t.is_float ? "f32"
                          : "f64");
    t.bound = documented(row);
    return t;
}

static qn_module *module;
static int n_samples;
static int step; /* every so many of the cases */

/* One function for each result of one with two. */
static const char halves[] =
    "#define HALF(type, name, function, result)                                     \\\n"
    "    __device__ type name(type x) { type s, c; function(x, &s, &c); return result; }\n"
    "HALF(float, sincos_sinef, sincosf, s)   HALF(float, sincos_cosinef, sincosf, c)\n"
    "HALF(double, sincos_sine, sincos, s)    HALF(double, sincos_cosine, sincos, c)\n";

/* One kernel for each function. */
static void open_module(void)
{
    char *const text = malloc((size_t)N_CASES * 400 + sizeof halves);
    ck_assert_ptr_nonnull(text);
    size_t n = (size_t)sprintf(text, "%s", halves);
    for (int i = 0; i < N_CASES; i += step) {
        const struct trial t = trial_of(i);
        const char *const type = t.is_float ? "float" : "double";
        static const char *const lists[] = {"", "a[i]", "a[i], a[n + i]",
                                            "a[i], a[n + i], a[2 * n + i]",
                                            "a[i], a[n + i], a[2 * n + i], a[3 * n + i]"};
        n += (size_t)sprintf(text + n,
                             "extern \"C\" __global__ void try_%s(%s *out, const %s *a, int n)\n"
                             "{\n    int i = threadIdx.x + blockIdx.x * blockDim.x;\n"
                             "    if (i < n)\n        out[i] = %s(%s);\n}\n",
                             t.name, type, type, t.name, lists[t.f->n_arguments]);
    }
    const qn_source source = {.text = text, .path = "accuracy.cu"};
    must(qn_module_build(&module, device, &source, NULL, NULL));
    free(text);
}

static void close_module(void)
{
    qn_module_close(module);
}

/* xorshift, the same numbers in every run */
static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double sample(const struct trial *t, uint64_t *state)
{
    double low = t->f->low, high = t->f->high;
    if (t->is_float && (t->f->low_f != 0 || t->f->high_f != 0))
        low = t->f->low_f, high = t->f->high_f;
    for (;;) {
        double x = low + uniform(state) * (high - low);
        if (uniform(state) < 0.5) {
            const double top = log2(fmax(fabs(low), fabs(high)));
            x = exp2(-30 + uniform(state) * (top + 30));
            if (uniform(state) < 0.5)
                x = -x;
        }
        if (t->is_float)
            x = (float)x;
        if (x >= low && x <= high && x != 0)
            return x;
    }
}

/* Distance of `got` from the exact value in units of its last place. */
static double error_of(const struct trial *t, double got, const double *in)
{
    mpfr_t x[ARGUMENTS], exact, unit;
    for (int i = 0; i < ARGUMENTS; i++) {
        mpfr_init2(x[i], 64);
        mpfr_set_d(x[i], in[i], MPFR_RNDN);
    }
    mpfr_inits2(DIGITS, exact, unit, (mpfr_ptr)0);
    mpfr_set_d(exact, got, MPFR_RNDN);
    t->f->exact(exact, x);
    double error = INFINITY;
    const double rounded =
        t->is_float ? mpfr_get_flt(exact, MPFR_RNDN) : mpfr_get_d(exact, MPFR_RNDN);
    if (got == rounded || (isnan(got) && isnan(rounded))) {
        error = 0; /* as near as can be */
    } else if (isfinite(got) && mpfr_number_p(exact) && !mpfr_zero_p(exact)) {
        const long digits = t->is_float ? 24 : 53, least = t->is_float ? -149 : -1074;
        const long place = mpfr_get_exp(exact) - digits;
        mpfr_set_ui_2exp(unit, 1, place > least ? place : least, MPFR_RNDN);
        mpfr_sub_d(exact, exact, got, MPFR_RNDN);
        const double absolute = fabs(mpfr_get_d(exact, MPFR_RNDN));
        mpfr_div(exact, exact, unit, MPFR_RNDN);
        error = fabs(mpfr_get_d(exact, MPFR_RNDN));
        if (t->f->zone > 0 && fabs(in[0]) > t->f->zone &&
            absolute <= (t->is_float ? t->f->absolute_f : t->f->absolute))
            error = 0;
    } else if (got == 0 && mpfr_zero_p(exact)) {
        error = 0;
    }
    for (int i = 0; i < ARGUMENTS; i++)
        mpfr_clear(x[i]);
    mpfr_clears(exact, unit, (mpfr_ptr)0);
    return error;
}

START_TEST(errors_stay_within_the_documented_bound)
{
    const struct trial t = trial_of(_i * step);
    ck_assert_msg(t.bound >= 0, "%s: builtins.def has no bound for it", t.name);
    const size_t size = t.is_float ? 4 : 8, n = (size_t)n_samples;
    void *const in = malloc(ARGUMENTS * n * size), *const out = malloc(n * size);
    uint64_t state = 88172645463325252u + (uint64_t)_i;
    for (size_t i = 0; i < (size_t)t.f->n_arguments * n; i++) {
        const double x = sample(&t, &state);
        if (t.is_float)
            ((float *)in)[i] = (float)x;
        else
            ((double *)in)[i] = x;
    }
    const qn_addr a = alloc(ARGUMENTS * n * size), result = alloc(n * size);
    must(qn_memory_upload(device, a, in, (uint64_t)t.f->n_arguments * n * size, NULL));
    char kernel_name[48];
    snprintf(kernel_name, sizeof kernel_name, "try_%s", t.name);
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, kernel_name));
    const qn_dims dims = {.grid = {(uint32_t)(n + 63) / 64}, .block = {64}};
    void *const arguments[] = {address_of(&result), address_of(&a), &n_samples};
    must(qn_stream_launch(stream, kernel, &dims, arguments));
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, out, result, n * size, NULL));

    double worst = 0, worst_x[ARGUMENTS] = {0}, worst_got = 0;
    for (size_t i = 0; i < n; i++) {
        double x[ARGUMENTS] = {0};
        for (int k = 0; k < t.f->n_arguments; k++) {
            const size_t at = (size_t)k * n + i;
            x[k] = t.is_float ? ((float *)in)[at] : ((double *)in)[at];
        }
        const double got = t.is_float ? ((float *)out)[i] : ((double *)out)[i];
        const double error = error_of(&t, got, x);
        if (error > worst) {
            worst = error, worst_got = got;
            memcpy(worst_x, x, sizeof x);
        }
    }
    if (getenv("QN_VERBOSE"))
        printf("%-16s %8.3f of %g ulp\n", t.name, worst, t.bound);
    qn_memory_free(device, a);
    qn_memory_free(device, result);
    free(in);
    free(out);
    ck_assert_msg(worst <= (t.bound == 0 ? 0.5 : t.bound),
                  "%s(%a, %a, %a, %a) = %a: %.3f ulp, bound %g", t.name, worst_x[0], worst_x[1],
                  worst_x[2], worst_x[3], worst_got, worst, t.bound);
}
END_TEST

int main(void)
{
    step = getenv("QN_LONG") ? 1 : SHORT_STEP;
    n_samples = getenv("QN_LONG") ? LONG_RUN : SHORT_RUN;
    const struct fixture_case cases[] = {
        {errors_stay_within_the_documented_bound, (N_CASES + step - 1) / step},
        {NULL, 0},
    };
    return fixture_run("accuracy", NULL, open_module, close_module, cases);
}

#else
int main(void)
{
    printf("skip: built without MPFR (Debian: libmpfr-dev), the reference for math functions\n");
    return 0;
}
#endif
