/* SPDX-License-Identifier: Apache-2.0
 *
 * Includes that lead nowhere. Programs include headers of libraries that only their host code needs
 * and that are not on every machine (<mpi.h>, <nccl.h>); without them the kernels are the same.
 * Where device code does use something of such a header, its name is unknown, and the note says
 * why. A name in quotes is the program's own header: without it nothing is as it was meant. */
#include "compiler/frontend/absent_headers.h"

#include <string.h>

enum { ABSENT_MAX = 64 };

bool qn__is_absent_header(const struct qn__clang_error *e)
{
    return qn__ends_with(e->message, " file not found");
}

/* The '#' of the directive on that line; what it includes begins with `open`. Else NULL. */
static const char *directive(const struct qn__host_file *f, uint32_t line, const char *open)
{
    const char *p = f->text;
    while (p && --line > 0) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    p = p ? p + strspn(p, " \t") : NULL;
    const size_t n = p ? strcspn(p, "\"<\n") : 0;
    return n > 1 && *p == '#' && strchr(open, p[n]) && p[n] ? p : NULL;
}

static bool leave_out(struct qn__unit *u, struct qn__host_code *h, struct qn__clang_error e)
{
    struct qn__host_file *const f = &h->files[e.file];
    const char *const at = directive(f, e.line, e.by_include ? "<\"" : "<");
    if (!at)
        return false;
    char *const text = qn__need(u, f->n + 1, 1);
    memcpy(text, f->text, f->n);
    memcpy(text + (at - f->text), "//", 2); /* positions stay */
    *f = (struct qn__host_file){text, f->n, true};
    if (e.by_include)
        e.message = qn__text(u, "the header does not compile here: %s", e.message);
    QN__PUSH(u, h->absent, h->n_absent, h->absent_capacity, e);
    return true;
}

bool qn__absent_header_leave_out(struct qn__unit *u, struct qn__host_code *h,
                                 const struct qn__clang_error *errors, uint32_t n)
{
    bool any = false;
    for (uint32_t i = 0; i < u->request->n_files; i++)
        h->files[i].changed = false;
    for (uint32_t i = 0; i < n && h->n_absent < ABSENT_MAX; i++)
        if (errors[i].file < u->request->n_files &&
            (errors[i].by_include || qn__is_absent_header(&errors[i])))
            any |= leave_out(u, h, errors[i]); /* once: its line is none any more */
    return any;
}

const char *qn__absent_headers_note(struct qn__unit *u, const struct qn__host_code *h)
{
    for (uint32_t i = 0; i < h->n_absent; i++)
        qn__str_printf(&u->diagnostics, "%s: note: %s; what it declares is missing here\n",
                       h->absent[i].where, h->absent[i].message);
    return h->n_absent ? h->absent[0].message : NULL;
}
