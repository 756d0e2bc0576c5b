/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel of a translation's reflection, and whether the words of the command line fit it. */
#ifndef QN_TOOLS_KERNEL_WORDS_H
#define QN_TOOLS_KERNEL_WORDS_H

#include "base/options.h"

#include <jansson.h>
#include <stdbool.h>

/* By its name or expression; NULL after a complaint of the command that lists what there is. */
const json_t *qn__kernel_of_reflection(const json_t *kernels, const char *command,
                                       const char *wanted);

/* False after a complaint. */
bool qn__kernel_takes(const json_t *kernel, const char *command, const char *name,
                      const struct qn__option_list *args);

#endif
