/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a command in a process of its own, because what it runs may end it: on a CPU a kernel is
 * code of the process, and some drivers end it for their users. The process that was started waits
 * and says what happened. */
#ifndef QN_TOOLS_OWN_PROCESS_H
#define QN_TOOLS_OWN_PROCESS_H

/* Fork and run; returns the exit status in both processes. When a signal ends the command, it is a
 * complaint: "<name>: <subject>: ended by SIGSEGV (...) while ..." and QN__EXIT_FAILED. Must be
 * called before a device is opened or a thread started. */
int qn__in_own_process(int (*run)(const void *values), const void *values, const char *name,
                       const char *subject);

/* For the one who waits: what the command does from now on ("building it for opencl:0"), and what
 * to do if that ends the process ("" for nothing). */
void qn__own_process_does(const char *what, const char *advice);

#endif
