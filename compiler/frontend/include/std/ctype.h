/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_CTYPE_H
#define QN_STD_CTYPE_H

extern "C" {
int isalnum(int);
int isalpha(int);
int isdigit(int);
int islower(int);
int isprint(int);
int ispunct(int);
int isspace(int);
int isupper(int);
int isxdigit(int);
int tolower(int);
int toupper(int);
}

#endif
