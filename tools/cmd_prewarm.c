/* SPDX-License-Identifier: Apache-2.0
 *
 * quern prewarm: compile a list of kernels for a list of targets beforehand, side by side, into the
 * cache and into a bundle. No GPU is needed.
 *
 * The order of work: read the manifest, expand targets, compile everything (what is in the cache or
 * in an older bundle at the output's place is taken from there, which is what makes an interrupted
 * run continue where it stopped), then the drivers that are here, then write the bundle and report.
 */
#include "base/file.h"
#include "tools/bundle_io.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/manifest.h"
#include "tools/prewarm_native.h"
#include "tools/prewarm_plan.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <errno.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct values {
    const char *manifest, *record, *output, *report, *key, *written;
    struct qn__option_list targets;
    const char *device;
    uint64_t workers, time_limit_s, native_step;
    bool all, refresh, verbose, dry_run, json;
};

static const struct qn__option options[] = {
    QN__OPERAND_OPTIONAL(struct values, manifest, "MANIFEST",
                         "list of kernels, JSON (docs/prewarm.md)"),
    QN__FLAG(struct values, all, 0, "all", "the kernels that ship with Quern"),
    QN__TEXT(struct values, record, 0, "from-run", "LOG",
             "what a program asked for that ran with QUERN_RECORD=LOG"),
    QN__LIST(struct values, targets, 't', "target", "TARGET",
             "instead of the manifest's targets: cuda:sm_90, hip:gfx90a, opencl:portable, ...; "
             "cuda:all, hip:all, opencl:all, cpu:all: every one that a compiler found here makes; "
             "opencl:native: binaries of the OpenCL drivers that are here"),
    QN__TEXT(struct values, output, 'o', "output", "BUNDLE",
             "write all images there; without it they only go into the cache"),
    QN__NUMBER(struct values, workers, 'j', "jobs", 0, 256, 0,
               "compile this many at once; default as many as there are processors"),
    QN__NUMBER(struct values, time_limit_s, 0, "time-limit", 0, 86400, 0,
               "seconds for each compile, and for the launches of a kernel by opencl:native; "
               "default QUERN_COMPILE_TIMEOUT, else 120"),
    QN__TEXT(struct values, key, 'k', "key", "FILE",
             "sign the bundle with the secret key in this file"),
    QN__TEXT(struct values, report, 0, "report", "FILE",
             "write what became of each kernel and target, as JSON; - is stdout"),
    QN__TEXT(struct values, written, 0, "write-manifest", "FILE",
             "write the manifest made of --from-run, and compile nothing"),
    QN__FLAG(struct values, refresh, 0, "refresh", "compile what is there already, too"),
    QN__FLAG(
        struct values, dry_run, 0, "dry-run",
        "say of each image whether it is there, would be compiled or is known to fail; compile "
        "and write nothing"),
    QN__FLAG(struct values, json, 0, "json", "print the report on stdout, as --report - does"),
    QN__FLAG(struct values, verbose, 'v', "verbose", "a line for each image"),
    QN__NUMBER(struct values, native_step, 0, "native-step", 1, UINT32_MAX, 0,
               "only make the launches of kernel N of the manifest on --device and write the "
               "driver's binary to --output: how opencl:native starts itself, so that a kernel "
               "that hangs can be stopped"),
    QN__TEXT(struct values, device, 0, "device", "DEVICE", "for --native-step: opencl:0"),
};

/* One target of one kernel. */
struct job {
    const struct qn__manifest_kernel *kernel;
    char *target;
};

struct session {
    const struct values *v;
    struct qn__manifest manifest;
    struct job *jobs; /* compiles; items[i] is jobs[i]'s */
    qn_compile_item *items;
    uint32_t n_jobs;
    const struct qn__manifest_kernel **native; /* kernels for the drivers here */
    uint32_t n_native;
    qn_compile_options how, anew;
    char signer[QN_BUNDLE_KEY_TEXT]; /* the public key of --key, or "" */
    qn_bundle_writer *writer;
    json_t *rows;                                   /* of the report; NULL: not wanted */
    uint32_t n_good, n_failed, n_compiled, n_built; /* n_built: by drivers that are here */
    uint32_t n_of_machine;                          /* those that depend on its headers */
    uint32_t n_of_toolkit;                          /* and on a CUDA toolkit's */
    uint32_t limit_s;                               /* of opencl:native, for each kernel */
    struct qn__str native_failures;                 /* of opencl:native, one a line */
    double start_ms;
};

/* ---- the list of jobs ---- */

/* A manifest or a record from its file. */
static bool read_manifest(struct qn__manifest *out, const char *path, bool is_record)
{
    struct qn__str error = {0};
    size_t n;
    *out = (struct qn__manifest){0};
    char *text = qn__read_file(&n, path);
    bool good = text != NULL;
    if (good) {
        const char *slash = strrchr(path, '/');
        char *folder = slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup("");
        good = folder && (is_record ? qn__manifest_parse_record(out, &error, text, n)
                                    : qn__manifest_parse(out, &error, text, n, folder));
        if (!good)
            qn__complain(0, "prewarm: %s: %s", path, error.text ? error.text : "out of memory");
        free(folder);
    }
    free(text);
    qn__str_release(&error);
    return good;
}

static bool out_of_memory(void)
{
    qn__complain(0, "prewarm: out of memory");
    return false;
}

static bool add_job(struct session *s, const struct qn__manifest_kernel *k, const char *target)
{
    struct job *grown = realloc(s->jobs, (s->n_jobs + (size_t)1) * sizeof *grown);
    if (!grown)
        return out_of_memory();
    s->jobs = grown;
    s->jobs[s->n_jobs] = (struct job){k, strdup(target)};
    return s->jobs[s->n_jobs++].target || out_of_memory();
}

static bool add_native(struct session *s, const struct qn__manifest_kernel *k)
{
    const struct qn__manifest_kernel **grown =
        realloc(s->native, (s->n_native + (size_t)1) * sizeof *grown);
    if (!grown)
        return out_of_memory();
    s->native = grown;
    s->native[s->n_native++] = k;
    return true;
}

/* "cuda:all" and "cuda" become everything that a compiler found here makes. */
static bool add_target(struct session *s, const struct qn__manifest_kernel *k, const char *word)
{
    const char *colon = strchr(word, ':');
    char backend[16];
    const char *const *all;
    uint32_t n;
    if (!strcmp(word, "opencl:native"))
        return add_native(s, k);
    if (colon && strcmp(colon, ":all") != 0)
        return add_job(s, k, word);
    snprintf(backend, sizeof backend, "%.*s", (int)strcspn(word, ":"), word);
    if (qn_compile_targets(&all, &n, backend) != QN_OK) {
        qn__complain_status("prewarm: target %s", word);
        return false;
    }
    bool good = true;
    for (uint32_t i = 0; good && i < n; i++)
        good = add_job(s, k, all[i]);
    free((void *)(uintptr_t)all);
    return good;
}

static bool make_jobs(struct session *s)
{
    const struct qn__option_list *named = &s->v->targets;
    bool good = true;
    for (uint32_t i = 0; good && i < s->manifest.n_kernels; i++) {
        const struct qn__manifest_kernel *k = &s->manifest.kernels[i];
        const char *const *words = named->n ? named->items : k->targets;
        const uint32_t n = named->n ? named->n : k->n_targets;
        if (n == 0) {
            qn__complain(0, "prewarm: no target for %s (add --target cuda:all, ...)", k->shown);
            return false;
        }
        for (uint32_t t = 0; good && t < n; t++)
            good = add_target(s, k, words[t]);
    }
    s->items = calloc(s->n_jobs + 1, sizeof *s->items);
    if (!s->items)
        return out_of_memory();
    s->how = (qn_compile_options){.time_limit_s = (uint32_t)s->v->time_limit_s};
    for (uint32_t i = 0; i < s->n_jobs; i++)
        s->items[i] = (qn_compile_item){
            .source = &s->jobs[i].kernel->source, .target = s->jobs[i].target, .options = &s->how};
    return good;
}

/* The shipped kernels: one source per file, as the library builds them. */
static bool list_ops(struct qn__manifest *m)
{
    m->kernels = calloc(qn_op_count() + 1, sizeof *m->kernels);
    m->owned = malloc(sizeof *m->owned);
    if (!m->kernels || !m->owned) {
        free(m->kernels);
        m->kernels = NULL;
        return out_of_memory();
    }
    m->owned[m->n_owned++] = m->kernels;
    for (uint32_t i = 0; i < qn_op_count(); i++) {
        const qn_op_info *op = qn_op_get(i);
        bool is_there = false;
        for (uint32_t k = 0; k < m->n_kernels; k++)
            is_there |= !strcmp(m->kernels[k].shown, op->file);
        if (!is_there)
            m->kernels[m->n_kernels++] = (struct qn__manifest_kernel){
                .source = {.text = op->source, .path = op->file}, .shown = op->file};
    }
    return true;
}

/* ---- work ---- */

/* Where lines for people go: stdout, unless the report is there. */
static FILE *lines_file(const struct session *s)
{
    return s->v->json || (s->v->report && !strcmp(s->v->report, "-")) ? stderr : stdout;
}

static bool show_progress(uint32_t done, uint32_t total, const qn_compile_item *last, void *payload)
{
    struct session *s = payload;
    char left[QN__TIME_TEXT];
    const double spent = (qn__now_ms() - s->start_ms) / 1e3;
    s->n_failed += last->status != QN_OK;
    s->n_compiled += last->status == QN_OK && last->log.origin == QN_ORIGIN_COMPILED;
    qn__time_text(left, (int64_t)(spent / done * (total - done) + 0.5));
    qn__progress(done, total, "%u compiled, %u failed, %s left: %s", s->n_compiled, s->n_failed,
                 left, last->target);
    return true;
}

static void report_image(struct session *s, const struct job *job, const qn_compile_item *item)
{
    const bool good = item->status == QN_OK;
    char size[QN__SIZE_TEXT];
    const uint64_t bytes = good ? qn_image_get_info(item->image)->size_bytes : 0;
    const uint32_t headers = good ? qn__count_machine_headers(qn_image_get_fields(item->image)) : 0;
    const uint32_t of_toolkit =
        headers ? qn__count_toolkit_headers(qn_image_get_fields(item->image)) : 0;
    s->n_of_machine += headers > 0;
    s->n_of_toolkit += of_toolkit > 0;
    if (s->v->verbose && good)
        fprintf(lines_file(s), "%-24s %-24s %9s  %s\n", job->kernel->shown, job->target,
                qn__size_text(size, bytes), qn__origin_text(item->log.origin));
    if (s->rows)
        json_array_append_new(
            s->rows,
            json_pack("{s:o, s:s, s:b, s:s, s:o, s:o, s:s, s:f, s:I, s:s, s:i, s:i}", "kernel",
                      qn__json_string(job->kernel->shown), "target", job->target, "ok", good,
                      "status", qn_status_name(item->status), "message",
                      good ? json_null() : qn__json_string(item->message ? item->message : ""),
                      "log", qn__json_string(item->log.text ? item->log.text : ""), "origin",
                      good ? qn__origin_text(item->log.origin) : "", "ms", item->log.ms,
                      "size_bytes", (json_int_t)bytes, "key", item->log.key ? item->log.key : "",
                      "machine_headers", (int)headers, "toolkit_headers", (int)of_toolkit));
}

/* May the bundle's signature, where it gets one, vouch for the image? */
static bool may_sign(const struct session *s, const qn_image *image)
{
    const char *signer;
    qn_image_get_origin(image, &signer);
    return !s->signer[0] || qn_image_is_verified(image) || !strcmp(signer, s->signer);
}

/* What may not be signed because it came from elsewhere is compiled here, whatever the cache has.
 */
static bool remake_foreign(struct session *s)
{
    uint32_t *at = calloc(s->n_jobs + (size_t)1, sizeof *at), n = 0;
    qn_compile_item *items = calloc(s->n_jobs + (size_t)1, sizeof *items);
    s->anew = s->how;
    s->anew.bypass_cache = true;
    for (uint32_t i = 0; at && items && i < s->n_jobs; i++)
        if (s->items[i].status == QN_OK && !may_sign(s, s->items[i].image)) {
            items[n] = (qn_compile_item){
                .source = s->items[i].source, .target = s->items[i].target, .options = &s->anew};
            at[n++] = i;
        }
    if (n) {
        qn__complain(0,
                     "prewarm: %u images came from elsewhere, signed by nobody whom "
                     "QUERN_BUNDLE_KEYS trusts; they are compiled here, because the bundle is "
                     "signed",
                     n);
        const qn_status status = /* failures are in the items */
            qn_compile_many(items, n, (uint32_t)s->v->workers, NULL, NULL);
        (void)status;
    }
    for (uint32_t i = 0; i < n; i++) {
        qn_compile_items_release(&s->items[at[i]], 1);
        s->items[at[i]] = items[i];
        s->n_failed += items[i].status != QN_OK;
        s->n_compiled += items[i].status == QN_OK;
    }
    const bool good = at && items;
    free(at);
    free(items);
    return good || out_of_memory();
}

static bool compile_all(struct session *s)
{
    s->start_ms = qn__now_ms();
    /* failures are in the items; they stop nothing */
    const qn_status status =
        qn_compile_many(s->items, s->n_jobs, (uint32_t)s->v->workers, show_progress, s);
    qn__progress_clear();
    (void)status;
    bool good = remake_foreign(s);
    for (uint32_t i = 0; i < s->n_jobs; i++) {
        report_image(s, &s->jobs[i], &s->items[i]);
        s->n_good += s->items[i].status == QN_OK;
        if (s->items[i].status == QN_OK && good)
            good = qn_bundle_writer_add_image(s->writer, s->items[i].image) == QN_OK;
    }
    if (!good)
        qn__complain_status("prewarm");
    return good;
}

static void warm_one(struct session *s, const char *device, const struct qn__manifest_kernel *k,
                     const char *image_file)
{
    const struct values *v = s->v;
    struct qn__native_result r;
    char step[24];
    if (!v->all && k->n_launches == 0) {
        qn__complain(0, "prewarm: %s on %s: left out, it has no \"launch\" in the manifest",
                     k->shown, device);
        return;
    }
    snprintf(step, sizeof step, "%u", (unsigned)(k - s->manifest.kernels) + 1);
    const char *const words[] = {
        "prewarm",  "--native-step",
        step,       "--device",
        device,     "--output",
        image_file, v->all ? "--all" : v->record ? "--from-run" : v->manifest,
        v->record,  v->refresh ? "--refresh" : NULL};
    const char *given[sizeof words / sizeof words[0] + 1];
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i])
            given[n++] = words[i];
    const double start = qn__now_ms();
    qn__native_run(&r, given, n, image_file, s->limit_s);
    if (r.good && s->signer[0] && !r.verified && !v->refresh) { /* as remake_foreign() */
        given[n++] = "--refresh";
        qn__native_result_release(&r);
        qn__native_run(&r, given, n, image_file, s->limit_s);
    }
    const double ms = qn__now_ms() - start;
    const char *message = r.good ? NULL : r.message;
    if (r.good && qn_bundle_writer_add_image(s->writer, r.image) != QN_OK)
        message = qn_message();
    r.good = !message;
    if (message)
        qn__str_printf(&s->native_failures, "%s on %s: %s\n", k->shown, device, message);
    s->n_good += r.good;
    s->n_built += r.good;
    s->n_failed += !r.good;
    if (s->rows)
        json_array_append_new(
            s->rows, json_pack("{s:o, s:s, s:s, s:b, s:s, s:o, s:s, s:s, s:f, s:I, s:s}", "kernel",
                               qn__json_string(k->shown), "target", "opencl:native", "device",
                               device, "ok", r.good, "status", r.status, "message",
                               message ? qn__json_string(message) : json_null(), "log", "",
                               "origin", r.good ? "driver" : "", "ms", ms, "size_bytes",
                               (json_int_t)(r.image ? qn_image_get_info(r.image)->size_bytes : 0),
                               "key", r.key));
    qn__native_result_release(&r);
}

/* Devices are named here and opened by the processes that run the launches. */
static bool warm_devices(struct session *s)
{
    qn_device_list list;
    uint32_t n_found = 0;
    char image_file[] = "/tmp/quern-native-XXXXXX";
    if (s->n_native == 0)
        return true;
    const int fd = mkstemp(image_file);
    if (fd < 0) {
        qn__complain(0, "prewarm: %s: %s", image_file, strerror(errno));
        return false;
    }
    close(fd);
    if (qn_device_list_init(&list) != QN_OK) {
        unlink(image_file);
        qn__complain_status("prewarm");
        return false;
    }
    for (uint32_t i = 0; i < list.n_devices; i++) {
        if (strcmp(list.devices[i].backend, "opencl") != 0)
            continue;
        n_found++;
        for (uint32_t k = 0; k < s->n_native; k++) {
            qn__progress(k, s->n_native, "%s: %s", list.devices[i].id, s->native[k]->shown);
            warm_one(s, list.devices[i].id, s->native[k], image_file);
        }
        qn__progress_clear();
    }
    qn_device_list_release(&list);
    unlink(image_file);
    if (n_found == 0)
        qn__complain(0, "prewarm: opencl:native: no OpenCL device is here");
    return n_found > 0;
}

/* This process is one step of another's warm_devices(). */
static int run_native_step(struct session *s)
{
    const struct values *v = s->v;
    if (!v->device || !v->output || v->native_step > s->manifest.n_kernels)
        return qn__complain(QN__EXIT_USAGE,
                            "prewarm: --native-step goes with --device and --output, and is the "
                            "number of a kernel of the manifest");
    return qn__native_step(&s->manifest.kernels[v->native_step - 1], v->all, v->device, v->output);
}

/* ---- the end ---- */

static void list_failures(const struct session *s)
{
    for (uint32_t i = 0; i < s->n_jobs; i++) {
        const qn_compile_item *item = &s->items[i];
        if (item->status == QN_OK)
            continue;
        qn__complain(0, "%s for %s: %s", s->jobs[i].kernel->shown, item->target,
                     item->message ? item->message : qn_status_text(item->status));
    }
    for (const char *line = s->native_failures.text; line && *line;) {
        const size_t n = strcspn(line, "\n");
        qn__complain(0, "%.*s", (int)n, line);
        line += n + 1;
    }
}

/* To the file of --report and, with --json, to stdout. */
static bool write_document(const struct session *s, json_t *o)
{
    const bool is_stdout = s->v->report && !strcmp(s->v->report, "-");
    bool good = !s->v->report || is_stdout || qn__json_write(s->v->report, o);
    if (s->v->json || is_stdout)
        good &= qn__json_print(json_incref(o)) == QN__EXIT_GOOD;
    return good;
}

static bool write_report(const struct session *s)
{
    if (!s->rows)
        return true;
    json_t *o = json_pack("{s:O, s:i, s:i, s:i, s:f}", "images", s->rows, "good", (int)s->n_good,
                          "compiled", (int)s->n_compiled, "failed", (int)s->n_failed, "seconds",
                          (qn__now_ms() - s->start_ms) / 1e3);
    const bool good = write_document(s, o);
    json_decref(o);
    return good;
}

/* --dry-run */
static int plan(const struct session *s)
{
    struct qn__prewarm_plan p = {
        .lines = lines_file(s), .rows = json_array(), .refresh = s->v->refresh};
    for (uint32_t i = 0; i < s->n_jobs; i++)
        qn__prewarm_plan_image(&p, s->jobs[i].kernel->shown, &s->jobs[i].kernel->source,
                               s->jobs[i].target);
    for (uint32_t i = 0; i < s->n_native; i++)
        qn__prewarm_plan_native(&p, s->native[i]->shown, s->v->all || s->native[i]->n_launches > 0);
    fprintf(stderr,
            "%u images: %u to compile, %u there, %u to launch on the OpenCL drivers here, %u "
            "known to fail; nothing was done\n",
            p.n_compiled + p.n_there + p.n_launched + p.n_failed, p.n_compiled, p.n_there,
            p.n_launched, p.n_failed);
    json_t *o = json_pack("{s:b, s:o, s:i, s:i, s:i, s:i}", "dry_run", 1, "images", p.rows,
                          "compile", (int)p.n_compiled, "there", (int)p.n_there, "launch",
                          (int)p.n_launched, "failed", (int)p.n_failed);
    const bool good = !s->rows || write_document(s, o);
    json_decref(o);
    return good && p.n_failed == 0 ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

static int finish(struct session *s)
{
    bool good = true;
    if (s->v->output && s->n_good == 0 && s->n_failed > 0)
        good = qn__complain(false, "prewarm: nothing could be made, so %s is not written",
                            s->v->output);
    else if (s->v->output)
        good = qn__bundle_write(lines_file(s), s->writer, s->v->output, s->v->key);
    good &= write_report(s);
    list_failures(s);
    fprintf(stderr,
            "%u images: %u compiled, %u were there, %u by drivers here, %u failed; %.1f s\n",
            s->n_good + s->n_failed, s->n_compiled, s->n_good - s->n_compiled - s->n_built,
            s->n_built, s->n_failed, (qn__now_ms() - s->start_ms) / 1e3);
    if (s->n_of_machine)
        fprintf(stderr,
                "images that depend on this machine's C++ headers: %u (`quern why` lists them; a "
                "bundle serves machines with other headers all the same)\n",
                s->n_of_machine);
    if (s->n_of_toolkit)
        fprintf(stderr, "images that depend on a CUDA toolkit's headers as well: %u\n",
                s->n_of_toolkit);
    return good && s->n_failed == 0 ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

static bool open_session(struct session *s)
{
    const struct values *v = s->v;
    if (v->all
            ? !list_ops(&s->manifest)
            : !read_manifest(&s->manifest, v->record ? v->record : v->manifest, v->record != NULL))
        return false;
    if (!s->manifest.n_kernels)
        return qn__complain(false, "prewarm: %s: there are no kernels in it",
                            v->record ? v->record : v->manifest);
    if (v->refresh && qn_cache_set_mode("refresh") != QN_OK) {
        qn__complain_status("prewarm");
        return false;
    }
    if (v->written || v->native_step)
        return true;
    char secret[QN_BUNDLE_KEY_TEXT];
    if (v->key && !qn__read_secret(secret, v->key))
        return false;
    if (v->key && qn_bundle_public_key(s->signer, secret) != QN_OK) {
        qn__complain_status("prewarm: %s", v->key);
        return false;
    }
    if (qn_bundle_writer_create(&s->writer) != QN_OK) {
        qn__complain_status("prewarm");
        return false;
    }
    /* what an earlier run has made; a file that is no bundle is not written over */
    if (v->output && access(v->output, F_OK) == 0 && qn_cache_add_bundle(v->output) != QN_OK) {
        qn__complain_status("prewarm: it is not a bundle that could be continued");
        return false;
    }
    s->rows = v->report || v->json ? json_array() : NULL;
    return make_jobs(s);
}

static int write_manifest(const struct session *s)
{
    return qn__json_write(s->v->written, s->manifest.document) ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

static void close_session(struct session *s)
{
    if (s->items)
        qn_compile_items_release(s->items, s->n_jobs);
    for (uint32_t i = 0; i < s->n_jobs; i++)
        free(s->jobs[i].target);
    free(s->items);
    free(s->jobs);
    free(s->native);
    json_decref(s->rows);
    qn_bundle_writer_destroy(s->writer);
    qn__str_release(&s->native_failures);
    qn__manifest_release(&s->manifest);
}

static int run(const void *values)
{
    const struct values *v = values;
    struct session s = {.v = v,
                        .limit_s = v->time_limit_s ? (uint32_t)v->time_limit_s
                                                   : qn_compile_get_time_limit()};
    if ((v->manifest != NULL) + (v->record != NULL) + v->all != 1)
        return qn__complain(QN__EXIT_USAGE,
                            "prewarm: name one of MANIFEST, --from-run LOG and --all");
    if (v->written && !v->record)
        return qn__complain(QN__EXIT_USAGE, "prewarm: --write-manifest goes with --from-run");
    if (v->dry_run && (v->written || v->native_step))
        return qn__complain(QN__EXIT_USAGE,
                            "prewarm: --dry-run compiles and writes nothing, so "
                            "%s does not go with it",
                            v->written ? "--write-manifest" : "--native-step");
    int status = QN__EXIT_FAILED;
    if (open_session(&s)) {
        if (v->native_step)
            status = run_native_step(&s);
        else if (v->written)
            status = write_manifest(&s);
        else if (v->dry_run)
            status = plan(&s);
        else if (compile_all(&s) & warm_devices(&s))
            status = finish(&s);
    }
    close_session(&s);
    return status;
}

const struct qn__command qn__cmd_prewarm = {
    .name = "prewarm",
    .brief = "compile many kernels beforehand, for machines that are not here",
    .about =
        "Compile a list of kernels for a list of targets into the cache and, with -o, into a "
        "bundle. No GPU is needed. What is there already is not compiled again, so an interrupted "
        "run continues where it stopped. Failures are listed at the end and stop nothing else. "
        "docs/prewarm.md has the form of a manifest.",
    .sample = "prewarm kernels.json -t cuda:all -t hip:all -o app.qnb -j 8\n"
              "prewarm --all -t cuda:sm_90 -t opencl:portable --report report.json\n"
              "prewarm kernels.json -t cuda:all --dry-run\n"
              "prewarm --from-run app.log -o app.qnb",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
