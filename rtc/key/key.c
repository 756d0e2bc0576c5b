/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields are one list (base/wire.h): what is hashed is what is printed. Raise FORMAT when the
 * meaning of a field changes, or the format of entries: two versions then share a folder without
 * setting each other's entries aside.
 */
#include "rtc/key/key.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/name_expression.h"
#include "base/wire.h"
#include "rtc/source/text_notes.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 4, HEADER_LIMIT_BYTES = 64 << 20 };

enum { /* tags of the fields */
       K_FORMAT = 1,
       K_FILE_NAME,
       K_FILE_TEXT,
       K_NOT_FOUND,
       K_SYSTEM_HEADER,
       K_OPTION,
       K_NAME,
       K_TARGET,
       K_COMPILER,
       K_ENVIRONMENT,
       K_IDENTITY,
       K_REQUEST,
       K_FINGERPRINT,
       K_SOURCE,
       K_SHIM_NAME,
       K_SHIM_TEXT,
       K_HEADER_NAME,
       K_VARIABLE,
       K_KEY,
       K_MACHINE_NAME,
       K_MACHINE_HEADER,
       K_TOOLKIT_NAME,
       K_TOOLKIT_HEADER
};

/* How a field is printed. Some come in pairs: a name, then what has that name. */
static const struct {
    uint32_t tag, name_tag;
    bool is_digest;
    const char *label; /* NULL: the name */
} printed[] = {
    {K_FILE_TEXT, K_FILE_NAME, true, "source"},
    {K_NOT_FOUND, 0, false, "include not found"},
    {K_OPTION, 0, false, "option"},
    {K_NAME, 0, false, "name expression"},
    {K_TARGET, 0, false, "target"},
    {K_COMPILER, 0, false, "compiler"},
    {K_IDENTITY, 0, false, "compiler identity"},
    {K_SHIM_TEXT, K_SHIM_NAME, true, "stand-in header"},
    {K_SYSTEM_HEADER, K_HEADER_NAME, true, "toolkit header"},
    {K_ENVIRONMENT, K_VARIABLE, false, NULL},
    {K_MACHINE_HEADER, K_MACHINE_NAME, true, "machine header"},
    {K_TOOLKIT_HEADER, K_TOOLKIT_NAME, true, "toolkit header"},
};

/* Variables that reach inside a compiler and change what it makes. */
static const struct {
    const char *compiler, *name;
} environment[] = {
    {"hiprtc", "HIPRTC_COMPILE_OPTIONS_APPEND"}, {"hiprtc", "AMD_OCL_BUILD_OPTIONS_APPEND"},
    {"hipcc", "HIPCC_COMPILE_FLAGS_APPEND"},     {"hipcc", "CCC_OVERRIDE_OPTIONS"},
    {"clang", "CCC_OVERRIDE_OPTIONS"},           {"nvrtc", "NVRTC_APPEND_FLAGS"},
};

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* In the one spelling of each, sorted, once. */
static qn_status add_names(struct qn__str *fields, const struct qn__key_input *in)
{
    struct qn__arena arena = {0};
    struct qn__str name = {0};
    const char **sorted = QN__ARENA_ARRAY(&arena, const char *, in->n_names);
    bool ok = sorted != NULL;
    for (uint32_t i = 0; ok && i < in->n_names; i++) {
        qn__str_clear(&name);
        qn__name_expression_print(&name, in->names[i]);
        sorted[i] = qn__arena_strdup(&arena, name.text ? name.text : "");
        ok = !name.failed && sorted[i];
    }
    if (ok)
        qsort(sorted, in->n_names, sizeof *sorted, by_text);
    for (uint32_t i = 0; ok && i < in->n_names; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0)
            qn__wire_text(fields, K_NAME, sorted[i]);
    qn__str_release(&name);
    qn__arena_release(&arena);
    return ok ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for %u names", in->n_names);
}

/* Contents go in as their digests. */
static void add_content(struct qn__str *fields, uint32_t name_tag, const char *name, uint32_t tag,
                        const unsigned char digest[QN__HASH_BYTES])
{
    qn__wire_text(fields, name_tag, name); /* a file's shows in __FILE__ and debug information */
    qn__wire_bytes(fields, tag, digest, QN__HASH_BYTES);
}

static void add_files(struct qn__str *fields, const struct qn__closure *c, uint32_t first,
                      uint32_t end, uint32_t name_tag, uint32_t tag)
{
    for (uint32_t i = first; i < end; i++)
        add_content(fields, name_tag, c->files[i].name, tag, c->digests[i]);
}

/* Includes that neither the closure nor the shims have: by content where the toolkit has them. */
static void add_toolkit_headers(struct qn__str *fields, const struct qn__key_compiler *in)
{
    struct qn__arena arena = {0};
    for (uint32_t i = 0; i < in->closure->n_missing; i++) {
        const char *spelling = in->closure->missing[i];
        char *path = in->cuda_include ? qn__path_join(in->cuda_include, spelling) : NULL;
        char *bytes = NULL;
        size_t n = 0;
        struct qn__text_notes notes;
        if (path && qn__file_exists(path) &&
            qn__file_read(&bytes, &n, path, HEADER_LIMIT_BYTES) == QN_OK &&
            qn__text_notes_of(&notes, &arena, bytes, n, NULL) == QN_OK)
            add_content(fields, K_HEADER_NAME, spelling, K_SYSTEM_HEADER, notes.digest);
        free(bytes);
        free(path);
    }
    qn__arena_release(&arena);
}

/* The digest of the fields from `start` on. */
static qn_status finish(char hex[QN__HASH_HEX], const struct qn__str *fields, size_t start)
{
    unsigned char digest[QN__HASH_BYTES];
    QN_TRY(qn__str_check(fields));
    qn__hash_of(digest, fields->text + start, fields->len - start);
    qn__hash_to_hex(hex, digest);
    return QN_OK;
}

qn_status qn__key_source(struct qn__key *out, struct qn__str *fields,
                         const struct qn__key_input *in)
{
    const struct qn__closure *c = in->closure;
    const size_t start = fields->len;
    *out = (struct qn__key){0};
    qn__wire_u32(fields, K_FORMAT, FORMAT);
    add_files(fields, c, 0, c->n_own_files, K_FILE_NAME, K_FILE_TEXT);
    for (uint32_t i = 0; i < c->n_missing; i++)
        qn__wire_text(fields, K_NOT_FOUND, c->missing[i]);
    for (uint32_t i = 0; i < in->options->n_shaping; i++)
        qn__wire_text(fields, K_OPTION, in->options->shaping[i]);
    QN_TRY(add_names(fields, in));
    return finish(out->source_hex, fields, start);
}

qn_status qn__key_target(struct qn__key *key, struct qn__str *fields, const char *target)
{
    const size_t start = fields->len;
    qn__wire_text(fields, K_SOURCE, key->source_hex);
    qn__wire_text(fields, K_TARGET, target);
    return finish(key->request_hex, fields, start);
}

/* What variable i holds, where it is set and reaches that compiler; else NULL. */
static const char *variable_of(size_t i, const char *compiler)
{
    const bool reaches = strcmp(environment[i].compiler, compiler) == 0;
    const char *value = reaches ? qn__getenv(environment[i].name) : NULL;
    return value && value[0] ? value : NULL;
}

bool qn__key_has_environment(const char *compiler)
{
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++)
        if (variable_of(i, compiler))
            return true;
    return false;
}

qn_status qn__key_finish(struct qn__key *key, struct qn__str *fields,
                         const struct qn__key_compiler *in)
{
    const struct qn__closure *c = in->closure;
    const size_t start = fields->len;
    qn__wire_text(fields, K_REQUEST, key->request_hex);
    qn__wire_text(fields, K_COMPILER, in->compiler);
    qn__wire_text(fields, K_IDENTITY, in->identity);
    add_files(fields, c, c->n_own_files, c->n_files, K_SHIM_NAME, K_SHIM_TEXT);
    add_toolkit_headers(fields, in);
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
        const char *value = variable_of(i, in->compiler);
        if (value) {
            qn__wire_text(fields, K_VARIABLE, environment[i].name);
            qn__wire_text(fields, K_ENVIRONMENT, value);
        }
    }
    return finish(key->hex, fields, start);
}

/* "/usr/lib/gcc/x/12/../../../../include/c++/12/new" is "/usr/include/c++/12/new". */
static void add_short_path(struct qn__str *out, const char *path)
{
    qn__str_clear(out);
    for (const char *p = path; *p;) {
        const size_t slashes = strspn(p, "/"), n = strcspn(p + slashes, "/");
        size_t last = out->len;
        while (last > 0 && out->text[last] != '/')
            last--;
        const bool is_up = n == 2 && memcmp(p + slashes, "..", 2) == 0;
        if (is_up && out->len && strcmp(out->text + last, "/..") != 0)
            out->text[out->len = last] = 0;
        else if (n && !(n == 1 && p[slashes] == '.'))
            qn__str_printf(out, "%s%.*s", slashes ? "/" : "", (int)n, p + slashes);
        p += slashes + n;
    }
}

qn_status qn__key_add_headers(struct qn__key *key, struct qn__str *fields,
                              const struct qn__header_notes *m)
{
    const size_t start = fields->len;
    struct qn__str path = {0};
    qn__wire_text(fields, K_KEY, key->hex);
    for (uint32_t i = 0; i < m->n_headers; i++) {
        const struct qn__noted_header *h = &m->headers[i];
        if (!h->path)
            continue;
        const bool of_toolkit = qn__header_notes_of_toolkit(m, h);
        add_short_path(&path, h->path);
        add_content(fields, of_toolkit ? K_TOOLKIT_NAME : K_MACHINE_NAME,
                    path.text ? path.text : "", of_toolkit ? K_TOOLKIT_HEADER : K_MACHINE_HEADER,
                    h->digest);
    }
    fields->failed |= path.failed;
    qn__str_release(&path);
    return finish(key->hex, fields, start);
}

qn_status qn__key_binary(struct qn__key *out, const struct qn__key *text, const char *fingerprint)
{
    const char *const from[] = {text->hex, text->request_hex};
    char *const to[] = {out->hex, out->request_hex};
    struct qn__str fields = {0};
    qn_status s = QN_OK;
    memcpy(out->source_hex, text->source_hex, sizeof out->source_hex);
    for (int i = 0; s == QN_OK && i < 2; i++) {
        qn__str_clear(&fields);
        qn__wire_text(&fields, K_REQUEST, from[i]);
        qn__wire_text(&fields, K_FINGERPRINT, fingerprint);
        s = finish(to[i], &fields, 0);
    }
    qn__str_release(&fields);
    return s;
}

/* -- for people -- */

/* A macro may have ends of lines in its value, and no line of it may pass for another field. */
static void add_in_one_line(struct qn__str *out, const char *text, size_t n)
{
    const char *const end = text + n;
    for (const char *p = text, *line; p < end; p = line ? line + 1 : end) {
        line = memchr(p, '\n', (size_t)(end - p));
        qn__str_add_bytes(out, p, (size_t)((line ? line : end) - p));
        if (line)
            qn__str_add(out, "\\n");
    }
}

static void print(struct qn__str *out, size_t row, const struct qn__wire_field *name,
                  const struct qn__wire_field *f)
{
    const char *label = printed[row].label;
    if (label)
        qn__str_printf(out, "%s: ", label);
    if (printed[row].name_tag) {
        qn__str_add_bytes(out, (const char *)name->bytes, name->n);
        qn__str_add(out, label ? " " : ": ");
    }
    if (printed[row].is_digest && f->n == QN__HASH_BYTES) {
        char hex[QN__HASH_HEX];
        qn__hash_to_hex(hex, f->bytes);
        qn__str_add(out, hex);
    } else {
        add_in_one_line(out, (const char *)f->bytes, f->n);
    }
    qn__str_add_char(out, '\n');
}

void qn__key_print(struct qn__str *out, const struct qn__str *fields)
{
    struct qn__wire_reader r = qn__wire_reader(fields->text, fields->len);
    struct qn__wire_field f, last = {0};
    while (qn__wire_next(&r, &f)) {
        for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++)
            if (printed[i].tag == f.tag)
                print(out, i, &last, &f);
        last = f;
    }
}
