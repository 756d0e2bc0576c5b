/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel's source says that may be tuned: comment lines of their own,
 *
 *     // quern tune: BLOCK = 64, 128, 256; UNROLL = 1, 2, 4     parameters and their values
 *     // quern tune where: BLOCK * UNROLL <= 512                a constraint; all must hold
 *     // quern tune block: BLOCK                                threads of a block (X[; Y[; Z]])
 *     // quern tune items: BLOCK * UNROLL                       items that a block does
 *
 * Expressions are of integers, parameters, ( ), ! - * / % + < <= > >= == != && ||, as in C.
 * Without `block` it is the parameter BLOCK; without `items` the threads of a block. */
#ifndef QN_TOOLS_TUNE_SPACE_H
#define QN_TOOLS_TUNE_SPACE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QN__TUNE_PARAMETERS = 16,
    QN__TUNE_VALUES = 32,
    QN__TUNE_CONSTRAINTS = 16,
    QN__TUNE_NAME_BYTES = 64,
    QN__TUNE_EXPRESSION_BYTES = 256,
    QN__TUNE_POINTS = 65536,
};

struct qn__tune_parameter {
    char name[QN__TUNE_NAME_BYTES];
    int64_t values[QN__TUNE_VALUES];
    uint32_t n;
};

struct qn__tune_space {
    struct qn__tune_parameter parameters[QN__TUNE_PARAMETERS];
    uint32_t n_parameters;
    char where[QN__TUNE_CONSTRAINTS][QN__TUNE_EXPRESSION_BYTES];
    uint32_t n_where;
    char block[3][QN__TUNE_EXPRESSION_BYTES]; /* "" : not said */
    char items[QN__TUNE_EXPRESSION_BYTES];
};

/* One choice: an index of a value for each parameter. */
struct qn__tune_point {
    uint8_t at[QN__TUNE_PARAMETERS];
};

/* What the text declares; false with an error that names the line. Nothing declared is no error:
 * n_parameters is 0. */
bool qn__tune_parse(struct qn__tune_space *out, struct qn__str *error, const char *text);

/* The expression's value at that point; false with an error: a name that is no parameter, a
 * division by 0, an overflow, no expression. */
bool qn__tune_evaluate(int64_t *out, struct qn__str *error, const struct qn__tune_space *space,
                       const struct qn__tune_point *point, const char *expression);

/* All points at which every constraint holds, in order, the last parameter changing first; to
 * free(). NULL with an error: of a constraint, none holds, more than QN__TUNE_POINTS. */
struct qn__tune_point *qn__tune_points(uint32_t *n, struct qn__str *error,
                                       const struct qn__tune_space *space);

/* Threads of a block and the items it does; false with an error: not above 0, or not said. */
bool qn__tune_shape(uint32_t block[3], uint64_t *items, struct qn__str *error,
                    const struct qn__tune_space *space, const struct qn__tune_point *point);

/* A "NAME=VALUE" for each parameter, in rooms of the caller's. */
struct qn__tune_values {
    char text[QN__TUNE_PARAMETERS][QN__TUNE_NAME_BYTES + 24];
    const char *list[QN__TUNE_PARAMETERS]; /* to each text */
    uint32_t n;
};
void qn__tune_values_of(struct qn__tune_values *out, const struct qn__tune_space *space,
                        const struct qn__tune_point *point);

/* "BLOCK=64 UNROLL=2" */
void qn__tune_point_text(struct qn__str *out, const struct qn__tune_space *space,
                         const struct qn__tune_point *point);

#endif
