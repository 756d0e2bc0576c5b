/* SPDX-License-Identifier: Apache-2.0
 *
 * A block of inline PTX that is being translated, and the statement at hand (ptx_statement.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_STATEMENT_H
#define QN_COMPILER_LOWER_PTX_PTX_STATEMENT_H

#include "compiler/core/unit.h"

enum { QN__PTX_WORDS = 12, QN__PTX_OPERANDS = 8, QN__PTX_PARTS = 8 };

/* "{a, b}" has parts; "[p+8]" is an address; anything else is one part. */
struct qn__ptx_operand {
    const char *parts[QN__PTX_PARTS];
    unsigned n;
    bool is_address;
    const char *second; /* the predicate of "d|p" */
};

struct qn__ptx_register {
    const char *name;
    LLVMValueRef value;
};

/* @p or @!p in front of a statement; without a predicate: none. */
struct qn__ptx_guard {
    LLVMValueRef predicate;
    bool is_negated;
};

struct qn__ptx {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMModuleRef module;
    LLVMValueRef call;
    LLVMValueRef at;      /* the builder stands before this: the call, or the end of a branch */
    LLVMValueRef *values; /* of $0, $1, ...; outputs first */
    unsigned n_values, n_outputs;
    struct qn__ptx_register *registers;
    uint32_t n_registers, registers_capacity;
    LLVMValueRef carry;               /* the condition code, i1; NULL: not set in this block */
    struct qn__ptx_guard carry_guard; /* set under this one only */
    const char *reason;               /* set once something is not known */
    unsigned depth;                   /* of blocks in braces */
    const char *declared;             /* registers, " a  b " */

    /* the statement at hand: words of its name, without dots, and operands */
    const char *text;
    const char *words[QN__PTX_WORDS];
    unsigned n_words;
    struct qn__ptx_operand operands[QN__PTX_OPERANDS];
    unsigned n_operands;
    struct qn__ptx_guard guard;
};

/* A type's name in PTX: b32, u8, f64, pred. */
struct qn__ptx_type {
    unsigned bits;
    bool is_signed, is_float, is_predicate;
};

/* What became of a statement; QN__PTX_OTHER: it is not of the kind that was asked. */
enum qn__ptx_answer { QN__PTX_OTHER, QN__PTX_DONE, QN__PTX_FAILED };

/* All of these return false and set x->reason where something is not known. */
bool qn__ptx_unknown(struct qn__ptx *x, const char *why);
/* "name.word.word a, b, {c, d}", without a guard. */
bool qn__ptx_statement_read(struct qn__ptx *x, const char *text);
bool qn__ptx_type(struct qn__ptx_type *out, const char *word);
bool qn__ptx_last_type(struct qn__ptx *x, struct qn__ptx_type *out); /* of the statement's name */
bool qn__ptx_has(const struct qn__ptx *x, const char *word);
/* Only these words besides the first and the type at the end? Separated by blanks. */
bool qn__ptx_only(struct qn__ptx *x, const char *allowed);

#endif
