/* SPDX-License-Identifier: Apache-2.0
 *
 * One function lists the fields; every field goes through add(), which writes the same thing to the
 * hashed buffer and to the printable list. Raise FORMAT when the meaning of a field changes, or the
 * format of entries: two versions then share a folder without setting each other's entries aside.
 */
#include "rtc/key.h"

#include "base/file.h"
#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 3, HEADER_LIMIT_BYTES = 64 << 20 };

enum { /* tags of the hashed fields */
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
       K_SHIM_TEXT
};

/* Variables that reach inside a compiler and change what it makes. */
static const struct {
    const char *compiler, *name;
} environment[] = {
    {"hiprtc", "HIPRTC_COMPILE_OPTIONS_APPEND"}, {"hiprtc", "AMD_OCL_BUILD_OPTIONS_APPEND"},
    {"hipcc", "HIPCC_COMPILE_FLAGS_APPEND"},     {"hipcc", "CCC_OVERRIDE_OPTIONS"},
    {"clang", "CCC_OVERRIDE_OPTIONS"},           {"translator", "CCC_OVERRIDE_OPTIONS"},
};

struct writer {
    struct qn__str hashed;
    struct qn__str *printed; /* NULL: nobody asked */
};

/* "label: value\n", or with a name in between. */
static void print(struct qn__str *out, const char *label, const char *name, const char *value)
{
    if (!out)
        return;
    qn__str_add(out, label);
    qn__str_add(out, ": ");
    qn__str_add(out, name);
    qn__str_add(out, name[0] ? " " : "");
    qn__str_add(out, value);
    qn__str_add_char(out, '\n');
}

static void add(struct writer *w, uint32_t tag, const char *label, const char *value)
{
    qn__wire_text(&w->hashed, tag, value);
    print(w->printed, label, "", value);
}

/* Contents are hashed on their own and go in as digests, so the printed line says as much as the
 * hashed one. */
static void add_content(struct writer *w, uint32_t tag, const char *label, const char *name,
                        const char *text, size_t n)
{
    unsigned char digest[QN__HASH_BYTES];
    char hex[QN__HASH_HEX];
    qn__hash_of(digest, text, n);
    qn__wire_bytes(&w->hashed, tag, digest, sizeof digest);
    qn__hash_to_hex(hex, digest);
    print(w->printed, label, name, hex);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static void add_field(struct qn__hash *h, uint32_t tag, const char *value)
{
    const size_t n = strlen(value);
    unsigned char head[8];
    qn__put_u32(head, tag);
    qn__put_u32(head + 4, (uint32_t)n);
    qn__hash_add(h, head, sizeof head);
    qn__hash_add(h, value, n);
}

static qn_status add_names(struct writer *w, const struct qn__key_input *in)
{
    const char **sorted = qn__alloc(in->n_names, sizeof *sorted);
    if (!sorted)
        return qn__fail(QN_E_MEMORY, "no memory for %u names", in->n_names);
    for (uint32_t i = 0; i < in->n_names; i++)
        sorted[i] = in->names[i];
    qsort(sorted, in->n_names, sizeof *sorted, by_text);
    for (uint32_t i = 0; i < in->n_names; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0)
            add(w, K_NAME, "name expression", sorted[i]);
    free(sorted);
    return QN_OK;
}

/* Includes that neither we nor the shims have: the content where the toolkit has it. */
static void add_toolkit_headers(struct writer *w, const struct qn__key_compiler *in)
{
    for (uint32_t i = 0; i < in->closure->n_missing; i++) {
        const char *spelling = in->closure->missing[i];
        char *path = in->cuda_include ? qn__path_join(in->cuda_include, spelling) : NULL;
        char *bytes = NULL;
        size_t n = 0;
        if (path && qn__file_exists(path) &&
            qn__file_read(&bytes, &n, path, HEADER_LIMIT_BYTES) == QN_OK)
            add_content(w, K_SYSTEM_HEADER, "toolkit header", spelling, bytes, n);
        free(bytes);
        free(path);
    }
}

static void finish(char hex[QN__HASH_HEX], const struct qn__str *hashed)
{
    unsigned char digest[QN__HASH_BYTES];
    qn__hash_of(digest, hashed->text, hashed->len);
    qn__hash_to_hex(hex, digest);
}

static void add_files(struct writer *w, const struct qn__closure *c, uint32_t first, uint32_t end,
                      uint32_t name_tag, uint32_t text_tag, const char *label)
{
    for (uint32_t i = first; i < end; i++) {
        const struct qn__job_file *f = &c->files[i];
        qn__wire_text(&w->hashed, name_tag, f->name); /* __FILE__ and debug information show it */
        add_content(w, text_tag, label, f->name, f->text, f->n);
    }
}

qn_status qn__key_source(struct qn__key *out, struct qn__str *fields,
                         const struct qn__key_input *in)
{
    struct writer w = {.printed = fields};
    const struct qn__closure *c = in->closure;
    *out = (struct qn__key){0};
    qn__wire_u32(&w.hashed, K_FORMAT, FORMAT);
    add_files(&w, c, 0, c->n_own_files, K_FILE_NAME, K_FILE_TEXT, "source");
    for (uint32_t i = 0; i < c->n_missing; i++)
        add(&w, K_NOT_FOUND, "include not found", c->missing[i]);
    for (uint32_t i = 0; i < in->options->n_shaping; i++)
        add(&w, K_OPTION, "option", in->options->shaping[i]);
    qn_status s = add_names(&w, in);
    if (s == QN_OK)
        s = qn__str_check(&w.hashed);
    if (s == QN_OK)
        finish(out->source_hex, &w.hashed);
    qn__str_release(&w.hashed);
    return s;
}

void qn__key_target(struct qn__key *key, struct qn__str *fields, const char *target)
{
    struct qn__hash h;
    unsigned char digest[QN__HASH_BYTES];
    qn__hash_init(&h);
    add_field(&h, K_SOURCE, key->source_hex);
    add_field(&h, K_TARGET, target);
    qn__hash_finish(&h, digest);
    qn__hash_to_hex(key->request_hex, digest);
    print(fields, "target", "", target);
}

bool qn__key_has_environment(const char *compiler)
{
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
        const char *value = getenv(environment[i].name);
        if (value && value[0] && strcmp(environment[i].compiler, compiler) == 0)
            return true;
    }
    return false;
}

qn_status qn__key_finish(struct qn__key *key, struct qn__str *fields,
                         const struct qn__key_compiler *in)
{
    struct writer w = {.printed = fields};
    const struct qn__closure *c = in->closure;
    qn__wire_text(&w.hashed, K_REQUEST, key->request_hex);
    add(&w, K_COMPILER, "compiler", in->compiler);
    add(&w, K_IDENTITY, "compiler identity", in->identity);
    add_files(&w, c, c->n_own_files, c->n_files, K_SHIM_NAME, K_SHIM_TEXT, "stand-in header");
    add_toolkit_headers(&w, in);
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
        const char *value = getenv(environment[i].name);
        if (value && value[0] && strcmp(environment[i].compiler, in->compiler) == 0)
            add(&w, K_ENVIRONMENT, environment[i].name, value);
    }
    const qn_status s = qn__str_check(&w.hashed);
    if (s == QN_OK)
        finish(key->hex, &w.hashed);
    qn__str_release(&w.hashed);
    return s;
}

void qn__key_binary(struct qn__key *out, const struct qn__key *text, const char *fingerprint)
{
    const char *const from[] = {text->hex, text->request_hex};
    char *const to[] = {out->hex, out->request_hex};
    memcpy(out->source_hex, text->source_hex, sizeof out->source_hex);
    for (int i = 0; i < 2; i++) {
        struct qn__hash h;
        unsigned char digest[QN__HASH_BYTES];
        qn__hash_init(&h);
        add_field(&h, K_REQUEST, from[i]);
        add_field(&h, K_FINGERPRINT, fingerprint);
        qn__hash_finish(&h, digest);
        qn__hash_to_hex(to[i], digest);
    }
}
