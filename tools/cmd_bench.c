/* SPDX-License-Identifier: Apache-2.0
 *
 * quern bench: how fast this device, the shipped kernels, one of your own, or a model is. */
#include "doctor/facts.h"
#include "doctor/user_language.h"
#include "tools/bench_builds.h"
#include "tools/bench_compare.h"
#include "tools/bench_html.h"
#include "tools/bench_kernel.h"
#include "tools/bench_model.h"
#include "tools/bench_roofs.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/op_by_name.h"
#include "tools/own_process.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct values {
    struct qn__option_list words, devices, args, blocks, defines, includes, options, history;
    const char *grid, *depths, *cache, *operations, *save, *compare, *threshold, *html;
    uint64_t items, shared_bytes, budget_ms, n_prompt, n_tokens, repeats;
    bool all, small, resources, builds, describe, json, csv, md;
};

static const struct qn__option options[] = {
    {.kind = QN__OPTION_OPERANDS,
     .value = "WHAT",
     .offset = offsetof(struct values, words),
     .help = "ops (rmsnorm) or kernels of them (rmsnorm_f32); FILE:KERNEL; `model` and a model's "
             "file; nothing: the device's ceilings"},
    QN__LIST(struct values, devices, 'd', "device", "DEVICE",
             "device to measure; several: one table of all; default the preferred one"),
    QN__FLAG(struct values, all, 'a', "all", "every op"),
    QN__FLAG(struct values, small, 0, "small", "ops: the small shapes of the tests too"),
    QN__FLAG(struct values, resources, 0, "resources",
             "kernels: also grid and block, registers, local and shared memory, occupancy, size of "
             "the binary (columns of --csv, --md, --json, - or null where they are not known)"),
    QN__FLAG(
        struct values, builds, 0, "builds",
        "kernels: also how long they take to compile: by the compiler, from the cache on disk, "
        "from a bundle"),
    QN__LIST(struct values, args, 0, "arg", "ARG",
             "FILE:KERNEL: its next argument, as `quern launch` takes it"),
    QN__TEXT(struct values, grid, 'g', "grid", "X[,Y[,Z]]", "FILE:KERNEL: blocks"),
    QN__NUMBER(struct values, items, 'n', "items", 1, UINT32_MAX, 1,
               "FILE:KERNEL: work-items in all, for which each block size gets its grid"),
    QN__LIST(struct values, blocks, 'b', "block", "X[,Y[,Z]]",
             "FILE:KERNEL: a block size to try; default 64, 128, 256, 512"),
    QN__NUMBER(struct values, shared_bytes, 's', "shared", 0, UINT32_MAX, 0,
               "FILE:KERNEL: bytes of dynamic shared memory"),
    QN__TEXT(struct values, operations, 0, "operations", "N",
             "FILE:KERNEL: operations of one launch, for GFLOP/s in place of GB/s"),
    QN__LIST(struct values, defines, 'D', "define", "NAME[=VALUE]", "FILE:KERNEL: a macro"),
    QN__LIST(struct values, includes, 'I', "include", "DIR", "FILE:KERNEL: folder for #include"),
    QN__LIST(struct values, options, 0, "option", "OPTION", "FILE:KERNEL: for the compiler"),
    QN__NUMBER(struct values, n_prompt, 'p', "prompt", 0, 1 << 20, 512,
               "model: tokens of the prompt; 0: none"),
    QN__NUMBER(struct values, n_tokens, 0, "tokens", 0, 1 << 20, 128,
               "model: tokens to write; 0: none"),
    QN__TEXT(struct values, depths, 0, "depth", "N[,N]",
             "model: positions that are filled before; default 0"),
    QN__NUMBER(struct values, repeats, 'r', "repeat", 1, 100, 5, "model: runs that count"),
    QN__CHOICE(struct values, cache, 0, "cache", "f16|q8_0", "model: type of its cache"),
    QN__NUMBER(struct values, budget_ms, 0, "budget", 1, 600000, 300,
               "milliseconds for each row; fewer when the mean is known within 0.5 %"),
    QN__TEXT(struct values, save, 0, "save", "FILE", "keep this run, every sample of it"),
    QN__TEXT(struct values, compare, 0, "compare", "FILE",
             "compare with a kept run; exit status 1 when something became slower beyond noise"),
    QN__TEXT(struct values, threshold, 0, "threshold", "PERCENT",
             "--compare: changes below do not count; default 5"),
    QN__TEXT(struct values, html, 0, "html", "FILE",
             "write a report to read in a browser, in one file: rooflines, rates, spread, history"),
    QN__LIST(struct values, history, 0, "history", "FILE",
             "--html: an earlier run of --save to show beside this one, oldest first"),
    QN__FLAG(struct values, describe, 0, "describe", "say what is measured, and measure nothing"),
    QN__FLAG(struct values, json, 0, "json", "print JSON, with every sample"),
    QN__FLAG(struct values, csv, 0, "csv", "print CSV"),
    QN__FLAG(struct values, md, 0, "md", "print a Markdown table"),
};

enum { DEPTHS_MAX = 32 };

struct bench {
    const struct values *v;
    struct qn__bench_pace pace;
    json_t *rows, *runs, *devices, *clocks;
    char *file, *kernel; /* of FILE:KERNEL */
    uint32_t depths[DEPTHS_MAX], n_depths;
    double operations, threshold;
    size_t n_shown;
    bool failed;
};

static bool is_model(const struct values *v)
{
    return v->words.n && !strcmp(v->words.items[0], "model");
}

/* Rows that are new, as they come; JSON comes whole at the end. */
static void show(struct bench *b)
{
    const struct values *v = b->v;
    if (!v->json)
        qn__bench_print(b->rows, b->n_shown,
                        v->csv  ? QN__BENCH_CSV
                        : v->md ? QN__BENCH_MD
                                : QN__BENCH_TEXT,
                        v->resources);
    b->n_shown = json_array_size(b->rows);
}

/* ---- ops ---- */

static bool is_wanted(const struct values *v, const qn_op_info *op)
{
    bool wanted = v->all;
    for (uint32_t i = 0; i < v->words.n; i++)
        wanted |= !strcmp(v->words.items[i], op->op) || !strcmp(v->words.items[i], op->kernel);
    return wanted;
}

static void measure_op(struct bench *b, qn_device *dev, uint32_t op, uint32_t shape, bool cold)
{
    static double ms[QN__BENCH_SAMPLES_MAX];
    const qn_op_info *info = qn_op_get(op);
    qn_op_report report;
    uint32_t n = 0;
    struct qn__bench_row row = {.kind = "op",
                                .what = info->kernel,
                                .caches = cold ? "cold" : "warm",
                                .device = qn_device_get_info(dev)->id,
                                .unit = "GB/s",
                                .ms = ms};
    qn__progress(op, qn_op_count(), "%s", info->kernel);
    const qn_status s = qn_op_measure(&report, ms, &n, QN__BENCH_SAMPLES_MAX, dev, op, shape, cold,
                                      b->pace.budget_ms);
    qn__progress_clear();
    const struct qn__bench_launch launch = {.dims = report.dims,
                                            .attributes = report.attributes,
                                            .occupancy = report.occupancy,
                                            .binary_bytes = report.binary_bytes};
    row.shape = report.shape;
    row.n = n;
    row.launch = &launch;
    row.amount = (double)report.bytes * 1e-9;
    if (cold) /* warm caches give more than the memory has */
        row.roof = qn__bench_rate(b->rows, row.device, "read");
    if (s == QN_OK && report.passed)
        qn__bench_add(b->rows, &row);
    else
        qn__bench_add_error(b->rows, &row,
                            s == QN_OK ? "its result is WRONG, not timed" : qn_message());
    b->failed |= s != QN_OK || !report.passed;
    qn_op_report_release(&report);
    show(b);
}

/* Of the file, once: its kernels are one module. */
static void measure_build(struct bench *b, qn_device *dev, uint32_t op)
{
    const qn_op_info *info = qn_op_get(op);
    for (uint32_t i = 0; i < op; i++)
        if (is_wanted(b->v, qn_op_get(i)) && !strcmp(qn_op_get(i)->file, info->file))
            return;
    const qn_source source = {.text = info->source, .path = info->file};
    b->failed |= !qn__bench_builds(b->rows, dev, &source, info->file);
    show(b);
}

static void measure_ops(struct bench *b, qn_device *dev)
{
    for (uint32_t op = 0; op < qn_op_count(); op++) {
        if (!is_wanted(b->v, qn_op_get(op)))
            continue;
        const uint32_t n = qn_op_count_shapes(op, false), n_small = qn_op_count_shapes(op, true);
        /* a variant for short rows has no large shape: the largest small one */
        const uint32_t first = b->v->small ? 0 : n > n_small ? n_small : n ? n - 1 : 0;
        if (b->v->builds)
            measure_build(b, dev, op);
        for (uint32_t shape = first; shape < n; shape++) {
            measure_op(b, dev, op, shape, false);
            measure_op(b, dev, op, shape, true);
        }
    }
}

/* ---- a device ---- */

static void note_device(struct bench *b, const qn_device_info *d)
{
    json_array_append_new(b->devices, json_pack("{s:s, s:o, s:s, s:o, s:o, s:I, s:I}", "id", d->id,
                                                "name", qn__json_string(d->name), "kind", d->kind,
                                                "target", qn__json_string(d->target), "driver",
                                                qn__json_string(d->driver), "compute_units",
                                                (json_int_t)d->compute_units, "clock_mhz",
                                                (json_int_t)d->clock_mhz));
}

static void measure_device(struct bench *b, const char *id)
{
    const struct values *v = b->v;
    qn_device *dev;
    if (qn_device_open(&dev, id) != QN_OK) {
        qn__complain_status("bench");
        b->failed = true;
        return;
    }
    const qn_device_info *info = qn_device_get_info(dev);
    qn__own_process_does(info->id, "");
    note_device(b, info);
    if (!v->json && !v->csv && !v->md)
        printf("%s: %s, %s\n", info->id, info->name, info->driver);
    if (!is_model(v))
        qn__bench_roofs(b->rows, dev, &b->pace, v->words.n || v->all);
    show(b);
    const struct qn__bench_kernel_job kernel = {.file = b->file,
                                                .kernel = b->kernel,
                                                .args = &v->args,
                                                .blocks = &v->blocks,
                                                .defines = &v->defines,
                                                .includes = &v->includes,
                                                .options = &v->options,
                                                .grid = v->grid,
                                                .items = v->items,
                                                .shared_bytes = v->shared_bytes,
                                                .operations = b->operations,
                                                .builds = v->builds};
    const struct qn__bench_model_job model = {.model = v->words.n > 1 ? v->words.items[1] : NULL,
                                              .n_prompt = (uint32_t)v->n_prompt,
                                              .n_tokens = (uint32_t)v->n_tokens,
                                              .repeats = (uint32_t)v->repeats,
                                              .depths = b->depths,
                                              .n_depths = b->n_depths,
                                              .cache = v->cache};
    if (is_model(v))
        b->failed |= !qn__bench_model(b->rows, b->runs, dev, &model);
    else if (b->kernel)
        b->failed |= !qn__bench_user_kernel(b->rows, dev, &kernel, &b->pace);
    else
        measure_ops(b, dev);
    show(b);
    qn_device_close(dev);
}

/* ---- a run ---- */

static json_t *whole_run(const struct bench *b)
{
    char when[32];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    json_t *environment = json_object(), *facts = json_object();
    const struct qn__root here = {""};
    qn__gather_variables(environment);
    qn__gather_system(facts, &here);
    json_t *run = json_pack("{s:s, s:s, s:i, s:O, s:O, s:O, s:O, s:O, s:O}", "version",
                            qn_version(), "time", when, "budget_ms", (int)b->v->budget_ms,
                            "devices", b->devices, "cards", b->clocks, "rows", b->rows, "runs",
                            b->runs, "environment", json_object_get(environment, "environment"),
                            "system", json_object_get(facts, "system"));
    json_decref(environment);
    json_decref(facts);
    return run;
}

static json_t *load(const char *path)
{
    json_error_t error;
    char *text = qn__read_text(path);
    json_t *run = text ? json_loads(text, 0, &error) : NULL;
    free(text);
    if (text && !json_is_array(json_object_get(run, "rows"))) {
        qn__complain(0, "bench: %s: no run of `quern bench --save`", path);
        json_decref(run);
        run = NULL;
    }
    return run;
}

static bool compare(struct bench *b, json_t *run)
{
    json_t *before = load(b->v->compare), *changes = json_array();
    if (!before) {
        json_decref(changes);
        return false;
    }
    if (!b->v->json)
        printf(qn__tr("\nagainst %s: a change counts from %.3g %% on, and where Mann-Whitney's p "
                      "is below "
                      "0.01\n"),
               b->v->compare, b->threshold * 100);
    const uint32_t n_slower = qn__bench_compare(changes, json_object_get(before, "rows"), b->rows,
                                                b->threshold, b->v->json || b->v->csv || b->v->md);
    if (!json_array_size(changes))
        qn__complain(0, "bench: %s has no row of this run", b->v->compare);
    else if (n_slower)
        qn__complain(0, "bench: %u of %zu became slower", n_slower, json_array_size(changes));
    const bool good = json_array_size(changes) && !n_slower;
    json_object_set_new(run, "changes", changes);
    json_decref(before);
    return good;
}

/* --html, with the runs of --history before this one. */
static bool write_html(const struct bench *b, json_t *run)
{
    const uint32_t n = b->v->history.n;
    json_t **runs = calloc(n + (size_t)1, sizeof *runs);
    bool good = runs != NULL;
    for (uint32_t i = 0; good && i < n; i++)
        good = (runs[i] = load(b->v->history.items[i])) != NULL;
    if (good) {
        runs[n] = run;
        good = qn__bench_html(b->v->html, (const json_t *const *)runs, n + 1);
    }
    for (uint32_t i = 0; runs && i < n; i++)
        json_decref(runs[i]);
    free(runs);
    return good;
}

static bool parse_number(double *out, const char *text, double fallback, const char *name)
{
    char *end;
    *out = text ? strtod(text, &end) : fallback;
    if (text && (end == text || *end || !(*out >= 0))) {
        qn__complain(0, "bench: --%s %s: not a number of 0 or more", name, text);
        return false;
    }
    return true;
}

static bool parse_depths(struct bench *b)
{
    const char *p = b->v->depths ? b->v->depths : "0";
    for (; b->n_depths < DEPTHS_MAX; p++) {
        char *end;
        const unsigned long n = strtoul(p, &end, 10);
        if (end == p || (*end && *end != ',') || *p == '-' || n > 1 << 20)
            break;
        b->depths[b->n_depths++] = (uint32_t)n;
        p = end;
        if (!*p)
            return true;
    }
    return qn__complain(false, "bench: --depth %s: numbers with commas between them, up to %d",
                        b->v->depths, DEPTHS_MAX);
}

/* Words that are neither an op, a kernel of one, FILE:KERNEL, nor `model FILE`. */
static bool understand(struct bench *b)
{
    const struct values *v = b->v;
    if (is_model(v))
        return v->words.n == 2 || qn__complain(false, "bench: model: name one model's file");
    if (v->words.n == 1 && qn__bench_split(&b->file, &b->kernel, v->words.items[0]))
        return v->grid || v->items > 1 ||
               qn__complain(false, "bench: %s: how large? --items N, or --grid", b->kernel);
    for (uint32_t i = 0; i < v->words.n; i++) {
        uint32_t distance;
        const char *word = v->words.items[i], *near = qn__op_near(&distance, word);
        if (distance)
            return qn__complain(false,
                                "bench: '%s' is no op, no kernel of one and no FILE:KERNEL"
                                "%s%s%s",
                                word, near ? "; did you mean '" : "", near ? near : "",
                                near ? "'?" : "");
    }
    return true;
}

static int bench(const void *values)
{
    const struct values *v = values;
    struct bench *b = calloc(1, sizeof *b);
    if (!b)
        return qn__complain(QN__EXIT_FAILED, "out of memory");
    *b = (struct bench){.v = v, .pace = {(double)v->budget_ms}};
    int status = QN__EXIT_GOOD;
    b->rows = json_array();
    b->runs = json_array();
    b->devices = json_array();
    b->clocks = json_array();
    if (!parse_number(&b->operations, v->operations, 0, "operations") ||
        !parse_number(&b->threshold, v->threshold, 5, "threshold") || !parse_depths(b) ||
        !understand(b)) {
        status = QN__EXIT_USAGE;
        goto out;
    }
    b->threshold /= 100;
    const struct qn__root here = {""};
    json_array_append_new(b->clocks, qn__nvidia_now(&here));
    if (!v->devices.n)
        measure_device(b, NULL);
    for (uint32_t i = 0; i < v->devices.n; i++)
        measure_device(b, v->devices.items[i]);
    json_array_append_new(b->clocks, qn__nvidia_now(&here));
    json_t *run = whole_run(b);
    if (v->compare)
        b->failed |= !compare(b, run);
    if (v->save)
        b->failed |= !qn__json_write(v->save, run);
    if (v->html)
        b->failed |= !write_html(b, run);
    status = b->failed ? QN__EXIT_FAILED : QN__EXIT_GOOD;
    if (v->json && qn__json_print(json_incref(run)) != QN__EXIT_GOOD)
        status = QN__EXIT_FAILED;
    json_decref(run);
out:
    json_decref(b->rows);
    json_decref(b->runs);
    json_decref(b->devices);
    json_decref(b->clocks);
    free(b->file);
    free(b->kernel);
    free(b);
    return status;
}

static int run(const void *values)
{
    const struct values *v = values;
    qn__language_start(); /* of headings; --json, --csv and --md have names that stay */
    if (v->describe) {
        qn__bench_describe();
        return QN__EXIT_GOOD;
    }
    if (v->json + v->csv + v->md > 1)
        return qn__complain(QN__EXIT_USAGE, "bench: one of --json, --csv, --md");
    if (v->history.n && !v->html)
        return qn__complain(QN__EXIT_USAGE, "bench: --history is for --html");
    return qn__in_own_process(bench, values, "bench", v->words.n ? v->words.items[0] : "ceilings");
}

const struct qn__command qn__cmd_bench = {
    .name = "bench",
    .brief = "how fast a device, the shipped kernels, your own, or a model is",
    .about =
        "Without a word: the device's ceilings, measured by small kernels: memory, arithmetic, "
        "launches, the host's link. With ops: each over shapes of real models, its result "
        "compared with plain C before it is timed, with warm caches and with cold ones, and its "
        "share of the bandwidth measured in the same run. FILE:KERNEL: a kernel of yours, with "
        "arguments as `quern launch` takes them, at several block sizes, whose outputs must "
        "agree. `model FILE`: prompt and single tokens, at depths. Times are medians by the "
        "device's events, with half of the middle half as +-; NVIDIA's clocks, power and "
        "temperature are noted before and after. --save keeps every sample, --compare tells what "
        "is beyond noise (Mann-Whitney, p below 0.01, and at least 5 %).",
    .sample = "bench\nbench rmsnorm attention_token -d cuda -d opencl --md\n"
              "bench saxpy.cu:saxpy -n 16777216 --arg inout:f32:16m --arg in:f32:16m --arg f32:2 "
              "--arg i32:16777216\n"
              "bench model model.gguf -p 512 --tokens 128 --depth 0,4096 --json\n"
              "bench --all --save before.json\nbench --all --compare before.json\n"
              "bench rmsnorm --html report.html --history before.json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
