/* SPDX-License-Identifier: Apache-2.0
 *
 * Is it slower than before, beyond noise? See bench_rows.h for the test. */
#include "tools/bench_compare.h"

#include "doctor/user_language.h"
#include "tools/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MIN = 4 };
static const double P_MAX = 0.01;

struct value {
    double ms;
    bool is_first;
};

static int by_ms(const void *a, const void *b)
{
    const double x = ((const struct value *)a)->ms, y = ((const struct value *)b)->ms;
    return (x > y) - (x < y);
}

double qn__bench_mann_whitney(const double *a, uint32_t n_a, const double *b, uint32_t n_b)
{
    const uint32_t n = n_a + n_b;
    if (n_a < SAMPLES_MIN || n_b < SAMPLES_MIN)
        return 1;
    struct value *all = malloc(n * sizeof *all);
    if (!all)
        return 1;
    for (uint32_t i = 0; i < n; i++)
        all[i] = (struct value){i < n_a ? a[i] : b[i - n_a], i < n_a};
    qsort(all, n, sizeof *all, by_ms);
    double rank_sum = 0, ties = 0;
    for (uint32_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && all[next].ms <= all[i].ms;)
            next++;
        const double rank = (i + 1 + next) / 2.0, t = next - i; /* the mean of equal ones */
        ties += t * t * t - t;
        for (uint32_t k = i; k < next; k++)
            rank_sum += all[k].is_first ? rank : 0;
    }
    free(all);
    const double na = n_a, nb = n_b, u = rank_sum - na * (na + 1) / 2;
    const double variance = na * nb / 12 * ((na + nb + 1) - ties / ((na + nb) * (na + nb - 1)));
    return variance > 0 ? erfc(fabs(u - na * nb / 2) / sqrt(variance) / sqrt(2)) : 1;
}

static const char *text(const json_t *row, const char *name)
{
    const char *value = json_string_value(json_object_get(row, name));
    return value ? value : "";
}

const json_t *qn__bench_find(const json_t *rows, const json_t *row)
{
    static const char *const names[] = {"kind", "what", "shape", "caches", "device"};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *other = json_array_get(rows, i);
        bool is_same = true;
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            is_same &= !strcmp(text(row, names[k]), text(other, names[k]));
        if (is_same)
            return other;
    }
    return NULL;
}

/* To free(); NULL where there is none. */
static double *samples(uint32_t *n, const json_t *row)
{
    const json_t *list = json_object_get(row, "samples_ms");
    *n = (uint32_t)json_array_size(list);
    double *ms = calloc(*n + 1, sizeof *ms);
    for (uint32_t i = 0; ms && i < *n; i++)
        ms[i] = json_number_value(json_array_get(list, i));
    if (!ms)
        *n = 0;
    return ms;
}

static const char *verdict(double ratio, double p, double threshold)
{
    if (p >= P_MAX)
        return QN__TR("same");
    return ratio > 1 + threshold         ? QN__TR("slower")
           : ratio < 1 / (1 + threshold) ? QN__TR("faster")
                                         : "same";
}

uint32_t qn__bench_compare(json_t *changes, const json_t *before, const json_t *now,
                           double threshold, bool quiet)
{
    uint32_t n_slower = 0;
    for (size_t i = 0; i < json_array_size(now); i++) {
        const json_t *row = json_array_get(now, i), *old = qn__bench_find(before, row);
        uint32_t n_a, n_b;
        double *a = samples(&n_a, old), *b = samples(&n_b, row);
        const double was = json_number_value(json_object_get(old, "median_ms"));
        const double is = json_number_value(json_object_get(row, "median_ms"));
        const bool broke = old && was > 0 && !(is > 0);
        const double p = a && b ? qn__bench_mann_whitney(a, n_a, b, n_b) : 1;
        const char *say = broke ? QN__TR("broken") : verdict(was > 0 ? is / was : 1, p, threshold);
        free(a);
        free(b);
        if (!old || (!broke && !(was > 0)))
            continue;
        n_slower += broke || !strcmp(say, "slower");
        if (!quiet)
            printf("%s%-6s%s %-9s %-26s %-30s %10.4f -> %10.4f ms  x%.3f  p %.2g\n",
                   qn__style_on(stdout, !strcmp(say, "slower") || broke ? QN__STYLE_BAD
                                        : !strcmp(say, "faster")        ? QN__STYLE_GOOD
                                                                        : QN__STYLE_DIM),
                   qn__tr(say), qn__style_off(stdout), text(row, "device"), text(row, "what"),
                   text(row, "shape"), was, is, was > 0 ? is / was : 0, p);
        json_array_append_new(changes, json_pack("{s:O, s:O, s:O, s:O, s:f, s:f, s:f, s:s}", "what",
                                                 json_object_get(row, "what"), "shape",
                                                 json_object_get(row, "shape"), "caches",
                                                 json_object_get(row, "caches"), "device",
                                                 json_object_get(row, "device"), "before_ms", was,
                                                 "now_ms", is, "p", p, "verdict", say));
    }
    return n_slower;
}
