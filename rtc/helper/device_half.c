/* SPDX-License-Identifier: Apache-2.0
 *
 * Braces, parentheses and semicolons tell where declarations begin and end (device_items.c); what
 * is kept is decided here. Only the compiler judges the result, so a mistake here is an error
 * message and never another kernel. */
#include "rtc/helper/device_half.h"

#include "base/cxx_text.h"
#include "base/name_expression.h"
#include "base/str.h"
#include "rtc/helper/device_headers.h"
#include "rtc/helper/device_items.h"
#include "rtc/helper/gnu_forms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 16 };

struct half_file {
    const char *name;
    char *text, *code; /* what is left; the same without comments and strings */
    size_t n;
    struct qn__device_items items;
};

struct qn__device_half {
    struct qn__arena *arena;
    const struct qn__job *job;
    struct half_file *files;
    struct qn__device_words words;
    struct qn__str said; /* errors of device code that was left out */
    const char **names;  /* of kernels: those that can be found */
    struct qn__device_headers headers;
    uint32_t n_names, n_host, n_rounds;
    bool keeps_going, is_program;
};

/* ---- leaving out ---- */

/* Blank the region but for comments and the preprocessor's lines; includes go. */
static void blank(struct half_file *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!isspace((unsigned char)f->code[i]))
            f->text[i] = f->code[i] = ' ';
        if (f->text[i] == '\n' && qn__device_headers_is_include(f->text + i + 1))
            for (size_t k = i + 1; k < end && f->text[k] != '\n'; k++)
                f->text[k] = ' ';
    }
}

static void leave_out_item(struct half_file *f, struct qn__device_item *item)
{
    item->gone = true;
    for (uint32_t k = 0; k < f->items.n; k++) /* what lies in it */
        if (f->items.list[k].begin >= item->begin && f->items.list[k].end <= item->end)
            f->items.list[k].gone = true;
    blank(f, item->begin, item->end);
}

static void leave_out_body(struct half_file *f, struct qn__device_item *item)
{
    item->gone = true;
    blank(f, item->body, item->end);
    f->text[item->body] = f->code[item->body] = ';';
}

static bool has_launch_or_main(const struct half_file *f, const struct qn__device_item *item)
{
    const char *const code = f->code + item->begin;
    const size_t n = item->end - item->begin;
    for (size_t i = 0; i + 4 < n; i++)
        if (memcmp(code + i, "<<<", 3) == 0 ||
            (memcmp(code + i, "main", 4) == 0 && i > 0 && !qn__cxx_text_is_word(code[i - 1]) &&
             !qn__cxx_text_is_word(code[i + 4]) && item->begin + i < item->body))
            return true;
    return false;
}

/* ---- the beginning ---- */

static bool read_file(struct qn__device_half *h, struct half_file *f,
                      const struct qn__source_file *from)
{
    f->name = from->name;
    f->n = from->n;
    f->text = qn__arena_alloc(h->arena, from->n + 1, 1);
    f->code = qn__arena_alloc(h->arena, from->n + 1, 1);
    if (!f->text || !f->code)
        return false;
    memcpy(f->text, from->text, from->n);
    memcpy(f->code, from->text, from->n);
    f->text[f->n] = f->code[f->n] = 0;
    qn__cxx_text_blank(f->code, f->n);
    return qn__device_items_read(&f->items, h->arena, &h->words, f->code, f->n);
}

static void leave_out_host(struct qn__device_half *h, struct half_file *f)
{
    for (uint32_t i = 0; i < f->items.n; i++) {
        struct qn__device_item *const item = &f->items.list[i];
        if (item->gone || item->kind == QN__ITEM_CLASS || item->is_device || item->is_kept)
            continue;
        h->is_program = h->is_program || has_launch_or_main(f, item);
        h->n_host++;
        leave_out_item(f, item);
    }
}

static bool has_gnu_forms(const struct qn__device_half *h)
{
    bool any = false;
    for (uint32_t i = 0; i < h->job->n_files && !any; i++) {
        struct qn__str text = {0};
        any = qn__gnu_forms_add(&text, h->files[i].text);
        qn__str_release(&text);
    }
    return any;
}

qn_status qn__device_half_create(struct qn__device_half **out, struct qn__arena *arena,
                                 const struct qn__job *job, const char *include)
{
    struct qn__device_half *const h = QN__ARENA_ARRAY(arena, struct qn__device_half, 1);
    *out = NULL;
    if (!h)
        return qn__fail(QN_E_MEMORY, "no memory for a program's device half");
    *h = (struct qn__device_half){
        .arena = arena,
        .job = job,
        .files = QN__ARENA_ARRAY(arena, struct half_file, job->n_files),
        .names = QN__ARENA_ARRAY(arena, const char *, (size_t)job->n_names + 1),
        .n_names = job->n_names,
        .headers = qn__device_headers(arena, job, include),
        .keeps_going = qn__job_has(job, "-keep-going"),
    };
    bool ok = h->files && h->names && qn__device_words_read(&h->words, arena, job);
    for (uint32_t i = 0; ok && i < job->n_files; i++)
        ok = read_file(h, &h->files[i], &job->files[i]);
    if (!ok)
        return qn__fail(QN_E_MEMORY, "no memory for a program's device half");
    for (uint32_t i = 0; i < job->n_names; i++)
        h->names[i] = job->names[i];
    bool lacks_headers = false;
    for (uint32_t i = 0; i < job->n_files; i++) {
        leave_out_host(h, &h->files[i]);
        lacks_headers |= qn__device_headers_leave_out(&h->headers, h->files[i].text);
    }
    for (uint32_t i = 0; i < job->n_files; i++)
        qn__device_headers_want(&h->headers, h->files[i].code);
    if (h->is_program || lacks_headers || h->n_host || has_gnu_forms(h))
        *out = h;
    else
        qn__device_half_release(h);
    return QN_OK;
}

void qn__device_half_release(struct qn__device_half *h)
{
    if (!h)
        return;
    qn__str_release(&h->said);
    qn__str_release(&h->headers.absent);
}

bool qn__device_half_is_program(const struct qn__device_half *h)
{
    return h->is_program;
}

static bool uses_std(const struct qn__device_half *h)
{
    for (uint32_t i = 0; i < h->job->n_files; i++)
        if (qn__device_headers_mentions(h->files[i].code, "std"))
            return true;
    return false;
}

static const char *text_of(struct qn__device_half *h, uint32_t i)
{
    struct qn__str text = {0};
    if (i == 0) {
        qn__device_headers_add(&text, &h->headers, uses_std(h));
        qn__str_add(&text, qn__gnu_forms_prelude);
        qn__str_printf(&text, "#line 1 \"%s\"\n", h->files[0].name);
    }
    qn__gnu_forms_add(&text, h->files[i].text);
    const char *const made = text.failed ? NULL : qn__arena_strdup(h->arena, text.text);
    qn__str_release(&text);
    return made;
}

qn_status qn__device_half_part(struct qn__job *part, struct qn__device_half *h)
{
    struct qn__source_file *const files =
        QN__ARENA_ARRAY(h->arena, struct qn__source_file, h->job->n_files);
    bool ok = files != NULL;
    for (uint32_t i = 0; ok && i < h->job->n_files; i++) {
        const char *const text = text_of(h, i);
        ok = text != NULL;
        files[i] = (struct qn__source_file){h->files[i].name, text, ok ? strlen(text) : 0};
    }
    *part = *h->job;
    part->files = files;
    part->names = h->names;
    part->n_names = h->n_names;
    return ok ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a program's device half");
}

/* ---- what the compiler cannot read ---- */

static struct half_file *file_of(struct qn__device_half *h, const char *line, size_t n)
{
    for (uint32_t i = 0; i < h->job->n_files; i++)
        if (strlen(h->files[i].name) == n && memcmp(h->files[i].name, line, n) == 0)
            return &h->files[i];
    return NULL;
}

static size_t offset_of(const struct half_file *f, unsigned long line, unsigned long column)
{
    const char *p = f->text;
    for (unsigned long i = 1; p && i < line; i++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    const size_t at = p ? (size_t)(p - f->text) + (column ? column - 1 : 0) : f->n;
    return at < f->n ? at : f->n;
}

/* The smallest declaration around the place; a data member is its class. */
static struct qn__device_item *item_at(struct half_file *f, size_t at)
{
    for (uint32_t i = 0; i < f->items.n; i++) {
        struct qn__device_item *const item = &f->items.list[i];
        if (item->begin <= at && at < item->end && !item->gone &&
            !(item->in_class && item->kind == QN__ITEM_OTHER))
            return item;
    }
    return NULL;
}

static bool leave_out_at(struct qn__device_half *h, struct half_file *f, size_t at,
                         const char *line, size_t n)
{
    struct qn__device_item *const item = item_at(f, at);
    if (!item || (item->is_kernel && !h->keeps_going))
        return false;
    if (item->is_device && item->kind != QN__ITEM_CLASS) {
        qn__str_add_bytes(&h->said, line, n);
        qn__str_add_char(&h->said, '\n');
    } else
        h->n_host++;
    if (item->is_device && !item->is_kernel && item->kind == QN__ITEM_FUNCTION && at >= item->body)
        leave_out_body(f, item);
    else
        leave_out_item(f, item);
    return true;
}

/* An instance of a kernel that was left out has no name. */
static bool leave_out_name(struct qn__device_half *h, const char *line, size_t n)
{
    static const char mark[] = "name expression was: \"";
    const char *text = qn__arena_strndup(h->arena, line, n);
    text = text ? strstr(text, mark) : NULL;
    struct qn__str wanted = {0}, name = {0};
    bool found = false;
    if (text && h->keeps_going) {
        text += sizeof mark - 1;
        const char *const one = qn__arena_strndup(h->arena, text, strcspn(text, "\""));
        qn__name_expression_print(&wanted, one ? one : "");
    }
    for (uint32_t i = 0; wanted.len && i < h->n_names && !found; i++) {
        qn__str_clear(&name);
        qn__name_expression_print(&name, h->names[i]);
        found = qn__equal(name.text, wanted.text);
        if (found)
            memmove(h->names + i, h->names + i + 1, (--h->n_names - i) * sizeof *h->names);
    }
    qn__str_release(&wanted);
    qn__str_release(&name);
    return found;
}

bool qn__device_half_leave_out(struct qn__device_half *h, const char *diagnostics)
{
    static const char mark[] = ": error: ";
    bool any = false;
    if (h->n_rounds++ == ROUNDS)
        return false;
    for (const char *p = diagnostics; (p = strstr(p, mark)) != NULL; p += sizeof mark - 1) {
        const char *line = p;
        while (line > diagnostics && line[-1] != '\n')
            line--;
        const char *colon = p; /* name:line:column */
        for (int i = 0; i < 2 && colon > line; i++)
            for (colon--; colon > line && *colon != ':'; colon--)
                continue;
        char *end;
        const unsigned long row = strtoul(colon + 1, &end, 10);
        struct half_file *const f = file_of(h, line, (size_t)(colon - line));
        if (!f && leave_out_name(h, line, strcspn(line, "\n")))
            any = true;
        if (!f || *end != ':')
            continue;
        any |= leave_out_at(h, f, offset_of(f, row, strtoul(end + 1, NULL, 10)), line,
                            strcspn(line, "\n"));
    }
    return any;
}

void qn__device_half_say(struct qn__str *out, const struct qn__device_half *h, bool failed)
{
    const struct qn__str *absent = &h->headers.absent;
    qn__str_printf(out, "%s:1:1: warning: %u declarations of the host are left out",
                   h->files[0].name, (unsigned)h->n_host);
    if (absent->len && !absent->failed)
        qn__str_printf(out, ", and headers that are the host's or not there: %s", absent->text + 2);
    qn__str_add_char(out, '\n');
    if (h->said.len && failed)
        qn__str_add_bytes(out, h->said.text, h->said.len);
}
