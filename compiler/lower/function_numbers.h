/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls through pointers to functions, and of virtual functions, that are not known
 * (function_numbers.c). */
#ifndef QN_COMPILER_LOWER_FUNCTION_NUMBERS_H
#define QN_COMPILER_LOWER_FUNCTION_NUMBERS_H

#include "compiler/core/unit.h"

/* Addresses of functions and of tables of virtual functions become numbers in the whole module, and
 * calls through them choices. False: there are none left. */
bool qn__function_numbers(struct qn__unit *u);

#endif
