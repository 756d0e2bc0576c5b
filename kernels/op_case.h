/* SPDX-License-Identifier: Apache-2.0
 *
 * One check of one kernel, on the host: input values, kernel arguments, wanted results.
 *
 * op_case.c builds it from a row of kernels.def and a shape; op_run.c carries it to a device and
 * compares. Values are skewed on purpose: magnitudes spread over powers of two, every value depends
 * on its position, and the ends of each row are large, so that a wrong index, a missing tail or a
 * doubled element moves the result by far more than the tolerance. */
#ifndef QN_KERNELS_OP_CASE_H
#define QN_KERNELS_OP_CASE_H

#include "base/arena.h"
#include "base/error.h"
#include "kernels/op_rows.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers of a shape; what they mean is the op's business (shapes_<op> in op_case*.c). `offset`
 * moves the start of every array by so many elements away from its 128-byte alignment. */
struct qn__op_shape {
    uint32_t rows, n, k, m, offset;
    uint32_t window, splits, softcap; /* of attention */
    uint32_t pattern;                 /* of the values, where an op has several */
};

enum { QN__CASE_ARGS = 32, QN__CASE_ARRAYS = 16, QN__CASE_OFFSET_MAX = 16 };

struct qn__op_array {
    enum qn__dtype dtype;
    uint64_t n;         /* elements */
    const void *values; /* as the device sees them; NULL: an output that is only written */
    const double *want; /* of an output, one per element; NaN where an integer stays as it was */
    const double *tolerance; /* the same: absolute */
};

struct qn__op_arg {
    int array;      /* index into arrays, or -1 */
    uint32_t bytes; /* of a value; 0: a null pointer */
    union {
        uint32_t u32;
        uint64_t u64;
        float f32;
    } value;
};

struct qn__op_case {
    struct qn__arena *arena;
    enum qn__dtype dtype;
    const struct qn__format *format;
    char shape[64];
    uint32_t offset;
    uint32_t n_arrays, n_args;
    struct qn__op_array arrays[QN__CASE_ARRAYS]; /* arrays[0] is an output */
    struct qn__op_arg args[QN__CASE_ARGS];
    uint32_t stages_arg; /* of a product: the device decides; 0: none */
    uint32_t depth_arg;  /* of a phase, the same */
    uint64_t bytes;      /* that have to move */
    struct qn__work work;
    bool failed; /* out of memory while building */
};

/* Shapes of an op: the small ones first, then those for timing. */
const struct qn__op_shape *qn__op_shapes(enum qn__op_id op, uint32_t *n, uint32_t *n_small);
bool qn__op_accepts(const struct qn__op_row *row, const struct qn__op_shape *shape);

/* Everything lives in the arena. QN_E_MEMORY */
qn_status qn__op_case_init(struct qn__op_case *out, struct qn__arena *arena,
                           const struct qn__op_row *row, const struct qn__op_shape *shape);
/* Arguments that depend on the launch: of products and phases. */
void qn__op_case_decide(struct qn__op_case *c, const qn_device_info *device);

#endif
