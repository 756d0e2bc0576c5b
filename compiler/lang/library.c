/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of library.cl: found by name, each printed once, after those it calls. What is the
 * same function for several types, operations or address spaces stands there once; its head says
 * which instances there are, and the name that is asked for selects one. */
#include "compiler/lang/library.h"

#include "compiler/lang/language.h"

#include "compiler/core/diagnose.h"

#include <ctype.h>
#include <string.h>

enum { KEYS = 6 };

/* The texts travel in the program; scripts/compiler.mk names the dependency. */
__asm__(".pushsection .rodata\n"
        "qn__library_text: .incbin \"compiler/lang/library.cl\"\n"
        ".byte 0\n"
        "qn__library_c_text: .incbin \"compiler/lang/library_c.inc\"\n"
        ".byte 0\n"
        ".popsection");
extern const char qn__library_text[], qn__library_c_text[];

struct piece {
    const char *text;
    size_t n;
};

/* A function for one name: what its keys (uppercase words) stand for. */
struct instance {
    struct piece keys[KEYS], values[KEYS];
    int n_keys;
    struct piece body;
};

/* Of the text in front of and with the last underscore. */
static size_t stem_of(struct piece name)
{
    while (name.n && name.text[name.n - 1] != '_')
        name.n--;
    return name.n;
}

static bool same(struct piece a, struct piece b)
{
    return a.n == b.n && memcmp(a.text, b.text, a.n) == 0;
}

static void add_key(struct instance *out, struct piece key, struct piece value)
{
    if (out->n_keys < KEYS) {
        out->keys[out->n_keys] = key;
        out->values[out->n_keys++] = value;
    }
}

/* Up to one of `ends`; *p is past it then. */
static struct piece next_piece(const char **p, const char *ends)
{
    const struct piece piece = {*p, strcspn(*p, ends)};
    *p += piece.n;
    return piece;
}

/* "OP=TYPE: add=int; min=uint": the instance whose first value is `first`. */
static bool find_values(struct instance *out, const char *list, struct piece first)
{
    const char *value = list + strcspn(list, ":\n");
    while (*value != '\n' && *value) {
        value += 1 + strspn(value + 1, " ");
        struct piece v = next_piece(&value, "=;\n");
        const bool wanted = same(v, first);
        for (const char *key = list; wanted; key++) {
            add_key(out, next_piece(&key, "=:"), v);
            if (*key == ':' || *value != '=')
                return true;
            value++;
            v = next_piece(&value, "=;\n");
        }
        value += strcspn(value, ";\n");
    }
    return false;
}

/* Does a head, "qn_min_OP OP: a; b", have an instance of this name? */
static bool match_head(struct instance *out, const char *head, struct piece name)
{
    static const struct piece space = {"SPACE", 5};
    const char *p = head;
    struct piece pattern = next_piece(&p, " \n");
    out->n_keys = 0;
    if (pattern.n > space.n &&
        same((struct piece){pattern.text + pattern.n - space.n, space.n}, space)) {
        const size_t stem = stem_of(name);
        add_key(out, space, (struct piece){name.text + stem, name.n - stem});
        pattern.n -= space.n;
        name.n = stem;
    }
    size_t before = 0, after;
    while (before < pattern.n && !isupper((unsigned char)pattern.text[before]))
        before++;
    for (after = before; after < pattern.n && isupper((unsigned char)pattern.text[after]);)
        after++;
    if (before == after)
        return same(pattern, name);
    const size_t rest = pattern.n - after;
    if (name.n <= before + rest || memcmp(pattern.text, name.text, before) != 0 ||
        memcmp(pattern.text + after, name.text + name.n - rest, rest) != 0)
        return false;
    return find_values(out, p + 1, (struct piece){name.text + before, name.n - before - rest});
}

static bool find(struct instance *out, const char *library, struct piece name)
{
    for (const char *p = strstr(library, "\n//@ "); p; p = strstr(p + 1, "\n//@ ")) {
        if (!match_head(out, p + 5, name))
            continue;
        const char *const body = strchr(p + 5, '\n') + 1, *const end = strstr(body, "\n//@ ");
        out->body = (struct piece){body, end ? (size_t)(end - body) : strlen(body)};
        while (out->body.n && body[out->body.n - 1] == '\n')
            out->body.n--;
        return true;
    }
    return false;
}

bool qn__library_has(const char *name, size_t n)
{
    struct instance found;
    return find(&found, qn__library_text, (struct piece){name, n});
}

/* The key that stands here as a word of its own: none of its neighbours is an uppercase letter. */
static int key_at(const struct instance *i, const char *p)
{
    for (int k = 0; k < i->n_keys && !isupper((unsigned char)p[-1]); k++)
        if (strncmp(p, i->keys[k].text, i->keys[k].n) == 0 &&
            !isupper((unsigned char)p[i->keys[k].n]))
            return k;
    return -1;
}

/* PEEK(atomic_cmpxchg, p), what a loop of compare-and-swaps begins with  ->  *p, whose value is
 * only a guess; where races are searched for, an atomic read, which costs as much as the swap. */
static const char *with_reads(struct qn__unit *u, const char *text)
{
    static const char word[] = "PEEK(";
    const char *const at = strstr(text, word);
    if (!at)
        return qn__text(u, "%s", text);
    const char *const swap = at + strlen(word), *const pointer = strstr(swap, ", ") + 2;
    const char *end = pointer;
    for (int depth = 1; (depth += *end == '(' ? 1 : *end == ')' ? -1 : 0) > 0;)
        end++;
    const int n_before = (int)(at - text), n_swap = (int)(pointer - 2 - swap),
              n_pointer = (int)(end - pointer);
    if (u->language && u->language->in_loops) /* in C the same as *p, but no race */
        return qn__text(u, "%.*s__atomic_load_n(%.*s, __ATOMIC_RELAXED)%s", n_before, text,
                        n_pointer, pointer, end + 1);
    return qn__profile_can(u->profile, QN__CAN_race_check)
               ? qn__text(u, "%.*s%.*s(%.*s, 0, 0)%s", n_before, text, n_swap, swap, n_pointer,
                          pointer, end + 1)
               : qn__text(u, "%.*s*%.*s%s", n_before, text, n_pointer, pointer, end + 1);
}

static const char *filled_in(struct qn__unit *u, const struct instance *i)
{
    struct qn__str out = {0};
    for (const char *p = i->body.text; p < i->body.text + i->body.n;) {
        const int k = isupper((unsigned char)*p) ? key_at(i, p) : -1;
        if (k >= 0) {
            qn__str_add_bytes(&out, i->values[k].text, i->values[k].n);
            p += i->keys[k].n;
        } else {
            qn__str_add_char(&out, *p++);
        }
    }
    const char *const copy = with_reads(u, out.text ? out.text : "");
    qn__str_release(&out);
    return copy;
}

static bool is_used(struct qn__unit *u, const char *name)
{
    for (uint32_t i = 0; i < u->n_library; i++)
        if (qn__equal(u->library_names[i], name))
            return true;
    return false;
}

static void use(struct qn__unit *u, LLVMValueRef where, const char *name, int depth)
{
    struct instance found;
    if (is_used(u, name))
        return;
    if (depth > 16 || !find(&found, qn__library_text, (struct piece){name, strlen(name)})) {
        qn__refuse(u, where, "the OpenCL library has no function %s: use another device function",
                   name);
        return;
    }
    const char *const text = filled_in(u, &found);
    for (const char *p = text; (p = strstr(p, "qn_")) != NULL;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        const bool word = p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_');
        if (word && p[n] == '(' && !(strlen(name) == n && strncmp(p, name, n) == 0))
            use(u, where, qn__text(u, "%.*s", (int)n, p), depth + 1);
        p += n;
    }
    if (is_used(u, name))
        return;
    QN__PUSH(u, u->library_names, u->n_library, u->library_capacity, name);
    qn__str_printf(&u->library, "%s\n\n", text);
}

const char *qn__library_use(struct qn__unit *u, LLVMValueRef where, const char *name)
{
    use(u, where, name, 0);
    return name;
}

const char *qn__library_function(struct qn__unit *u, const char *name, size_t n, bool of_c)
{
    struct instance found;
    const char *const library = of_c ? qn__library_c_text : qn__library_text;
    return find(&found, library, (struct piece){name, n}) ? filled_in(u, &found) : NULL;
}

void qn__library_print(struct qn__unit *u, const char *kernels, struct qn__str *out)
{
    (void)kernels;
    qn__str_add(out, u->library.text ? u->library.text : "");
}
