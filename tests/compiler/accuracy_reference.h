/* SPDX-License-Identifier: Apache-2.0
 *
 * Math functions by MPFR, with far more digits than double has: those MPFR lacks are put together
 * here, the inverse functions by Newton's method from the value under test. */
#ifndef QN_TESTS_ACCURACY_REFERENCE_H
#define QN_TESTS_ACCURACY_REFERENCE_H

#include <mpfr.h>

enum { DIGITS = 300 }; /* bits */

/* out holds the value under test when the function is called. */
typedef void reference(mpfr_t out, mpfr_t *in);

#define PLAIN1(name, f)                                                                            \
    static void name(mpfr_t out, mpfr_t *in)                                                       \
    {                                                                                              \
        f(out, in[0], MPFR_RNDN);                                                                  \
    }
#define PLAIN2(name, f)                                                                            \
    static void name(mpfr_t out, mpfr_t *in)                                                       \
    {                                                                                              \
        f(out, in[0], in[1], MPFR_RNDN);                                                           \
    }
PLAIN1(ref_acos, mpfr_acos)
PLAIN1(ref_acosh, mpfr_acosh)
PLAIN1(ref_asin, mpfr_asin)
PLAIN1(ref_asinh, mpfr_asinh)
PLAIN1(ref_atan, mpfr_atan)
PLAIN1(ref_atanh, mpfr_atanh)
PLAIN1(ref_cbrt, mpfr_cbrt)
PLAIN1(ref_cos, mpfr_cos)
PLAIN1(ref_cosh, mpfr_cosh)
PLAIN1(ref_erf, mpfr_erf)
PLAIN1(ref_erfc, mpfr_erfc)
PLAIN1(ref_exp, mpfr_exp)
PLAIN1(ref_exp10, mpfr_exp10)
PLAIN1(ref_exp2, mpfr_exp2)
PLAIN1(ref_expm1, mpfr_expm1)
PLAIN1(ref_tgamma, mpfr_gamma)
PLAIN1(ref_j0, mpfr_j0)
PLAIN1(ref_j1, mpfr_j1)
PLAIN1(ref_y0, mpfr_y0)
PLAIN1(ref_y1, mpfr_y1)
PLAIN1(ref_log, mpfr_log)
PLAIN1(ref_log10, mpfr_log10)
PLAIN1(ref_log1p, mpfr_log1p)
PLAIN1(ref_log2, mpfr_log2)
PLAIN1(ref_rint, mpfr_rint_roundeven)
PLAIN1(ref_rsqrt, mpfr_rec_sqrt)
PLAIN1(ref_sin, mpfr_sin)
PLAIN1(ref_sinh, mpfr_sinh)
PLAIN1(ref_sqrt, mpfr_sqrt)
PLAIN1(ref_tan, mpfr_tan)
PLAIN1(ref_tanh, mpfr_tanh)
PLAIN2(ref_atan2, mpfr_atan2)
PLAIN2(ref_add, mpfr_add)
PLAIN2(ref_sub, mpfr_sub)
PLAIN2(ref_mul, mpfr_mul)
PLAIN2(ref_div, mpfr_div)
PLAIN2(ref_fdim, mpfr_dim)
PLAIN2(ref_fmod, mpfr_fmod)
PLAIN2(ref_hypot, mpfr_hypot)
PLAIN2(ref_pow, mpfr_pow)
PLAIN2(ref_remainder, mpfr_remainder)

static void ref_lgamma(mpfr_t out, mpfr_t *in)
{
    int sign;
    mpfr_lgamma(out, &sign, in[0], MPFR_RNDN);
}

static void ref_fma(mpfr_t out, mpfr_t *in)
{
    mpfr_fma(out, in[0], in[1], in[2], MPFR_RNDN);
}

static void invert(mpfr_t x)
{
    mpfr_ui_div(x, 1, x, MPFR_RNDN);
}

static void ref_rcp(mpfr_t out, mpfr_t *in)
{
    mpfr_ui_div(out, 1, in[0], MPFR_RNDN);
}

static void ref_rcbrt(mpfr_t out, mpfr_t *in)
{
    mpfr_cbrt(out, in[0], MPFR_RNDN);
    invert(out);
}

/* sine or cosine of pi x, the argument reduced while it is exact */
static void of_pi(mpfr_t out, mpfr_t x, int (*f)(mpfr_t, const mpfr_t, mpfr_rnd_t))
{
    mpfr_t pi, two;
    mpfr_inits2(DIGITS, pi, two, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_set_ui(two, 2, MPFR_RNDN);
    mpfr_fmod(two, x, two, MPFR_RNDN);
    const long halves = (long)(mpfr_get_d(two, MPFR_RNDN) * 2);
    const bool whole = mpfr_cmp_d(two, (double)halves / 2) == 0;
    mpfr_mul(pi, pi, two, MPFR_RNDN);
    f(out, pi, MPFR_RNDN);
    if (whole) /* exactly 0, 1 or -1 */
        mpfr_rint_round(out, out, MPFR_RNDN);
    mpfr_clears(pi, two, (mpfr_ptr)0);
}

static void ref_sinpi(mpfr_t out, mpfr_t *in)
{
    of_pi(out, in[0], mpfr_sin);
}

static void ref_cospi(mpfr_t out, mpfr_t *in)
{
    of_pi(out, in[0], mpfr_cos);
}

static void length(mpfr_t out, mpfr_t *in, int n)
{
    mpfr_t square;
    mpfr_init2(square, DIGITS);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (int i = 0; i < n; i++) {
        mpfr_sqr(square, in[i], MPFR_RNDN);
        mpfr_add(out, out, square, MPFR_RNDN);
    }
    mpfr_sqrt(out, out, MPFR_RNDN);
    mpfr_clear(square);
}

static void ref_norm3d(mpfr_t out, mpfr_t *in)
{
    length(out, in, 3);
}

static void ref_norm4d(mpfr_t out, mpfr_t *in)
{
    length(out, in, 4);
}

static void ref_rnorm3d(mpfr_t out, mpfr_t *in)
{
    length(out, in, 3);
    invert(out);
}

static void ref_rnorm4d(mpfr_t out, mpfr_t *in)
{
    length(out, in, 4);
    invert(out);
}

static void ref_rhypot(mpfr_t out, mpfr_t *in)
{
    length(out, in, 2);
    invert(out);
}

static void ref_erfcx(mpfr_t out, mpfr_t *in)
{
    mpfr_t e;
    mpfr_init2(e, DIGITS);
    mpfr_sqr(e, in[0], MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_erfc(out, in[0], MPFR_RNDN);
    mpfr_mul(out, out, e, MPFR_RNDN);
    mpfr_clear(e);
}

static void ref_normcdf(mpfr_t out, mpfr_t *in)
{
    mpfr_t x;
    mpfr_init2(x, DIGITS);
    mpfr_sqrt_ui(x, 2, MPFR_RNDN);
    mpfr_div(x, in[0], x, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    mpfr_erfc(out, x, MPFR_RNDN);
    mpfr_div_ui(out, out, 2, MPFR_RNDN);
    mpfr_clear(x);
}

/* y with f(y) = x, from a y that has some right digits; f is erf (sign 1) or erfc (sign -1) */
static void newton(mpfr_t y, mpfr_t x, int (*f)(mpfr_t, const mpfr_t, mpfr_rnd_t), int sign)
{
    mpfr_t d, e, scale;
    mpfr_inits2(DIGITS, d, e, scale, (mpfr_ptr)0);
    mpfr_const_pi(scale, MPFR_RNDN);
    mpfr_sqrt(scale, scale, MPFR_RNDN);
    mpfr_div_si(scale, scale, 2 * sign, MPFR_RNDN);
    for (int i = 0; i < 6 && mpfr_number_p(y); i++) {
        f(d, y, MPFR_RNDN);
        mpfr_sub(d, d, x, MPFR_RNDN);
        mpfr_sqr(e, y, MPFR_RNDN);
        mpfr_exp(e, e, MPFR_RNDN);
        mpfr_mul(d, d, e, MPFR_RNDN);
        mpfr_mul(d, d, scale, MPFR_RNDN);
        mpfr_sub(y, y, d, MPFR_RNDN);
    }
    mpfr_clears(d, e, scale, (mpfr_ptr)0);
}

static void ref_erfinv(mpfr_t out, mpfr_t *in)
{
    newton(out, in[0], mpfr_erf, 1);
}

static void ref_erfcinv(mpfr_t out, mpfr_t *in)
{
    newton(out, in[0], mpfr_erfc, -1);
}

static void ref_normcdfinv(mpfr_t out, mpfr_t *in)
{
    mpfr_t root, twice;
    mpfr_inits2(DIGITS, root, twice, (mpfr_ptr)0);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_neg(root, root, MPFR_RNDN);
    mpfr_mul_ui(twice, in[0], 2, MPFR_RNDN);
    mpfr_div(out, out, root, MPFR_RNDN);
    newton(out, twice, mpfr_erfc, -1);
    mpfr_mul(out, out, root, MPFR_RNDN);
    mpfr_clears(root, twice, (mpfr_ptr)0);
}

/* modified Bessel function of order 0 or 1, by its power series */
static void bessel_i(mpfr_t out, mpfr_t x, unsigned order)
{
    mpfr_t q, term;
    mpfr_inits2(4 * DIGITS, q, term, (mpfr_ptr)0);
    mpfr_sqr(q, x, MPFR_RNDN);
    mpfr_div_ui(q, q, 4, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    if (order)
        mpfr_div_ui(term, x, 2, MPFR_RNDN);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (unsigned long k = 1; k < 4000; k++) {
        mpfr_add(out, out, term, MPFR_RNDN);
        mpfr_mul(term, term, q, MPFR_RNDN);
        mpfr_div_ui(term, term, k * (k + order), MPFR_RNDN);
        if (mpfr_zero_p(term) || mpfr_get_exp(term) < mpfr_get_exp(out) - DIGITS)
            break;
    }
    mpfr_clears(q, term, (mpfr_ptr)0);
}

static void ref_cyl_bessel_i0(mpfr_t out, mpfr_t *in)
{
    bessel_i(out, in[0], 0);
}

static void ref_cyl_bessel_i1(mpfr_t out, mpfr_t *in)
{
    bessel_i(out, in[0], 1);
}

#endif
