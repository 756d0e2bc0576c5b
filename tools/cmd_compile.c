/* SPDX-License-Identifier: Apache-2.0
 *
 * quern compile: one source for any number of targets, on a machine that has none of them. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct qn__source_options source;
    struct qn__option_list targets;
    const char *output_dir, *compiler;
    bool raw, no_cache, verbose, json;
};

static const char compilers[] =
#define QN_COMPILER(name, BACKEND, backend) "|" #name
#include "base/compilers.def"
    ;

static const struct qn__option options[] = {
    QN__SOURCE_ROWS(struct values),
    QN__LIST(struct values, targets, 't', "target", "TARGET",
             "what to compile for: cuda:sm_90a (cubin), cuda:compute_80 (PTX), "
             "hip:gfx90a:xnack-, opencl:portable, cpu:x86-64-v3; `cuda`, `hip`, `opencl` or `cpu` "
             "alone: every target "
             "the compilers found here can make"),
    QN__TEXT(struct values, output_dir, 'o', "output", "DIR",
             "write each image there as STEM.TARGET.qni (the folder is made where it is missing); "
             "without it nothing is written"),
    QN__FLAG(
        struct values, raw, 0, "raw",
        "write bare cubin, PTX, hsaco, OpenCL C or shared object instead of Quern's own format"),
    QN__CHOICE(struct values, compiler, 0, "compiler", compilers + 1,
               "use this compiler and no other"),
    QN__FLAG(struct values, no_cache, 0, "no-cache", "neither look into the cache nor store there"),
    QN__FLAG(struct values, verbose, 'v', "verbose",
             "show warnings, and the compiler's own words too"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

/* ---- the list of targets ---- */

struct targets {
    struct qn__str text; /* the names, a 0 after each */
    uint32_t n;
};

static void add_target(struct targets *t, const char *name)
{
    qn__str_add_bytes(&t->text, name, strlen(name) + 1);
    t->n++;
}

/* "cuda" becomes everything that a compiler found here can make. */
static bool expand_targets(struct targets *out, const struct qn__option_list *words)
{
    for (uint32_t i = 0; i < words->n; i++) {
        if (strchr(words->items[i], ':')) {
            add_target(out, words->items[i]);
            continue;
        }
        const char *const *all;
        uint32_t n;
        if (qn_compile_targets(&all, &n, words->items[i]) != QN_OK) {
            qn__complain_status("compile: --target %s", words->items[i]);
            return false;
        }
        for (uint32_t j = 0; j < n; j++)
            add_target(out, all[j]);
        free((void *)(uintptr_t)all);
    }
    return !out->text.failed || qn__complain(false, "compile: no memory for the targets");
}

/* ---- one target ---- */

/* DIR/STEM.TARGET.qni, with ':' and what else file systems dislike as '_'. */
static void output_path(struct qn__str *out, const struct values *v, const qn_image_info *info)
{
    const char *slash = strrchr(v->source.file, '/');
    const char *base = slash ? slash + 1 : v->source.file;
    const char *dot = strrchr(base, '.');
    qn__str_printf(out, "%s/%.*s.", v->output_dir, (int)(dot ? dot - base : (int)strlen(base)),
                   base);
    for (const char *p = info->target; *p; p++)
        qn__str_add_char(out, strchr(":/ ", *p) ? '_' : *p);
    qn__str_printf(out, ".%s", v->raw ? qn__image_kind_suffix(info->kind) : "qni");
}

static bool save(const struct values *v, const qn_image *image, const char *path)
{
    const qn_image_info *info = qn_image_get_info(image);
    if (v->raw)
        return qn__write_file(path, info->bytes, info->size_bytes);
    if (qn_image_save(image, path) == QN_OK)
        return true;
    qn__complain_status("compile: %s", path);
    return false;
}

static void report(const qn_image_info *info, const qn_log *log, const char *path, json_t *rows)
{
    char size[QN__SIZE_TEXT];
    if (rows) {
        json_array_append_new(
            rows,
            json_pack("{s:s, s:b, s:o, s:s, s:I, s:s, s:f, s:s, s:o, s:o}", "target", info->target,
                      "ok", 1, "compiler", qn__json_string(info->compiler), "kind",
                      qn__image_kind_text(info->kind), "size_bytes", (json_int_t)info->size_bytes,
                      "origin", qn__origin_text(log->origin), "ms", log->ms, "key",
                      log->key ? log->key : "", "file", path ? qn__json_string(path) : json_null(),
                      "kernels", qn__json_kernels(info)));
        return;
    }
    printf("%-24s %-15s %9s  ", info->target, qn__image_kind_text(info->kind),
           qn__size_text(size, info->size_bytes));
    if (log->origin == QN_ORIGIN_COMPILED)
        printf("%s in %.0f ms", qn__plain(info->compiler), log->ms);
    else
        printf("%s, from the %s", qn__plain(info->compiler), qn__origin_text(log->origin));
    printf("%s%s\n", path ? " -> " : "", path ? path : "");
}

static bool compile_one(const struct values *v, const qn_source *src, const char *target,
                        json_t *rows)
{
    const qn_compile_options how = {
        .compiler = v->compiler, .bypass_cache = v->no_cache, .verbose = v->verbose};
    qn_image *image = NULL;
    qn_log log = {0};
    struct qn__str path = {0};
    const qn_status s = qn_compile(&image, src, target, &how, &log);
    bool good = s == QN_OK;
    qn__progress_clear();
    if (!good) {
        if (rows)
            json_array_append_new(rows, json_pack("{s:s, s:b, s:s, s:o, s:o}", "target", target,
                                                  "ok", 0, "status", qn_status_name(s), "message",
                                                  qn__json_string(qn_message()), "log",
                                                  qn__json_string(log.text ? log.text : "")));
        qn__complain_build("compile", target, s, &log, v->verbose);
    } else {
        qn__print_log(&log, v->verbose);
    }
    if (good && v->output_dir) {
        output_path(&path, v, qn_image_get_info(image));
        good = path.failed ? qn__complain(false, "compile: no memory for a file's name")
                           : save(v, image, path.text);
    }
    if (good)
        report(qn_image_get_info(image), &log, path.text, rows);
    qn__str_release(&path);
    qn_log_release(&log);
    qn_image_release(image);
    return good;
}

static int run(const void *values)
{
    const struct values *v = values;
    if (!v->targets.n)
        return qn__complain(QN__EXIT_USAGE, "compile: no target (add --target cuda:sm_90, --target "
                                            "opencl:portable, ...)");
    if (v->output_dir && !qn__make_folder(v->output_dir))
        return QN__EXIT_FAILED;
    struct targets targets = {0};
    int status = QN__EXIT_FAILED;
    if (expand_targets(&targets, &v->targets)) {
        qn_source src;
        qn__source_fill(&src, &v->source);
        json_t *rows = v->json ? json_array() : NULL;
        uint32_t n_failed = 0;
        const char *target = targets.text.text;
        for (uint32_t i = 0; i < targets.n; i++, target += strlen(target) + 1) {
            qn__progress(i, targets.n, "%s", target);
            n_failed += !compile_one(v, &src, target, rows);
        }
        status = rows ? qn__json_print(rows) : QN__EXIT_GOOD;
        if (n_failed == 1 && targets.n == 1)
            status = QN__EXIT_FAILED;
        else if (n_failed)
            status = qn__complain(QN__EXIT_FAILED, "compile: %u of %u targets failed", n_failed,
                                  targets.n);
    }
    qn__str_release(&targets.text);
    return status;
}

const struct qn__command qn__cmd_compile = {
    .name = "compile",
    .brief = "kernel source to images for devices that need not be here",
    .about = "Compile one kernel source for each target. No GPU is needed. An image file holds the "
             "binary, its target, its compiler and its kernels' arguments; `quern launch` and "
             "qn_image_load() take it.",
    .sample = "compile saxpy.cu --target cuda:sm_90 --target hip:gfx90a --target opencl:portable "
              "-o out\n"
              "compile saxpy.cu --target hip --json\n"
              "compile scan.cu -t cuda:compute_80 --name 'scan<float>' --raw -o out",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
