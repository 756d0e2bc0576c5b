/* SPDX-License-Identifier: Apache-2.0
 *
 * Signal masks and cancellation states of threads (threads.h). */
#include "base/threads.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

bool qn__thread_start(pthread_t *out, void *(*run)(void *), void *payload)
{
    sigset_t mask, before;
    /* those of a fault are for the thread that made it */
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigfillset(&mask);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&mask, faults[i]);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    const bool started = pthread_create(out, NULL, run, payload) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void both(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGPIPE);
    sigaddset(set, SIGXFSZ);
}

void qn__quiet_begin(struct qn__quiet *q)
{
    sigset_t set, pending;
    both(&set);
    pthread_sigmask(SIG_BLOCK, &set, &q->before);
    sigpending(&pending);
    q->pipe_waited = sigismember(&pending, SIGPIPE) == 1;
    q->size_waited = sigismember(&pending, SIGXFSZ) == 1;
}

/* The kernel sends both to the thread that made the call. */
static void take(int number)
{
    sigset_t one;
    const struct timespec now = {0, 0};
    sigemptyset(&one);
    sigaddset(&one, number);
    while (sigtimedwait(&one, NULL, &now) == number)
        ;
}

void qn__quiet_end(const struct qn__quiet *q)
{
    const int code = errno;
    sigset_t pending;
    sigpending(&pending);
    if (!q->pipe_waited && sigismember(&pending, SIGPIPE) == 1)
        take(SIGPIPE);
    if (!q->size_waited && sigismember(&pending, SIGXFSZ) == 1)
        take(SIGXFSZ);
    pthread_sigmask(SIG_SETMASK, &q->before, NULL);
    errno = code;
}

int qn__cancel_disable(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void qn__cancel_restore(const int *before)
{
    int ours;
    pthread_setcancelstate(*before, &ours);
}
