/* SPDX-License-Identifier: Apache-2.0
 *
 * What clang says, taken apart: lines of the form "FILE:LINE:COLUMN: error: MESSAGE", each followed
 * by notes that tell where a template was asked for. In front of one there are lines "In file
 * included from FILE:LINE:", outermost first, but only where they differ from those before. */
#include "compiler/frontend/clang_log.h"

#include <stdlib.h>
#include <string.h>

/* "a/../b.h" and "./b.h" become "b.h". In place. */
static char *plain_path(char *path)
{
    char *out = path;
    for (const char *p = path; *p;) {
        const size_t n = strcspn(p, "/");
        const bool last = p[n] == 0;
        if (n == 2 && p[0] == '.' && p[1] == '.' && out > path &&
            !(out - path >= 3 && memcmp(out - 3, "../", 3) == 0)) {
            for (out--; out > path && out[-1] != '/'; out--)
                ;
        } else if (n && !(n == 1 && p[0] == '.')) {
            memmove(out, p, n);
            out += n;
            if (!last)
                *out++ = '/';
        }
        p += last ? n : n + 1;
    }
    *out = 0;
    return path;
}

static uint32_t file_named(struct qn__unit *u, const char *name)
{
    const char *const plain = plain_path(qn__arena_strdup(u->arena, name));
    uint32_t i = 0;
    for (; i < u->request->n_files; i++) {
        const char *const own = u->request->files[i].name;
        if (qn__equal(plain, plain_path(qn__arena_strdup(u->arena, own + strspn(own, "/")))))
            break;
    }
    return i;
}

/* "FILE:LINE:COLUMN: KIND" with a file of the user's, KIND being what stands at `kind`. */
static bool read_place(struct qn__unit *u, struct qn__clang_error *e, const char *line,
                       const char *kind, const char *source)
{
    const size_t n = strlen(source);
    if (strncmp(line, source, n) != 0 || line[n] != '/' || kind - line < (long)n + 6)
        return false;
    const char *const name = line + n + 1;
    const char *colon = kind - 2; /* in front of ": error" */
    const char *numbers[2];
    for (int i = 0; i < 2; i++) {
        for (colon--; colon > name && *colon != ':'; colon--)
            ;
        numbers[i] = colon + 1;
    }
    if (colon <= name)
        return false;
    const char *const file = qn__text(u, "%.*s", (int)(colon - name), name);
    e->file = file_named(u, file);
    e->column = (uint32_t)strtoul(numbers[0], NULL, 10);
    e->line = (uint32_t)strtoul(numbers[1], NULL, 10);
    e->where = qn__text(u, "%s:%u:%u", file, (unsigned)e->line, (unsigned)e->column);
    return e->file < u->request->n_files;
}

static const char *kind_in(const char *line, size_t n, const char *kind)
{
    const size_t length = strlen(kind);
    for (const char *p = line; p + length <= line + n; p++)
        if (memcmp(p, kind, length) == 0)
            return p + 2;
    return NULL;
}

/* The place of an #include in a user's file; else it stays as it is. */
static void read_include(struct qn__unit *u, struct qn__clang_error *include, const char *line,
                         size_t n, const char *source)
{
    static const char begin[] = "In file included from ";
    const char *const as_error =
        qn__text(u, "%.*s1: error: ", (int)(n - (sizeof begin - 1)), line + sizeof begin - 1);
    struct qn__clang_error e = {.by_include = true};
    if (read_place(u, &e, as_error, strstr(as_error, ": error: ") + 2, source))
        *include = e;
}

/* The error is in no file of the user's: where it came from, until a note knows better. */
static void place_at_include(struct qn__clang_error *e, const struct qn__clang_error *include)
{
    const char *const message = e->message;
    *e = *include;
    e->message = message;
}

static bool place_by_note(struct qn__unit *u, struct qn__clang_error *e, const char *line,
                          const char *kind, const char *source)
{
    struct qn__clang_error noted = {.message = e->message};
    if (!read_place(u, &noted, line, kind, source))
        return false;
    *e = noted;
    return true;
}

/* Of several macros the last is where the code stands. */
static void note_macro(struct qn__unit *u, struct qn__clang_error *e, const char *line,
                       const char *kind, const char *source)
{
    struct qn__clang_error noted = {0};
    if (qn__starts_with(kind, "note: expanded from macro") &&
        read_place(u, &noted, line, kind, source))
        e->in_macro = (struct qn__clang_place){noted.file, noted.line, noted.column};
}

size_t qn__clang_offset(const char *text, size_t n, uint32_t line, uint32_t column)
{
    const char *p = text;
    for (uint32_t i = 1; p && i < line; i++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    return p ? (size_t)(p - text) + column - 1 : n;
}

struct qn__clang_error *qn__clang_errors(struct qn__unit *u, const char *log, const char *source,
                                         uint32_t *n)
{
    const struct qn__clang_error nowhere = {.where = "", .file = u->request->n_files};
    struct qn__clang_error *errors = NULL, include = nowhere;
    uint32_t capacity = 0;
    bool placed = true, in_chain = false;
    *n = 0;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        const bool is_include = qn__starts_with(line, "In file included from ");
        if (is_include) {
            if (!in_chain)
                include = nowhere;
            read_include(u, &include, line, length, source);
        }
        in_chain = is_include;
        const char *kind = kind_in(line, length, ": error: ");
        if (!kind)
            kind = kind_in(line, length, ": fatal error: ");
        if (kind) {
            struct qn__clang_error e = nowhere;
            const char *const message = strstr(kind, "error: ") + 7;
            e.message = qn__text(u, "%.*s", (int)(line + length - message), message);
            placed = read_place(u, &e, line, kind, source);
            if (!placed)
                place_at_include(&e, &include);
            QN__PUSH(u, errors, *n, capacity, e);
        } else if (*n && (kind = kind_in(line, length, ": note: ")) != NULL) {
            note_macro(u, &errors[*n - 1], line, kind, source);
            if (!placed)
                placed = place_by_note(u, &errors[*n - 1], line, kind, source);
        }
    }
    return errors;
}

const char *qn__clang_error_reason(const char *message)
{
    static const struct {
        const char *part, *reason;
    } all[] = {
        {"reference to __global__ function",
         "OpenCL kernels cannot launch kernels: launch this one from the host, after the first, or "
         "call its body as a __device__ function"},
        {" in namespace 'cub'",
         "Quern's own headers have CUB's operations of threads, warps and blocks; for other parts "
         "in "
         "kernels name a CUDA toolkit (CUDA_PATH) or a checkout of CCCL (QUERN_CCCL)"},
        {" in namespace 'nvcuda::wmma'", "Quern's mma.h has fragments, load_matrix_sync, "
                                         "store_matrix_sync, fill_fragment, mma_sync "
                                         "and bmma_sync"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strstr(message, all[i].part))
            return all[i].reason;
    return NULL;
}
