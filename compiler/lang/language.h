/* SPDX-License-Identifier: Apache-2.0
 *
 * Spelling: expression trees as the text of a language of C's family.
 *
 * spell.c writes what all of them share, C's operators with parentheses only where C needs them. A
 * language adds what it writes in its own way.
 */
#ifndef QN_COMPILER_LANG_LANGUAGE_H
#define QN_COMPILER_LANG_LANGUAGE_H

#include "compiler/model/node.h"

/* How tightly an operation binds; what stands beside an operator of C must bind as tightly. */
enum qn__binding {
    QN__BINDS_COMMA = 1,
    QN__BINDS_ASSIGN, /* what an argument may be */
    QN__BINDS_CHOOSE,
    QN__BINDS_LOGICAL_OR,
    QN__BINDS_LOGICAL_AND,
    QN__BINDS_OR,
    QN__BINDS_XOR,
    QN__BINDS_AND,
    QN__BINDS_EQUAL,
    QN__BINDS_RELATION,
    QN__BINDS_SHIFT,
    QN__BINDS_ADD,
    QN__BINDS_MULTIPLY,
    QN__BINDS_UNARY,
    QN__BINDS_POSTFIX,
};

/* What the source asks of a loop. */
struct qn__loop_hints {
    bool unroll;
    uint64_t count; /* how often; 1 forbids it, 0: not said */
    enum { QN__VECTORIZE_NOT_SAID, QN__VECTORIZE, QN__VECTORIZE_NOT } vectorize;
    uint64_t width; /* 0: not said */
};

struct qn__language {
    const char *name;
    const char *(*scalar)(const struct qn__type *t); /* the name of an integer or float */
    const char *const *spaces;                       /* per enum qn__space: "__global " */
    const char *kernel;                              /* "__kernel void " */
    const char *table;        /* before a table of the program: "__constant " */
    const char *shared;       /* before a group's variable: "__local " */
    const char *in_subgroups; /* a line before a kernel whose warps are subgroups */
    bool in_loops; /* a kernel is a function for a block, its work-items are loops: block_text.c */
    /* Lines to print before a loop, each ended. */
    void (*hints)(struct qn__unit *u, const struct qn__loop_hints *h, struct qn__str *out);
    /* The node is part of the program: note what it takes from the language's library. */
    void (*use)(struct qn__unit *u, LLVMValueRef where, const struct qn__node *n);
    /* What a program begins with; what it takes from the library. */
    void (*begin)(struct qn__unit *u, struct qn__str *out);
    void (*library)(struct qn__unit *u, const char *kernels, struct qn__str *out);
    /* Write a node whose operation is the language's own. */
    void (*special)(struct qn__unit *u, const struct qn__node *n, struct qn__str *out);
    enum qn__binding (*binding)(struct qn__unit *u, const struct qn__node *n);
};

extern const struct qn__language qn__opencl_c, qn__c;

/* The text of a tree: variables by their names, or by the names they wish for. */
void qn__spell_node(struct qn__unit *u, const struct qn__node *n, struct qn__str *out);
const char *qn__spelled(struct qn__unit *u, const struct qn__node *n);
enum qn__binding qn__binding_of(struct qn__unit *u, const struct qn__node *n);
/* The same in parentheses where it binds less tightly. */
void qn__spell_operand(struct qn__unit *u, const struct qn__node *n, enum qn__binding least,
                       struct qn__str *out);
/* All operands, with commas. */
void qn__spell_arguments(struct qn__unit *u, const struct qn__node *n, struct qn__str *out);
/* One character of a string in quotes. */
void qn__spell_character(const char *characters, size_t i, struct qn__str *out);

/* "uint", "__global const float *": for casts and results. */
const char *qn__type_text(struct qn__unit *u, const struct qn__type *t);
/* "float x[4]", "__global float *x": a declaration of `name`. */
const char *qn__type_declare(struct qn__unit *u, const struct qn__type *t, const char *name);

/* "float a[8] __attribute__((aligned(16)))" */
const char *qn__var_declaration(struct qn__unit *u, const struct qn__var *v, const char *name);

/* Definitions of the structs that were used, in order of need. */
void qn__records_print(struct qn__unit *u, struct qn__str *out);
/* Definitions of the aliasing types that the text of the kernels mentions. */
void qn__aliases_print(struct qn__unit *u, const char *kernels, struct qn__str *out);

/* Of vectors, forms and calls: a language's `binding`. */
enum qn__binding qn__binding_of_special(struct qn__unit *u, const struct qn__node *n);
/* The pragma that clang takes about a loop's vectors, where the source asks for one. */
void qn__spell_vectorize(const struct qn__loop_hints *h, struct qn__str *out);
/* QN__OP_VECTOR_LOAD and QN__OP_VECTOR_STORE as vload4() and vstore4(). */
void qn__spell_vector_access(struct qn__unit *u, const struct qn__node *n, struct qn__str *out);

/* spell_memory.c, for a language's `special`: QN__OP_COPY, QN__OP_MOVE, QN__OP_FILL and
 * QN__OP_CLEAR as C's loops. */
void qn__spell_memory(struct qn__unit *u, const struct qn__node *n, struct qn__str *out);

#endif
