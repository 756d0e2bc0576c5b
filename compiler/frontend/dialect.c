/* SPDX-License-Identifier: Apache-2.0
 *
 * The front end of NVIDIA's compiler is laxer than clang. What clang refuses is looked for only
 * once it has refused something, so a file that clang takes costs nothing:
 *
 *     k << <grid, block>> > (x)   ->   k   <<<grid, block>>>   (x)
 *     float *restrict p           ->   float *         p
 *     cast<T>::to<4>(p)           ->   cast<T>::template to<4>(p)
 *
 * The first two keep every position; `template` moves what follows on its line. Comments and
 * strings are left alone. What else NVIDIA's compiler takes needs no change of the text: narrowing
 * in braces is a warning, a goto past an initialisation and members that a template does not have
 * are allowed by options of clang's, and quern_implied.h has what nvcc includes on its own. Shifts
 * by too large a constant are taken out of clang's sight (constant_shifts.c). */
#include "compiler/frontend/dialect.h"

#include "base/wire.h"
#include "compiler/frontend/constant_shifts.h"
#include "compiler/frontend/host_text.h"

#include <ctype.h>
#include <string.h>

enum { ROUNDS = 16 }; /* each reads all files once more */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t skip_blanks(const char *code, size_t i)
{
    while (code[i] == ' ' || code[i] == '\t')
        i++;
    return i;
}

/* The name of a file's place. */
static const char *place(struct qn__unit *u, uint32_t file, const char *text, size_t at)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + 1;
    }
    return qn__text(u, "%s:%u:%u", u->request->files[file].name, line, column);
}

static void note(struct qn__unit *u, struct qn__dialect *d, const char *where, const char *what)
{
    QN__PUSH(u, d->notes, d->n_notes, d->notes_capacity,
             qn__text(u, "%s: warning: %s", where, what));
}

static char *writable(struct qn__unit *u, struct qn__host_file *f)
{
    if (!f->changed)
        f->text = qn__text(u, "%.*s", (int)f->n, f->text);
    f->changed = true;
    return (char *)(uintptr_t)f->text;
}

static bool ends_with_word(const char *code, size_t end, const char *word)
{
    const size_t n = strlen(word);
    while (end > 0 && (code[end - 1] == ' ' || code[end - 1] == '\t'))
        end--;
    return end >= n && memcmp(code + end - n, word, n) == 0 &&
           (end == n || !is_word(code[end - n - 1]));
}

/* "<< <" at i, where no operator << is named: where the last of them is; else 0. */
static size_t spaced(const char *code, size_t i, char c)
{
    if (code[i] != c || code[i + 1] != c)
        return 0;
    const size_t third = skip_blanks(code, i + 2);
    if (third == i + 2 || code[third] != c || code[third + 1] == c)
        return 0;
    return ends_with_word(code, i, "operator") ? 0 : third;
}

/* Three brackets at `at` in place of what stands from `first` to `last`. */
static void set(char *text, size_t first, size_t last, size_t at, const char *brackets)
{
    memset(text + first, ' ', last - first + 1);
    memcpy(text + at, brackets, 3);
}

/* Launches of one file. A `>> >` closes one only after its opening: it may close templates. */
static bool close_chevrons(struct qn__unit *u, struct qn__dialect *d, struct qn__host_file *files,
                           uint32_t file)
{
    struct qn__host_file *const f = &files[file];
    const char *const code = qn__host_text_code(u, f->text, f->n);
    bool is_open = false, found = false;
    for (size_t i = 0; i + 2 < f->n; i++) {
        const size_t opens = spaced(code, i, '<'), closes = is_open ? spaced(code, i, '>') : 0;
        if (opens) {
            set(writable(u, f), i, opens, opens - 2, "<<<");
            i = opens;
        } else if (closes) {
            set(writable(u, f), i, closes, i, ">>>");
            i = closes;
        }
        if ((opens || closes) && !found)
            note(u, d, place(u, file, code, opens ? opens : closes),
                 "blanks in the brackets of a launch are left out");
        found |= opens || closes;
        if (opens || strncmp(code + i, "<<<", 3) == 0)
            is_open = true;
        else if (closes || code[i] == ';' || strncmp(code + i, ">>>", 3) == 0)
            is_open = false;
    }
    return found;
}

/* The word `restrict` after a star is blanked in the file. */
static bool drop_restrict(struct qn__unit *u, struct qn__dialect *d, struct qn__host_file *files,
                          uint32_t file)
{
    static const char word[] = "restrict";
    enum { N = sizeof word - 1 };
    struct qn__host_file *const f = &files[file];
    const char *const code = qn__host_text_code(u, f->text, f->n);
    bool found = false;
    for (size_t i = 1; i + N <= f->n; i++) {
        size_t before = i;
        if (memcmp(code + i, word, N) != 0 || is_word(code[i - 1]) || is_word(code[i + N]))
            continue;
        while (before > 0 && isspace((unsigned char)code[before - 1]))
            before--;
        if (before == 0 || code[before - 1] != '*')
            continue;
        memset(writable(u, f) + i, ' ', N);
        if (!found)
            note(u, d, place(u, file, code, i),
                 "restrict is no word of C++ and is left out: write __restrict__");
        found = true;
    }
    return found;
}

static size_t offset_of(const struct qn__host_file *f, const struct qn__clang_error *e)
{
    return qn__clang_offset(f->text, f->n, e->line, e->column);
}

/* `cast<T>::to<4>`: the name that clang misses the word before, and all before it on its line. */
static bool add_template(struct qn__unit *u, struct qn__dialect *d, struct qn__host_file *files,
                         const struct qn__clang_error *e)
{
    static const char missing[] = "missing 'template' keyword prior to dependent template name '";
    struct qn__host_file *const f = &files[e->file];
    if (!qn__starts_with(e->message, missing))
        return false;
    const char *const name = e->message + sizeof missing - 1;
    const size_t n = strcspn(name, "'");
    for (size_t i = offset_of(f, e) + 1; i + n < f->n && f->text[i] != ';'; i++) {
        if (memcmp(f->text + i, name, n) != 0 || is_word(f->text[i + n]) ||
            is_word(f->text[i - 1]) || !ends_with_word(f->text, i, "::"))
            continue;
        f->text = qn__text(u, "%.*stemplate %s", (int)i, f->text, f->text + i);
        f->n += strlen("template ");
        f->changed = true;
        note(u, d, e->where, qn__text(u, "%s", e->message));
        return true;
    }
    return false;
}

static bool allow_jumps(struct qn__unit *u, struct qn__dialect *d,
                        const struct qn__clang_error *errors, uint32_t n)
{
    if (d->allows_jumps)
        return false;
    for (uint32_t i = 0; i < n && !d->allows_jumps; i++) {
        d->allows_jumps = qn__starts_with(errors[i].message, "cannot jump from this goto");
        if (d->allows_jumps)
            note(u, d, errors[i].where,
                 "this goto skips the initialisation of a variable, which has any value then");
    }
    return d->allows_jumps;
}

/* "no member named 'x' in 'row<T, n>'" */
static bool is_of_template(const struct qn__clang_error *e)
{
    const char *const in = strstr(e->message, "' in '");
    return in && strchr(in, '<') && qn__starts_with(e->message, "no member named '");
}

/* NVIDIA's compiler looks for the members of a template's own type once somebody asks for it. Tried
 * where nothing else is wrong, and not again where it led to as many errors. */
static bool delay_templates(struct qn__unit *u, struct qn__dialect *d,
                            const struct qn__clang_error *errors, uint32_t n)
{
    if (d->n_errors) {
        const bool undone = d->delays_templates && n >= d->n_errors;
        d->delays_templates &= !undone;
        return undone;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!is_of_template(&errors[i]))
            return false;
    d->n_errors = n;
    d->delays_templates = n > 0;
    for (uint32_t i = 0; i < n; i++)
        note(u, d, errors[i].where, qn__text(u, "until it is asked for: %s", errors[i].message));
    return d->delays_templates;
}

/* A shift of constants that C++ gives no value. */
static bool keep_shift(struct qn__unit *u, struct qn__dialect *d, struct qn__host_file *files,
                       const struct qn__clang_error *e)
{
    if (!d->asks_shifts || !qn__constant_shift_rewrite(u, files, e))
        return false;
    note(u, d, e->where,
         "the shift count is the type's width or more: 0, or the sign, comes of it");
    return true;
}

bool qn__dialect_rewrite(struct qn__unit *u, struct qn__dialect *d, struct qn__host_file *files,
                         const struct qn__clang_error *errors, uint32_t n)
{
    bool done = false;
    for (uint32_t i = 0; i < u->request->n_files; i++)
        files[i].changed = false;
    if (d->n_rounds++ >= ROUNDS)
        return false;
    done = allow_jumps(u, d, errors, n);
    for (uint32_t i = n; i-- > 0;) /* from the end of a line, where several errors are in one */
        if (errors[i].file < u->request->n_files)
            done |= add_template(u, d, files, &errors[i]) || keep_shift(u, d, files, &errors[i]);
    for (uint32_t i = 0; i < n; i++)
        if (errors[i].file < u->request->n_files) {
            const struct qn__host_file *const f = &files[errors[i].file];
            done |= close_chevrons(u, d, files, errors[i].file);
            if (ends_with_word(f->text, offset_of(f, &errors[i]), "restrict"))
                done |= drop_restrict(u, d, files, errors[i].file);
        }
    return done || delay_templates(u, d, errors, n);
}

void qn__dialect_warn(struct qn__unit *u, const struct qn__dialect *d)
{
    for (uint32_t i = 0; i < d->n_notes; i++)
        qn__str_printf(&u->diagnostics, "%s " QN__TRANSLATION_MARK "\n", d->notes[i]);
}
