/* SPDX-License-Identifier: Apache-2.0
 *
 * A chat template as a tree, and the reader that makes one. */
#ifndef QN_ENGINE_TEMPLATE_NODE_H
#define QN_ENGINE_TEMPLATE_NODE_H

#include "engine/template_lexer.h"
#include "engine/template_value.h"

enum qn__node_kind {
    /* expressions */
    QN__NODE_CONSTANT,  /* value */
    QN__NODE_NAME,      /* name */
    QN__NODE_LIST,      /* items */
    QN__NODE_TUPLE,     /* items */
    QN__NODE_DICT,      /* items: key, value, key, value */
    QN__NODE_ATTRIBUTE, /* a.name */
    QN__NODE_SUBSCRIPT, /* a[b] */
    QN__NODE_SLICE,     /* a:b:c, each may be NULL; the b of a SUBSCRIPT */
    QN__NODE_CALL,      /* a(arguments) */
    QN__NODE_FILTER,    /* a | name(arguments); a is NULL in a filter block */
    QN__NODE_TEST,      /* a is name(arguments) */
    QN__NODE_NOT,
    QN__NODE_NEGATE,
    QN__NODE_PLUS,
    QN__NODE_AND,
    QN__NODE_OR,
    QN__NODE_BINARY,    /* a operator b: name is "+", "**", ... */
    QN__NODE_CONCAT,    /* items */
    QN__NODE_COMPARE,   /* a, then items: OPERAND */
    QN__NODE_OPERAND,   /* name is "==", "in", "not in"; a */
    QN__NODE_CONDITION, /* b if a else c; c may be NULL */
    QN__NODE_KEYWORD,   /* name=a, among the arguments of a call */
    QN__NODE_SPREAD,    /* *a, **a (name), among the arguments of a call */
    /* statements */
    QN__NODE_DATA,         /* value */
    QN__NODE_OUTPUT,       /* a */
    QN__NODE_IF,           /* a, body items, otherwise */
    QN__NODE_FOR,          /* target a, in b, if c; items, otherwise */
    QN__NODE_SET,          /* target a = b */
    QN__NODE_SET_BLOCK,    /* target a; b: its filters, or NULL; items */
    QN__NODE_SET_FIELD,    /* the target of a SET: namespace `value`, field `name` */
    QN__NODE_MACRO,        /* name, arguments: parameters, items */
    QN__NODE_CALL_BLOCK,   /* the call a, arguments: parameters of the caller, items */
    QN__NODE_FILTER_BLOCK, /* the filters a, items */
    QN__NODE_WITH,         /* arguments: KEYWORD with a; items */
    QN__NODE_BREAK,
    QN__NODE_CONTINUE,
};

struct qn__node {
    enum qn__node_kind kind;
    uint32_t line;
    struct qn__value name;  /* a text */
    struct qn__value value; /* a constant */
    struct qn__node *a, *b, *c;
    struct qn__node *items, *otherwise, *arguments; /* lists by `next` */
    struct qn__node *next;
};

struct qn__template_reader {
    struct qn__arena *arena;
    const struct qn__word *word; /* the next one */
    uint32_t depth;
    uint32_t loops; /* that are open here */
};

qn_status qn__read_node(struct qn__node **out, struct qn__template_reader *r,
                        enum qn__node_kind kind);
/* Every recursion of the reader passes here. QN_E_LIMIT */
qn_status qn__reader_enter(struct qn__template_reader *r);

bool qn__reader_sees(const struct qn__template_reader *r, const char *op);
bool qn__reader_sees_name(const struct qn__template_reader *r, const char *name);
bool qn__reader_takes(struct qn__template_reader *r, const char *op); /* and goes on */
bool qn__reader_takes_name(struct qn__template_reader *r, const char *name);
qn_status qn__reader_expect(struct qn__template_reader *r, const char *op);
qn_status qn__reader_name(struct qn__value *out, struct qn__template_reader *r);
/* "unexpected 'x'" */
qn_status qn__reader_unexpected(const struct qn__template_reader *r, const char *wanted);

qn_status qn__read_expression(struct qn__node **out, struct qn__template_reader *r);
/* One without a condition "x if y", which a for statement has for itself. */
qn_status qn__read_or(struct qn__node **out, struct qn__template_reader *r);
/* Expressions with commas between them are a tuple. */
qn_status qn__read_tuple(struct qn__node **out, struct qn__template_reader *r, bool conditions);
qn_status qn__read_primary(struct qn__node **out, struct qn__template_reader *r);
qn_status qn__read_postfix(struct qn__node **inout, struct qn__template_reader *r);
/* Filters behind `*inout` (which may be NULL: what a block holds); `first` is one without "|". */
qn_status qn__read_filters(struct qn__node **inout, struct qn__template_reader *r, bool first);

/* The statements of a whole template. */
qn_status qn__read_template(struct qn__node **out, struct qn__arena *arena,
                            const struct qn__words *words);

#endif
