/* SPDX-License-Identifier: Apache-2.0
 *
 * Locales. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_LOCALE_H
#define QN_STD_LOCALE_H

#define LC_ALL     6
#define LC_NUMERIC 1
extern "C" char *setlocale(int, const char *);

#endif
