/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that a C text mentions: those of library_c.inc, and those of library.cl as C.
 *
 *     (float2)(a, b)                   ->  (float2){a, b}
 *     __global uint *p                 ->  uint *p
 *     #pragma OPENCL FP_CONTRACT OFF   ->  #pragma STDC FP_CONTRACT OFF
 *     uint f(uint x)                   ->  static inline ... uint f(uint x)
 */
#include "compiler/lang/library_c.h"

#include "compiler/lang/library.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (is_word(p[n]))
        n++;
    return n;
}

/* "(float2)(": a vector of its components; its length up to the second parenthesis. */
static size_t vector_at(const char *p)
{
    static const char *const bases[] = {"char", "short", "int", "long", "float", "double"};
    if (p[0] != '(')
        return 0;
    const size_t n = word_length(p + 1), skip = p[1] == 'u';
    if (n < 3 || !isdigit((unsigned char)p[n]) || p[n + 1] != ')' || p[n + 2] != '(')
        return 0;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (qn__starts_with(p + 1 + skip, bases[i]))
            return n + 2;
    return 0;
}

static const char *closing(const char *open)
{
    int depth = 0;
    for (; *open; open++) {
        depth += *open == '(' ? 1 : *open == ')' ? -1 : 0;
        if (depth == 0)
            return open;
    }
    return open;
}

static size_t dropped_at(const char *p)
{
    static const char *const words[] = {"__global ", "__local ", "__constant ", "__private ",
                                        "__attribute__((always_inline)) "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (qn__starts_with(p, words[i]))
            return strlen(words[i]);
    return 0;
}

static void add_as_c(struct qn__str *out, const char *p, const char *end)
{
    static const char contract[] = "#pragma OPENCL";
    while (p < end) {
        const size_t vector = vector_at(p), dropped = dropped_at(p);
        if (vector) {
            const char *const close = closing(p + vector);
            qn__str_add_bytes(out, p, vector);
            qn__str_add_char(out, '{');
            add_as_c(out, p + vector + 1, close);
            qn__str_add_char(out, '}');
            p = close + 1;
        } else if (dropped) {
            p += dropped;
        } else if (qn__starts_with(p, contract)) {
            qn__str_add(out, "#pragma STDC");
            p += strlen(contract);
        } else {
            qn__str_add_char(out, *p++);
        }
    }
}

/* A function of library.cl: a comment, then its definition. */
static const char *as_c(struct qn__unit *u, const char *text)
{
    struct qn__str out = {0};
    const char *const comment_end = strstr(text, "*/\n");
    const char *const definition = comment_end ? comment_end + 3 : text;
    qn__str_add_bytes(&out, text, (size_t)(definition - text));
    qn__str_add(&out, "QN_FUNCTION ");
    add_as_c(&out, definition, definition + strlen(definition));
    const char *const copy = qn__text(u, "%s", out.text ? out.text : "");
    qn__str_release(&out);
    return copy;
}

/* Words that were looked at: a hash table that doubles. */
struct words {
    const char **slots;
    uint32_t n, capacity;
};

/* False: it was there. */
static bool add_word(struct qn__unit *u, struct words *w, const char *text, size_t n)
{
    if (w->n * 2 >= w->capacity) {
        struct words larger = {NULL, 0, w->capacity ? w->capacity * 2 : 256};
        larger.slots = QN__NEED_ARRAY(u, const char *, larger.capacity);
        for (uint32_t i = 0; i < w->capacity; i++)
            if (w->slots[i])
                add_word(u, &larger, w->slots[i], strlen(w->slots[i]));
        *w = larger;
    }
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    for (h &= w->capacity - 1; w->slots[h]; h = (h + 1) & (w->capacity - 1))
        if (strlen(w->slots[h]) == n && memcmp(w->slots[h], text, n) == 0)
            return false;
    w->slots[h] = qn__text(u, "%.*s", (int)n, text);
    w->n++;
    return true;
}

static void add_mentioned(struct qn__unit *u, struct words *seen, const char *text,
                          struct qn__str *out)
{
    for (const char *p = text; *p;) {
        const size_t n = word_length(p);
        if (!n) {
            p++;
            continue;
        }
        const bool may_be = p[n] == '(' && !isdigit((unsigned char)*p);
        if (may_be && add_word(u, seen, p, n)) {
            const char *function = qn__library_function(u, p, n, true);
            if (!function && qn__starts_with(p, "qn_")) {
                function = qn__library_function(u, p, n, false);
                function = function ? as_c(u, function) : NULL;
            }
            if (function) {
                add_mentioned(u, seen, function, out);
                qn__str_printf(out, "%s\n\n", function);
            }
        }
        p += n;
    }
}

void qn__library_c_print(struct qn__unit *u, const char *kernels, struct qn__str *out)
{
    struct words seen = {0};
    add_mentioned(u, &seen, kernels, out);
}
