/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics of our own, in clang's form:
 *
 *     main.cu:12:5: error: barrier under a condition that differs between work-items
 *        12 |     __syncthreads();
 *           |     ^
 *     main.cu:30:9: note: inlined here
 *
 * A position inside a stand-in header means nothing to the user, so it moves out to the call of
 * the user's file that was inlined there. */
#include "compiler/core/diagnose.h"

#include "base/wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a file of the debug information is. */
struct known_file {
    const struct qn__source_file *user; /* of the request; NULL for headers that are not the
                                              user's */
};

static const struct known_file *know_file(struct qn__unit *u, LLVMMetadataRef file)
{
    struct known_file *const known = QN__NEED(u, struct known_file);
    unsigned n = 0;
    const char *const name = LLVMDIFileGetFilename(file, &n);
    for (uint32_t i = 0; i < u->request->n_files && !known->user; i++) {
        const char *own = u->request->files[i].name;
        own += strspn(own, "/");
        if (strlen(own) == n && memcmp(own, name, n) == 0)
            known->user = &u->request->files[i];
    }
    qn__map_put(u, &u->known_files, file, known);
    return known;
}

/* The request's file that a scope of the debug information is in, or NULL. */
static const struct qn__source_file *user_file(struct qn__unit *u, LLVMMetadataRef scope)
{
    const LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (!file)
        return NULL;
    const struct known_file *const known = qn__map_get(&u->known_files, file);
    return (known ? known : know_file(u, file))->user;
}

static const struct qn__source_file *location(struct qn__unit *u, LLVMMetadataRef where,
                                              struct qn__place_in_source *out)
{
    if (!LLVMDILocationGetLine(where))
        return NULL; /* made up by a pass */
    const struct qn__source_file *const f = user_file(u, LLVMDILocationGetScope(where));
    if (f && out) {
        out->file = f->name;
        out->line = LLVMDILocationGetLine(where);
        out->column = LLVMDILocationGetColumn(where);
        out->call = LLVMDILocationGetInlinedAt(where);
    }
    return f;
}

bool qn__where(struct qn__unit *u, LLVMValueRef instruction, struct qn__place_in_source *out)
{
    if (!instruction || !LLVMIsAInstruction(instruction))
        return false;
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    for (; at; at = LLVMDILocationGetInlinedAt(at))
        if (location(u, at, out))
            return true;
    return false;
}

static const struct qn__source_file *begins(struct qn__unit *u, LLVMMetadataRef function,
                                            struct qn__place_in_source *out)
{
    const struct qn__source_file *const f = user_file(u, function);
    if (f)
        *out = (struct qn__place_in_source){f->name, LLVMDISubprogramGetLine(function), 1, NULL};
    return f;
}

bool qn__where_begins(struct qn__unit *u, LLVMMetadataRef function, struct qn__place_in_source *out)
{
    return begins(u, function, out) != NULL;
}

/* The kernel's own line, for what belongs to no instruction. */
static const struct qn__source_file *kernel_location(struct qn__unit *u,
                                                     struct qn__place_in_source *out)
{
    return begins(u, u->current_function ? LLVMGetSubprogram(u->current_function) : NULL, out);
}

static void show_source(struct qn__unit *u, const struct qn__source_file *f, unsigned line,
                        unsigned column)
{
    const char *p = f->text, *const end = f->text + f->n;
    for (unsigned i = 1; i < line && p < end; i++) {
        const char *const newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    if (p >= end)
        return;
    const char *const newline = memchr(p, '\n', (size_t)(end - p));
    const size_t n = (size_t)((newline ? newline : end) - p);
    qn__str_printf(&u->diagnostics, "%5u | %.*s\n      | ", line, (int)n, p);
    for (unsigned i = 1; i < column && i <= n; i++)
        qn__str_add_char(&u->diagnostics, p[i - 1] == '\t' ? '\t' : ' ');
    qn__str_add(&u->diagnostics, "^\n");
}

static bool has_column(struct qn__unit *u, LLVMValueRef in)
{
    struct qn__place_in_source place;
    return qn__where(u, in, &place) && place.column;
}

/* A value that passes made has no position, or only a line, but what uses it may. */
static LLVMValueRef with_position(struct qn__unit *u, LLVMValueRef v)
{
    if (!v || !LLVMIsAInstruction(v) || has_column(u, v))
        return v;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (has_column(u, LLVMGetUser(use)))
            return LLVMGetUser(use);
    return v;
}

static void print(struct qn__unit *u, LLVMValueRef where, const char *kind, const char *fmt,
                  va_list ap)
{
    struct qn__place_in_source place;
    const struct qn__source_file *f = NULL;
    LLVMMetadataRef at = NULL;
    where = with_position(u, where);
    for (int i = 0; i < 2 && !f; i++, where = u->current) {
        at = where && LLVMIsAInstruction(where) ? LLVMInstructionGetDebugLoc(where) : NULL;
        while (at && !(f = location(u, at, &place)))
            at = LLVMDILocationGetInlinedAt(at);
    }
    if (!f)
        f = kernel_location(u, &place);
    if (f)
        qn__str_printf(&u->diagnostics, "%s:%u:%u: %s: ", place.file, place.line, place.column,
                       kind);
    else
        qn__str_printf(&u->diagnostics, "%s: %s: ", u->request->files[0].name, kind);
    qn__str_vprintf(&u->diagnostics, fmt, ap);
    qn__str_add_char(&u->diagnostics, '\n');
    if (f)
        show_source(u, f, place.line, place.column);
    while (f && at && (at = LLVMDILocationGetInlinedAt(at)) != NULL)
        if (location(u, at, &place))
            qn__str_printf(&u->diagnostics, "%s:%u:%u: note: called from here\n", place.file,
                           place.line, place.column);
}

static void take_back(struct qn__str *all, size_t start)
{
    all->len = start;
    all->text[start] = 0;
}

/* The same message at the same place is reported once. */
static bool forget_repeated(struct qn__str *all, size_t start)
{
    if (strstr(all->text, all->text + start) == all->text + start)
        return false;
    take_back(all, start);
    return true;
}

/* "main.cu:12:5: barrier under a condition", of the error that was printed at `start`. */
static const char *reason_at(struct qn__unit *u, size_t start)
{
    static const char kind[] = ": error: ";
    const char *const line = u->diagnostics.text + start;
    const char *const at = strstr(line, kind);
    const char *const message = at + sizeof kind - 1;
    return qn__text(u, "%.*s: %.*s", (int)(at - line), line, (int)strcspn(message, "\n"), message);
}

void qn__refuse(struct qn__unit *u, LLVMValueRef where, const char *fmt, ...)
{
    enum { MOST = 50 };
    const size_t start = u->diagnostics.len;
    va_list ap;
    struct qn__kernel_source *const k = qn__kernel_of(u, u->current_function);
    va_start(ap, fmt);
    print(u, where, "error", fmt, ap);
    va_end(ap);
    u->n_errors++;
    if (k && k->n_errors++ == 0)
        k->why = reason_at(u, start);
    if (u->n_errors_said == MOST)
        take_back(&u->diagnostics, start);
    else
        u->n_errors_said += !forget_repeated(&u->diagnostics, start);
}

void qn__warn_left_out(struct qn__unit *u, const struct qn__kernel_source *k, const char *name)
{
    qn__warn(u, NULL, "kernel %s is left out of the translation: %s", name, k->why);
}

void qn__refusals_become_warnings(struct qn__unit *u)
{
    static const char error[] = ": error: ", warning[] = ": warning: ";
    struct qn__str out = {0};
    for (const char *line = u->diagnostics.text ? u->diagnostics.text : ""; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *const at = strstr(line, error);
        if (at && at < line + n) {
            const char *const text = at + sizeof error - 1;
            qn__str_add_bytes(&out, line, (size_t)(at - line));
            qn__str_add(&out, warning);
            qn__str_add_bytes(&out, text, (size_t)(line + n - text));
            qn__str_add(&out, " " QN__TRANSLATION_MARK);
        } else
            qn__str_add_bytes(&out, line, n);
        qn__str_add_char(&out, '\n');
        line += n + (line[n] == '\n');
    }
    qn__str_release(&u->diagnostics);
    u->diagnostics = out;
}

void qn__warn(struct qn__unit *u, LLVMValueRef where, const char *fmt, ...)
{
    const size_t start = u->diagnostics.len;
    va_list ap;
    va_start(ap, fmt);
    /* the mark tells them from clang's: they are about right results and always shown */
    print(u, where, "warning", qn__text(u, "%s " QN__TRANSLATION_MARK, fmt), ap);
    va_end(ap);
    forget_repeated(&u->diagnostics, start);
}

/* A JSON string; what is no ASCII (a file's name may be in any encoding) as a question mark. */
static void add_json(struct qn__str *out, const char *text)
{
    qn__str_add_char(out, '"');
    for (const char *p = text; *p; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            qn__str_add_char(out, '\\');
        if (c < ' ')
            qn__str_printf(out, "\\u%04x", (unsigned)c);
        else
            qn__str_add_char(out, c < 0x7f ? *p : '?');
    }
    qn__str_add_char(out, '"');
}

void qn__explain(struct qn__unit *u, LLVMValueRef where, const char *what)
{
    struct qn__place_in_source place;
    if (!qn__where(u, where, &place) && !kernel_location(u, &place))
        place = (struct qn__place_in_source){.file = u->request->files[0].name};
    qn__str_printf(&u->explain, "%s{\"file\": ", u->explain.len ? ",\n  " : "");
    add_json(&u->explain, place.file);
    qn__str_printf(&u->explain, ", \"line\": %u, \"what\": ", place.line);
    add_json(&u->explain, what);
    qn__str_add_char(&u->explain, '}');
}

void qn__use_ability(struct qn__unit *u, LLVMValueRef where, enum qn__ability a)
{
    const uint64_t bit = (uint64_t)1 << a;
    if (u->abilities_used & bit)
        return;
    u->abilities_used |= bit;
    if (!qn__profile_can(u->profile, a))
        qn__refuse(
            u, where,
            "this needs %s%s%s, which the profile %s does not have: translate for one that has "
            "it, where the device can do it",
            qn__ability_text(a), *qn__ability_extension(a) ? ", " : "", qn__ability_extension(a),
            u->profile->name);
}
