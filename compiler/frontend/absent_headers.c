/* SPDX-License-Identifier: Apache-2.0
 *
 * Includes that lead nowhere. Programs include headers of libraries that only their host code needs
 * and that are not on every machine (<mpi.h>, <nccl.h>); without them the kernels are the same.
 * Where device code does use something of such a header, its name is unknown, and the note says
 * why. A name in quotes is the program's own header: without it nothing is as it was meant.
 *
 * clang ends at the first. As each reading may take long, the others of the same library, which the
 * file includes as <LIBRARY/...>, go with it, if they are nowhere either. */
#include "compiler/frontend/absent_headers.h"

#include "base/embedded.h"
#include "base/file.h"
#include "compiler/frontend/header_selection.h"

#include <string.h>

enum { ABSENT_MAX = 64 };

bool qn__is_absent_header(const struct qn__clang_error *e)
{
    return qn__ends_with(e->message, " file not found");
}

static const char *line_of(const struct qn__host_file *f, uint32_t line)
{
    const char *p = f->text;
    while (p && --line > 0) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    return p;
}

/* The '#' of the directive on that line; what it includes begins with `open`. Else NULL. */
static const char *directive(const char *line, const char *open)
{
    const char *const p = line + strspn(line, " \t");
    const size_t n = strcspn(p, "\"<\n");
    return n > 1 && *p == '#' && strchr(open, p[n]) && p[n] ? p : NULL;
}

static bool leave_out(struct qn__unit *u, struct qn__host_code *h, struct qn__clang_error e)
{
    struct qn__host_file *const f = &h->files[e.file];
    const char *const line = line_of(f, e.line);
    const char *const at = line ? directive(line, e.by_include ? "<\"" : "<") : NULL;
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

static bool is_in_folders(struct qn__unit *u, const char *const *folders, uint32_t n,
                          const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (qn__file_exists(qn__text(u, "%s/%s", folders[i], name)))
            return true;
    return false;
}

/* Anywhere at all? */
static bool is_somewhere(struct qn__unit *u, const struct qn__machine_files *machine,
                         const char *name)
{
    for (uint32_t i = 0; i < u->request->n_files; i++)
        if (qn__ends_with(u->request->files[i].name, name))
            return true;
    for (const struct qn__embedded *e = qn__standin_headers; e->name; e++)
        if (qn__ends_with(e->name, name))
            return true;
    return is_in_folders(u, machine->folders, machine->n_folders, name) ||
           is_in_folders(u, u->request->toolkit, u->request->n_toolkit, name);
}

/* "main.cu:3:14" without its numbers. */
static int length_of_name(const char *where)
{
    size_t n = strlen(where);
    for (int colons = 0; n > 0 && colons < 2; n--)
        colons += where[n - 1] == ':';
    return (int)n;
}

/* What else of an absent header's library, <LIBRARY/...>, the file includes. */
static void leave_out_others(struct qn__unit *u, struct qn__host_code *h,
                             const struct qn__machine_files *machine,
                             const struct qn__clang_error *absent)
{
    const char *const library = absent->message + 1; /* after the quote */
    const size_t n_library = strcspn(library, "/'") + 1;
    struct qn__clang_error e = *absent;
    e.line = 1;
    for (const char *p = h->files[e.file].text; library[n_library - 1] == '/' && *p; e.line++) {
        const char *const at = directive(p, "<");
        const char *const open = at ? strchr(at, '<') + 1 : p;
        const char *const name = qn__text(u, "%.*s", (int)strcspn(open, ">\n"), open);
        if (at && strncmp(name, library, n_library) == 0 && h->n_absent < ABSENT_MAX &&
            !is_somewhere(u, machine, name)) {
            e.column = (uint32_t)(open - p); /* of the bracket, as clang counts */
            e.where = qn__text(u, "%.*s:%u:%u", length_of_name(absent->where), absent->where,
                               (unsigned)e.line, (unsigned)e.column);
            e.message = qn__text(u, "'%s' file not found", name);
            leave_out(u, h, e);
        }
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
}

bool qn__absent_header_leave_out(struct qn__unit *u, struct qn__host_code *h,
                                 const struct qn__machine_files *machine,
                                 const struct qn__clang_error *errors, uint32_t n)
{
    bool any = false;
    for (uint32_t i = 0; i < u->request->n_files; i++)
        h->files[i].changed = false;
    for (uint32_t i = 0; i < n && h->n_absent < ABSENT_MAX; i++)
        if (errors[i].file < u->request->n_files &&
            (errors[i].by_include || qn__is_absent_header(&errors[i])) &&
            leave_out(u, h, errors[i])) { /* once: its line is none any more */
            any = true;
            if (qn__is_absent_header(&errors[i]))
                leave_out_others(u, h, machine, &errors[i]);
        }
    return any;
}

const char *qn__absent_headers_note(struct qn__unit *u, const struct qn__host_code *h)
{
    for (uint32_t i = 0; i < h->n_absent; i++)
        qn__str_printf(&u->diagnostics, "%s: note: %s; what it declares is missing here\n",
                       h->absent[i].where, h->absent[i].message);
    return h->n_absent ? h->absent[0].message : NULL;
}
