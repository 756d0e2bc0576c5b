/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of kernels.def: which kernels there are, of which op, for which types and shapes. */
#ifndef QN_KERNELS_OP_ROWS_H
#define QN_KERNELS_OP_ROWS_H

#include "kernels/formats.h"
#include "kernels/launch_plan.h"

#include <quern/ops.h>
#include <stddef.h>
#include <stdint.h>

/* BYTES: blocks of a weight format */
enum qn__dtype { QN__F32, QN__F16, QN__I32, QN__BYTES };
size_t qn__dtype_bytes(enum qn__dtype dtype);

enum qn__accepts { QN__ANY, QN__SHORT_ROW, QN__BLOCK_ROW, QN__TILE_ROW };
enum { QN__SHORT_ROW_ELEMS = 1024, QN__BLOCK_ROW_ELEMS = 32 };

enum qn__op_id {
#define QN__OP(op, file, formula) QN__OP_##op,
#include "kernels/kernels.def"
};

struct qn__op_row { /* a QN__KERNEL or QN__WEIGHTS line */
    enum qn__op_id op;
    qn_op_info info;
    enum qn__dtype dtype;
    enum qn__accepts accepts;
    enum qn__launch_kind launch;
    const struct qn__format *format; /* of the weights it reads, or NULL */
};
const struct qn__op_row *qn__op_row(uint32_t index); /* index < qn__op_row_count() */

/* The first row of the op and type that accepts a row length of n, or NULL. */
const struct qn__op_row *qn__op_select(const char *op, enum qn__dtype dtype, uint64_t n);
uint32_t qn__op_row_count(void);

#endif
