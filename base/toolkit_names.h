/* SPDX-License-Identifier: Apache-2.0
 *
 * Which headers a CUDA toolkit has of CUB, Thrust and libcu++. */
#ifndef QN_BASE_TOOLKIT_NAMES_H
#define QN_BASE_TOOLKIT_NAMES_H

#include <stdbool.h>

/* Does a name, as an #include spells it, begin as theirs do? "cub/cub.cuh" */
bool qn__is_of_toolkit(const char *name);

#endif
