/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX. A block of straight-line PTX becomes LLVM instructions and calls of device functions
 * that builtins.def knows, so that every later stage sees plain code:
 *
 *     ptx.c            asm("...") -> statements, operands, registers -> the block's results
 *     ptx_operands.c   numbers, registers, special registers, addresses <-> LLVM values
 *     ptx_integer.c    integer and bit instructions
 *     ptx_float_memory.c      floats, loads and stores, fences, warps: what is not integer
 * arithmetic
 *
 * It is done before anything else looks at the module. What is not known stays as it is and is
 * refused when its kernel is printed, with the instruction's name; dead code may hold anything.
 */
#ifndef QN_COMPILER_LOWER_PTX_PTX_H
#define QN_COMPILER_LOWER_PTX_PTX_H

#include "compiler/core/unit.h"

/* Why a block that is still there has none: "mma.sync: tensor cores ...". */
const char *qn__ptx_reason(struct qn__unit *u, LLVMValueRef call);

/* ---- between the files of this stage ---- */

enum { QN__PTX_WORDS = 12, QN__PTX_OPERANDS = 8, QN__PTX_PARTS = 4 };

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
    LLVMValueRef *values; /* of $0, $1, ...; outputs first */
    unsigned n_values, n_outputs;
    struct qn__ptx_register *registers;
    uint32_t n_registers, registers_capacity;
    LLVMValueRef carry;               /* the condition code, i1; NULL: not set in this block */
    struct qn__ptx_guard carry_guard; /* set under this one only */
    const char *reason;               /* set once something is not known */

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

/* All of these return NULL (or false) and set x->reason where something is not known. */
bool qn__ptx_unknown(struct qn__ptx *x, const char *why);
bool qn__ptx_type(struct qn__ptx_type *out, const char *word);
bool qn__ptx_last_type(struct qn__ptx *x, struct qn__ptx_type *out); /* of the statement's name */
LLVMTypeRef qn__ptx_llvm_type(struct qn__ptx *x, const struct qn__ptx_type *t);
bool qn__ptx_has(const struct qn__ptx *x, const char *word);
/* Only these words besides the first and the type at the end? Separated by blanks. */
bool qn__ptx_only(struct qn__ptx *x, const char *allowed);
LLVMValueRef qn__ptx_source(struct qn__ptx *x, unsigned operand, const struct qn__ptx_type *t);
LLVMValueRef qn__ptx_part(struct qn__ptx *x, const char *name, const struct qn__ptx_type *t);
bool qn__ptx_set(struct qn__ptx *x, unsigned operand, LLVMValueRef v);
bool qn__ptx_set_part(struct qn__ptx *x, const char *name, LLVMValueRef v);
LLVMValueRef qn__ptx_address(struct qn__ptx *x, unsigned operand);
LLVMValueRef qn__ptx_number(struct qn__ptx *x, unsigned bits, uint64_t value);
/* Call a device function of builtins.def; argument types are the values'. */
LLVMValueRef qn__ptx_call(struct qn__ptx *x, const char *name, LLVMTypeRef result,
                          const LLVMValueRef *arguments, unsigned n);

/* Is the statement one of this file's, and what became of it? */
enum qn__ptx_answer { QN__PTX_OTHER, QN__PTX_DONE, QN__PTX_FAILED };
enum qn__ptx_answer qn__ptx_integer(struct qn__ptx *x);
enum qn__ptx_answer qn__ptx_float(struct qn__ptx *x);
enum qn__ptx_answer qn__ptx_memory(struct qn__ptx *x);

#endif
