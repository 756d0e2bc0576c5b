/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing lines: see tuned_file.h. */
#define _GNU_SOURCE
#include "rtc/tuned_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "quern tuned 1";

enum { FIELDS = 10 };

bool qn__tuned_is_define(const char *text)
{
    const char *p = text;
    if (!isalpha((unsigned char)*p) && *p != '_')
        return false;
    while (isalnum((unsigned char)*p) || *p == '_')
        p++;
    if (*p++ != '=')
        return false;
    p += *p == '-';
    const size_t digits = strspn(p, "0123456789");
    return digits > 0 && digits < 19 && !p[digits];
}

/* Digits alone, at most max. */
static bool read_number(uint64_t *out, const char *text, uint64_t max)
{
    const size_t n = strspn(text, "0123456789");
    *out = strtoull(text, NULL, 10);
    return n > 0 && n < 20 && !text[n] && *out > 0 && *out <= max;
}

static bool read_axes(uint32_t out[3], char *text)
{
    for (int axis = 0; axis < 3; axis++) {
        uint64_t v;
        char *comma = strchr(text, ',');
        if ((axis < 2) != (comma != NULL))
            return false;
        if (comma)
            *comma = 0;
        if (!read_number(&v, text, UINT32_MAX))
            return false;
        out[axis] = (uint32_t)v;
        text = comma ? comma + 1 : text;
    }
    return true;
}

static bool read_time(double *out, const char *text)
{
    char *end;
    *out = strtod(text, &end);
    return isdigit((unsigned char)*text) && !*end && *out >= 0 && *out < 1e12;
}

static bool read_defines(struct qn__tuned_line *line, char *text)
{
    for (char *word; (word = strsep(&text, " "));) {
        if (line->n_defines == QN__TUNED_DEFINES || !qn__tuned_is_define(word))
            return false;
        line->defines[line->n_defines++] = word;
    }
    return true;
}

static qn_status wrong(uint32_t number, const char *what)
{
    return qn__fail(QN_E_CORRUPT, "line %u: %s (docs/tune.md has the form)", number, what);
}

/* `text` is the arena's own and is cut up. */
static qn_status parse_line(struct qn__tuned_line *out, uint32_t number, char *text)
{
    char *fields[FIELDS];
    uint64_t v;
    uint32_t n = 0;
    for (char *field; (field = strsep(&text, "\t"));) {
        if (n == FIELDS)
            return wrong(number, "more than 10 fields");
        fields[n++] = field;
    }
    if (n != FIELDS)
        return wrong(number, "not 10 fields with tabs between them");
    *out = (struct qn__tuned_line){
        .digest = fields[0], .kernel = fields[1], .device = fields[2], .driver = fields[3]};
    if (strlen(out->digest) != 64 || strspn(out->digest, "0123456789abcdef") != 64)
        return wrong(number, "the digest is not 64 hex digits");
    if (!*out->kernel || !*out->device)
        return wrong(number, "no name of a kernel or device");
    if (!read_number(&v, fields[4], 64))
        return wrong(number, "the size class is no number from 1 to 64");
    out->size_class = (uint32_t)v;
    if (!read_defines(out, fields[5]))
        return wrong(number, "the values are not NAME=INTEGER, at most 16 of them");
    if (!read_axes(out->block, fields[6]))
        return wrong(number, "the block is not three numbers");
    if (!read_number(&out->block_items, fields[7], UINT64_MAX))
        return wrong(number, "the items of a block are no number");
    if (!read_time(&out->ms, fields[8]) || !read_time(&out->first_ms, fields[9]))
        return wrong(number, "the times are no numbers");
    return QN_OK;
}

qn_status qn__tuned_parse(struct qn__tuned_lines *out, struct qn__arena *arena, const char *text,
                          size_t n)
{
    *out = (struct qn__tuned_lines){0};
    if (memchr(text, 0, n))
        return qn__fail(QN_E_CORRUPT, "a zero byte");
    char *copy = qn__arena_printf(arena, "%.*s", (int)n, text);
    uint32_t lines = 1, number = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    out->items = QN__ARENA_ARRAY(arena, struct qn__tuned_line, lines);
    if (!copy || !out->items)
        return qn__fail(QN_E_MEMORY, "no memory for a file of tuned values");
    for (char *line; (line = strsep(&copy, "\n"));) {
        number++;
        if (number == 1 && strcmp(line, head) != 0)
            return wrong(1, "not what `quern tune` writes");
        if (number == 1 || !*line || *line == '#')
            continue;
        QN_TRY(parse_line(&out->items[out->n], number, line));
        out->n++;
    }
    return QN_OK;
}

void qn__tuned_print_head(struct qn__str *out)
{
    qn__str_printf(out, "%s\n", head);
}

void qn__tuned_print(struct qn__str *out, const struct qn__tuned_line *l)
{
    qn__str_printf(out, "%s\t%s\t%s\t%s\t%u\t", l->digest, l->kernel, l->device, l->driver,
                   l->size_class);
    for (uint32_t i = 0; i < l->n_defines; i++)
        qn__str_printf(out, "%s%s", i ? " " : "", l->defines[i]);
    qn__str_printf(out, "\t%u,%u,%u\t%llu\t%.6g\t%.6g\n", l->block[0], l->block[1], l->block[2],
                   (unsigned long long)l->block_items, l->ms, l->first_ms);
}
