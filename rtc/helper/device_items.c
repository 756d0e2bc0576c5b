/* SPDX-License-Identifier: Apache-2.0 */
#include "rtc/helper/device_items.h"

#include "base/cxx_text.h"

#include <ctype.h>
#include <string.h>

/* ---- words of the device ---- */

static bool is_word(char c)
{
    return qn__cxx_text_is_word(c);
}

static bool add_word(struct qn__device_words *w, struct qn__arena *arena, const char *word,
                     size_t length)
{
    if (w->n == w->capacity) {
        const uint32_t capacity = w->capacity ? w->capacity * 2 : 32;
        const char **const list = QN__ARENA_ARRAY(arena, const char *, capacity);
        size_t *const lengths = QN__ARENA_ARRAY(arena, size_t, capacity);
        if (!list || !lengths)
            return false;
        if (w->n) {
            memcpy(list, w->list, w->n * sizeof *list);
            memcpy(lengths, w->lengths, w->n * sizeof *lengths);
        }
        w->list = list;
        w->lengths = lengths;
        w->capacity = capacity;
    }
    w->list[w->n] = word;
    w->lengths[w->n++] = length;
    return true;
}

static bool is_device_word(const struct qn__device_words *w, const char *word, size_t length)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->lengths[i] == length && memcmp(w->list[i], word, length) == 0)
            return true;
    return false;
}

static bool has_device_word(const struct qn__device_words *w, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t begin = i;
        while (i < n && is_word(text[i]))
            i++;
        if (i > begin && is_device_word(w, text + begin, i - begin))
            return true;
    }
    return false;
}

static bool has_word(const char *text, size_t n, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(text + i, word, length) == 0 && (i == 0 || !is_word(text[i - 1])) &&
            (i + length == n || !is_word(text[i + length])))
            return true;
    return false;
}

/* The end of a line of the preprocessor, which may go on. */
static const char *directive_end(const char *p)
{
    while (*p && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

/* Macros of the text that stand for a word that is known; false: no memory. */
static bool read_macros(struct qn__device_words *w, struct qn__arena *arena, const char *text)
{
    for (const char *p = text; (p = strstr(p, "define")) != NULL; p++) {
        const char *const name = p + 6 + strspn(p + 6, " \t");
        size_t n = 0;
        while (is_word(name[n]))
            n++;
        if (name == p + 6 || !n || is_device_word(w, name, n))
            continue;
        if (has_device_word(w, name + n, (size_t)(directive_end(name) - name) - n) &&
            !add_word(w, arena, name, n))
            return false;
    }
    return true;
}

bool qn__device_words_read(struct qn__device_words *out, struct qn__arena *arena,
                           const struct qn__job *job)
{
    static const char *const words[] = {"__global__",  "__device__", "__shared__", "__constant__",
                                        "__managed__", "constexpr",  "consteval"};
    enum { DEPTH = 4 }; /* macros of macros */
    *out = (struct qn__device_words){0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!add_word(out, arena, words[i], strlen(words[i])))
            return false;
    for (uint32_t i = 0; i < job->n_options; i++) { /* -DNAME=__device__ */
        const char *const option = job->options[i];
        const size_t n = strcspn(option, "=");
        if (strncmp(option, "-D", 2) == 0 && option[n] &&
            has_device_word(out, option + n, strlen(option + n)) &&
            !add_word(out, arena, option + 2, n - 2))
            return false;
    }
    for (int depth = 0; depth < DEPTH; depth++)
        for (uint32_t i = 0; i < job->n_files; i++)
            if (!read_macros(out, arena, job->files[i].text))
                return false;
    return true;
}

/* ---- declarations ---- */

struct reader {
    struct qn__device_items *out;
    struct qn__arena *arena;
    const struct qn__device_words *words;
    const char *code;
    bool no_memory, unmatched;
};

static size_t skip_blanks(const char *code, size_t i, size_t end)
{
    while (i < end && isspace((unsigned char)code[i]))
        i++;
    return i;
}

/* The bracket that closes the one at i, or end. */
static size_t closing(const char *code, size_t i, size_t end)
{
    int depth = 0;
    for (; i < end; i++) {
        depth += memchr("{([", code[i], 3) ? 1 : memchr("})]", code[i], 3) ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return end;
}

/* After template <...>. */
static size_t skip_template(const char *code, size_t i, size_t end)
{
    static const char word[] = "template";
    while (end - i > sizeof word && memcmp(code + i, word, sizeof word - 1) == 0 &&
           !is_word(code[i + sizeof word - 1])) {
        size_t k = skip_blanks(code, i + sizeof word - 1, end);
        if (k == end || code[k] != '<')
            return i; /* an instantiation */
        int angles = 0;
        for (; k < end; k++) {
            if (code[k] == '(')
                k = closing(code, k, end);
            angles += k < end && code[k] == '<' ? 1 : k < end && code[k] == '>' ? -1 : 0;
            if (angles == 0)
                break;
        }
        i = skip_blanks(code, k < end ? k + 1 : end, end);
    }
    return i;
}

static bool begins_with(const char *code, size_t i, size_t end, const char *word)
{
    const size_t n = strlen(word);
    return end - i >= n && memcmp(code + i, word, n) == 0 &&
           (end - i == n || !is_word(code[i + n]));
}

static void add(struct reader *r, struct qn__device_item item)
{
    struct qn__device_items *const out = r->out;
    if (out->n == out->capacity) {
        const uint32_t capacity = out->capacity ? out->capacity * 2 : 64;
        struct qn__device_item *const list =
            QN__ARENA_ARRAY(r->arena, struct qn__device_item, capacity);
        if (!list) {
            r->no_memory = true;
            return;
        }
        if (out->n)
            memcpy(list, out->list, out->n * sizeof *list);
        out->list = list;
        out->capacity = capacity;
    }
    const char *const text = r->code + item.begin;
    const size_t head = item.body - item.begin;
    item.is_device = has_device_word(r->words, text, head);
    item.is_kernel = has_word(text, head, "__global__");
    out->list[out->n++] = item;
}

/* Parameters come before a value. */
static bool is_function(const char *code, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && code[i] != '='; i++)
        if (code[i] == '(')
            return true;
    return false;
}

/* What is no function and may be needed: types, constants, what a class has. */
static bool is_kept(const char *code, size_t begin, size_t end, bool in_class)
{
    static const char *const words[] = {
        "using",  "typedef", "namespace", "class",     "struct",        "union", "enum",
        "friend", "public",  "private",   "protected", "static_assert", "const"};
    size_t i = skip_template(code, begin, end);
    if (in_class)
        return true;
    for (; begins_with(code, i, end, "static") || begins_with(code, i, end, "inline");
         i = skip_blanks(code, i, end))
        i += 6;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (begins_with(code, i, end, words[k]))
            return !is_function(code, i, end) || strncmp(words[k], "const", 5) != 0;
    return has_word(code + i, end - i, "const") && !is_function(code, i, end);
}

enum opens { OPENS_NAMESPACE, OPENS_CLASS, OPENS_FUNCTION, OPENS_VALUE };

static enum opens opens(const char *code, size_t begin, size_t brace)
{
    size_t end = brace;
    while (end > begin && isspace((unsigned char)code[end - 1]))
        end--;
    const char last = end > begin ? code[end - 1] : 0;
    begin = skip_template(code, begin, end);
    const char *const text = code + begin;
    const size_t n = end - begin;
    if (has_word(text, n, "namespace") || (begins_with(code, begin, end, "extern") && last == '"'))
        return OPENS_NAMESPACE;
    const bool parameters = memchr(text, '(', n) != NULL;
    if (!n || last == '=' || last == ',' || last == '(' || has_word(text, n, "enum"))
        return OPENS_VALUE;
    const bool type =
        has_word(text, n, "class") || has_word(text, n, "struct") || has_word(text, n, "union");
    if (type && !(parameters && last == ')'))
        return OPENS_CLASS;
    return parameters ? OPENS_FUNCTION : OPENS_VALUE;
}

/* Where a function's initialisers begin, or its body. */
static size_t body_of(const char *code, size_t begin, size_t brace)
{
    for (size_t i = begin; i < brace; i++) {
        if (code[i] == '(') {
            i = closing(code, i, brace);
            const size_t k = skip_blanks(code, i + 1 < brace ? i + 1 : brace, brace);
            if (k < brace && code[k] == ':' && code[k + 1] != ':')
                return k;
        }
    }
    return brace;
}

/* After the braces of a function: "a{1}, b{2} { ... }" has several. */
static size_t function_end(const char *code, size_t brace, size_t end)
{
    for (;;) {
        const size_t close = closing(code, brace, end);
        if (close == end)
            return end;
        size_t k = skip_blanks(code, close + 1, end);
        if (k < end && code[k] == ',') {
            while (k < end && code[k] != '{' && code[k] != ';' && code[k] != '}')
                k = code[k] == '(' ? closing(code, k, end) : k + 1;
        }
        if (k == end || code[k] != '{')
            return close + 1;
        brace = k;
    }
}

static void read_region(struct reader *r, size_t begin, size_t end, bool in_class);

/* One declaration from i on; where the next begins. */
static size_t read_one(struct reader *r, size_t begin, size_t end, bool in_class)
{
    const char *const code = r->code;
    bool is_class = false;
    for (size_t i = begin; i < end; i++) {
        if (code[i] == '(' || code[i] == '[') {
            i = closing(code, i, end);
            continue;
        }
        if (code[i] == '}' || code[i] == ')' || code[i] == ']') {
            r->unmatched = true;
            return end;
        }
        if (code[i] == ':' && in_class &&
            (begins_with(code, begin, end, "public") || begins_with(code, begin, end, "private") ||
             begins_with(code, begin, end, "protected")))
            return i + 1;
        if (code[i] == ';') {
            add(r, (struct qn__device_item){.begin = begin,
                                            .end = i + 1,
                                            .body = i + 1,
                                            .kind = is_class ? QN__ITEM_CLASS : QN__ITEM_OTHER,
                                            .is_kept =
                                                is_class || is_kept(code, begin, i + 1, in_class),
                                            .in_class = in_class});
            return i + 1;
        }
        if (code[i] != '{')
            continue;
        const size_t close = closing(code, i, end);
        if (close == end) {
            r->unmatched = true;
            return end;
        }
        const enum opens what = is_class ? OPENS_VALUE : opens(code, begin, i);
        if (what == OPENS_NAMESPACE) {
            read_region(r, i + 1, close, false);
            return close + 1;
        }
        if (what == OPENS_CLASS) {
            read_region(r, i + 1, close, true);
            is_class = true;
        }
        if (what == OPENS_FUNCTION) {
            const size_t after = function_end(code, i, end);
            const char *const head = code + begin;
            add(r, (struct qn__device_item){.begin = begin,
                                            .end = after,
                                            .body = body_of(code, begin, i),
                                            .kind = QN__ITEM_FUNCTION,
                                            .is_kept =
                                                in_class && (has_word(head, i - begin, "virtual") ||
                                                             has_word(head, i - begin, "override")),
                                            .in_class = in_class});
            return after;
        }
        i = close;
    }
    return end;
}

static void read_region(struct reader *r, size_t begin, size_t end, bool in_class)
{
    for (size_t i = skip_blanks(r->code, begin, end); i < end && !r->unmatched && !r->no_memory;
         i = skip_blanks(r->code, i, end)) {
        if (r->code[i] == ';')
            i++;
        else
            i = read_one(r, i, end, in_class);
    }
}

bool qn__device_items_read(struct qn__device_items *out, struct qn__arena *arena,
                           const struct qn__device_words *words, const char *code, size_t n)
{
    struct reader r = {.out = out, .arena = arena, .words = words, .code = code};
    *out = (struct qn__device_items){0};
    read_region(&r, 0, n, false);
    if (r.unmatched)
        out->n = 0;
    return !r.no_memory;
}
