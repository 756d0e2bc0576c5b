/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C types. LLVM's types have no sign, no field names and no pointee; ours have, from debug
 * information where there is some. Types are interned: equal types are the same pointer. types.c
 * has what they are, type_lookup.c finds them by a name, lang/ spells them.
 */
#ifndef QN_COMPILER_MODEL_TYPES_H
#define QN_COMPILER_MODEL_TYPES_H

#include "compiler/core/unit.h"

enum qn__space {
    QN__SPACE_UNKNOWN = 0, /* not found yet, or a null pointer */
    QN__PRIVATE,
    QN__GLOBAL,
    QN__LOCAL,
    QN__CONSTANT,
    QN__SPACE_MIXED, /* an error was reported */
};
const char *qn__space_word(enum qn__space s); /* "global" */

enum qn__kind {
    QN__VOID,
    QN__BOOL, /* a truth value: comparisons, and variables of them */
    QN__INT,
    QN__FLOAT,
    QN__VECTOR, /* OpenCL vector: alignment is its size */
    QN__POINTER,
    QN__ARRAY,
    QN__STRUCT,
};

struct qn__type {
    enum qn__kind kind;
    uint8_t bits;               /* QN__INT, QN__FLOAT */
    bool is_unsigned;           /* QN__INT */
    bool is_const, is_volatile; /* QN__POINTER: of the pointee */
    bool is_aliasing;           /* QN__POINTER: accesses through it may alias any type; what
                                 * lang/spell_type.c prints its pointee from has the mark, too */
    enum qn__space space;       /* QN__POINTER */
    uint64_t count;             /* QN__VECTOR, QN__ARRAY */
    const struct qn__type *of; /* element or pointee; of a QN__INT: it is an address of that type */
    struct qn__record *record; /* QN__STRUCT */
};

struct qn__field {
    const char *name;
    const struct qn__type *type;
    uint64_t offset;
    bool is_padding;
};

struct qn__record {
    const char *name;
    LLVMTypeRef llvm;
    uint32_t n_fields; /* same numbers as LLVM's struct */
    struct qn__field *fields;
    uint64_t size, align;
    bool is_packed;   /* by the source, or C would lay it out otherwise: with padding spelled out */
    bool is_aligned;  /* by the source: more than its fields are */
    bool hides_bytes; /* a union in it has padding, where another of its members may have values */
    struct qn__record *next, *named_before;
};

/* The one type equal to `t`. */
const struct qn__type *qn__type_intern(struct qn__unit *u, struct qn__type t);
const struct qn__type *qn__type_void(struct qn__unit *u);
const struct qn__type *qn__type_bool(struct qn__unit *u);
bool qn__width_is_c(unsigned bits); /* of an integer: 8, 16, 32, 64 */
const struct qn__type *qn__type_int(struct qn__unit *u, unsigned bits, bool is_unsigned);
const struct qn__type *qn__type_float(struct qn__unit *u, unsigned bits);
const struct qn__type *qn__type_vector(struct qn__unit *u, const struct qn__type *of,
                                       uint64_t count);
const struct qn__type *qn__type_array(struct qn__unit *u, const struct qn__type *of,
                                      uint64_t count);
const struct qn__type *qn__type_pointer(struct qn__unit *u, const struct qn__type *to,
                                        enum qn__space space, bool is_const, bool is_volatile);
/* The pointer type, through which memory of any type may be accessed. `t` itself where that is so
 * anyway: bytes, vectors. */
const struct qn__type *qn__type_aliasing(struct qn__unit *u, const struct qn__type *t);

/* What an array consists of, innermost; any other type itself. */
const struct qn__type *qn__type_element(const struct qn__type *t);
uint64_t qn__type_size(const struct qn__type *t);
uint64_t qn__type_align(const struct qn__type *t);
bool qn__type_same_but_sign(const struct qn__type *a, const struct qn__type *b);

#endif
