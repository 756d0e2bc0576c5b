/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that clang reads, written into the temporary folder:
 *
 *     <temp>/quern/       our stand-in headers (quern_prelude.h, cuda_runtime.h, std/...)
 *     <temp>/src/.../     the request's files; deep enough for the "../" in their names
 *
 * Name expressions become initialised variables after the main file, so the C++ front end itself
 * resolves and instantiates them; lower/find_kernels.c reads the symbols from the initialisers.
 */
#include "compiler/frontend/source_files.h"

#include "base/file.h"
#include "base/name_expression.h"
#include "base/toolkit_names.h"
#include "compiler/core/line_text.h"
#include "compiler/frontend/header_selection.h"
#include "compiler/frontend/shared_align.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEEP_LEVELS = 8 }; /* of QN__SOURCE_FOLDER */

static qn_status write_below(const char *folder, const char *name, const char *text, size_t n,
                             const char *tail)
{
    char *const path = qn__path_join(folder, name);
    char *const parent = path ? qn__path_dir(path) : NULL;
    qn_status s = parent ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
    if (s == QN_OK && !qn__file_is_dir(parent))
        s = qn__file_make_dirs(parent, 0700);
    if (s == QN_OK) {
        FILE *const f = fopen(path, "we");
        if (!f)
            s = qn__fail_errno("%s", path);
        else {
            if (fwrite(text, 1, n, f) != n || fputs(tail, f) < 0)
                s = qn__fail_errno("%s", path);
            if (fclose(f) != 0 && s == QN_OK)
                s = qn__fail_errno("%s", path);
        }
    }
    free(parent);
    free(path);
    return s;
}

static qn_status remove_below(const char *folder, const char *name)
{
    char *const path = qn__path_join(folder, name);
    const qn_status s = !path ? qn__fail(QN_E_MEMORY, "out of memory")
                        : unlink(path) == 0 || errno == ENOENT ? QN_OK
                                                               : qn__fail_errno("%s", path);
    free(path);
    return s;
}

/* Relative, and no more "../" than there is room for. */
static qn_status check_name(const char *name)
{
    int depth = DEEP_LEVELS;
    for (const char *p = name; *p; p += strspn(p, "/")) {
        const size_t n = strcspn(p, "/");
        depth += n == 2 && p[0] == '.' && p[1] == '.' ? -1 : n == 1 && p[0] == '.' ? 0 : 1;
        if (depth < 0)
            return qn__fail(QN_E_INVALID, "%s: leads too far up", name);
        p += n;
    }
    return QN_OK;
}

/* Where a request's file lies below <temp>/DEEP: an absolute name loses its first slash. */
const char *qn__source_name(const char *name)
{
    return name + strspn(name, "/");
}

/* Is this word in the head of a file? */
static bool mentions(const struct qn__source_file *f, const char *word)
{
    enum { HEAD = 8192 };
    const size_t n = strlen(word), last = f->n < HEAD ? f->n : HEAD;
    const char *const end = f->text + last;
    for (const char *p = f->text; (p = memchr(p, *word, (size_t)(end - p))) != NULL; p++)
        if ((size_t)(end - p) >= n && memcmp(p, word, n) == 0)
            return true;
    return false;
}

/* The stand-in for a header of an SDK, which an -I of the request led to; NULL where the file is
 * the user's own. A closure has plain names: "reduce.h", with a number in front where it has two.
 * A header without a folder of its own, mma.h, is known by its license: that of CUTLASS's mma.h
 * allows redistribution. */
static const char *stand_in_for(struct qn__unit *u, const struct qn__source_file *f)
{
    const char *name = qn__path_base(f->name);
    const size_t digits = strspn(name, "0123456789");
    if (digits && name[digits] == '-')
        name += digits + 1;
    if (!mentions(f, "NVIDIA") && !mentions(f, "Advanced Micro Devices"))
        return NULL;
    for (const struct qn__embedded *e = qn__standin_headers; e->name; e++) {
        const char *const base = qn__path_base(e->name);
        if (!qn__equal(base, name) || qn__starts_with(e->name, "std/"))
            continue;
        const char *const folder =
            qn__text(u, "%.*s", base == e->name ? 0 : (int)(base - e->name) - 1, e->name);
        if (*folder ? mentions(f, folder) /* cooperative_groups/reduce.h, and not any reduce.h */
                    : !mentions(f, "Redistribution and use in source"))
            return e->name;
    }
    return NULL;
}

qn_status qn__write_headers(struct qn__unit *u, const char *temp, enum qn__standins which)
{
    const bool *const reached =
        qn__standins_reached(u, qn__standin_headers, which != QN__STANDINS_MENTIONED);
    char *const headers = qn__path_join(temp, "quern");
    qn_status s = headers ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
    for (uint32_t i = 0; s == QN_OK && qn__standin_headers[i].name; i++) {
        const struct qn__embedded *const e = &qn__standin_headers[i];
        const bool wanted = reached[i] || which >= QN__STANDINS_ALL;
        if (which == QN__STANDINS_BUT_TOOLKIT && qn__is_of_toolkit(e->name))
            s = remove_below(headers, e->name);
        else if (wanted || qn__standin_on_demand(e->name))
            s = write_below(headers, e->name, e->text, wanted ? (size_t)(e->end - e->text) : 0, "");
    }
    free(headers);
    return s;
}

/* The lines after the main file that make clang resolve the name expressions. A diagnostic about
 * one of them is in a file of that name: the user wrote the expression, not the line around it. */
static qn_status name_lines(struct qn__unit *u, const char **out)
{
    const char *text = "";
    if (u->request->n_names)
        text = "\n";
    for (uint32_t i = 0; i < u->request->n_names; i++) {
        struct qn__name_expression e;
        if (!u->request->names[i]) /* for another file of the program */
            continue;
        QN_TRY(qn__name_expression_read(&e, u->arena, u->request->names[i]));
        const char *const whole = u->request->names[i] + strspn(u->request->names[i], "& ");
        const char *const as = qn__line_directive(u, qn__text(u, "name expression %s", whole), 1);
        const bool chooses = e.before[0] != '&';
        if (chooses) /* a device variable's initial value may not choose among kernels */
            text = qn__text(u, "%s%s\nconstexpr auto __qn_chosen_%u = %s(\n%s\n%s\n);\n", text, as,
                            (unsigned)i, e.before, as, e.name);
        const char *const value = chooses ? qn__text(u, "__qn_chosen_%u", (unsigned)i)
                                          : qn__text(u, "(&(\n%s\n%s\n))", as, e.name);
        text = qn__text(u,
                        "%s%s\nextern \"C\" __attribute__((device)) const void *const "
                        "__qn_name_%u = (const void *)%s;\n",
                        text, as, (unsigned)i, value);
    }
    *out = text;
    return QN_OK;
}

qn_status qn__write_source(struct qn__unit *u, uint32_t i, const struct qn__host_file *f,
                           const char *source)
{
    const char *const name = qn__source_name(u->request->files[i].name);
    const char *names = "";
    if (i == 0)
        QN_TRY(name_lines(u, &names));
    return write_below(source, name, f->text, f->n, names);
}

qn_status qn__write_sources(struct qn__unit *u, struct qn__host_file *files, const char *temp,
                            const char *source)
{
    for (uint32_t i = 0; i < u->request->n_files; i++) {
        const struct qn__source_file *const f = &u->request->files[i];
        const char *const ours = i ? stand_in_for(u, f) : NULL;
        files[i] = (struct qn__host_file){qn__shared_align(u, f), f->n, false};
        if (ours) {
            files[i].text = qn__text(u, "#include \"%s/quern/%s\"\n", temp, ours);
            files[i].n = strlen(files[i].text);
        }
        QN_TRY(check_name(qn__source_name(f->name)));
        QN_TRY(qn__write_source(u, i, &files[i], source));
    }
    return QN_OK;
}

qn_status qn__write_sources_for_toolkit(struct qn__unit *u, struct qn__host_file *files,
                                        const char *source)
{
    for (uint32_t i = 0; i < u->request->n_files; i++) {
        const char *const below = u->request->below ? u->request->below[i] : NULL;
        const char *const name = qn__source_name(u->request->files[i].name);
        if (below && strchr(name, '/')) { /* it would be found in place of the toolkit's */
            QN_TRY(remove_below(source, name));
            continue;
        }
        if (below) {
            files[i].text = qn__text(u, "#include <%s>\n", below);
            files[i].n = strlen(files[i].text);
        }
        QN_TRY(qn__write_source(u, i, &files[i], source));
    }
    return QN_OK;
}
