/* SPDX-License-Identifier: Apache-2.0
 *
 * How many arguments a kernel takes and of what size, as its cubin or PTX says. The driver could be
 * asked too, but for the number only by a call that fails (before CUDA 13.2), which sanitizers
 * report, and at 8 us for each argument. Neither knows names, nor which arguments are addresses. */
#ifndef QN_RUNTIME_CUDA_METADATA_H
#define QN_RUNTIME_CUDA_METADATA_H

#include "base/arena.h"
#include "base/error.h"

#include <quern/compile.h>

/* The array lives in the arena.
 * QN_E_NOT_FOUND  no such kernel, or nothing that this file understands about its arguments
 * QN_E_CORRUPT    lengths that leave the file */
qn_status qn__cubin_arguments(const qn_arg_info **args, uint32_t *n_args, struct qn__arena *arena,
                              const void *bytes, size_t n, const char *symbol);
qn_status qn__ptx_arguments(const qn_arg_info **args, uint32_t *n_args, struct qn__arena *arena,
                            const char *text, size_t n, const char *symbol);

#endif
