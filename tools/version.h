/* SPDX-License-Identifier: Apache-2.0
 *
 * The version, and the list of compilers, as the program prints them. */
#ifndef QN_TOOLS_VERSION_H
#define QN_TOOLS_VERSION_H

/* Version of the library and every compiler that was looked for. Returns the exit status. */
int qn__print_version(void);

/* The rows of qn_compilers(), one a line; on stdout. Returns the exit status. */
int qn__print_compilers(void);

#endif
