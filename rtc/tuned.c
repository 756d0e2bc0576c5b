/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/tuned.h: finding the line of a kernel, and keeping one. */
#include "base/environment.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/threads.h"
#include "rtc/source/compile_options.h"
#include "rtc/source/source.h"
#include "rtc/tuned_file.h"
#include "runtime/backend.h"

#include <errno.h>
#include <quern/tuned.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qn_tuned {
    struct qn__arena arena;
    qn_tuned_info *classes; /* (n_classes), the arena's */
    uint32_t n_classes;
    uint32_t nearest; /* to what was asked for */
};

/* ---- where, and by what name ---- */

const char *qn_tuned_get_file(const char **why)
{
    static _Thread_local char path[4096];
    const char *named = qn__getenv("QUERN_TUNED"), *user = qn__getenv("XDG_CONFIG_HOME");
    const char *home = qn__getenv("HOME"), *dummy;
    int n = 0;
    *(why ? why : &dummy) = "";
    if (named && *named)
        n = snprintf(path, sizeof path, "%s", named);
    else if (user && *user == '/')
        n = snprintf(path, sizeof path, "%s/quern/tuned", user);
    else if (home && *home == '/')
        n = snprintf(path, sizeof path, "%s/.config/quern/tuned", home);
    if (n > 0 && (size_t)n < sizeof path)
        return path;
    *(why ? why : &dummy) = n ? "its name is too long" : "neither QUERN_TUNED nor HOME is set";
    return "";
}

/* Of texts and defines; not of options and names, which another program may write otherwise. */
qn_status qn_tuned_digest(char out[65], const qn_source *src)
{
    QN_ARG_CHECK(out && src);
    QN__NOT_CANCELLED;
    struct qn__compile_options options = {0};
    struct qn__closure closure = {0};
    struct qn__arena arena = {0};
    struct qn__hash h;
    unsigned char bytes[QN__HASH_BYTES];
    out[0] = 0;
    qn_status s = qn__compile_options_read(&options, &arena, src);
    if (s == QN_OK)
        s = qn__closure_build(&closure, src, options.include_dirs, options.n_include_dirs);
    if (s == QN_OK) {
        qn__hash_init(&h);
        for (uint32_t i = 0; i < closure.n_files; i++)
            qn__hash_add(&h, closure.digests[i], QN__HASH_BYTES);
        for (uint32_t i = 0; i < src->n_defines; i++)
            qn__hash_add(&h, src->defines[i], strlen(src->defines[i]) + 1);
        qn__hash_finish(&h, bytes);
        qn__hash_to_hex(out, bytes);
    }
    qn__closure_release(&closure);
    qn__arena_release(&arena);
    return s;
}

/* "saxpy.cu:saxpy": the file without its folders, which differ from machine to machine. */
static qn_status name_of(char **out, struct qn__arena *arena, const qn_source *src,
                         const char *kernel)
{
    const char *file = src->path && *src->path ? qn__path_base(src->path) : "kernel.cu";
    *out = qn__arena_printf(arena, "%s:%s", file, kernel);
    if (!*out)
        return qn__fail(QN_E_MEMORY, "no memory for a name");
    if (strpbrk(*out, "\t\n"))
        return qn__fail(QN_E_INVALID, "a name with a tab or line break cannot be kept");
    return QN_OK;
}

/* Tabs and line breaks of a driver's name would end its field. */
static char *field(struct qn__arena *arena, const char *text)
{
    char *copy = qn__arena_printf(arena, "%s", text);
    for (char *p = copy; p && *p; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
    return copy;
}

static uint32_t class_of(uint64_t items)
{
    uint32_t bits = 0;
    for (; items; items >>= 1)
        bits++;
    return bits ? bits : 1;
}

/* ---- reading ---- */

/* No file is an empty one. */
static qn_status read_lines(struct qn__tuned_lines *out, struct qn__arena *arena)
{
    const char *why, *path = qn_tuned_get_file(&why);
    char *text = NULL;
    size_t n = 0;
    *out = (struct qn__tuned_lines){0};
    if (!*path)
        return qn__fail(QN_E_IO, "no place for tuned values: %s", why);
    if (!qn__file_exists(path))
        return QN_OK;
    qn_status s = qn__file_read(&text, &n, path, QN__TUNED_BYTES_MAX);
    if (s == QN_OK)
        s = qn__tuned_parse(out, arena, text, n);
    free(text);
    return s == QN_E_CORRUPT ? qn__fail_prefix(s, "%s", path) : s;
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static qn_status fail_none(const struct qn__tuned_line *stale, const char *name,
                           const qn_device *dev, bool is_other_text)
{
    if (!stale)
        return qn__fail(QN_E_NOT_FOUND, "%s was not tuned for %s", name, dev->info.name);
    const qn_status s =
        qn__fail(QN_E_NOT_FOUND, "%s was tuned %s; its values are left out (`quern tune` anew)",
                 name, is_other_text ? "when its source was another" : "with another driver");
    QN__WARN_ONCE("%s", qn_message());
    return s;
}

static qn_tuned_info info_of(const struct qn__tuned_line *l)
{
    return (qn_tuned_info){.defines = l->defines,
                           .n_defines = l->n_defines,
                           .block = {l->block[0], l->block[1], l->block[2]},
                           .block_items = l->block_items,
                           .size_class = l->size_class,
                           .ms = l->ms,
                           .first_ms = l->first_ms};
}

/* A line that counts. */
static void add_class(struct qn_tuned *t, const struct qn__tuned_line *l, uint32_t wanted)
{
    t->classes[t->n_classes] = info_of(l);
    if (distance(l->size_class, wanted) < distance(t->classes[t->nearest].size_class, wanted))
        t->nearest = t->n_classes;
    t->n_classes++;
}

qn_status qn_tuned_find(qn_tuned **out, qn_device *dev, const qn_source *src, const char *kernel,
                        uint64_t items)
{
    QN_ARG_CHECK(out && dev && src && kernel);
    QN__NOT_CANCELLED;
    *out = NULL;
    qn_tuned *t = qn__alloc(1, sizeof *t);
    if (!t)
        return qn__fail(QN_E_MEMORY, "no memory for tuned values");
    struct qn__tuned_lines lines;
    char hex[QN__HASH_HEX], *name;
    const struct qn__tuned_line *stale = NULL;
    bool is_other_text = false;
    qn_status s = name_of(&name, &t->arena, src, kernel);
    if (s == QN_OK)
        s = read_lines(&lines, &t->arena);
    if (s == QN_OK && lines.n) /* only then is the source read */
        s = qn_tuned_digest(hex, src);
    if (s == QN_OK && lines.n) {
        t->classes = QN__ARENA_ARRAY(&t->arena, qn_tuned_info, lines.n);
        if (!t->classes)
            s = qn__fail(QN_E_MEMORY, "no memory for tuned values");
    }
    const char *device = field(&t->arena, dev->info.name);
    const char *driver = field(&t->arena, dev->info.driver);
    for (uint32_t i = 0; s == QN_OK && device && driver && i < lines.n; i++) {
        const struct qn__tuned_line *l = &lines.items[i];
        if (strcmp(l->kernel, name) != 0 || strcmp(l->device, device) != 0)
            continue;
        if (strcmp(l->digest, hex) != 0 || strcmp(l->driver, driver) != 0) {
            stale = l;
            is_other_text = strcmp(l->digest, hex) != 0;
        } else {
            add_class(t, l, class_of(items));
        }
    }
    if (s == QN_OK && !t->n_classes)
        s = fail_none(stale, name, dev, is_other_text);
    if (s != QN_OK) {
        qn_tuned_release(t);
        return s;
    }
    *out = t;
    return QN_OK;
}

const qn_tuned_info *qn_tuned_get_info(const qn_tuned *t)
{
    return &t->classes[t->nearest];
}

uint32_t qn_tuned_get_count(const qn_tuned *t)
{
    return t->n_classes;
}

const qn_tuned_info *qn_tuned_get_at(const qn_tuned *t, uint32_t index)
{
    return &t->classes[index];
}

void qn_tuned_release(qn_tuned *t)
{
    if (!t)
        return;
    qn__arena_release(&t->arena);
    free(t);
}

/* ---- writing ---- */

static qn_status check_values(const qn_tuned_info *v)
{
    if (v->n_defines > QN__TUNED_DEFINES || !v->n_defines)
        return qn__fail(QN_E_INVALID, "%u values: 1 to %d can be kept", v->n_defines,
                        QN__TUNED_DEFINES);
    for (uint32_t i = 0; i < v->n_defines; i++)
        if (!qn__tuned_is_define(v->defines[i]))
            return qn__fail(QN_E_INVALID, "'%s': not of the form NAME=INTEGER", v->defines[i]);
    return v->block[0] && v->block[1] && v->block[2] && v->block_items
               ? QN_OK
               : qn__fail(QN_E_INVALID, "a block of nothing");
}

/* All lines but those that the new one replaces, and that one. */
static void print_all(struct qn__str *out, const struct qn__tuned_lines *lines,
                      const struct qn__tuned_line *added)
{
    qn__tuned_print_head(out);
    for (uint32_t i = 0; i < lines->n; i++) {
        const struct qn__tuned_line *l = &lines->items[i];
        if (strcmp(l->kernel, added->kernel) != 0 || strcmp(l->device, added->device) != 0 ||
            l->size_class != added->size_class)
            qn__tuned_print(out, l);
    }
    qn__tuned_print(out, added);
}

qn_status qn_tuned_keep(qn_device *dev, const qn_source *src, const char *kernel, uint64_t items,
                        const qn_tuned_info *v)
{
    QN_ARG_CHECK(dev && src && kernel && v);
    QN__NOT_CANCELLED;
    struct qn__arena arena = {0};
    struct qn__tuned_lines lines;
    struct qn__str text = {0};
    char hex[QN__HASH_HEX], *name = NULL, *folder = NULL;
    struct qn__tuned_line added = {.digest = hex,
                                   .size_class = class_of(items),
                                   .n_defines = v->n_defines,
                                   .block = {v->block[0], v->block[1], v->block[2]},
                                   .block_items = v->block_items,
                                   .ms = v->ms,
                                   .first_ms = v->first_ms};
    qn_status s = check_values(v);
    if (s == QN_OK)
        s = name_of(&name, &arena, src, kernel);
    if (s == QN_OK)
        s = qn_tuned_digest(hex, src);
    if (s == QN_OK)
        s = read_lines(&lines, &arena);
    if (s == QN_OK) {
        added.kernel = name;
        added.device = field(&arena, dev->info.name);
        added.driver = field(&arena, dev->info.driver);
        memcpy(added.defines, v->defines, v->n_defines * sizeof *v->defines);
        folder = qn__path_dir(qn_tuned_get_file(NULL));
        if (!added.device || !added.driver || !folder)
            s = qn__fail(QN_E_MEMORY, "no memory for tuned values");
    }
    if (s == QN_OK) {
        print_all(&text, &lines, &added);
        s = qn__str_check(&text);
    }
    if (s == QN_OK)
        s = qn__file_make_dirs(folder, 0755);
    if (s == QN_OK)
        s = qn__file_write_atomic(qn_tuned_get_file(NULL), text.text, text.len, 0644);
    qn__str_release(&text);
    qn__arena_release(&arena);
    free(folder);
    return s;
}
