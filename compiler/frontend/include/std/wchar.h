/* SPDX-License-Identifier: Apache-2.0
 *
 * Wide characters. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_WCHAR_H
#define QN_STD_WCHAR_H

#include <stddef.h>

extern "C" size_t wcslen(const wchar_t *);

#endif
