/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC without its optimiser, which Quern has no option for. */
#ifndef QN_TESTS_GENERATOR_UNOPTIMISED_H
#define QN_TESTS_GENERATOR_UNOPTIMISED_H

#include <stdbool.h>
#include <stddef.h>

/* A cubin of the source, by malloc; false, and *why says what stopped it, where there is none.
 *   target  "cuda:sm_90" */
bool gen_compile_unoptimised(void **cubin, size_t *n, const char **why, const char *source,
                             const char *target);

#endif
