/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler libraries that this process has mapped: LLVM, clang, comgr and their like. A package
 * update may change one of them and leave the program that uses it alone. */
#ifndef QN_RTC_HELPER_LOADED_FILES_H
#define QN_RTC_HELPER_LOADED_FILES_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Names of the files, in the arena, sorted. */
qn_status qn__loaded_files(const char *const **files, uint32_t *n, struct qn__arena *arena);

/* Is a file of this name one of them? */
bool qn__is_compiler_library(const char *path);

#endif
