/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of measurements: see bench_rows.h. */
#include "tools/bench_rows.h"

#include "tools/json_text.h"
#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A sorted copy, to free(); NULL without memory. */
static double *sorted(const double *ms, uint32_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);
    if (copy) {
        memcpy(copy, ms, n * sizeof *copy);
        qsort(copy, n, sizeof *copy, by_value);
    }
    return copy;
}

double qn__bench_median(const double *ms, uint32_t n)
{
    double *v = n ? sorted(ms, n) : NULL;
    const double median = v ? n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2 : 0;
    free(v);
    return median;
}

static json_t *names_of(const struct qn__bench_row *row)
{
    return json_pack("{s:s, s:o, s:o, s:s, s:s, s:s}", "kind", row->kind, "what",
                     qn__json_string(row->what), "shape", qn__json_string(row->shape), "caches",
                     row->caches, "device", row->device, "unit", row->unit);
}

void qn__bench_describe_launch(struct qn__bench_launch *out, qn_module *module,
                               const qn_kernel *kernel, const qn_dims *dims)
{
    const uint32_t threads = dims->block[0] * dims->block[1] * dims->block[2];
    *out = (struct qn__bench_launch){.dims = *dims};
    out->binary_bytes = qn_image_get_info(qn_module_get_image(module))->size_bytes;
    if (qn_kernel_get_attributes(&out->attributes, kernel) != QN_OK ||
        qn_kernel_get_occupancy(&out->occupancy, kernel, threads, dims->shared_bytes) != QN_OK)
        qn__complain_status("bench"); /* the times are good all the same */
}

static json_t *known(uint64_t value, bool is_known)
{
    return is_known ? json_integer((json_int_t)value) : json_null();
}

static void add_launch(json_t *object, const struct qn__bench_launch *l)
{
    const qn_kernel_attributes *a = &l->attributes;
    json_t *grid = json_array(), *block = json_array();
    for (int i = 0; i < 3; i++) {
        json_array_append_new(grid, json_integer(l->dims.grid[i]));
        json_array_append_new(block, json_integer(l->dims.block[i]));
    }
    json_object_set_new(object, "grid", grid);
    json_object_set_new(object, "block", block);
    json_object_set_new(object, "registers", known(a->registers, a->registers > 0));
    json_object_set_new(object, "local_bytes", known(a->local_bytes, true));
    json_object_set_new(object, "shared_bytes",
                        known(a->static_shared_bytes + l->dims.shared_bytes, true));
    json_object_set_new(object, "occupancy",
                        l->occupancy > 0 ? json_real(l->occupancy) : json_null());
    json_object_set_new(object, "binary_bytes", known(l->binary_bytes, l->binary_bytes > 0));
}

void qn__bench_add(json_t *rows, const struct qn__bench_row *row)
{
    double *v = sorted(row->ms, row->n);
    if (!v || !row->n) {
        free(v);
        qn__bench_add_error(rows, row, "no sample was taken");
        return;
    }
    json_t *object = names_of(row), *samples = json_array();
    const double median = qn__bench_median(row->ms, row->n);
    const double rate = median > 0 ? row->amount / median * 1e3 : 0;
    json_object_set_new(object, "median_ms", json_real(median));
    json_object_set_new(object, "min_ms", json_real(v[0]));
    json_object_set_new(object, "max_ms", json_real(v[row->n - 1]));
    json_object_set_new(
        object, "spread",
        json_real(median > 0 ? (v[row->n * 3 / 4] - v[row->n / 4]) / 2 / median : 0));
    json_object_set_new(object, "samples", json_integer(row->n));
    if (row->launch)
        add_launch(object, row->launch);
    if (row->amount > 0)
        json_object_set_new(object, "rate", json_real(rate));
    if (row->amount > 0 && row->roof > 0)
        json_object_set_new(object, "share", json_real(rate / row->roof));
    for (uint32_t i = 0; i < row->n; i++)
        json_array_append_new(samples, json_real(row->ms[i]));
    json_object_set_new(object, "samples_ms", samples);
    json_array_append_new(rows, object);
    free(v);
}

void qn__bench_add_error(json_t *rows, const struct qn__bench_row *row, const char *error)
{
    json_t *object = names_of(row);
    json_object_set_new(object, "error", qn__json_string(error));
    json_array_append_new(rows, object);
}

static const char *text(const json_t *row, const char *name)
{
    const char *value = json_string_value(json_object_get(row, name));
    return value ? value : "";
}

static double number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

double qn__bench_rate(const json_t *rows, const char *device, const char *what)
{
    double best = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!strcmp(text(row, "device"), device) && !strcmp(text(row, "what"), what) &&
            number(row, "rate") > best)
            best = number(row, "rate");
    }
    return best;
}

/* ---- printing ---- */

/* A number or "-". */
static void print_known(const char *name, const json_t *value, double factor, const char *unit)
{
    if (json_is_number(value))
        printf("%s %.4g%s", name, json_number_value(value) * factor, unit);
    else
        printf("%s -", name);
}

static void print_launch(const json_t *row)
{
    const json_t *grid = json_object_get(row, "grid"), *block = json_object_get(row, "block");
    if (!grid)
        return;
    printf("%10s%s", "", "grid ");
    for (size_t i = 0; i < 3; i++)
        printf("%s%lld", i ? "x" : "", (long long)json_integer_value(json_array_get(grid, i)));
    printf(" block ");
    for (size_t i = 0; i < 3; i++)
        printf("%s%lld", i ? "x" : "", (long long)json_integer_value(json_array_get(block, i)));
    print_known("; registers", json_object_get(row, "registers"), 1, "");
    print_known(", local", json_object_get(row, "local_bytes"), 1, " B");
    print_known(", shared", json_object_get(row, "shared_bytes"), 1, " B");
    print_known(", occupancy", json_object_get(row, "occupancy"), 100, " %");
    print_known(", binary", json_object_get(row, "binary_bytes"), 1.0 / 1024, " KiB");
    printf("\n");
}

static void print_text_row(const json_t *row)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%s %s", text(row, "shape"), text(row, "caches"));
    printf("%-9s %-26s %-34s", text(row, "device"), text(row, "what"), shape);
    if (*text(row, "error")) {
        printf(" %s%s%s\n", qn__style_on(stdout, QN__STYLE_BAD), qn__plain(text(row, "error")),
               qn__style_off(stdout));
        return;
    }
    printf(" %10.4f ms +-%4.1f %%", number(row, "median_ms"), number(row, "spread") * 100);
    if (json_object_get(row, "rate"))
        printf(" %10.4g %-8s", number(row, "rate"), text(row, "unit"));
    if (json_object_get(row, "share"))
        printf(" %5.1f %%", number(row, "share") * 100);
    printf("\n");
}

static const char *const columns[] = {
    "kind",   "device",    "what",        "shape",        "caches",    "unit",         "median_ms",
    "min_ms", "max_ms",    "spread",      "samples",      "rate",      "share",        "grid",
    "block",  "registers", "local_bytes", "shared_bytes", "occupancy", "binary_bytes", "error"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* A cell; between quotes where CSV needs them. */
static void print_cell(const json_t *row, const char *name, enum qn__bench_form form)
{
    const json_t *value = json_object_get(row, name);
    if (json_is_null(value)) { /* not known */
        putchar('-');
        return;
    }
    if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++)
            printf("%s%lld", i ? "x" : "", (long long)json_integer_value(json_array_get(value, i)));
        return;
    }
    if (json_is_number(value)) {
        printf("%.6g", json_number_value(value));
        return;
    }
    const char *p = text(row, name);
    const bool quoted = form == QN__BENCH_CSV && strpbrk(p, ",\"\n");
    if (quoted)
        putchar('"');
    for (; *p; p++) {
        if (quoted && *p == '"')
            putchar('"');
        if (form == QN__BENCH_MD && *p == '|')
            putchar('\\');
        putchar(form == QN__BENCH_MD && *p == '\n' ? ' ' : *p);
    }
    if (quoted)
        putchar('"');
}

static void print_table(const json_t *rows, size_t from, enum qn__bench_form form)
{
    const bool is_md = form == QN__BENCH_MD;
    if (from == 0) {
        for (int c = 0; c < COLUMNS; c++)
            printf("%s%s%s",
                   is_md ? c ? " | " : "| "
                   : c   ? ","
                         : "",
                   columns[c], is_md && c == COLUMNS - 1 ? " |" : "");
        printf("\n");
        for (int c = 0; is_md && c < COLUMNS; c++)
            printf("%s", c == COLUMNS - 1 ? "| --- |\n" : "| --- ");
    }
    for (size_t i = from; i < json_array_size(rows); i++) {
        for (int c = 0; c < COLUMNS; c++) {
            printf("%s", is_md ? c ? " | " : "| " : c ? "," : "");
            print_cell(json_array_get(rows, i), columns[c], form);
        }
        printf("%s\n", is_md ? " |" : "");
    }
}

void qn__bench_print(const json_t *rows, size_t from, enum qn__bench_form form, bool with_launch)
{
    if (form != QN__BENCH_TEXT)
        print_table(rows, from, form);
    for (size_t i = from; form == QN__BENCH_TEXT && i < json_array_size(rows); i++) {
        print_text_row(json_array_get(rows, i));
        if (with_launch)
            print_launch(json_array_get(rows, i));
    }
    fflush(stdout);
}
