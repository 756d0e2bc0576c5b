/* SPDX-License-Identifier: Apache-2.0
 *
 * quern why: everything that went into a cache key, and what separates it from another one. */
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <errno.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct qn__source_options source;
    const char *target, *compiler, *diff;
    bool json;
};

static const char compilers[] =
#define QN_COMPILER(name, BACKEND, backend) "|" #name
#include "base/compilers.def"
    ;

static const struct qn__option options[] = {
    QN__SOURCE_ROWS(struct values),
    QN__TEXT(struct values, target, 't', "target", "TARGET",
             "as for compile; default the target of the preferred device"),
    QN__CHOICE(struct values, compiler, 0, "compiler", compilers + 1, "as for compile"),
    QN__TEXT(struct values, diff, 0, "diff", "OTHER",
             "print only what differs from OTHER: a file with what another `quern why` printed, or "
             "8 or more digits of a key in the cache"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

/* ---- the other side of --diff ---- */

/* The lines below "fields:" of what this command printed, without their indent. */
static char *fields_of_output(const char *text)
{
    struct qn__str out = {0};
    const char *p = strstr(text, "fields:\n");
    for (p = p ? p + strlen("fields:\n") : ""; p[0] == ' ' && p[1] == ' ';) {
        const size_t n = strcspn(p, "\n");
        qn__str_add_bytes(&out, p + 2, n - 2);
        qn__str_add_char(&out, '\n');
        p += n + (p[n] == '\n');
    }
    return qn__str_take(&out);
}

static char *fields_of_file(const char *path)
{
    char *text = qn__read_file(NULL, path);
    if (!text)
        return NULL;
    json_t *o = json_loads(text, 0, NULL);
    const char *json_fields = json_string_value(json_object_get(o, "fields"));
    char *fields = json_fields ? strdup(json_fields) : fields_of_output(text);
    json_decref(o);
    free(text);
    if (fields && !fields[0]) {
        qn__complain(0, "why: --diff %s: not what `quern why` printed", path);
        free(fields);
        return NULL;
    }
    return fields;
}

static bool is_key(const char *text)
{
    return strlen(text) >= 8 && strspn(text, "0123456789abcdef") == strlen(text);
}

static char *fields_of_other(const char *other)
{
    if (!is_key(other))
        return fields_of_file(other);
    qn_image *image;
    if (qn_cache_load(&image, other) != QN_OK) {
        qn__complain_status("why: --diff");
        return NULL;
    }
    char *fields = strdup(qn_image_get_fields(image));
    qn_image_release(image);
    return fields;
}

static int print_diff(const struct values *v, const qn_explanation *e)
{
    char *diff = NULL, *other = fields_of_other(v->diff);
    if (!other)
        return QN__EXIT_FAILED;
    const qn_status s = qn_fields_diff(&diff, other, e->fields);
    free(other);
    if (s != QN_OK)
        return qn__complain_status("why");
    if (v->json) {
        const int status = qn__json_print(
            json_pack("{s:s, s:o}", "key", e->key, "difference", qn__json_string(diff)));
        free(diff);
        return status;
    }
    fputs(diff[0] ? qn__plain(diff) : "no difference\n", stdout);
    free(diff);
    return QN__EXIT_GOOD;
}

/* ---- the key ---- */

static void print_indented(const char *lines)
{
    for (const char *p = lines; *p;) {
        const size_t n = strcspn(p, "\n");
        printf("  %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
}

static int print_all(const struct values *v, const qn_explanation *e)
{
    if (v->json)
        return qn__json_print(
            json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:s}", "target",
                      e->target, "compiler", qn__json_string(e->compiler), "source", e->source,
                      "key", e->key, "fields", qn__json_string(e->fields), "where",
                      qn__json_string(e->where), "nearest", qn__json_string(e->nearest),
                      "nearest_key", e->nearest_key, "difference", qn__json_string(e->difference),
                      "origin", qn__json_string(e->origin), "signer", e->signer));
    printf("target    %s\ncompiler  %s\nsource    %s\nkey       %s\ncached    %s\n", e->target,
           e->compiler, e->source, e->key[0] ? e->key : "(no compiler, no key)",
           e->where[0] ? e->where : "no");
    if (e->where[0]) {
        char *origin = qn__origin_sentence(e->origin, e->signer);
        printf("origin    %s\n", origin ? origin : "");
        free(origin);
    }
    puts("fields:");
    print_indented(qn__plain(e->fields));
    const uint32_t n = qn__count_machine_headers(e->fields);
    if (n)
        printf("%u headers of this machine are part of the key, because the compiler read them\n",
               n);
    const uint32_t n_toolkit = qn__count_toolkit_headers(e->fields);
    if (n_toolkit)
        printf("%u headers of a CUDA toolkit are part of the key\n", n_toolkit);
    if (e->nearest[0]) {
        printf("nearest entry, %.12s in %s, differs%s\n", e->nearest_key, qn__plain(e->nearest),
               e->difference[0] ? " ('-' there, '+' here):"
                                : " in nothing that is known without a compiler");
        print_indented(qn__plain(e->difference));
    }
    return QN__EXIT_GOOD;
}

/* The device's target where none was named. */
static bool choose_target(char *out, size_t capacity, const char *named)
{
    qn_device *device;
    if (named) {
        snprintf(out, capacity, "%s", named);
        return true;
    }
    if (qn_device_open(&device, NULL) != QN_OK) {
        qn__complain_status("why: no target was named, and");
        return false;
    }
    snprintf(out, capacity, "%s", qn_device_get_info(device)->target);
    qn_device_close(device);
    return true;
}

static int run(const void *values)
{
    const struct values *v = values;
    const qn_compile_options how = {.compiler = v->compiler};
    char target[160];
    qn_source src;
    qn_explanation e;
    if (!choose_target(target, sizeof target, v->target))
        return QN__EXIT_FAILED;
    qn__source_fill(&src, &v->source);
    int status;
    if (qn_compile_explain(&e, &src, target, &how) != QN_OK)
        status = qn__complain_status("why");
    else
        status = v->diff ? print_diff(v, &e) : print_all(v, &e);
    qn_explanation_release(&e);
    return status;
}

const struct qn__command qn__cmd_why = {
    .name = "why",
    .brief = "what a kernel's cache key is made of, and why it was not found",
    .about = "Print every field of the key that this source, these options and this target have, "
             "and which file has the image. Where none has it, the nearest entry and the fields "
             "that differ. Compare two machines or two days by keeping the output and giving it to "
             "--diff. The options are those of `quern compile`.",
    .sample = "why saxpy.cu -t cuda:sm_90 -DN=4\n"
              "why saxpy.cu -t cuda:sm_90 >yesterday.txt\n"
              "why saxpy.cu -t cuda:sm_90 --diff yesterday.txt",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
