/* SPDX-License-Identifier: Apache-2.0
 *
 * A log's texts are malloc'd; one for which there is no memory is the empty text below, so that a
 * caller never finds NULL. */
#define _GNU_SOURCE
#include "rtc/build_log.h"

#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

static char empty[1];

static void forget(char *text)
{
    if (text != empty)
        free(text);
}

void qn_log_release(qn_log *log)
{
    if (!log)
        return;
    forget(log->text);
    forget(log->raw);
    forget(log->key);
    *log = (qn_log){0};
}

void qn__log_complete(qn_log *log)
{
    if (!log)
        return;
    char **const texts[] = {&log->text, &log->raw, &log->key};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!*texts[i])
            *texts[i] = empty;
}

void qn__log_set(char **at, char *text)
{
    forget(*at);
    *at = text;
}

void qn__log_origin(qn_log *log, qn_origin origin, const char *key)
{
    if (!log)
        return;
    log->origin = origin;
    qn__log_set(&log->key, strdup(key));
}

/* Of diagnostics, the warnings and notes that carry the translator's mark, each with its lines. */
static void add_marked(struct qn__str *out, const char *diagnostics)
{
    bool wanted = false;
    for (const char *line = diagnostics; *line;) {
        const size_t n = strcspn(line, "\n");
        struct qn__str head = {0};
        qn__str_add_bytes(&head, line, n);
        const char *const text = head.text ? head.text : "";
        const bool marked = qn__ends_with(text, QN__TRANSLATION_MARK);
        if (strstr(text, ": warning: ") || strstr(text, ": error: "))
            wanted = marked;
        else if (strstr(text, ": note: "))
            wanted |= marked;
        if (wanted)
            qn__str_printf(out, "%s\n", text);
        qn__str_release(&head);
        line += n + (line[n] == '\n');
    }
}

void qn__log_fill(qn_log *log, const struct qn__request *r, const char *diagnostics,
                  const char *raw, bool failed)
{
    if (!log)
        return;
    struct qn__str text = {0}, marked = {0};
    const char *said = diagnostics ? diagnostics : "";
    if (!failed && !r->options.verbose) {
        add_marked(&marked, said);
        said = marked.text ? marked.text : "";
    }
    qn__closure_show(&text, &r->closure, said);
    qn__str_release(&marked);
    qn__log_set(&log->text, qn__str_take(&text));
    qn__log_set(&log->raw, strdup(raw ? raw : ""));
}
