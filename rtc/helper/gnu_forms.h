/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms that nvcc takes from GNU C and NVRTC does not, written as C++ has them. */
#ifndef QN_RTC_HELPER_GNU_FORMS_H
#define QN_RTC_HELPER_GNU_FORMS_H

#include "base/str.h"

/* Append the text, with
 *     (T){ 1, 2 }            as    T{ 1, 2 }
 *     ({ int x = f(); x; })  as    ([&]{ int x = f(); return x; }())
 * Lines stay; columns behind the second form do not. False where it has none of them. */
bool qn__gnu_forms_add(struct qn__str *out, const char *text);

/* Declares what __typeof__ stands for. */
extern const char qn__gnu_forms_prelude[];

#endif
