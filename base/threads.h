/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library owes the threads and signals of the program around it. */
#ifndef QN_BASE_THREADS_H
#define QN_BASE_THREADS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* pthread_create() for a thread of ours: no signal that is sent to the process is delivered to it.
 * False: there is none. */
bool qn__thread_start(pthread_t *out, void *(*run)(void *), void *payload);

/* Between the two, writing to a closed pipe or beyond the limit on files is an error and no signal,
 * in this thread alone. */
struct qn__quiet {
    sigset_t before;
    bool pipe_waited, size_waited; /* such a signal was pending already, and stays so */
};
void qn__quiet_begin(struct qn__quiet *q);
void qn__quiet_end(const struct qn__quiet *q); /* errno stays */

/* Until the end of the block, pthread_cancel() waits: a thread that vanished in the middle would
 * leave locks, and others that wait for its result. Begins a public function that waits or locks.
 */
#define QN__NOT_CANCELLED                                                                          \
    __attribute__((cleanup(qn__cancel_restore))) const int qn__cancel_before = qn__cancel_disable()
int qn__cancel_disable(void);
void qn__cancel_restore(const int *before);

#endif
