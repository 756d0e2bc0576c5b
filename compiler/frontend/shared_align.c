/* SPDX-License-Identifier: Apache-2.0
 *
 * What NVIDIA's compiler reads and clang does not: an alignment after __shared__. clang wants it
 * in front of all the declaration's words, so it is moved there; the line keeps its length, and
 * whatever comes after it keeps its column.
 *
 *     extern __shared__ alignas(16) float tile[];  ->  alignas(16) extern __shared__ float tile[];
 */
#include "compiler/frontend/shared_align.h"

#include <ctype.h>
#include <string.h>

#define SHARED  "__shared__"
#define ALIGNAS "alignas"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t blanks(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && isspace((unsigned char)p[n]))
        n++;
    return n;
}

/* Where the word before `p` begins, if it is one that may stand before __shared__; else NULL. */
static char *specifier_before(char *text, char *p)
{
    static const char *const words[] = {"extern", "static", "volatile", "const", "__device__"};
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    const char *const end = p;
    while (p > text && is_word(p[-1]))
        p--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == (size_t)(end - p) && memcmp(p, words[i], strlen(words[i])) == 0)
            return p;
    return NULL;
}

/* "alignas(...)" at p: its end, or NULL. */
static char *alignment_end(char *p, const char *end)
{
    const size_t word = strlen(ALIGNAS);
    if ((size_t)(end - p) <= word || memcmp(p, ALIGNAS, word) != 0)
        return NULL;
    p += word + blanks(p + word, end);
    int depth = 0;
    for (; p < end; p++) {
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        if (depth <= 0)
            return depth == 0 && *p == ')' ? p + 1 : NULL;
    }
    return NULL;
}

static void reverse(char *from, char *to)
{
    while (from < to) {
        const char c = *--to;
        *to = *from;
        *from++ = c;
    }
}

static void reorder(char *text, char *shared, const char *end)
{
    char *const after = shared + strlen(SHARED);
    char *const alignment = after + blanks(after, end);
    char *const stop = alignment_end(alignment, end);
    if (!stop || (shared > text && is_word(shared[-1])))
        return;
    char *first = shared;
    for (char *p = shared; p; p = specifier_before(text, p))
        first = p;
    const size_t n = (size_t)(stop - alignment), n_blanks = (size_t)(alignment - after);
    reverse(first, stop);
    reverse(first, first + n);
    reverse(first + n, first + n + n_blanks);
    reverse(first + n + n_blanks, stop);
}

static const char *find_shared(const char *p, const char *end)
{
    const size_t n = strlen(SHARED);
    while ((p = memchr(p, SHARED[0], (size_t)(end - p))) && (size_t)(end - p) >= n)
        if (memcmp(p++, SHARED, n) == 0)
            return p - 1;
    return NULL;
}

const char *qn__shared_align(struct qn__unit *u, const struct qn__source_file *f)
{
    const char *const end = f->text + f->n;
    char *copy = NULL;
    for (const char *p = f->text; (p = find_shared(p, end)) != NULL; p += strlen(SHARED)) {
        const char *const next = p + strlen(SHARED) + blanks(p + strlen(SHARED), end);
        if ((size_t)(end - next) < strlen(ALIGNAS) || memcmp(next, ALIGNAS, strlen(ALIGNAS)) != 0)
            continue;
        if (!copy) {
            copy = qn__need(u, f->n + 1, 1);
            memcpy(copy, f->text, f->n);
        }
        reorder(copy, copy + (p - f->text), copy + f->n);
    }
    return copy ? copy : f->text;
}
