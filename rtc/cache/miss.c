/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields are lines "label: value" in a fixed order (key.c), so two lists are compared as sets of
 * lines: what is on one side only differs, and its label says what it is. */
#include "rtc/cache/miss.h"

#include "base/file.h"
#include "rtc/cache/bundle_layers.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_list.h"
#include "rtc/cache/hidden_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- two lists of fields -- */

static bool has_line(const char *text, const char *line, size_t n)
{
    for (const char *p = text; *p;) {
        const size_t m = strcspn(p, "\n");
        if (qn__values_match(p, m, line, n))
            return true;
        p += m + (p[m] == '\n');
    }
    return false;
}

/* "source: a.h" of "source: a.h DIGEST", "option" of "option: -O3": what a line is about. */
static size_t subject_of(const char *line, size_t n)
{
    static const char *const named[] = {
        "source: ", "stand-in header: ", "toolkit header: ", "machine header: "};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (n > strlen(named[i]) && memcmp(line, named[i], strlen(named[i])) == 0)
            for (size_t k = n; k-- > 0;)
                if (line[k] == ' ')
                    return k;
    const char *colon = memchr(line, ':', n);
    return colon ? (size_t)(colon - line) : n;
}

struct lines {
    const char **at;
    size_t *n;
    uint32_t count;
};

static bool collect(struct lines *out, struct qn__arena *arena, const char *text, const char *other)
{
    uint32_t capacity = 1;
    for (const char *p = text; *p; p++)
        capacity += *p == '\n';
    out->at = QN__ARENA_ARRAY(arena, const char *, capacity);
    out->n = QN__ARENA_ARRAY(arena, size_t, capacity);
    for (const char *p = text; out->at && out->n && *p;) {
        const size_t n = strcspn(p, "\n");
        if (n && !has_line(other, p, n)) {
            out->at[out->count] = p;
            out->n[out->count++] = n;
        }
        p += n + (p[n] == '\n');
    }
    return out->at && out->n;
}

static void print(struct qn__str *out, char sign, const struct lines *l, uint32_t i)
{
    qn__str_printf(out, "%c %.*s\n", sign, (int)l->n[i], l->at[i]);
}

uint32_t qn__fields_diff(struct qn__str *out, const char *a, const char *b)
{
    struct qn__arena arena = {0};
    struct lines only_a = {0}, only_b = {0};
    if (collect(&only_a, &arena, a, b) && collect(&only_b, &arena, b, a)) {
        for (uint32_t i = 0; i < only_a.count; i++) {
            const size_t subject = subject_of(only_a.at[i], only_a.n[i]);
            print(out, '-', &only_a, i);
            for (uint32_t k = 0; k < only_b.count; k++)
                if (only_b.at[k] && subject_of(only_b.at[k], only_b.n[k]) == subject &&
                    memcmp(only_b.at[k], only_a.at[i], subject) == 0) {
                    print(out, '+', &only_b, k);
                    only_b.at[k] = NULL;
                    break;
                }
        }
        for (uint32_t k = 0; k < only_b.count; k++)
            if (only_b.at[k])
                print(out, '+', &only_b, k);
    } else {
        out->failed = true;
    }
    const uint32_t n = only_a.count + only_b.count;
    qn__arena_release(&arena);
    return n;
}

/* -- the nearest entry -- */

struct search {
    struct qn__nearest *best;
    const char *fields, *source_hex;
    bool has_compiler; /* the fields name one */
};

static bool same_name(const char *a, const char *b)
{
    size_t n, m;
    const char *x = qn__fields_name(&n, a), *y = qn__fields_name(&m, b);
    return n == m && memcmp(x, y, n) == 0;
}

/* Where the line begins that says this; NULL: nowhere. */
static const char *line_of(const char *fields, const char *label)
{
    const size_t n = strlen(label);
    for (const char *p = fields; *p;) {
        if (strncmp(p, label, n) == 0)
            return p;
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return NULL;
}

static const char compiler_label[] = "compiler: ";

/* What is compiled, and for what: the fields in front of the compiler's. */
static const char *without_compiler(struct qn__arena *arena, const char *fields)
{
    const char *const end = line_of(fields, compiler_label);
    return end ? qn__arena_strndup(arena, fields, (size_t)(end - fields)) : fields;
}

static bool same_target(const char *a, const char *b)
{
    const char *const x = line_of(a, "target: "), *const y = line_of(b, "target: ");
    const size_t n = x ? strcspn(x, "\n") : 0;
    return x && y && n == strcspn(y, "\n") && memcmp(x, y, n) == 0;
}

static void keep(struct search *s, const struct qn__image_notes *notes, const char *where)
{
    const char *const identity = line_of(notes->fields, "compiler identity: ");
    const char *const made_by = identity ? strchr(identity, ':') + 2 : "";
    snprintf(s->best->where, sizeof s->best->where, "%s", where);
    snprintf(s->best->key, sizeof s->best->key, "%s", notes->key);
    snprintf(s->best->compiler, sizeof s->best->compiler, "%.*s", (int)strcspn(made_by, ";\n"),
             made_by);
}

static void consider(struct search *s, const struct qn__image_notes *notes, const char *where)
{
    struct qn__arena arena = {0};
    struct qn__str diff = {0};
    if (!notes->fields[0] ||
        (strcmp(notes->source, s->source_hex) != 0 && !same_name(notes->fields, s->fields)))
        return;
    const char *const fields =
        s->has_compiler ? notes->fields : without_compiler(&arena, notes->fields);
    const uint32_t n = fields ? qn__fields_diff(&diff, fields, s->fields) : UINT32_MAX / 8;
    const uint32_t rank = 4 * n + 2 * !same_target(notes->fields, s->fields) +
                          (line_of(notes->fields, "device and driver: ") != NULL);
    qn__arena_release(&arena);
    if (!fields || (s->best->where[0] && rank >= s->best->rank)) {
        qn__str_release(&diff);
        return;
    }
    qn__str_release(&s->best->diff);
    s->best->diff = diff;
    s->best->n = n;
    s->best->rank = rank;
    keep(s, notes, where);
}

static bool consider_entry(void *payload, const char *key, const struct stat *st,
                           const struct qn__entry_summary *summary)
{
    (void)key;
    (void)st;
    if (summary)
        consider(payload, &summary->notes, qn__folder_dir(NULL));
    return true;
}

void qn__find_nearest(struct qn__nearest *out, const char *fields, const char *source_hex)
{
    struct search s = {out, fields, source_hex, line_of(fields, compiler_label) != NULL};
    const qn_bundle *b;
    *out = (struct qn__nearest){0};
    for (uint32_t i = 0; (b = qn__bundles_get(i)); i++) {
        const qn_bundle_info *info = qn_bundle_get_info((qn_bundle *)(uintptr_t)b);
        for (uint32_t k = 0; k < info->n_entries; k++) {
            qn_image *image;
            if (qn__bundle_read(&image, NULL, NULL, b, k) != QN_OK)
                continue;
            consider(&s, &image->notes, info->name);
            qn_image_release(image);
        }
    }
    (void)(qn__disk_walk(consider_entry, &s) == QN_OK); /* the nearest of those that can be read */
}

void qn__nearest_release(struct qn__nearest *n)
{
    qn__str_release(&n->diff);
}

/* "- option: -O2\n+ option: -O3\n" becomes "option: -O2 there, option: -O3 here". */
static void in_one_line(struct qn__str *out, const char *diff)
{
    enum { SHOWN_MAX = 6 };
    uint32_t shown = 0;
    for (const char *p = diff; *p;) {
        const size_t n = strcspn(p, "\n");
        if (shown++ < SHOWN_MAX)
            qn__str_printf(out, "%s%.*s %s", shown > 1 ? ", " : "", (int)(n < 2 ? 0 : n - 2), p + 2,
                           *p == '-' ? "there" : "here");
        p += n + (p[n] == '\n');
    }
    if (shown > SHOWN_MAX)
        qn__str_printf(out, ", and %u more", shown - SHOWN_MAX);
}

void qn__miss_explain(struct qn__str *out, const char *fields, const char *source_hex)
{
    struct qn__nearest near;
    size_t name_n;
    qn__find_nearest(&near, fields, source_hex);
    const char *name = qn__fields_name(&name_n, fields);
    if (!near.where[0]) {
        const char *dir = qn__folder_dir(NULL);
        qn__str_printf(out, "neither the bundles nor %s hold anything made from %.*s",
                       dir[0] ? dir : "a cache folder (there is none)", (int)name_n, name);
    } else if (near.n == 0 && !line_of(fields, compiler_label)) {
        qn__str_printf(out,
                       "an entry for it (%.12s... in %s) was made by %s, and without a compiler it "
                       "is not known whether it is the one",
                       near.key, near.where, near.compiler);
    } else if (near.n == 0) {
        qn__str_printf(out, "an entry with the same fields (%.12s... in %s) is damaged", near.key,
                       near.where);
    } else {
        qn__str_printf(out, "the nearest entry (%.12s... in %s) differs: ", near.key, near.where);
        in_one_line(out, near.diff.text ? near.diff.text : "");
    }
    qn__nearest_release(&near);
}
