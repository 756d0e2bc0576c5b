/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory on the stack. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_ALLOCA_H
#define QN_STD_ALLOCA_H

#include <stdlib.h>

#define alloca __builtin_alloca

#endif
