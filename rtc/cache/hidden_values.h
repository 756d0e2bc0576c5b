/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of macros (-DNAME=VALUE) and of variables that reach inside a compiler may be secrets, and
 * an entry lists them for `quern why`. In what leaves this machine a digest stands for each:
 *
 *     option: -DNAME=VALUE      becomes      option: -DNAME=digest:0123456789abcdef0123456789abcdef
 *
 * Equal values have equal digests, so lists can still be compared. A value that can be guessed can
 * also be confirmed that way, as it can by the key itself. What a kernel makes of a value is in its
 * code, which travels. */
#ifndef QN_RTC_CACHE_HIDDEN_VALUES_H
#define QN_RTC_CACHE_HIDDEN_VALUES_H

#include "base/str.h"

#include <stdint.h>

/* Append the fields (lines as qn__key_print() writes them) with digests for values. What is hidden
 * already stays as it is. */
void qn__values_hide(struct qn__str *out, const char *fields);

/* Are two lines equal, or one the hidden form of the other? */
bool qn__values_match(const char *a, size_t a_n, const char *b, size_t b_n);

/* Does the text hold the value of a macro among these options ("-DNAME=VALUE", ...)? Those that
 * `-DNAME` and `-DNAME=` give say nothing. */
bool qn__values_show(const char *text, const char *const *options, uint32_t n);

#endif
