/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory, as older programs include it. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_MALLOC_H
#define QN_STD_MALLOC_H

#include <stdlib.h>

#endif
