/* SPDX-License-Identifier: Apache-2.0
 *
 * `quern launch --gdb`: the same command line in gdb. */
#ifndef QN_TOOLS_LAUNCH_GDB_H
#define QN_TOOLS_LAUNCH_GDB_H

/* Becomes gdb; returns an exit status, after a complaint, where there is none. */
int qn__launch_in_gdb(const char *file, const char *kernel);

#endif
