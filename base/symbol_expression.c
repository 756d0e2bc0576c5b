/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and types of the Itanium C++ ABI, as far as they can be written outside of the function or
 * class that has them. Each function reads one production at *p, moves past it and returns its
 * text; NULL: it cannot. */
#include "base/symbol_expression.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SUBSTITUTIONS_MAX = 128, DEPTH_MAX = 64 };

struct reader {
    struct qn__arena *arena;
    const char *p;
    const char *substitutions[SUBSTITUTIONS_MAX];
    uint32_t n, depth;
    bool instance; /* the last name had arguments */
};

static const char *read_type(struct reader *r);
static const char *read_name(struct reader *r);

static const char *remember(struct reader *r, const char *text)
{
    if (text && r->n < SUBSTITUTIONS_MAX)
        r->substitutions[r->n++] = text;
    return text;
}

static const char *source_name(struct reader *r)
{
    char *end;
    const unsigned long n = strtoul(r->p, &end, 10);
    if (end == r->p || !n || n > strlen(end))
        return NULL;
    r->p = end + n;
    return qn__arena_strndup(r->arena, end, n);
}

/* S_, S0_, ... S1Z_ */
static const char *substitution(struct reader *r)
{
    uint32_t i = 0;
    const char *p = r->p + 1;
    if (*p != '_') {
        for (; (*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z'); p++)
            i = i * 36 + (uint32_t)(*p <= '9' ? *p - '0' : *p - 'A' + 10);
        i++;
    }
    if (*p != '_' || i >= r->n)
        return NULL;
    r->p = p + 1;
    return r->substitutions[i];
}

/* ---- arguments of templates ---- */

static const char *value_of(struct reader *r, const char *type)
{
    const size_t n = strcspn(r->p, "E");
    const char *const digits = r->p + (*r->p == 'n');
    const char *const value = qn__arena_strndup(r->arena, digits, n - (size_t)(digits - r->p));
    const char *const sign = digits > r->p ? "-" : "";
    if (!value || !value[0] || strspn(value, "0123456789") != strlen(value) || r->p[n] != 'E')
        return NULL;
    r->p += n + 1;
    if (strcmp(type, "bool") == 0)
        return value[0] == '0' ? "false" : "true";
    return strcmp(type, "int") == 0 ? qn__arena_join(r->arena, sign, value)
                                    : qn__arena_printf(r->arena, "(%s)%s%s", type, sign, value);
}

/* The address of a function: its name, and its parameters, which it is known without. */
static const char *function_of(struct reader *r)
{
    r->p += 2; /* _Z */
    const char *const name = read_name(r);
    while (name && *r->p && *r->p != 'E')
        if (!read_type(r))
            return NULL;
    if (*r->p != 'E')
        return NULL;
    r->p++;
    return name;
}

static const char *literal(struct reader *r)
{
    r->p++;
    if (strncmp(r->p, "_Z", 2) == 0)
        return function_of(r);
    const char *const type = read_type(r);
    return type ? value_of(r, type) : NULL;
}

/* "a, b" up to the E, which is read too. */
static const char *arguments(struct reader *r)
{
    const char *text = "";
    for (r->p++; *r->p != 'E';) {
        const char *const one = *r->p == 'L'   ? literal(r)
                                : *r->p == 'J' ? arguments(r)
                                : *r->p        ? read_type(r)
                                               : NULL;
        text = !one            ? NULL
               : *text && *one ? qn__arena_printf(r->arena, "%s, %s", text, one)
                               : qn__arena_join(r->arena, text, one);
        if (!text)
            return NULL;
    }
    r->p++;
    return text;
}

static const char *with_arguments(struct reader *r, const char *name)
{
    const char *const list = arguments(r);
    r->instance = true;
    return list ? qn__arena_printf(r->arena, "%s<%s>", name, list) : NULL;
}

/* ---- names ---- */

static bool is_nameless(const char *component)
{
    return strncmp(component, "_GLOBAL__N_", 11) == 0;
}

static const char *nested_name(struct reader *r)
{
    const char *text = "";
    r->p++;
    r->p += strspn(r->p, "rVK");
    while (*r->p != 'E') {
        r->p += *r->p == 'L';
        if (r->p[0] == 'S' && r->p[1] == 't') {
            r->p += 2;
            text = "std";
            continue;
        }
        if (*r->p == 'S') {
            text = substitution(r);
        } else if (*r->p == 'I') {
            text = remember(r, with_arguments(r, text));
        } else {
            const char *const name = source_name(r);
            r->instance = false;
            if (name && !is_nameless(name))
                text = *text ? qn__arena_printf(r->arena, "%s::%s", text, name) : name;
            remember(r, name ? text : NULL);
            text = name ? text : NULL;
        }
        if (!text)
            return NULL;
    }
    r->p++;
    return text;
}

static const char *read_name(struct reader *r)
{
    r->instance = false;
    if (*r->p == 'N')
        return nested_name(r);
    const char *text;
    if (r->p[0] == 'S' && r->p[1] != 't') {
        text = substitution(r);
        return text && *r->p == 'I' ? remember(r, with_arguments(r, text)) : text;
    }
    const bool is_std = r->p[0] == 'S';
    r->p += is_std ? 2 : 0;
    r->p += *r->p == 'L';
    text = source_name(r);
    if (text && is_std)
        text = qn__arena_join(r->arena, "std::", text);
    if (!text || *r->p != 'I')
        return text;
    remember(r, text);
    return with_arguments(r, text);
}

/* ---- types ---- */

static const char *plain_type(char c)
{
    static const char letters[] = "vwbcahstijlmxynofdeg";
    static const char *const names[] = {"void",        "wchar_t",
                                        "bool",        "char",
                                        "signed char", "unsigned char",
                                        "short",       "unsigned short",
                                        "int",         "unsigned int",
                                        "long",        "unsigned long",
                                        "long long",   "unsigned long long",
                                        "__int128",    "unsigned __int128",
                                        "float",       "double",
                                        "long double", "__float128"};
    const char *const at = c ? strchr(letters, c) : NULL;
    return at ? names[at - letters] : NULL;
}

/* F result parameters E, with `middle` between: " (*)" of a pointer. */
static const char *function_type(struct reader *r, const char *middle)
{
    r->p++;
    const char *const result = read_type(r), *list = "";
    while (result && *r->p && *r->p != 'E') {
        const char *const one = read_type(r);
        if (!one)
            return NULL;
        if (strcmp(one, "void") != 0)
            list = *list ? qn__arena_printf(r->arena, "%s, %s", list, one) : one;
    }
    if (!result || *r->p != 'E' || !list)
        return NULL;
    r->p++;
    return qn__arena_printf(r->arena, "%s%s(%s)", result, middle, list);
}

static const char *suffixed(struct reader *r, const char *suffix)
{
    r->p++;
    if (*r->p == 'F') {
        const char *const pointer = qn__arena_printf(r->arena, " (%s)", suffix + 1);
        const char *const text = pointer ? function_type(r, pointer) : NULL;
        remember(r, text ? "" : NULL); /* the function's own type, which no argument is */
        return remember(r, text);
    }
    const char *const type = read_type(r);
    return remember(r, type ? qn__arena_join(r->arena, type, suffix) : NULL);
}

static const char *qualified(struct reader *r)
{
    const size_t n = strspn(r->p, "rVK");
    const bool is_const = memchr(r->p, 'K', n) != NULL, is_volatile = memchr(r->p, 'V', n) != NULL;
    r->p += n;
    const char *const type = read_type(r);
    return remember(r, type ? qn__arena_printf(r->arena, "%s%s%s", type, is_const ? " const" : "",
                                               is_volatile ? " volatile" : "")
                            : NULL);
}

static const char *array_type(struct reader *r)
{
    char *end;
    const unsigned long n = strtoul(r->p + 1, &end, 10);
    if (*end != '_')
        return NULL;
    r->p = end + 1;
    const char *const type = read_type(r);
    return remember(r, type ? qn__arena_printf(r->arena, "%s [%lu]", type, n) : NULL);
}

static const char *type_at(struct reader *r)
{
    const char *const plain = plain_type(*r->p);
    if (plain) {
        r->p++;
        return plain;
    }
    switch (*r->p) {
    case 'P': return suffixed(r, " *");
    case 'R': return suffixed(r, " &");
    case 'O': return suffixed(r, " &&");
    case 'K':
    case 'V': return qualified(r);
    case 'A': return array_type(r);
    case 'N': return read_name(r); /* which has remembered it */
    case 'S':
        if (r->p[1] != 't')
            return read_name(r);
        break;
    default:
        if (*r->p < '1' || *r->p > '9')
            return NULL;
    }
    return remember(r, read_name(r));
}

static const char *read_type(struct reader *r)
{
    if (r->depth == DEPTH_MAX)
        return NULL;
    r->depth++;
    const char *const text = type_at(r);
    r->depth--;
    return text;
}

static const char *read_symbol(struct reader *r, struct qn__arena *arena, const char *symbol)
{
    *r = (struct reader){.arena = arena, .p = symbol + 2};
    return strncmp(symbol, "_Z", 2) == 0 ? read_name(r) : NULL;
}

const char *qn__symbol_expression(struct qn__arena *arena, const char *symbol)
{
    struct reader r;
    const char *const text = read_symbol(&r, arena, symbol);
    return text && *text ? text : NULL;
}

bool qn__symbol_is_instance(const char *symbol)
{
    const char *p = symbol + 2;
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    for (p += *p == 'N'; *p;) { /* the last part of the name, and whether arguments follow */
        char *end;
        p += *p == 'L';
        const unsigned long n = strtoul(p, &end, 10);
        if (end == p || n > strlen(end))
            break;
        p = end + n;
    }
    return *p == 'I';
}
