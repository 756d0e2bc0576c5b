/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats of fixed-width integers. Host code must parse, no more.
 */
#pragma clang system_header
#ifndef QN_STD_INTTYPES_H
#define QN_STD_INTTYPES_H

#include <stdint.h>

#define PRId8  "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 "ld"
#define PRIu8  "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 "lu"
#define PRIx32 "x"
#define PRIx64 "lx"
#define SCNd64 "ld"
#define SCNu64 "lu"

#endif
