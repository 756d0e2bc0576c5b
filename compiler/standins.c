/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of our stand-in headers a source can reach. There are many, and clang wants them as files:
 * writing only those saves a fifth of the time a small kernel takes.
 *
 * Found by reading, not by preprocessing: every `include` that is followed by a name in <> or "" in
 * the request's files, then in the headers that were found. Conditions are ignored and a name fits
 * in whatever folder it is, so the set is too large rather than too small; after an #include of a
 * macro it is all of them. */
#include "compiler/standins.h"

#include <string.h>

struct text {
    const char *at, *end;
};

struct reach {
    const struct qn__embedded *headers;
    bool *wanted;
    struct text *work; /* headers that were found and not yet read */
    uint32_t n_headers, n_work;
};

static void want(struct reach *r, uint32_t i)
{
    if (r->wanted[i])
        return;
    r->wanted[i] = true;
    r->work[r->n_work++] = (struct text){r->headers[i].text, r->headers[i].end};
}

/* "../std/cmath" fits std/cmath, "cmath" too. */
static void want_named(struct reach *r, const char *name, size_t n)
{
    while (n > 3 && memcmp(name, "../", 3) == 0) {
        name += 3;
        n -= 3;
    }
    for (uint32_t i = 0; i < r->n_headers; i++) {
        const char *const whole = r->headers[i].name;
        const size_t length = strlen(whole);
        if (length >= n && memcmp(whole + length - n, name, n) == 0 &&
            (length == n || whole[length - n - 1] == '/'))
            want(r, i);
    }
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

static bool is_directive(const char *begin, const char *word)
{
    while (word > begin && (word[-1] == ' ' || word[-1] == '\t'))
        word--;
    return word > begin && word[-1] == '#';
}

static void read_text(struct reach *r, struct text t)
{
    static const char word[] = "include";
    enum { LENGTH = sizeof word - 1 };
    for (const char *p = t.at; (p = memchr(p, 'i', (size_t)(t.end - p))) != NULL; p++) {
        if (t.end - p < LENGTH || memcmp(p, word, LENGTH) != 0)
            continue;
        const char *q = p + LENGTH;
        if (t.end - q > 5 && memcmp(q, "_next", 5) == 0)
            q += 5;
        q = skip_blanks(q, t.end);
        if (q < t.end && *q == '(')
            q = skip_blanks(q + 1, t.end);
        const char close = q < t.end && *q == '<' ? '>' : '"';
        const char *const stop = q < t.end && (*q == '<' || *q == '"')
                                     ? memchr(q + 1, close, (size_t)(t.end - q - 1))
                                     : NULL;
        if (stop)
            want_named(r, q + 1, (size_t)(stop - q - 1));
        else if (is_directive(t.at, p))
            for (uint32_t i = 0; i < r->n_headers; i++)
                want(r, i);
    }
}

const bool *qn__standins_reached(struct qn__unit *u, const struct qn__embedded *headers)
{
    struct reach r = {.headers = headers};
    while (headers[r.n_headers].name)
        r.n_headers++;
    r.wanted = QN__NEED_ARRAY(u, bool, r.n_headers);
    r.work = QN__NEED_ARRAY(u, struct text, r.n_headers);
    want_named(&r, QN__PRELUDE, strlen(QN__PRELUDE));
    for (uint32_t i = 0; i < u->request->n_files; i++) {
        const struct qn__translate_file *const f = &u->request->files[i];
        read_text(&r, (struct text){f->text, f->text + f->n});
    }
    while (r.n_work)
        read_text(&r, r.work[--r.n_work]);
    return r.wanted;
}
