/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of builtins.def, taken apart once: OpenCL C text with places for operands.
 *
 *     "qn_count_local(SCRATCH32, ACTIVE && $0) != 0"
 *      text           scratch    active    argument  text
 */
#ifndef QN_COMPILER_LANG_FORM_H
#define QN_COMPILER_LANG_FORM_H

#include "compiler/lang/language.h"
#include "compiler/model/builtins.h"

enum qn__form_part_kind {
    QN__FORM_TEXT,
    QN__FORM_SPACE,    /* the word for the address space of the first pointer */
    QN__FORM_ARGUMENT, /* one operand, as are the next three */
    QN__FORM_SCRATCH,  /* the array that warp operations exchange values through */
    QN__FORM_ACTIVE,   /* QN__OP_ACTIVE */
    QN__FORM_FAULT,    /* the buffer for what a failed assertion says */
    QN__FORM_HEAP,     /* the memory of malloc */
    QN__FORM_HERE,     /* two operands: the call's file and line */
    QN__FORM_REST,     /* all other operands, each after a comma */
    QN__FORM_LANES,    /* an argument of all work-items, an array: stmt/split_collective.c */
};

struct qn__form_part {
    enum qn__form_part_kind kind;
    const char *text; /* QN__FORM_TEXT: n bytes */
    size_t n;
    unsigned argument; /* QN__FORM_ARGUMENT: its number; QN__FORM_REST: the first one's */
    unsigned bits;     /* QN__FORM_SCRATCH: 32 or 64 for each work-item */
    bool is_format;    /* QN__FORM_ARGUMENT: of printf */
    /* QN__FORM_LANES: the argument itself, it as a truth that is false for inactive work-items, the
     * same of its negation, or whether a work-item is active */
    enum { QN__LANES_VALUE, QN__LANES_TRUTH, QN__LANES_NEGATION, QN__LANES_ACTIVE } lanes;
    enum qn__binding least; /* of the operand there, else it stands in parentheses */
};

struct qn__form {
    const struct qn__form_part *parts;
    uint32_t n, capacity;
    enum qn__binding binding; /* of the whole */
    const char **functions;   /* of library.cl; a name may end in SPACE */
    uint32_t n_functions, functions_capacity;
    bool branches;    /* has an && */
    bool is_argument; /* "$0" */
    bool reads_all;   /* has a QN__FORM_LANES */
};

const struct qn__form *qn__form_of(struct qn__unit *u, const struct qn__builtin *b);
/* The library functions of the form are used here, in that address space. */
void qn__form_use(struct qn__unit *u, LLVMValueRef where, const struct qn__form *form,
                  enum qn__space space);

#endif
