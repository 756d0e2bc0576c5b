/* SPDX-License-Identifier: Apache-2.0
 *
 * What fork() must find in order. A program may fork at any moment, also while other threads of it
 * are in the library; the child has only the thread that called fork(), and may use the library at
 * once. A part of the library that has a lock or threads' work in its hands says so here:
 *
 *     QN__FORK_PART(&table.lock, forget_flights)
 *
 * The lock is held while fork() runs, so what it guards is whole in the child, and it is free there
 * afterwards. Then the function, which may be NULL, puts away what belongs to the parent. Only
 * locks that are held for moments may be named: fork() waits for them. For one that is held for
 * long, name NULL, let what it guards be whole at every moment, and make it anew in the function.
 */
#ifndef QN_BASE_FORKS_H
#define QN_BASE_FORKS_H

#include <pthread.h>

struct qn__fork_part {
    struct qn__fork_part *next;
    pthread_mutex_t *lock;
    void (*in_child)(void);
};

void qn__fork_add(struct qn__fork_part *part);

#define QN__FORK_PART(lock, in_child)                                                              \
    __attribute__((constructor)) static void watch_forks(void)                                     \
    {                                                                                              \
        static struct qn__fork_part part = {NULL, lock, in_child};                                 \
        qn__fork_add(&part);                                                                       \
    }

#endif
