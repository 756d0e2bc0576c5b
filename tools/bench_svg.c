/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing: see bench_svg.h. Coordinates are those of the viewBox; the page scales it. */
#include "tools/bench_svg.h"

#include "doctor/user_language.h"
#include "tools/bench_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, LABEL = 330, ROW = 24, TOP = 34, BOTTOM = 34, RIGHT = 150 };
enum { PLOT = WIDTH - LABEL - RIGHT };

void qn__html_text(struct qn__str *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': qn__str_add(out, "&amp;"); break;
        case '<': qn__str_add(out, "&lt;"); break;
        case '>': qn__str_add(out, "&gt;"); break;
        case '"': qn__str_add(out, "&quot;"); break;
        case '\'': qn__str_add(out, "&#39;"); break;
        default:
            if ((unsigned char)*text >= ' ' || *text == '\n')
                qn__str_add_char(out, *text == 0x7f ? '?' : *text);
        }
}

static const char *text_of(const json_t *row, const char *name)
{
    const char *value = json_string_value(json_object_get(row, name));
    return value ? value : "";
}

static double number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

void qn__bench_label(struct qn__str *out, const json_t *row)
{
    qn__str_add(out, text_of(row, "what"));
    if (*text_of(row, "shape"))
        qn__str_printf(out, " %s", text_of(row, "shape"));
    if (*text_of(row, "caches"))
        qn__str_printf(out, " %s", text_of(row, "caches"));
}

/* ---- pieces ---- */

/* Begins a picture; `name` is part of its ids. */
static void begin(struct qn__str *out, const char *name, int height, const char *title,
                  const char *describes)
{
    static unsigned serial; /* ids are unique in a page */
    serial++;
    qn__str_printf(out,
                   "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-%u-t %s-%u-d\">\n"
                   "<title id=\"%s-%u-t\">",
                   WIDTH, height, name, serial, name, serial, name, serial);
    qn__html_text(out, title);
    qn__str_printf(out, "</title>\n<desc id=\"%s-%u-d\">", name, serial);
    qn__html_text(out, describes);
    qn__str_add(out, "</desc>\n");
}

static void line(struct qn__str *out, const char *kind, double x1, double y1, double x2, double y2)
{
    qn__str_printf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                   kind, x1, y1, x2, y2);
}

/* anchor: "start", "middle", "end" */
static void words(struct qn__str *out, double x, double y, const char *anchor, const char *text)
{
    qn__str_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    qn__html_text(out, text);
    qn__str_add(out, "</text>\n");
}

static void label_of(struct qn__str *out, const json_t *row, int y)
{
    struct qn__str label = {0};
    qn__str_printf(&label, "%s ", text_of(row, "device"));
    qn__bench_label(&label, row);
    if (!label.failed && label.len > 44) { /* the table has the rest */
        label.text[41] = 0;
        label.len = 41;
        while (label.len && ((unsigned char)label.text[label.len - 1] & 0xc0) == 0x80)
            label.text[--label.len] = 0;
        qn__str_add(&label, "...");
    }
    if (!label.failed)
        words(out, LABEL - 8, y + ROW * 0.68, "end", label.text);
    qn__str_release(&label);
}

/* ---- bars ---- */

bool qn__svg_bars(struct qn__str *out, const json_t *rows, const char *unit)
{
    char title[96], text[96];
    double most = 0;
    uint32_t n = 0, i = 0;
    size_t at;
    const json_t *row;
    json_array_foreach(rows, at, row)
    {
        if (strcmp(text_of(row, "unit"), unit) != 0 || !json_object_get(row, "rate"))
            continue;
        n++;
        most = fmax(most, number(row, "rate") * (1 + number(row, "spread")));
    }
    if (!n || !(most > 0))
        return false;
    snprintf(title, sizeof title, qn__tr("Rates in %s"), unit);
    begin(out, "bars", TOP + (int)n * ROW + 8, title,
          qn__tr("A bar for each row: longer is faster. The line across its end is the middle half "
                 "of the "
                 "samples. The table of all rows has the same numbers."));
    words(out, LABEL, TOP - 8, "start", title);
    json_array_foreach(rows, at, row)
    {
        if (strcmp(text_of(row, "unit"), unit) != 0 || !json_object_get(row, "rate"))
            continue;
        const int y = TOP + (int)i++ * ROW;
        const double rate = number(row, "rate"), spread = number(row, "spread");
        const double end = LABEL + PLOT * rate / most, middle = y + ROW * 0.5;
        label_of(out, row, y);
        qn__str_printf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                       strcmp(text_of(row, "kind"), "roof") ? "bar" : "roof", LABEL, y + 4,
                       fmax(end - LABEL, 0.5), ROW - 8);
        line(out, "whisker", LABEL + PLOT * rate * (1 - fmin(spread, 1)) / most, middle,
             LABEL + PLOT * rate * (1 + spread) / most, middle);
        if (json_object_get(row, "share"))
            snprintf(text, sizeof text, "%.4g, %.0f %%", rate, number(row, "share") * 100);
        else
            snprintf(text, sizeof text, "%.4g", rate);
        words(out, LABEL + PLOT * rate * (1 + spread) / most + 6, y + ROW * 0.68, "start", text);
    }
    qn__str_add(out, "</svg>\n");
    return true;
}

/* ---- spread ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorted samples as parts of their median, to free(). */
static double *parts(uint32_t *n, const json_t *row)
{
    const json_t *list = json_object_get(row, "samples_ms");
    const double median = number(row, "median_ms");
    *n = median > 0 ? (uint32_t)json_array_size(list) : 0;
    double *v = *n ? calloc(*n, sizeof *v) : NULL;
    for (uint32_t i = 0; v && i < *n; i++)
        v[i] = json_number_value(json_array_get(list, i)) / median;
    if (v)
        qsort(v, *n, sizeof *v, by_value);
    else
        *n = 0;
    return v;
}

static double place(double part, double range)
{
    const double d = (part - 1) / range;
    return LABEL + PLOT * 0.5 * (1 + (d < -1 ? -1 : d > 1 ? 1 : d));
}

bool qn__svg_spread(struct qn__str *out, const json_t *rows)
{
    uint32_t n = 0, count, i = 0;
    double range = 0.01;
    char text[64];
    size_t at;
    const json_t *row;
    json_array_foreach(rows, at, row)
    {
        double *v = parts(&count, row);
        if (v) { /* single stragglers do not set the scale; they are drawn at its end */
            range = fmax(range, fmax(v[count * 9 / 10] - 1, 1 - v[count / 10]));
            n++;
        }
        free(v);
    }
    if (!n)
        return false;
    range = fmin(range, 1);
    begin(out, "spread", TOP + (int)n * ROW + BOTTOM, qn__tr("Spread of the samples"),
          qn__tr(
              "For each row a line from its fastest to its slowest sample, a box around the middle "
              "half, and a mark at the median. Samples beyond the scale are drawn at its end."));
    words(out, LABEL, TOP - 12, "start", qn__tr("faster"));
    words(out, LABEL + PLOT, TOP - 12, "end", qn__tr("slower"));
    for (int tick = -2; tick <= 2; tick++) {
        const double x = LABEL + PLOT * (tick + 2) / 4.0;
        line(out, "grid", x, TOP - 4, x, TOP + (double)n * ROW + 4);
        snprintf(text, sizeof text, "%+.3g %%", range * tick * 50);
        words(out, x, TOP + (double)n * ROW + 20, "middle", tick ? text : qn__tr("median"));
    }
    json_array_foreach(rows, at, row)
    {
        double *v = parts(&count, row);
        if (!v)
            continue;
        const int y = TOP + (int)i++ * ROW;
        const double middle = y + ROW * 0.5, low = place(v[count / 4], range);
        label_of(out, row, y);
        line(out, "whisker", place(v[0], range), middle, place(v[count - 1], range), middle);
        qn__str_printf(out,
                       "<rect class=\"box\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                       low, y + 5, fmax(place(v[count * 3 / 4], range) - low, 1), ROW - 10);
        line(out, "median", place(1, range), y + 3, place(1, range), y + ROW - 3);
        snprintf(text, sizeof text, qn__tr("%u samples"), count);
        words(out, LABEL + PLOT + 8, y + ROW * 0.68, "start", text);
        free(v);
    }
    qn__str_add(out, "</svg>\n");
    return true;
}

/* ---- roofline ---- */

enum { HEIGHT = 460, LEFT = 80, PLOT_W = 840, PLOT_H = 370 };

struct scale { /* of powers of ten */
    double x0, x1, y0, y1;
};

static double x_of(const struct scale *s, double v)
{
    return LEFT + PLOT_W * (log10(v) - s->x0) / (s->x1 - s->x0);
}

static double y_of(const struct scale *s, double v)
{
    return 20 + PLOT_H * (1 - (log10(v) - s->y0) / (s->y1 - s->y0));
}

static bool is_of(const json_t *row, const char *device, const char *kind)
{
    return !strcmp(text_of(row, "device"), device) && !strcmp(text_of(row, "kind"), kind);
}

/* The first is beyond the caches. */
static double memory_roof(const json_t *rows, const char *device)
{
    double best = 0;
    size_t at;
    const json_t *row;
    json_array_foreach(rows, at,
                       row) if (is_of(row, device, "roof") && !strcmp(text_of(row, "what"), "read"))
        best = fmax(best, number(row, "rate"));
    return best;
}

static void draw_axes(struct qn__str *out, const struct scale *s)
{
    char text[32];
    for (double p = ceil(s->x0); p <= s->x1; p++) {
        line(out, "grid", x_of(s, pow(10, p)), 20, x_of(s, pow(10, p)), 20 + PLOT_H);
        snprintf(text, sizeof text, "%g", pow(10, p));
        words(out, x_of(s, pow(10, p)), 20 + PLOT_H + 18, "middle", text);
    }
    for (double p = ceil(s->y0); p <= s->y1; p++) {
        line(out, "grid", LEFT, y_of(s, pow(10, p)), LEFT + PLOT_W, y_of(s, pow(10, p)));
        snprintf(text, sizeof text, "%g", pow(10, p));
        words(out, LEFT - 8, y_of(s, pow(10, p)) + 4, "end", text);
    }
    words(out, LEFT + PLOT_W / 2.0, 20 + PLOT_H + 44, "middle", qn__tr("operations for each byte"));
    words(out, LEFT, 14, "start", "GFLOP/s");
}

static double operations_of(const json_t *row)
{
    return number(row, "operations");
}

bool qn__svg_roofline(struct qn__str *out, const json_t *rows, const char *device)
{
    const double memory = memory_roof(rows, device);
    char title[160], text[160];
    double most = 0;
    int n = 0;
    size_t at;
    const json_t *row;
    json_array_foreach(rows, at, row) if (is_of(row, device, "roof") &&
                                          !strcmp(text_of(row, "unit"), "GFLOP/s") &&
                                          number(row, "rate") > 0)
    {
        most = fmax(most, number(row, "rate"));
    }
    if (!(memory > 0) || !(most > 0))
        return false;
    const struct scale s = {-2, ceil(log10(most / memory)) + 1, floor(log10(memory * 0.01)),
                            ceil(log10(most))};
    snprintf(title, sizeof title, qn__tr("Roofline of %s"), device);
    snprintf(
        text, sizeof text,
        qn__tr(
            "What memory (%.4g GB/s) and arithmetic (at most %.4g GFLOP/s) allow, over operations "
            "for each byte; dots are kernels whose operations are known."),
        memory, most);
    begin(out, "roofline", HEIGHT, title, text);
    draw_axes(out, &s);
    const double from = fmax(pow(10, s.x0), pow(10, s.y0) / memory);
    line(out, "slope", x_of(&s, from), y_of(&s, from * memory), x_of(&s, most / memory),
         y_of(&s, most));
    snprintf(text, sizeof text, qn__tr("memory %.4g GB/s"), memory);
    words(out, (x_of(&s, from) + x_of(&s, most / memory)) / 2 + 14,
          (y_of(&s, from * memory) + y_of(&s, most)) / 2 + 14, "start", text);
    json_array_foreach(rows, at, row)
    {
        const double rate = number(row, "rate");
        if (is_of(row, device, "roof") && !strcmp(text_of(row, "unit"), "GFLOP/s") && rate > 0) {
            line(out, "ceiling", x_of(&s, fmax(rate / memory, from)), y_of(&s, rate), LEFT + PLOT_W,
                 y_of(&s, rate));
            snprintf(text, sizeof text, "%s %.4g", text_of(row, "what"), rate);
            words(out, LEFT + PLOT_W - 4 - 130 * (n++ % 3), y_of(&s, rate) - 4, "end", text);
        }
        if (is_of(row, device, "kernel") && operations_of(row) > 0 && number(row, "bytes") > 0 &&
            rate > 0)
            qn__str_printf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n",
                           x_of(&s, operations_of(row) / number(row, "bytes")), y_of(&s, rate));
    }
    qn__str_add(out, "</svg>\n");
    return true;
}

/* ---- history ---- */

bool qn__svg_history(struct qn__str *out, const json_t *const *runs, uint32_t n)
{
    const json_t *now = json_object_get(runs[n - 1], "rows");
    char text[64];
    uint32_t count = 0, i = 0;
    double range = 0.05;
    size_t at;
    const json_t *row;
    json_array_foreach(now, at, row) for (uint32_t r = 0; r + 1 < n; r++)
    {
        const json_t *old = qn__bench_find(json_object_get(runs[r], "rows"), row);
        const double was = number(old, "median_ms"), is = number(row, "median_ms");
        if (!(was > 0) || !(is > 0))
            continue;
        range = fmax(range, fabs(was / is - 1));
        count += r == 0;
    }
    if (!count)
        return false;
    range = fmin(range, 1);
    begin(out, "history", TOP + (int)count * ROW + BOTTOM, "History of the medians",
          "For each row a dot for every earlier run, beside this run's median: a dot to the right "
          "was slower. The table below has the numbers.");
    words(out, LABEL, TOP - 12, "start", "was faster");
    words(out, LABEL + PLOT, TOP - 12, "end", "was slower");
    for (int tick = -2; tick <= 2; tick++) {
        const double x = LABEL + PLOT * (tick + 2) / 4.0;
        line(out, "grid", x, TOP - 4, x, TOP + (double)count * ROW + 4);
        snprintf(text, sizeof text, "%+.3g %%", range * tick * 50);
        words(out, x, TOP + (double)count * ROW + 20, "middle", tick ? text : "this run");
    }
    json_array_foreach(now, at, row)
    {
        const json_t *first = qn__bench_find(json_object_get(runs[0], "rows"), row);
        if (!(number(first, "median_ms") > 0) || !(number(row, "median_ms") > 0))
            continue;
        const int y = TOP + (int)i++ * ROW;
        label_of(out, row, y);
        line(out, "median", place(1, range), y + 3, place(1, range), y + ROW - 3);
        for (uint32_t r = 0; r + 1 < n; r++) {
            const json_t *old = qn__bench_find(json_object_get(runs[r], "rows"), row);
            if (!(number(old, "median_ms") > 0))
                continue;
            const double x = place(number(old, "median_ms") / number(row, "median_ms"), range);
            qn__str_printf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", x,
                           y + ROW * 0.5, 3 + 2.0 * (r + 1) / n);
        }
    }
    qn__str_add(out, "</svg>\n");
    return true;
}
