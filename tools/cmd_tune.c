/* SPDX-License-Identifier: Apache-2.0
 *
 * quern tune: which values of a kernel's declared parameters are fastest on this device.
 *
 * The order of work: read the declarations (tune_space.h), measure combinations as the search says
 * (tune_search.h) until they are all known or the budget is spent, then let the best ones and the
 * first run in turns (tune_measure.h), and keep the winner where programs find it (quern/tuned.h).
 */
#include "base/file.h"
#include "tools/bench_compare.h"
#include "tools/bench_rows.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/op_by_name.h"
#include "tools/own_process.h"
#include "tools/source_options.h"
#include "tools/terminal.h"
#include "tools/tune_measure.h"
#include "tools/tune_search.h"
#include "tools/tune_state.h"

#include <math.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *what, *device, *state, *tolerance;
    struct qn__option_list args, defines, includes, options;
    uint64_t items, shared_bytes, budget_s, exhaustive, seed;
    bool list, json, verbose;
};

static const struct qn__option options[] = {
    QN__OPERAND(struct values, what, "OP|FILE:KERNEL",
                "an op that ships (matvec) or a kernel of it (matvec_q8_0), over shapes of real "
                "models; or a kernel of yours, whose file declares the parameters"),
    QN__TEXT(struct values, device, 'd', "device", "DEVICE",
             "device to tune for; default the preferred one"),
    QN__LIST(struct values, args, 0, "arg", "ARG", "its next argument, as `quern launch` takes it"),
    QN__NUMBER(struct values, items, 'n', "items", 1, INT64_MAX, 1,
               "FILE:KERNEL: items in all, from which each combination gets its grid; its bits are "
               "the size "
               "class under which the winner is kept"),
    QN__NUMBER(struct values, shared_bytes, 's', "shared", 0, UINT32_MAX, 0,
               "bytes of dynamic shared memory"),
    QN__LIST(struct values, defines, 'D', "define", "NAME[=VALUE]", "a macro"),
    QN__LIST(struct values, includes, 'I', "include", "DIR", "folder for #include"),
    QN__LIST(struct values, options, 0, "option", "OPTION", "for the compiler"),
    QN__NUMBER(struct values, budget_s, 0, "budget", 1, 86400, 60,
               "seconds after which no further combination is begun; of an op for each shape"),
    QN__NUMBER(struct values, exhaustive, 0, "exhaustive", 0, 65536, 64,
               "up to so many combinations all are measured; of more a sixteenth at random, then "
               "the neighbours of the best"),
    QN__NUMBER(struct values, seed, 0, "seed", 0, INT64_MAX, 1, "of the random numbers"),
    QN__TEXT(struct values, tolerance, 0, "tolerance", "PART",
             "outputs may differ from the first combination's by this part of their value, as "
             "1e-5; default 0: every byte the same"),
    QN__TEXT(
        struct values, state, 0, "state", "FILE",
        "keep there what is measured, and go on from there; of an op a file for each kernel and "
        "shape, FILE.matvec_q8_0.2"),
    QN__FLAG(struct values, list, 0, "list", "print the combinations, and measure nothing"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
    QN__FLAG(struct values, verbose, 'v', "verbose", "a line for each combination"),
};

enum { FINALISTS = 6 };

struct tune {
    const struct values *v;
    char *file, *kernel;
    bool is_op; /* that ships; then kernel is its entry point */
    uint32_t op, shape;
    struct qn__tune_space space;
    struct qn__tune_point *points;
    uint32_t n_points;
    struct qn__tune_search search;
    struct qn__tune_measure m;
    struct qn__tune_state state;
    char *state_path;
    double tolerance;
    uint32_t n_measured, n_refused, n_resumed;
    uint32_t finalists[FINALISTS], n_finalists;
    double p; /* of the winner against the first */
    uint32_t winner;
    bool is_kept;
};

/* ---- the space ---- */

static const char *where_of(const struct tune *t)
{
    return t->is_op ? t->kernel : t->file;
}

static bool complain(const struct qn__str *error, const char *file)
{
    return qn__complain(false, "tune: %s: %s", file, error->text ? error->text : "out of memory");
}

static bool read_space(struct tune *t)
{
    struct qn__str error = {0}, declared = {0};
    char *text = NULL;
    if (t->is_op)
        qn__str_printf(&declared, "// quern tune: %s\n", qn_op_get_parameters(t->op, t->m.dev));
    else
        text = qn__read_text(t->file);
    bool good = text != NULL || declared.text != NULL;
    if (good && !qn__tune_parse(&t->space, &error, text ? text : declared.text))
        good = complain(&error, where_of(t));
    free(text);
    qn__str_release(&declared);
    if (good && !t->space.n_parameters)
        good = qn__complain(false,
                            "tune: %s declares no parameters; a line as `// quern tune: BLOCK = "
                            "64, 128, 256` does (docs/tune.md)",
                            t->file);
    t->points = good ? qn__tune_points(&t->n_points, &error, &t->space) : NULL;
    if (good && !t->points)
        good = complain(&error, where_of(t));
    for (uint32_t i = 0; good && !t->is_op && i < t->n_points; i++) {
        uint32_t block[3];
        uint64_t items;
        if (!qn__tune_shape(block, &items, &error, &t->space, &t->points[i])) {
            if (!t->space.block[0][0])
                qn__str_add(&error, " (without `quern tune block:` it is the parameter BLOCK)");
            good = complain(&error, t->file);
        }
    }
    qn__str_release(&error);
    return good;
}

static int list_points(const struct tune *t, json_t *results)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < t->n_points; i++) {
        struct qn__str text = {0};
        qn__tune_point_text(&text, &t->space, &t->points[i]);
        if (t->v->json)
            json_array_append_new(list, qn__json_string(text.text ? text.text : ""));
        else
            printf("%s%s%s\n", t->is_op ? t->kernel : "", t->is_op ? " " : "",
                   text.text ? text.text : "");
        qn__str_release(&text);
    }
    json_array_append_new(results,
                          json_pack("{s:s, s:o}", "kernel", t->kernel, "combinations", list));
    return QN__EXIT_GOOD;
}

static bool understand(struct tune *t)
{
    char *end;
    t->tolerance = t->v->tolerance ? strtod(t->v->tolerance, &end) : 0;
    if (t->v->tolerance && (*end || end == t->v->tolerance || !(t->tolerance >= 0)))
        return qn__complain(false, "tune: --tolerance %s: not a number of 0 or more",
                            t->v->tolerance);
    if (t->is_op || qn__bench_split(&t->file, &t->kernel, t->v->what))
        return true;
    return qn__complain(false, "tune: %s: no FILE:KERNEL whose file is there", t->v->what);
}

/* ---- the search ---- */

static void say(const struct tune *t, uint32_t point, double ms, const char *error, bool is_old)
{
    struct qn__str text = {0};
    if (!t->v->verbose || t->v->json)
        return;
    qn__tune_point_text(&text, &t->space, &t->points[point]);
    if (error[0])
        printf("%-40s %s%s%s\n", text.text ? text.text : "", qn__style_on(stdout, QN__STYLE_BAD),
               qn__plain(error), qn__style_off(stdout));
    else
        printf("%-40s %10.4f ms%s\n", text.text ? text.text : "", ms, is_old ? "  (before)" : "");
    qn__str_release(&text);
    fflush(stdout);
}

/* False: the first combination, with which all are compared, cannot run. */
static bool measure(struct tune *t, uint32_t point)
{
    struct qn__tune_result r;
    struct qn__str text = {0};
    double ms;
    qn__tune_point_text(&text, &t->space, &t->points[point]);
    const bool is_old = qn__tune_state_find(&ms, &t->state, text.text ? text.text : "");
    if (is_old && point != 0) { /* the first is run for its outputs */
        t->n_resumed++;
        qn__tune_tell(&t->search, point, ms);
        t->n_refused += !isfinite(ms);
        say(t, point, ms, isfinite(ms) ? "" : "could not run, or was wrong (before)", true);
        qn__str_release(&text);
        return true;
    }
    qn__progress(t->search.n_seen, t->n_points, "%s", text.text ? text.text : "");
    qn__tune_measure_point(&r, &t->m, &t->points[point], point == 0);
    qn__progress_clear();
    ms = r.error[0] ? INFINITY : r.ms;
    qn__tune_tell(&t->search, point, ms);
    t->n_measured++;
    t->n_refused += r.error[0] != 0;
    say(t, point, ms, r.error, false);
    bool good = qn__tune_state_add(&t->state, text.text ? text.text : "", ms, r.error);
    if (point == 0 && r.error[0])
        good = qn__complain(false, "tune: the first combination, %s: %s",
                            text.text ? text.text : "", r.error);
    qn__str_release(&text);
    return good;
}

static bool search(struct tune *t)
{
    const double start = qn__now_ms();
    bool good = true;
    for (uint32_t next; good && (next = qn__tune_next(&t->search)) < t->n_points;) {
        if (t->search.n_seen && qn__now_ms() - start > (double)t->v->budget_s * 1e3)
            break;
        good = measure(t, next);
    }
    return good;
}

/* The first, and the fastest of the others. */
static void choose_finalists(struct tune *t)
{
    t->finalists[t->n_finalists++] = 0;
    while (t->n_finalists < FINALISTS) {
        uint32_t best = t->n_points;
        for (uint32_t i = 1; i < t->n_points; i++) {
            bool is_in = t->search.ms[i] < 0 || !isfinite(t->search.ms[i]);
            for (uint32_t k = 0; k < t->n_finalists; k++)
                is_in |= t->finalists[k] == i;
            if (!is_in && (best == t->n_points || t->search.ms[i] < t->search.ms[best]))
                best = i;
        }
        if (best == t->n_points)
            break;
        t->finalists[t->n_finalists++] = best;
    }
}

/* The fastest in turns, if it is faster than the first beyond noise. */
static bool decide(struct tune *t)
{
    static const double GAIN_MIN = 0.02, P_MAX = 0.01;
    struct qn__bench_times times[FINALISTS];
    struct qn__tune_point points[FINALISTS];
    double median[FINALISTS];
    uint32_t best = 0;
    choose_finalists(t);
    for (uint32_t i = 0; i < t->n_finalists; i++)
        points[i] = t->points[t->finalists[i]];
    qn__progress(0, 0, "the best %u in turns", t->n_finalists);
    const bool good = qn__tune_measure_in_turns(times, &t->m, points, t->n_finalists);
    qn__progress_clear();
    if (!good)
        return false;
    for (uint32_t i = 0; i < t->n_finalists; i++) {
        median[i] = qn__bench_median(times[i].ms, times[i].n);
        t->search.ms[t->finalists[i]] = median[i];
        best = median[i] < median[best] ? i : best;
    }
    t->p =
        best ? qn__bench_mann_whitney(times[0].ms, times[0].n, times[best].ms, times[best].n) : 1;
    if (!(t->p < P_MAX && median[best] < median[0] * (1 - GAIN_MIN)))
        best = 0;
    t->winner = t->finalists[best];
    return true;
}

/* ---- the end ---- */

/* The block, and what it does, of a shipped kernel: as it was launched. */
static bool shape_of_op(qn_tuned_info *info, struct tune *t, const struct qn__tune_point *point)
{
    struct qn__tune_result r;
    qn__tune_measure_point(&r, &t->m, point, false);
    if (r.error[0])
        return qn__complain(false, "tune: %s: %s", t->kernel, r.error);
    const qn_dims *d = &t->m.dims;
    for (int i = 0; i < 3; i++)
        info->block[i] = d->block[i];
    info->block_items = (t->m.job.items + d->grid[0] - 1) / d->grid[0];
    info->block_items += info->block_items == 0;
    return true;
}

static bool keep(struct tune *t)
{
    struct qn__str error = {0};
    struct qn__tune_values values;
    const struct qn__tune_point *point = &t->points[t->winner];
    qn__tune_values_of(&values, &t->space, point);
    qn_tuned_info info = {.defines = values.list,
                          .n_defines = values.n,
                          .ms = t->search.ms[t->winner],
                          .first_ms = t->search.ms[0]};
    if (t->is_op && !shape_of_op(&info, t, point))
        return false;
    if (!t->is_op && !qn__tune_shape(info.block, &info.block_items, &error, &t->space, point))
        return complain(&error, t->file);
    if (qn_tuned_keep(t->m.dev, &t->m.source, t->kernel, t->m.job.items, &info) != QN_OK) {
        qn__complain_status("tune");
        return false;
    }
    return true;
}

static json_t *candidates(const struct tune *t)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < t->n_points; i++) {
        struct qn__str text = {0};
        if (t->search.ms[i] < 0)
            continue;
        qn__tune_point_text(&text, &t->space, &t->points[i]);
        json_array_append_new(list, json_pack("{s:o, s:o}", "values",
                                              qn__json_string(text.text ? text.text : ""), "ms",
                                              qn__json_number(t->search.ms[i])));
        qn__str_release(&text);
    }
    return list;
}

static json_t *document(const struct tune *t, const char *first, const char *best)
{
    const qn_device_info *d = qn_device_get_info(t->m.dev);
    const bool all = qn__tune_is_exhaustive(&t->search);
    return json_pack(
        "{s:o, s:s, s:s, s:o, s:o, s:I, s:s, s:I, s:i, s:i, s:i, s:i, s:{s:s, s:f}, s:{s:s, s:f}, "
        "s:f, s:o, s:s, s:o}",
        "kernel", qn__json_string(t->is_op ? t->kernel : t->v->what), "shape", t->m.shape, "device",
        d->id, "name", qn__json_string(d->name), "driver", qn__json_string(d->driver), "items",
        (json_int_t)t->m.job.items, "strategy", all ? "exhaustive" : "climb", "seed",
        (json_int_t)t->v->seed, "combinations", (int)t->n_points, "measured", (int)t->n_measured,
        "resumed", (int)t->n_resumed, "refused", (int)t->n_refused, "first", "values", first, "ms",
        t->search.ms[0], "best", "values", best, "ms", t->search.ms[t->winner], "gain",
        t->search.ms[0] / t->search.ms[t->winner], "p", qn__json_number(t->p), "kept_in",
        qn_tuned_get_file(NULL), "candidates", candidates(t));
}

static void print_report(const struct tune *t, const char *first, const char *best)
{
    const bool all = qn__tune_is_exhaustive(&t->search);
    printf("%s%s%s on %s: %u of %u combinations measured (%s%s), %u taken over, %u refused\n",
           t->is_op ? t->kernel : t->v->what, t->m.shape[0] ? " " : "", t->m.shape,
           qn_device_get_info(t->m.dev)->id, t->n_measured, t->n_points,
           all ? "all, in order" : "random, then neighbours of the best",
           t->search.n_seen < t->n_points && all ? "; the budget is spent" : "", t->n_resumed,
           t->n_refused);
    printf("first  %-40s %10.4f ms\n", first, t->search.ms[0]);
    if (t->winner)
        printf("best   %-40s %10.4f ms  x%.2f  p %.2g\n", best, t->search.ms[t->winner],
               t->search.ms[0] / t->search.ms[t->winner], t->p);
    else
        printf("best   the first: no other is 2 %% faster beyond noise\n");
    fflush(stdout);
}

/* As text now, as JSON into `results`. */
static int report(struct tune *t, json_t *results)
{
    struct qn__str first = {0}, best = {0};
    qn__tune_point_text(&first, &t->space, &t->points[0]);
    qn__tune_point_text(&best, &t->space, &t->points[t->winner]);
    if (t->v->json)
        json_array_append_new(
            results, document(t, first.text ? first.text : "", best.text ? best.text : ""));
    else
        print_report(t, first.text ? first.text : "", best.text ? best.text : "");
    qn__str_release(&first);
    qn__str_release(&best);
    return QN__EXIT_GOOD;
}

static bool open_state(struct tune *t)
{
    struct qn__str path = {0};
    if (!qn__tune_search_open(&t->search, &t->space, t->points, t->n_points,
                              (uint32_t)t->v->exhaustive, t->v->seed))
        return qn__complain(false, "out of memory");
    if (t->v->state && t->is_op)
        qn__str_printf(&path, "%s.%s.%u", t->v->state, t->kernel, t->shape);
    t->state_path = path.text;
    return qn__tune_state_open(&t->state, path.text ? path.text : t->v->state, t->m.dev,
                               &t->m.source, t->kernel, t->m.job.items, &t->v->args);
}

static bool open_all(struct tune *t)
{
    const struct values *v = t->v;
    const struct qn__tune_job job = {.file = t->file,
                                     .kernel = t->kernel,
                                     .device = v->device,
                                     .args = &v->args,
                                     .source = {.file = t->file,
                                                .defines = v->defines,
                                                .includes = v->includes,
                                                .options = v->options},
                                     .items = v->items,
                                     .shared_bytes = (uint32_t)v->shared_bytes,
                                     .tolerance = t->tolerance};
    return t->is_op ? qn__tune_measure_open_op(&t->m, &t->space, t->m.dev, t->op, t->shape)
                    : qn__tune_measure_open(&t->m, &t->space, &job);
}

static void close_all(struct tune *t)
{
    qn__tune_state_close(&t->state);
    qn__tune_measure_close(&t->m);
    qn__tune_search_close(&t->search);
    free(t->state_path);
    free(t->points);
    free(t->file);
    if (!t->is_op)
        free(t->kernel);
    free(t);
}

/* One search: of the user's kernel, or (dev) of one shape of a shipped one. */
static int tune_one(json_t *results, const struct values *v, qn_device *dev, uint32_t op,
                    uint32_t shape)
{
    struct tune *t = calloc(1, sizeof *t);
    if (!t)
        return qn__complain(QN__EXIT_FAILED, "out of memory");
    t->v = v;
    t->is_op = dev != NULL;
    t->op = op;
    t->shape = shape;
    t->m.dev = dev;
    t->m.borrows_device = t->is_op;
    union {
        const char *c;
        char *p;
    } name = {t->is_op ? qn_op_get(op)->kernel : NULL};
    t->kernel = name.p;
    int status = QN__EXIT_USAGE;
    if (understand(t)) {
        status = QN__EXIT_FAILED;
        if (!read_space(t))
            ;
        else if (v->list)
            status = list_points(t, results);
        else if (open_all(t) && open_state(t) && search(t) && decide(t) && keep(t))
            status = report(t, results);
    }
    close_all(t);
    return status;
}

/* ---- shipped kernels ---- */

static bool is_wanted(const struct values *v, uint32_t op)
{
    return !strcmp(v->what, qn_op_get(op)->op) || !strcmp(v->what, qn_op_get(op)->kernel);
}

/* Each kernel of the op, each shape of real models. */
static int tune_ops(json_t *results, const struct values *v)
{
    qn_device *dev;
    int status = QN__EXIT_GOOD;
    uint32_t n_tunable = 0;
    if (qn_device_open(&dev, v->device) != QN_OK)
        return qn__complain_status("tune");
    for (uint32_t op = 0; op < qn_op_count(); op++) {
        if (!is_wanted(v, op) || !*qn_op_get_parameters(op, dev))
            continue;
        const uint32_t n = qn_op_count_shapes(op, false), n_small = qn_op_count_shapes(op, true);
        const uint32_t first = v->list ? n - 1 : n > n_small ? n_small : n - 1;
        n_tunable += n > 0;
        for (uint32_t shape = first; shape < n && status == QN__EXIT_GOOD; shape++)
            status = tune_one(results, v, dev, op, shape);
    }
    if (!n_tunable)
        status = qn__complain(QN__EXIT_FAILED,
                              "tune: %s: nothing of it may be chosen on %s; `quern bench %s` "
                              "measures the variants that there are",
                              v->what, qn_device_get_info(dev)->id, v->what);
    qn_device_close(dev);
    return status;
}

static int tune(const void *values)
{
    const struct values *v = values;
    uint32_t distance;
    json_t *results = json_array();
    qn__op_near(&distance, v->what);
    const bool is_op = !distance;
    int status = is_op ? tune_ops(results, v) : tune_one(results, v, NULL, 0, 0);
    if (status == QN__EXIT_GOOD && v->json)
        status = qn__json_print(is_op ? json_pack("{s:s, s:O}", "op", v->what, "results", results)
                                      : json_incref(json_array_get(results, 0)));
    else if (status == QN__EXIT_GOOD && !v->list)
        printf("kept in %s\n", qn_tuned_get_file(NULL));
    json_decref(results);
    return status;
}

static int run(const void *values)
{
    const struct values *v = values;
    uint32_t distance;
    qn__op_near(&distance, v->what);
    if (!distance && (v->items > 1 || v->args.n || v->defines.n || v->includes.n || v->options.n ||
                      v->shared_bytes || v->tolerance))
        return qn__complain(QN__EXIT_USAGE,
                            "tune: %s ships with its own arguments and shapes: --arg, --items, "
                            "--shared, --tolerance, -D, -I and --option are for FILE:KERNEL",
                            v->what);
    if (distance && !v->list && v->items <= 1)
        return qn__complain(QN__EXIT_USAGE, "tune: how large? --items N");
    return qn__in_own_process(tune, values, "tune", v->what);
}

const struct qn__command qn__cmd_tune = {
    .name = "tune",
    .brief = "find the fastest values of a kernel's declared parameters, and keep them",
    .about =
        "An op that ships: threads of a block (BLOCK), work of a thread or block (EACH) and what "
        "its source leaves open, for each of its kernels over shapes of real models; results are "
        "compared with plain C, and what is kept is what the engine, bench and selftest then "
        "launch. "
        "A kernel of yours: its file declares macros and their values in comment lines, `// quern "
        "tune: "
        "BLOCK = 64, 128, 256; UNROLL = 1, 2, 4` (docs/tune.md has all of them). Combinations are "
        "compiled, run, compared with what the first one computed, and timed: all of them where "
        "they are few, else some at random and then the neighbours of the best. At the end the "
        "best five and the first run in turns; the winner must be 2 % faster with p below 0.01 "
        "(Mann-Whitney). It is kept for this text, device, driver and size class in a file that "
        "programs read through quern/tuned.h (QUERN_TUNED names another), and `quern launch "
        "--tuned N`.",
    .sample = "tune matvec_q8_0 --json\n"
              "tune saxpy.cu:saxpy -n 16777216 --arg inout:f32:16m --arg in:f32:16m --arg f32:2 "
              "--arg i32:16777216\n"
              "tune gemm.cu:gemm -n 1048576 --arg ... --budget 600 --state gemm.tuning --json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
