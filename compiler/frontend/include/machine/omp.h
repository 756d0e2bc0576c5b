/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's header belongs to a compiler, not to the C library: where the machine has none, ours. */
#pragma clang system_header
#if __has_include_next(<omp.h>)
#include_next <omp.h>
#else
#include <std/omp.h>
#endif
