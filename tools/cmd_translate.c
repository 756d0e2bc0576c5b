/* SPDX-License-Identifier: Apache-2.0
 *
 * quern translate: CUDA/HIP kernel source in, OpenCL C or C out, to be read or built elsewhere. */
#define _GNU_SOURCE /* asprintf */
#include "base/translate_options.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct qn__source_options source;
    const char *to, *profile, *output, *reflect, *lines, *dump_after;
    bool explain, json, no_cache, verbose;
};

static const char profile_help[] =
    "what the target driver can do and gets wrong, portable where none is named; profiles:"
#define QN_PROFILE(name, cl_std, wave, argument_bytes, abilities, quirks, text) " " #name
#include "base/profiles.def"
    ;

static const struct qn__option options[] = {
    QN__SOURCE_ROWS(struct values),
    QN__CHOICE(
        struct values, to, 0, "to", "opencl|c",
        "the language of the text (default opencl); c is C11 with clang's vectors for a whole "
        "block of work-items, as --profile cpu"),
    QN__TEXT(struct values, profile, 'p', "profile", "PROFILE", profile_help),
    QN__TEXT(struct values, output, 'o', "output", "OUT", "write the text there, not to stdout"),
    QN__CHOICE(struct values, reflect, 0, "reflect", "json",
               "print what the kernels take and need instead of their text"),
    QN__FLAG(
        struct values, explain, 0, "explain",
        "print every lowering that was applied and every ability of the driver that is needed, "
        "instead of the text"),
    QN__CHOICE(struct values, lines, 0, "lines", qn__lines_words + 1,
               "how the text says which source lines it comes from (default comments)"),
    QN__TEXT(struct values, dump_after, 0, "dump-after", "PASS",
             "print what that pass of the translator left (docs/passes.md lists them), instead of "
             "the text"),
    QN__FLAG(struct values, json, 0, "json",
             "print all of it as one JSON object: text, reflection, explanation, diagnostics"),
    QN__FLAG(struct values, no_cache, 0, "no-cache", "neither look into the cache nor store there"),
    QN__FLAG(struct values, verbose, 'v', "verbose", "show warnings, and clang's own words too"),
};

static bool write_text(const char *path, const char *text)
{
    return qn__write_file(path, text, strlen(text)) &&
           (qn__ends_with(text, "\n") || strcmp(path, "-") || putchar('\n') != EOF);
}

/* ---- reports ---- */

/* "file:line: what was done", then what the driver must be able to do. */
static bool print_explanation(const qn_translation *t)
{
    json_t *const done = json_loads(t->explain, 0, NULL), *const reflect =
                                                              json_loads(t->reflect, 0, NULL);
    const json_t *item;
    size_t i;
    json_array_foreach(done, i, item)
    {
        const int line = (int)json_integer_value(json_object_get(item, "line"));
        printf("%s:", json_string_value(json_object_get(item, "file")));
        if (line)
            printf("%d:", line);
        printf(" %s\n", json_string_value(json_object_get(item, "what")));
    }
    json_array_foreach(json_object_get(reflect, "needs"), i, item)
        printf("needs %s\n", json_string_value(item));
    printf("build with %s\n", json_string_value(json_object_get(reflect, "build_options")));
    const bool read = done && reflect;
    json_decref(done);
    json_decref(reflect);
    return read || qn__complain(0, "translate: the helper's reports are not JSON");
}

/* "file:line:column: error: text"; NULL for a line that is none, such as a line of source. */
static json_t *diagnostic(const char *line, size_t n)
{
    static const char *const kinds[] = {": error: ", ": fatal error: ", ": warning: ", ": note: "};
    char *const text = strndup(line, n);
    json_t *out = NULL;
    for (size_t k = 0; text && k < sizeof kinds / sizeof *kinds && !out; k++) {
        char *const at = strstr(text, kinds[k]);
        if (!at || strchr(" |", text[0]))
            continue;
        unsigned row = 0, column = 0;
        char *place = at;
        *at = 0;
        for (int colons = 0; place > text && colons < 2; colons += *place == ':')
            place--;
        if (*place == ':' && sscanf(place, ":%u:%u", &row, &column) == 2)
            *place = 0;
        out =
            json_pack("{s:o, s:i, s:i, s:s#, s:o}", "file", qn__json_string(text), "line", (int)row,
                      "column", (int)column, "kind", kinds[k] + 2, (int)strlen(kinds[k]) - 4,
                      "message", qn__json_string(at + strlen(kinds[k])));
    }
    free(text);
    return out;
}

static json_t *diagnostics(const char *log)
{
    json_t *const list = json_array();
    for (const char *p = log ? log : ""; *p;) {
        const size_t n = strcspn(p, "\n");
        json_t *const d = diagnostic(p, n);
        if (d)
            json_array_append_new(list, d);
        p += n + (p[n] == '\n');
    }
    return list;
}

static int print_json(const qn_translation *t, qn_status s, const qn_log *log)
{
    json_t *const o = json_object();
    json_object_set_new(o, "status", json_string(qn_status_name(s)));
    json_object_set_new(o, "message", s == QN_OK ? json_null() : qn__json_string(qn_message()));
    json_object_set_new(o, "diagnostics", diagnostics(log->text));
    if (s == QN_OK) {
        json_object_set_new(o, "text", qn__json_string(t->text));
        json_object_set_new(o, "reflect", json_loads(t->reflect, 0, NULL));
        json_object_set_new(o, "explain", json_loads(t->explain, 0, NULL));
    }
    const int printed = qn__json_print(o);
    return s == QN_OK ? printed : QN__EXIT_FAILED;
}

/* A source whose options are those of the user and what --lines and --dump-after say. */
struct input {
    qn_source source;
    const char **options; /* the source's */
    char *lines, *dump;
};

static bool fill(struct input *out, const struct values *v)
{
    qn__source_fill(&out->source, &v->source);
    out->options = calloc(out->source.n_options + 2u, sizeof *out->options);
    if (!out->options || (v->lines && asprintf(&out->lines, "--lines=%s", v->lines) < 0) ||
        (v->dump_after && asprintf(&out->dump, "--dump-after=%s", v->dump_after) < 0))
        return qn__complain(0, "translate: out of memory");
    for (uint32_t i = 0; i < out->source.n_options; i++)
        out->options[i] = out->source.options[i];
    out->source.options = out->options;
    if (out->lines)
        out->options[out->source.n_options++] = out->lines;
    if (out->dump)
        out->options[out->source.n_options++] = out->dump;
    return true;
}

static void release(struct input *in)
{
    free(in->options);
    free(in->lines);
    free(in->dump);
}

/* C is what the profile cpu prints. False: --to says something else than --profile. */
static bool choose_profile(const char **out, const struct values *v)
{
    const bool c = v->to && strcmp(v->to, "c") == 0;
    const bool cpu = v->profile && qn__starts_with(v->profile, "cpu");
    *out = c && !v->profile ? "cpu" : v->profile;
    if (v->to && v->profile && c != cpu)
        return qn__complain(0, "translate: --to %s with --profile %s: %s", v->to, v->profile,
                            c ? "C is for the profile cpu" : "the profile cpu is for C");
    return true;
}

static int run(const void *values)
{
    const struct values *v = values;
    const char *profile;
    const char *output = v->output ? v->output : "-";
    const qn_compile_options how = {.bypass_cache = v->no_cache, .verbose = v->verbose || v->json};
    struct input in = {0};
    qn_translation result = {0};
    qn_log log = {0};
    bool good = choose_profile(&profile, v) && fill(&in, v);
    if (!good)
        goto out;
    const qn_status s = qn_translate(&result, &in.source, profile, &how, &log);
    good = s == QN_OK;
    if (v->json) {
        good = print_json(&result, s, &log) == QN__EXIT_GOOD;
        goto out;
    }
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
        good = print_explanation(&result);
out:
    release(&in);
    qn_translation_release(&result);
    qn_log_release(&log);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

const struct qn__command qn__cmd_translate = {
    .name = "translate",
    .brief = "kernel source to readable OpenCL C or C",
    .about = "Translate CUDA/HIP kernel source to OpenCL C, or to C. What cannot be translated is "
             "refused with file, line and reason.",
    .sample = "translate saxpy.cu\n"
              "translate saxpy.cu --profile pocl3 -o saxpy.cl\n"
              "translate saxpy.cu --to c -o saxpy.c\n"
              "translate saxpy.cu --reflect json\n"
              "translate saxpy.cu --explain\n"
              "translate saxpy.cu --dump-after divergence",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
