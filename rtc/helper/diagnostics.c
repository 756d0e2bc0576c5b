/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the log's lines. A line is either the head of a diagnostic, in one of two
 * spellings, or it belongs to the last head; of those only NVRTC's caret line is used, because
 * NVRTC gives the column nowhere else. Lines in front of a head may say which files include its
 * file. */
#include "rtc/helper/diagnostics.h"

#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

enum severity { NOTE, WARNING, ERROR };

struct head {
    const char *file;
    size_t file_n;
    uint32_t line, column; /* column 0: not given */
    enum severity severity;
    const char *text;
    size_t text_n;
    const char *includes; /* the first line in front of it that says how its file was reached */
};

static const char *const severity_names[] = {"note", "warning", "error"};

/* "error: ", "fatal error: ", "warning #177-D: ", "remark: " at p; moves past it. */
static bool read_severity(enum severity *out, const char **p, const char *end)
{
    static const struct {
        const char *word;
        enum severity severity;
    } words[] = {{"catastrophic error", ERROR}, {"fatal error", ERROR}, {"error", ERROR},
                 {"warning", WARNING},          {"note", NOTE},         {"remark", NOTE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t n = strlen(words[i].word);
        if ((size_t)(end - *p) <= n || memcmp(*p, words[i].word, n) != 0)
            continue;
        const char *q = *p + n;
        if (*q == ' ' && end - q > 1 && q[1] == '#') /* NVRTC's number of the message */
            while (q < end && *q != ':')
                q++;
        if (q == end || *q != ':')
            continue;
        q++;
        while (q < end && *q == ' ')
            q++;
        *out = words[i].severity;
        *p = q;
        return true;
    }
    return false;
}

static bool read_number(uint32_t *out, const char **p, const char *end)
{
    uint32_t v = 0;
    const char *q = *p;
    while (q < end && *q >= '0' && *q <= '9' && v < 100000000)
        v = v * 10 + (uint32_t)(*q++ - '0');
    if (q == *p)
        return false;
    *out = v;
    *p = q;
    return true;
}

/* file:line:column: severity: text   or   file(line): severity: text */
static bool read_head(struct head *h, const char *line, const char *end)
{
    for (const char *p = line; p < end; p++) {
        if (*p != ':' && *p != '(')
            continue;
        const char *q = p + 1;
        *h = (struct head){.file = line, .file_n = (size_t)(p - line)};
        if (!read_number(&h->line, &q, end) || q == end)
            continue;
        if (*p == '(' ? !(*q == ')' && end - q > 1 && q[1] == ':') : *q != ':')
            continue;
        q += *p == '(' ? 2 : 1;
        if (*p == ':' && read_number(&h->column, &q, end)) {
            if (q == end || *q != ':')
                continue;
            q++;
        }
        while (q < end && *q == ' ')
            q++;
        if (!read_severity(&h->severity, &q, end))
            continue;
        h->text = q;
        h->text_n = (size_t)(end - q);
        return h->file_n > 0;
    }
    return false;
}

/* The job's file with the name that a compiler prints, folders before it aside. hipRTC 5 calls the
 * main source CompileSource, whatever name it was given. */
static const struct qn__source_file *find_file(const struct qn__job *job, const struct head *h)
{
    for (uint32_t i = 0; i < job->n_files; i++) {
        const size_t n = strlen(job->files[i].name);
        if (h->file_n >= n && memcmp(h->file + h->file_n - n, job->files[i].name, n) == 0 &&
            (h->file_n == n || h->file[h->file_n - n - 1] == '/'))
            return &job->files[i];
    }
    static const char main_source[] = "/input/CompileSource";
    const size_t n = sizeof main_source - 1;
    return h->file_n > n && memcmp(h->file + h->file_n - n, main_source, n) == 0 ? &job->files[0]
                                                                                 : NULL;
}

static const char *source_line(size_t *n, const struct qn__source_file *f, uint32_t line)
{
    const char *p = f->text, *end = f->text + f->n;
    for (uint32_t i = 1; i < line; i++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p)
            return NULL;
        p++;
    }
    if (!line || p >= end)
        return NULL;
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    *n = (size_t)((stop ? stop : end) - p);
    if (*n && p[*n - 1] == '\r')
        (*n)--;
    return p;
}

static const char included_from[] = "In file included from ";

/* "In file included from a.cu:3:", one line each, down to the file with the error: those of them
 * that are the job's. */
static void print_includes(struct qn__str *out, const struct qn__job *job, const char *line)
{
    const size_t n = sizeof included_from - 1;
    for (; line && strncmp(line, included_from, n) == 0; line += strcspn(line, "\n") + 1) {
        const char *const file = line + n;
        const char *colon = file + strcspn(file, "\n");
        for (int i = 0; i < 2 && colon > file; i++)
            for (colon--; colon > file && *colon != ':'; colon--)
                ;
        const struct head h = {.file = file, .file_n = (size_t)(colon - file)};
        const struct qn__source_file *const f = find_file(job, &h);
        if (f)
            qn__str_printf(out, "%s%s:%u:\n", included_from, f->name,
                           (unsigned)strtoul(colon + 1, NULL, 10));
        if (!line[strcspn(line, "\n")])
            break;
    }
}

static void print(struct qn__str *out, const struct qn__job *job, const struct head *h)
{
    const struct qn__source_file *f = find_file(job, h);
    print_includes(out, job, h->includes);
    if (f)
        qn__str_add(out, f->name);
    else
        qn__str_add_bytes(out, h->file, h->file_n);
    qn__str_printf(out, ":%u:%u: %s: %.*s\n", h->line, h->column ? h->column : 1,
                   severity_names[h->severity], (int)h->text_n, h->text);
    size_t n = 0;
    const char *source = f ? source_line(&n, f, h->line) : NULL;
    if (!source)
        return;
    qn__str_add_bytes(out, source, n);
    qn__str_add_char(out, '\n');
    if (!h->column)
        return;
    for (size_t i = 0; i + 1 < h->column; i++) /* tabs stay tabs, so the caret is in its place */
        qn__str_add_char(out, i < n && source[i] == '\t' ? '\t' : ' ');
    qn__str_add(out, "^\n");
}

/* A line of blanks and one caret: NVRTC's pointer below the source line, both indented by two. */
static bool read_caret(uint32_t *column, const char *line, const char *end)
{
    const char *p = line;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == end || *p != '^' || p - line < 2)
        return false;
    *column = (uint32_t)(p - line) - 2 + 1;
    return true;
}

/* A note of the translator's own, which belongs to nothing before it. */
static bool is_marked(const char *line, const char *end)
{
    static const char mark[] = QN__TRANSLATION_MARK;
    const size_t n = sizeof mark - 1;
    return (size_t)(end - line) > n && memcmp(end - n, mark, n) == 0;
}

void qn__diagnostics_add(struct qn__str *out, const struct qn__job *job, const char *log,
                         bool warnings, bool is_failure)
{
    const size_t before = out->len;
    struct head current = {0}, next;
    const char *includes = NULL;
    bool open = false, wanted = false;
    for (const char *line = log; *line;) {
        const char *end = line + strcspn(line, "\n");
        if (read_head(&next, line, end)) {
            if (open && wanted)
                print(out, job, &current);
            current = next;
            current.includes = includes;
            includes = NULL;
            open = true;
            wanted = next.severity == ERROR || (next.severity == WARNING && warnings) ||
                     (next.severity == NOTE && (wanted || is_marked(line, end)));
        } else if (qn__starts_with(line, included_from)) {
            includes = includes ? includes : line;
        } else if (open && !current.column) {
            read_caret(&current.column, line, end);
        }
        line = *end ? end + 1 : end;
    }
    if (open && wanted)
        print(out, job, &current);
    if (is_failure && out->len == before)
        qn__str_add(out, log);
}

const char *qn__diagnostics_first(struct qn__arena *arena, const char *diagnostics)
{
    const char *at = diagnostics ? strstr(diagnostics, ": error: ") : NULL;
    if (!diagnostics || !diagnostics[0])
        return "";
    const char *line = diagnostics;
    if (at)
        for (const char *p = diagnostics; p < at; p++)
            if (*p == '\n')
                line = p + 1;
    const char *copy = qn__arena_strndup(arena, line, strcspn(line, "\n"));
    return copy ? copy : "";
}
