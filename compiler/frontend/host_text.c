/* SPDX-License-Identifier: Apache-2.0
 *
 * The form of a file's text, read without a grammar: braces, parentheses and semicolons tell where
 * functions, blocks and statements begin and end. What is found is only ever used for text that
 * clang then reads again (host_code.c), so a mistake here costs an error message, not a wrong
 * kernel. */
#include "compiler/frontend/host_text.h"

#include "base/cxx_text.h"

#include <ctype.h>
#include <string.h>

char *qn__host_text_code(struct qn__unit *u, const char *text, size_t n)
{
    char *const code = qn__need(u, n + 1, 1);
    memcpy(code, text, n);
    qn__cxx_text_blank(code, n);
    return code;
}

static size_t skip_blanks(const char *code, size_t n, size_t i)
{
    while (i < n && isspace((unsigned char)code[i]))
        i++;
    return i;
}

static bool word_at(const char *code, size_t n, size_t i, const char *word)
{
    const size_t length = strlen(word);
    return i + length <= n && memcmp(code + i, word, length) == 0 &&
           (i + length == n || !qn__cxx_text_is_word(code[i + length])) &&
           (i == 0 || !qn__cxx_text_is_word(code[i - 1]));
}

static bool has_word(const char *code, struct qn__region r, const char *word)
{
    for (size_t i = r.begin; i < r.end; i++)
        if (word_at(code, r.end, i, word))
            return true;
    return false;
}

/* The bracket that closes the one at i, or n. */
static size_t closing(const char *code, size_t n, size_t i)
{
    const char open = code[i], close = open == '{' ? '}' : ')';
    int depth = 0;
    for (; i < n; i++) {
        depth += code[i] == open ? 1 : code[i] == close ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return n;
}

enum kind { NAMESPACE, CLASS, FUNCTION, OTHER };

/* What the brace opens that comes after these words. */
static enum kind kind_of(const char *code, struct qn__region head)
{
    while (head.end > head.begin && isspace((unsigned char)code[head.end - 1]))
        head.end--;
    const char last = head.end > head.begin ? code[head.end - 1] : 0;
    const bool parameters = memchr(code + head.begin, '(', head.end - head.begin) != NULL;
    if (has_word(code, head, "namespace") || (has_word(code, head, "extern") && last == '"'))
        return NAMESPACE;
    if (last == '=' || last == ',' || last == '(' || last == 0)
        return OTHER;
    const bool type = has_word(code, head, "class") || has_word(code, head, "struct") ||
                      has_word(code, head, "union");
    if (type && !(parameters && last == ')'))
        return has_word(code, head, "enum") ? OTHER : CLASS;
    return parameters ? FUNCTION : OTHER;
}

struct level {
    size_t open;  /* the brace */
    size_t start; /* of the statement or declaration */
    int parentheses;
    enum kind kind;
    struct qn__region head;
};

/* Does a statement go on after a brace was closed, with what stands at i? */
static bool goes_on(const char *code, size_t n, size_t i, size_t start)
{
    i = skip_blanks(code, n, i);
    if (i == n)
        return false;
    if (memchr(";,).?", code[i], 5) || word_at(code, n, i, "else") || word_at(code, n, i, "catch"))
        return true;
    if (code[i] == '(' && memchr(code + start, '[', i - start))
        return true; /* a lambda that is called */
    return word_at(code, n, i, "while") && word_at(code, n, skip_blanks(code, n, start), "do");
}

static bool is_access_word(const char *code, struct qn__region r)
{
    r.begin = skip_blanks(code, r.end, r.begin);
    return word_at(code, r.end, r.begin, "public") || word_at(code, r.end, r.begin, "private") ||
           word_at(code, r.end, r.begin, "protected");
}

/* S() : a{1}, b{2} { ... }: is the brace at i one of a member's, in front of the body? */
static bool is_initialiser(const char *code, size_t n, size_t i, const struct level *closed)
{
    i = skip_blanks(code, n, i + 1);
    return closed->kind == FUNCTION && i < n && code[i] == '{';
}

enum { DEPTH = 64 };

/* Walk to a position; the levels that are open there. */
static uint32_t walk(struct level *levels, const char *code, size_t n, size_t at)
{
    uint32_t depth = 1;
    levels[0] = (struct level){.kind = NAMESPACE};
    for (size_t i = 0; i < at && depth > 0; i++) {
        struct level *const top = &levels[depth - 1];
        const struct qn__region head = {top->start, i};
        if (code[i] == '(' || code[i] == '[')
            top->parentheses++;
        else if (code[i] == ')' || code[i] == ']')
            top->parentheses -= top->parentheses > 0;
        else if (code[i] == ';' && top->parentheses == 0)
            top->start = i + 1;
        else if (code[i] == ':' && top->kind == CLASS && is_access_word(code, head))
            top->start = i + 1;
        else if (code[i] == '{') {
            if (depth == DEPTH)
                return 0;
            const bool outer = top->kind == NAMESPACE || top->kind == CLASS;
            levels[depth++] =
                (struct level){i, i + 1, 0, outer ? kind_of(code, head) : OTHER, head};
        } else if (code[i] == '}') {
            depth--;
            if (depth && levels[depth - 1].parentheses == 0 &&
                !goes_on(code, n, i + 1, levels[depth - 1].start) &&
                !is_initialiser(code, n, i, &levels[depth]))
                levels[depth - 1].start = i + 1;
        }
    }
    return depth;
}

/* After the statement that begins at `start`. */
static size_t statement_end(const char *code, size_t n, size_t start)
{
    int parentheses = 0;
    for (size_t i = start; i < n; i++) {
        if (code[i] == '(' || code[i] == '[')
            parentheses++;
        else if (code[i] == ')' || code[i] == ']')
            parentheses--;
        else if (code[i] == '{') {
            i = closing(code, n, i);
            if (i < n && parentheses <= 0 && !goes_on(code, n, i + 1, start))
                return i + 1;
        } else if (code[i] == '}')
            return i;
        else if (code[i] == ';' && parentheses <= 0 &&
                 !word_at(code, n, skip_blanks(code, n, i + 1), "else"))
            return i + 1;
    }
    return n;
}

/* Go into "else", "if (...)", "for (...)", ... as long as the position is behind them. */
static void narrow_statement(struct qn__host_place *p, const char *code, size_t n, size_t at)
{
    static const char *const headed[] = {"for", "if", "while", "switch"};
    size_t start = skip_blanks(code, n, p->statement.begin);
    for (bool again = true; again;) {
        again = false;
        p->statement.begin = start;
        if (word_at(code, n, start, "else") && at >= start + 4) {
            start = skip_blanks(code, n, start + 4);
            again = true;
        }
        for (size_t i = 0; !again && i < sizeof headed / sizeof *headed; i++) {
            const char *const open =
                word_at(code, n, start, headed[i]) ? memchr(code + start, '(', n - start) : NULL;
            if (!open)
                continue;
            const size_t close = closing(code, n, (size_t)(open - code));
            if (at < close && at >= (size_t)(open - code)) {
                p->header = (struct qn__region){(size_t)(open - code) + 1, close};
                p->header_of = headed[i][0];
            } else if (at > close) {
                start = skip_blanks(code, n, close + 1);
                again = start <= at;
            }
        }
    }
    p->statement.end = statement_end(code, n, p->statement.begin);
}

bool qn__host_text_place(struct qn__host_place *out, const char *code, size_t n, size_t at)
{
    struct level levels[DEPTH];
    memset(out, 0, sizeof *out);
    if (at >= n || isspace((unsigned char)code[at]))
        return false; /* a line of the preprocessor */
    const uint32_t depth = walk(levels, code, n, at);
    if (depth == 0)
        return false;
    uint32_t f = 0;
    while (f < depth && levels[f].kind != FUNCTION)
        f++;
    const struct level *const top = &levels[depth - 1];
    out->statement.begin = top->start;
    out->in_function = f < depth;
    out->in_class = !out->in_function && top->kind == CLASS;
    if (!out->in_function && top->kind == OTHER)
        return false;
    if (!out->in_function) {
        out->statement.begin = skip_blanks(code, n, top->start);
        out->statement.end = statement_end(code, n, out->statement.begin);
        out->head = out->statement;
        return out->statement.end > at;
    }
    out->head = levels[f].head;
    out->body = (struct qn__region){levels[f].open + 1, closing(code, n, levels[f].open)};
    narrow_statement(out, code, n, at);
    return out->statement.begin <= at && out->statement.end > at;
}
