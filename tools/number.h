/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of the types kernels use, as text, as a double, and as the bytes a device holds. */
#ifndef QN_TOOLS_NUMBER_H
#define QN_TOOLS_NUMBER_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name, bytes, is it a floating-point type */
#define QN__NUMBER_LIST(X)                                                                         \
    X(I8, "i8", 1, false)                                                                          \
    X(U8, "u8", 1, false)                                                                          \
    X(I16, "i16", 2, false)                                                                        \
    X(U16, "u16", 2, false)                                                                        \
    X(I32, "i32", 4, false)                                                                        \
    X(U32, "u32", 4, false)                                                                        \
    X(I64, "i64", 8, false)                                                                        \
    X(U64, "u64", 8, false)                                                                        \
    X(F16, "f16", 2, true)                                                                         \
    X(BF16, "bf16", 2, true)                                                                       \
    X(F32, "f32", 4, true)                                                                         \
    X(F64, "f64", 8, true)

enum qn__number_type {
#define QN__NUMBER_ENUM(id, name, bytes, is_float) QN__NUMBER_##id,
    QN__NUMBER_LIST(QN__NUMBER_ENUM)
#undef QN__NUMBER_ENUM
};

bool qn__number_type_find(enum qn__number_type *out, const char *name, size_t n);
const char *qn__number_name(enum qn__number_type type);
size_t qn__number_bytes(enum qn__number_type type);
bool qn__number_is_float(enum qn__number_type type);
const char *qn__number_names(void); /* "i8 u8 ... f64", for messages */

/* Text ("5", "-0x10", "0.5", "inf", "nan") to bytes at `out`; all of the text must be the number.
 * QN_E_INVALID  not a number, or outside the range of an integer type */
qn_status qn__number_parse(void *out, enum qn__number_type type, const char *text);

/* Store a double, rounded to nearest even; integers take the value modulo their width. */
void qn__number_store(void *out, enum qn__number_type type, double value);
void qn__number_store_integer(void *out, enum qn__number_type type, int64_t value);

double qn__number_load(const void *bytes, enum qn__number_type type);

/* Append as text, exact for integers, shortest useful for floats. */
void qn__number_print(struct qn__str *out, const void *bytes, enum qn__number_type type);

/* What an array holds. min, max and mean are those of the finite elements, 0 when there are none.
 */
struct qn__number_summary {
    uint64_t n_finite, n_nan, n_infinite;
    double min, max, mean;
};
void qn__number_summarize(struct qn__number_summary *out, const void *bytes,
                          enum qn__number_type type, uint64_t n_elems);

#endif
