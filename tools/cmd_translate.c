/* SPDX-License-Identifier: Apache-2.0
 *
 * quern translate: CUDA/HIP kernel source in, OpenCL C out, to be read or built elsewhere. */
#include "tools/commands.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

struct values {
    struct qn__source_options source;
    const char *profile, *output, *reflect;
    bool explain, no_cache, verbose;
};

static const struct qn__option options[] = {
    QN__SOURCE_ROWS(struct values),
    QN__TEXT(struct values, profile, 'p', "profile", "PROFILE",
             "what the target driver can do: portable (default), pocl3, nvidia, ..."),
    QN__TEXT(struct values, output, 'o', "output", "OUT",
             "write the OpenCL C there, not to stdout"),
    QN__CHOICE(struct values, reflect, 0, "reflect", "json",
               "print what the kernels take and need instead of their text"),
    QN__FLAG(struct values, explain, 0, "explain",
             "print every lowering that was applied, as JSON, instead of the text"),
    QN__FLAG(struct values, no_cache, 0, "no-cache", "neither look into the cache nor store there"),
    QN__FLAG(struct values, verbose, 'v', "verbose", "show warnings, and clang's own words too"),
};

static bool write_text(const char *path, const char *text)
{
    return qn__write_file(path, text, strlen(text)) &&
           (qn__ends_with(text, "\n") || strcmp(path, "-") || putchar('\n') != EOF);
}

static int run(const void *values)
{
    const struct values *v = values;
    const char *output = v->output ? v->output : "-";
    const qn_compile_options how = {.bypass_cache = v->no_cache, .verbose = v->verbose};
    qn_translation result = {0};
    qn_log log = {0};
    qn_source src;
    qn__source_fill(&src, &v->source);
    const qn_status s = qn_translate(&result, &src, v->profile, &how, &log);
    bool good = s == QN_OK;
    if (good)
        qn__print_log(&log, v->verbose);
    else
        qn__complain_build("translate", v->source.file, s, &log, v->verbose);
    /* reports take the place of the text on stdout; with -o both are wanted */
    const bool has_report = v->reflect || v->explain;
    if (good && (v->output || !has_report))
        good = write_text(output, result.text);
    if (good && v->reflect)
        good = write_text("-", result.reflect);
    if (good && v->explain)
        good = write_text("-", result.explain);
    qn_translation_release(&result);
    qn_log_release(&log);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

const struct qn__command qn__cmd_translate = {
    .name = "translate",
    .brief = "kernel source to readable OpenCL C",
    .about = "Translate CUDA/HIP kernel source to OpenCL C. What cannot be translated is refused "
             "with file, line and reason.",
    .sample = "translate saxpy.cu\n"
              "translate saxpy.cu --profile pocl3 -o saxpy.cl\n"
              "translate saxpy.cu --reflect json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
