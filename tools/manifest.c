/* SPDX-License-Identifier: Apache-2.0
 *
 * Manifests: see manifest.h. A field that is unknown or of the wrong type is an error that names
 * it, because a misspelt one would quietly warm the wrong thing. */
#include "tools/manifest.h"

#include "base/options.h"

#include <stdlib.h>
#include <string.h>

/* One kernel being read, for messages. */
struct reader {
    struct qn__manifest *m;
    struct qn__str *error;
    const char *folder;
    uint32_t index;
};

static bool wrong(const struct reader *r, const char *field, const char *why)
{
    qn__str_printf(r->error, "kernel %u: \"%s\": %s", r->index + 1, field, why);
    return false;
}

/* A field that there is not; `choices` are those that there are. */
static bool wrong_field(const struct reader *r, const char *field, const char *choices,
                        const char *why)
{
    char meant[QN__MEANT_BYTES];
    wrong(r, field, why);
    qn__str_add(r->error, qn__did_you_mean(meant, choices, field));
    return false;
}

/* Memory that lives as long as the manifest; NULL when there is none. */
static void *own(struct qn__manifest *m, void *piece)
{
    void **grown = piece ? realloc(m->owned, (m->n_owned + (size_t)1) * sizeof *grown) : NULL;
    if (!grown) {
        free(piece);
        return NULL;
    }
    m->owned = grown;
    m->owned[m->n_owned++] = piece;
    return piece;
}

static void *own_array(struct qn__manifest *m, size_t n, size_t size)
{
    return own(m, calloc(n ? n : 1, size));
}

/* ---- fields ---- */

static bool read_text(const char **out, const struct reader *r, const char *field,
                      const json_t *value)
{
    *out = json_string_value(value);
    if (!*out || strlen(*out) != json_string_length(value))
        return wrong(r, field, "expected a string without 0 bytes");
    return true;
}

/* A path, below the manifest's folder unless it is absolute. */
static bool read_path(const char **out, const struct reader *r, const char *field,
                      const json_t *value)
{
    struct qn__str path = {0};
    const char *text;
    if (!read_text(&text, r, field, value))
        return false;
    if (text[0] != '/' && r->folder[0])
        qn__str_printf(&path, "%s/", r->folder);
    qn__str_add(&path, text);
    *out = own(r->m, qn__str_take(&path));
    return *out || wrong(r, field, "out of memory");
}

typedef bool reads_text(const char **out, const struct reader *r, const char *field,
                        const json_t *value);

static bool read_list(const char *const **out, uint32_t *n, const struct reader *r,
                      const char *field, const json_t *value, reads_text *read)
{
    const char **list = own_array(r->m, json_array_size(value), sizeof *list);
    if (!json_is_array(value) || !list)
        return wrong(r, field, list ? "expected a list" : "out of memory");
    for (*n = 0; *n < json_array_size(value); ++*n)
        if (!read(&list[*n], r, field, json_array_get(value, *n)))
            return false;
    *out = list;
    return true;
}

static bool read_headers(qn_source *src, const struct reader *r, const json_t *value)
{
    const char **names = own_array(r->m, json_object_size(value), sizeof *names);
    const char **texts = own_array(r->m, json_object_size(value), sizeof *texts);
    const char *name;
    json_t *text;
    if (!json_is_object(value) || !names || !texts)
        return wrong(r, "headers", "expected an object: names and texts");
    json_object_foreach((json_t *)(uintptr_t)value, name, text)
    {
        names[src->n_headers] = name;
        if (!read_text(&texts[src->n_headers++], r, "headers", text))
            return false;
    }
    src->header_names = names;
    src->header_texts = texts;
    return true;
}

/* A number or a list of up to three. */
static bool read_axes(uint32_t out[3], const struct reader *r, const char *field,
                      const json_t *value)
{
    const size_t n = json_is_array(value) ? json_array_size(value) : 1;
    for (size_t i = 0; i < n; i++) {
        const json_t *axis = json_is_array(value) ? json_array_get(value, i) : value;
        const json_int_t v = json_integer_value(axis);
        if (i >= 3 || !json_is_integer(axis) || v < 1 || v > INT32_MAX)
            return wrong(r, field, "expected one to three numbers above 0");
        out[i] = (uint32_t)v;
    }
    return true;
}

static bool read_launch(struct qn__manifest_launch *out, const struct reader *r, json_t *value)
{
    const char *field;
    json_t *v;
    bool wide = false;
    json_object_foreach(value, field, v)
    {
        bool good = true;
        if (!strcmp(field, "kernel"))
            good = read_text(&out->kernel, r, field, v);
        else if (!strcmp(field, "block"))
            good = read_axes(out->dims.block, r, field, v);
        else if (!strcmp(field, "grid"))
            good = read_axes(out->dims.grid, r, field, v);
        else if (!strcmp(field, "shared") && json_is_integer(v) && json_integer_value(v) >= 0 &&
                 json_integer_value(v) <= INT32_MAX)
            out->dims.shared_bytes = (uint32_t)json_integer_value(v);
        else if (!strcmp(field, "wide") && json_is_boolean(v))
            wide = json_is_true(v);
        else
            return wrong_field(r, field, "kernel|block|grid|shared|wide",
                               "no such field of a launch, or of another type");
        if (!good)
            return false;
    }
    if (!out->kernel)
        return wrong(r, "launch", "which \"kernel\"?");
    if (wide && !out->dims.grid[0]) /* more than 65,535 threads along an axis */
        out->dims.grid[0] = 65536 / (out->dims.block[0] ? out->dims.block[0] : 1) + 1;
    return true;
}

static bool read_launches(struct qn__manifest_kernel *k, const struct reader *r,
                          const json_t *value)
{
    k->launches = own_array(r->m, json_array_size(value), sizeof *k->launches);
    if (!json_is_array(value) || !k->launches)
        return wrong(r, "launch", "expected a list");
    for (k->n_launches = 0; k->n_launches < json_array_size(value); k->n_launches++)
        if (!read_launch(&k->launches[k->n_launches], r, json_array_get(value, k->n_launches)))
            return false;
    return true;
}

static bool read_field(struct qn__manifest_kernel *k, const struct reader *r, const char *field,
                       const json_t *v)
{
    qn_source *s = &k->source;
    if (!strcmp(field, "file")) {
        k->shown = json_string_value(v);
        return read_path(&s->path, r, field, v);
    }
    if (!strcmp(field, "text"))
        return read_text(&s->text, r, field, v);
    if (!strcmp(field, "path")) {
        k->shown = json_string_value(v);
        return read_text(&s->path, r, field, v);
    }
    if (!strcmp(field, "defines"))
        return read_list(&s->defines, &s->n_defines, r, field, v, read_text);
    if (!strcmp(field, "options"))
        return read_list(&s->options, &s->n_options, r, field, v, read_text);
    if (!strcmp(field, "names"))
        return read_list(&s->names, &s->n_names, r, field, v, read_text);
    if (!strcmp(field, "includes"))
        return read_list(&s->include_dirs, &s->n_include_dirs, r, field, v, read_path);
    if (!strcmp(field, "targets")) {
        const char *const *list;
        if (!read_list(&list, &k->n_targets, r, field, v, read_text))
            return false;
        k->targets = (const char **)(uintptr_t)list;
        return true;
    }
    if (!strcmp(field, "headers"))
        return read_headers(s, r, v);
    if (!strcmp(field, "launch"))
        return read_launches(k, r, v);
    return !strcmp(field, "source") ||
           wrong_field(r, field,
                       "file|text|path|headers|defines|includes|options|names|targets|launch",
                       "no such field");
}

static bool read_kernel(struct qn__manifest_kernel *k, const struct reader *r, json_t *value)
{
    const char *field;
    json_t *v;
    if (!json_is_object(value))
        return wrong(r, "kernels", "expected an object");
    if (json_object_get(value, "file") &&
        (json_object_get(value, "text") || json_object_get(value, "path")))
        return wrong(r, "file", "either a file, or a text and its path");
    json_object_foreach(value, field, v) if (!read_field(k, r, field, v)) return false;
    if (!k->source.path && !k->source.text)
        return wrong(r, "file", "missing (or \"text\")");
    if (!k->shown)
        k->shown = "kernel.cu";
    return true;
}

static bool read_kernels(struct qn__manifest *m, struct qn__str *error, const char *folder,
                         json_t *list)
{
    m->kernels = own_array(m, json_array_size(list), sizeof *m->kernels);
    if (!json_is_array(list) || !m->kernels) {
        qn__str_add(error, "\"kernels\": expected a list");
        return false;
    }
    for (m->n_kernels = 0; m->n_kernels < json_array_size(list); m->n_kernels++) {
        const struct reader r = {m, error, folder, m->n_kernels};
        if (!read_kernel(&m->kernels[m->n_kernels], &r, json_array_get(list, m->n_kernels)))
            return false;
    }
    return true;
}

/* ---- documents ---- */

bool qn__manifest_parse(struct qn__manifest *out, struct qn__str *error, const char *text, size_t n,
                        const char *folder)
{
    json_error_t e;
    const char *field;
    json_t *value;
    *out = (struct qn__manifest){0};
    out->document = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
    if (!out->document) {
        qn__str_printf(error, "line %d, column %d: %s", e.line, e.column, e.text);
        return false;
    }
    if (!json_is_object(out->document)) {
        qn__str_add(error, "expected an object with \"kernels\"");
        return false;
    }
    json_object_foreach(out->document, field, value)
    {
        const bool is_version = !strcmp(field, "version");
        if (is_version && json_integer_value(value) != 1) {
            qn__str_add(error, "\"version\": this program reads version 1");
            return false;
        }
        if (!is_version && strcmp(field, "kernels") != 0) {
            qn__str_printf(error, "\"%s\": no such field; there are version and kernels", field);
            return false;
        }
    }
    return read_kernels(out, error, folder, json_object_get(out->document, "kernels"));
}

/* The kernel of a source digest in the list, or NULL. */
static json_t *find_source(const json_t *list, const char *source)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *k = json_array_get(list, i);
        const char *s = json_string_value(json_object_get(k, "source"));
        if (s && source && !strcmp(s, source))
            return k;
    }
    return NULL;
}

/* Take `line` into the list: new, or more targets, or the launches of a known one. */
static void merge_line(json_t *list, json_t *line)
{
    json_t *known = find_source(list, json_string_value(json_object_get(line, "source")));
    json_t *targets = json_object_get(line, "targets"), *launch = json_object_get(line, "launch");
    if (!known) {
        if (json_object_get(line, "text"))
            json_array_append(list, line);
        return; /* launches of a source that was not recorded say nothing */
    }
    json_t *have = json_object_get(known, "targets");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        bool is_there = false;
        for (size_t k = 0; k < json_array_size(have); k++)
            is_there |= json_equal(json_array_get(have, k), json_array_get(targets, i));
        if (!is_there)
            json_array_append(have, json_array_get(targets, i));
    }
    if (json_is_array(launch)) /* the later line has the earlier ones' shapes too */
        json_object_set(known, "launch", launch);
}

bool qn__manifest_parse_record(struct qn__manifest *out, struct qn__str *error, const char *text,
                               size_t n)
{
    json_t *list = json_array();
    uint32_t number = 0;
    bool good = list != NULL;
    *out = (struct qn__manifest){0};
    for (size_t at = 0; good && at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        const size_t length = end ? (size_t)(end - (text + at)) : n - at;
        json_error_t e;
        json_t *line = json_loadb(text + at, length, 0, &e);
        number++;
        good = json_is_object(line);
        if (good)
            merge_line(list, line);
        else
            qn__str_printf(error, "line %u: %s", number, line ? "expected an object" : e.text);
        json_decref(line);
        at += length + 1;
    }
    out->document = json_pack("{s:i, s:o}", "version", 1, "kernels", list);
    return good && out->document &&
           read_kernels(out, error, "", json_object_get(out->document, "kernels"));
}

void qn__manifest_release(struct qn__manifest *m)
{
    for (uint32_t i = 0; i < m->n_owned; i++)
        free(m->owned[i]);
    free(m->owned);
    json_decref(m->document);
    *m = (struct qn__manifest){0};
}
