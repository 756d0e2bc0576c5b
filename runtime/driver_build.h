/* SPDX-License-Identifier: Apache-2.0
 *
 * Which build of a driver this is: drivers of one version string are not all the same, and the
 * compiler in them may be a library of its own. What it compiled belongs to that build, and to the
 * variables that it looks at. */
#ifndef QN_RUNTIME_DRIVER_BUILD_H
#define QN_RUNTIME_DRIVER_BUILD_H

#include "base/hash.h"

#include <stdbool.h>

/* A digest of the libraries that a driver compiles with: of the one that has the address `inside`,
 * those that are its parts, and the compilers that these were linked with. "" where the address is
 * in no library. False: no memory to look. */
bool qn__driver_build(char out[QN__HASH_HEX], const void *inside);

/* Add the variables that are set now and change what a driver compiles. driver: its name and
 * version. */
void qn__driver_variables(struct qn__hash *h, const char *driver);

#endif
