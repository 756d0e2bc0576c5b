/* SPDX-License-Identifier: Apache-2.0
 *
 * Host code that does not parse is left out, so that a kernel is translated whatever the program
 * around it uses.
 *
 * clang says where its errors are. The smallest statement around each gives way to a call of
 * __qn_left_out(), and clang reads the files again; what used a name that is gone now is met in the
 * next round. A function that has errors in many rounds loses its body. Two things are kept:
 *
 *   meaning    __qn_left_out() is a function of the host: where it came to stand in code of the
 *              device, clang refuses that, and the errors are reported as they were
 *   kernels    a launch that does not parse leaves its kernel's address, so that a template's
 *              instance is still made
 *
 * Where a request can do without some of its kernels, a device function with an error loses its
 * body for a call of __qn_device_left_out(), with the number of the error: what needs the function
 * is refused with that error. */
#include "compiler/frontend/host_code.h"

#include "base/wire.h"
#include "compiler/frontend/host_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LEFT_OUT        "__qn_left_out()"
#define DEVICE_LEFT_OUT QN__DEVICE_LEFT_OUT "(%u);"
enum { ROUNDS = 12, ROUNDS_OF_STATEMENTS = 4, SAID = 5 };

/* One replacement in a file. */
struct edit {
    uint32_t file, error;
    struct qn__region region;
    const char *by;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The words of the device, or a macro that stands for one. */
static bool is_device_word(struct qn__unit *u, const struct qn__host_code *h, const char *word,
                           int depth);

static bool line_has_device_word(struct qn__unit *u, const struct qn__host_code *h, const char *p,
                                 int depth)
{
    for (; *p && *p != '\n'; p++) {
        if (*p == '\\' && p[1] == '\n')
            p++;
        const char *const begin = p;
        while (is_word(*p))
            p++;
        if (p > begin && is_device_word(u, h, qn__text(u, "%.*s", (int)(p - begin), begin), depth))
            return true;
        if (!*p || *p == '\n')
            break;
    }
    return false;
}

static bool is_device_word(struct qn__unit *u, const struct qn__host_code *h, const char *word,
                           int depth)
{
    static const char *const words[] = {"__global__",   "__device__",  "__shared__",
                                        "__constant__", "__managed__", "constexpr"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (qn__equal(words[i], word))
            return true;
    const size_t n = strlen(word);
    for (uint32_t f = 0; depth > 0 && f < u->request->n_files; f++)
        for (const char *p = h->files[f].text; (p = strstr(p, "define")) != NULL; p++) {
            const char *const name = p + 6 + strspn(p + 6, " \t");
            if (name > p + 6 && strncmp(name, word, n) == 0 && !is_word(name[n]) &&
                line_has_device_word(u, h, name + n, depth - 1))
                return true;
        }
    return false;
}

static bool head_is_device(struct qn__unit *u, const struct qn__host_code *h, const char *code,
                           struct qn__region head)
{
    for (size_t i = head.begin; i < head.end; i++) {
        const size_t begin = i;
        while (i < head.end && is_word(code[i]))
            i++;
        if (i > begin &&
            is_device_word(u, h, qn__text(u, "%.*s", (int)(i - begin), code + begin), 3))
            return true;
    }
    return false;
}

/* Where the name in front of "<<<" begins: "ns::kernel<float, 4>". */
static size_t launched_name(const char *code, size_t begin, size_t chevrons)
{
    size_t i = chevrons;
    int angles = 0;
    for (; i > begin; i--) {
        const char c = code[i - 1];
        angles += c == '>' ? 1 : c == '<' ? -1 : 0;
        if (angles < 0 || (angles == 0 && c != '<' && !is_word(c) && c != ':' && c != ' '))
            break;
        if (angles == 0 && c == ' ' && i < chevrons && is_word(code[i]))
            break; /* "return kernel" */
    }
    return i;
}

/* What a statement with launches leaves: the addresses of its kernels. */
static const char *kernels_of(struct qn__unit *u, const char *code, struct qn__region r)
{
    const char *by = LEFT_OUT;
    for (size_t i = r.begin; i + 3 <= r.end; i++)
        if (memcmp(code + i, "<<<", 3) == 0) {
            const size_t name = launched_name(code, r.begin, i);
            by = qn__text(u, "%s, (void)&%.*s", by, (int)(i - name), code + name);
            i += 2;
        }
    return qn__text(u, "%s;", by);
}

static bool has_launch(const char *code, struct qn__region r)
{
    for (size_t i = r.begin; i + 3 <= r.end; i++)
        if (memcmp(code + i, "<<<", 3) == 0)
            return true;
    return false;
}

static const char *header_by(char of)
{
    return of == 'f' ? "; " LEFT_OUT ";" : LEFT_OUT;
}

/* Only functions and variables of the host may go as a whole: without a type, or a special case of
 * a template, device code could silently mean something else. */
static bool may_go_whole(struct qn__unit *u, const struct qn__host_code *h, const char *code,
                         struct qn__region r)
{
    static const char *const kept[] = {"struct",  "class",     "union",    "enum",   "using",
                                       "typedef", "namespace", "operator", "friend", "template"};
    for (size_t i = r.begin; i < r.end && code[i] != '{' && code[i] != '('; i++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
            const size_t n = strlen(kept[k]);
            if (i + n <= r.end && memcmp(code + i, kept[k], n) == 0 &&
                (i == r.begin || !is_word(code[i - 1])) && !is_word(code[i + n]))
                return false;
        }
    return !head_is_device(u, h, code, r);
}

static size_t offset_of(const struct qn__host_file *f, const struct qn__clang_error *e)
{
    return qn__clang_offset(f->text, f->n + 1, e->line, e->column);
}

/* Does the head leave the type, or a constant's value, to the body? */
static bool has_own_type(struct qn__unit *u, const char *code, struct qn__region head)
{
    const char *const text = qn__text(u, "%.*s", (int)(head.end - head.begin), code + head.begin);
    return strstr(text, "auto") || strstr(text, "constexpr");
}

/* The body of a device function gives way to its error, which the unit keeps. */
static bool leave_device_body(struct qn__unit *u, struct edit *out, const struct qn__clang_error *e)
{
    const char *const reason = qn__clang_error_reason(e->message);
    out->by = qn__text(u, DEVICE_LEFT_OUT, (unsigned)u->n_device_errors);
    QN__PUSH(
        u, u->device_errors, u->n_device_errors, u->device_errors_capacity,
        qn__text(u, "%s: %s%s%s", e->where, e->message, reason ? ": " : "", reason ? reason : ""));
    return true;
}

/* What to do about one error. */
static bool find_edit(struct qn__unit *u, const struct qn__host_code *h, struct edit *out,
                      const struct qn__clang_error *e, const char *code)
{
    const struct qn__host_file *const f = &h->files[e->file];
    struct qn__host_place p;
    *out = (struct edit){.file = e->file};
    if (!qn__host_text_place(&p, code, f->n, offset_of(f, e)) || p.in_class)
        return false;
    out->region = p.statement;
    if (!p.in_function) {
        out->by = "";
        return may_go_whole(u, h, code, p.statement);
    }
    if (head_is_device(u, h, code, p.head)) {
        out->region = p.body;
        return h->takes_device_code && !has_own_type(u, code, p.head) &&
               leave_device_body(u, out, e);
    }
    out->by = kernels_of(u, code, p.statement);
    if (p.header.end) {
        out->region = p.header;
        out->by = header_by(p.header_of);
    } else if (h->n_rounds > ROUNDS_OF_STATEMENTS && !has_launch(code, p.body))
        out->region = p.body;
    return true;
}

/* The lines stay: every newline of the region, and the preprocessor's lines in it. */
static void replace(struct qn__unit *u, struct qn__host_file *f, const char *code,
                    const struct edit *e)
{
    char *const text = qn__need(u, f->n + strlen(e->by) + 1, 1);
    size_t n = e->region.begin, i = n;
    memcpy(text, f->text, n);
    memcpy(text + n, e->by, strlen(e->by));
    n += strlen(e->by);
    for (; i < e->region.end; i++) {
        const bool code_or_comment = !isspace((unsigned char)code[i]) || f->text[i] == '\n';
        if (f->text[i] == '\n')
            text[n++] = '\n';
        else if (!code_or_comment && !isspace((unsigned char)f->text[i]))
            text[n++] = f->text[i];
        else
            text[n++] = ' ';
    }
    memcpy(text + n, f->text + i, f->n - i);
    n += f->n - i;
    *f = (struct qn__host_file){text, n, true};
}

static int by_place(const void *a, const void *b)
{
    const struct edit *const x = a, *const y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->region.begin != y->region.begin)
        return x->region.begin > y->region.begin ? -1 : 1;
    return x->error > y->error ? -1 : x->error < y->error;
}

/* From the end of each file to its begin, so that positions stay; of two that overlap, the one that
 * begins first holds the other or is tried again; of two of one region the first error stays. */
static void apply(struct qn__unit *u, struct qn__host_code *h, struct edit *edits, uint32_t n,
                  char *const *codes)
{
    qsort(edits, n, sizeof *edits, by_place);
    for (uint32_t i = 0; i < n; i++) {
        bool inside = false;
        for (uint32_t k = i + 1; k < n && edits[k].file == edits[i].file; k++)
            inside = inside || edits[k].region.end > edits[i].region.begin;
        if (!inside)
            replace(u, &h->files[edits[i].file], codes[edits[i].file], &edits[i]);
    }
}

bool qn__host_code_leave_out(struct qn__unit *u, struct qn__host_code *h,
                             const struct qn__clang_error *errors, uint32_t n)
{
    struct edit *const edits = QN__NEED_ARRAY(u, struct edit, n + 1);
    char **const codes = QN__NEED_ARRAY(u, char *, u->request->n_files);
    if (h->n_rounds++ == ROUNDS)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t f = errors[i].file;
        if (f == u->request->n_files || strstr(errors[i].message, "__qn_left_out"))
            return false;
        if (!codes[f])
            codes[f] = qn__host_text_code(u, h->files[f].text, h->files[f].n);
        if (!find_edit(u, h, &edits[i], &errors[i], codes[f]))
            return false;
        edits[i].error = i;
        if (h->n_rounds == 1 && !qn__starts_with(edits[i].by, QN__DEVICE_LEFT_OUT))
            QN__PUSH(u, h->left_out, h->n_left_out, h->left_out_capacity, errors[i]);
    }
    for (uint32_t i = 0; i < u->request->n_files; i++)
        h->files[i].changed = false;
    apply(u, h, edits, n, codes);
    return n > 0;
}

static uint32_t warn(struct qn__unit *u, const struct qn__clang_error *errors, uint32_t n)
{
    for (uint32_t i = 0; i < n && i < SAID; i++)
        qn__str_printf(&u->diagnostics,
                       "%s: warning: host code is left out: %s " QN__TRANSLATION_MARK "\n",
                       errors[i].where, errors[i].message);
    return n > SAID ? n - SAID : 0;
}

void qn__host_code_warn(struct qn__unit *u, const struct qn__host_code *h)
{
    const uint32_t more = warn(u, h->absent, h->n_absent) + warn(u, h->left_out, h->n_left_out);
    if (more)
        qn__str_printf(&u->diagnostics,
                       "%s: warning: host code is left out at %u more places " QN__TRANSLATION_MARK
                       "\n",
                       u->request->files[0].name, (unsigned)more);
}
