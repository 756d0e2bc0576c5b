/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_PTHREAD_H
#define QN_STD_PTHREAD_H

#include <sys/types.h>

typedef unsigned long pthread_t;
typedef struct {
    long data[7];
} pthread_attr_t;
typedef struct {
    long data[5];
} pthread_mutex_t;
typedef struct {
    long data[6];
} pthread_cond_t;
typedef struct {
    long data[4];
} pthread_barrier_t;
#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
    }
#define PTHREAD_COND_INITIALIZER                                                                   \
    {                                                                                              \
    }
extern "C" {
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
void pthread_exit(void *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const void *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrier_destroy(pthread_barrier_t *);
}

#endif
