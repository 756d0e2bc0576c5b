/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the source out of what a compiler and a linker wrote. */
#ifndef QN_BASE_DWARF_LINES_H
#define QN_BASE_DWARF_LINES_H

#include "base/error.h"
#include "base/line_table.h"

/* The rows of a linked ELF file's .debug_line (DWARF 4), all in the arena. A file that is called
 * `own` is none of the source's. How much of the file is needed to load it is put into *loaded.
 * QN_E_CORRUPT  no such file, or it is damaged */
qn_status qn__line_rows_of_elf(struct qn__line_rows *out, size_t *loaded, struct qn__arena *arena,
                               const void *bytes, size_t n, const char *own);

#endif
