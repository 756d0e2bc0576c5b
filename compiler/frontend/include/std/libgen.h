/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of paths. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_LIBGEN_H
#define QN_STD_LIBGEN_H

extern "C" {
char *basename(char *);
char *dirname(char *);
}

#endif
