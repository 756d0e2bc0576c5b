/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the shipped ops and kernels as words of a command line. */
#ifndef QN_TOOLS_OP_BY_NAME_H
#define QN_TOOLS_OP_BY_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* The name of an op or of a kernel that is nearest to the word; *distance in letters, 0: it is that
 * name. NULL: none is near. */
const char *qn__op_near(uint32_t *distance, const char *word);

/* The first kernel of the op, or the kernel, of that name; false after a complaint that says what
 * was probably meant. */
bool qn__op_of_word(uint32_t *out, const char *command, const char *word);

#endif
