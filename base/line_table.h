/* SPDX-License-Identifier: Apache-2.0
 *
 * Which line of the source an instruction comes from: a small table that stands behind the machine
 * code of an image, for the message of a fault.
 *
 *     u32 files, their names (each ends with 0), then rows by address, as variable-length numbers:
 *     (address - the last one) * 2 + (another file), line - the last one (zigzag), [the file]
 *     u32 bytes of all that, "qn-lines"
 *
 * A row holds from its address to the next one's; line 0: no line is known there. */
#ifndef QN_BASE_LINE_TABLE_H
#define QN_BASE_LINE_TABLE_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qn__line_row {
    uint64_t address;
    uint32_t file, line;
};

struct qn__line_rows {
    const char *const *files;
    uint32_t n_files;
    const struct qn__line_row *rows; /* by address */
    size_t n;
};

void qn__line_table_add(struct qn__str *out, const struct qn__line_rows *rows);

/* The line of an address. *file lives in the bytes, which may be anything: a table that is damaged
 * or not there knows no line. False: not known. */
bool qn__line_table_find(const char **file, uint32_t *line, const void *bytes, size_t n,
                         uint64_t address);

#endif
