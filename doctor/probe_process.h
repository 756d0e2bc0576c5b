/* SPDX-License-Identifier: Apache-2.0
 *
 * Work in a child process, because what it loads may crash, hang, or leave something behind. */
#ifndef QN_DOCTOR_PROBE_PROCESS_H
#define QN_DOCTOR_PROBE_PROCESS_H

#include <jansson.h>

/* Fork, do the work there, and get what it returns. What ends the child, or takes longer than
 * limit_s, leaves {"crashed": "signal 11 (Segmentation fault) while libcuda.so.1 was loaded"}, with
 * the last words that it wrote on stderr under "said". Never NULL but without memory. To be called
 * before this process has threads or an open device. */
json_t *qn__child_run(json_t *(*work)(void *arg), void *arg, unsigned limit_s);

/* In the child: what it does from now on, "while it was asked for its devices". */
void qn__child_step(const char *what);

#endif
