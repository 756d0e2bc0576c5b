/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver (fail_calls.c) and the wrapped calls (wrapped_calls.c) share: one page of a file
 * that QN_FAULTS names. Without it the programs run as ever. */
#ifndef QN_TESTS_FAULTS_H
#define QN_TESTS_FAULTS_H

#include <stdatomic.h>
#include <stdint.h>

/* Calls that fail in one way: name, error, in words. */
#define FAULT_CLASSES(X)                                                                           \
    X(ALLOCATE, "allocation")                                                                      \
    X(OPEN, "open")                                                                                \
    X(READ, "read")                                                                                \
    X(SHORT_READ, "short read")                                                                    \
    X(WRITE, "write")                                                                              \
    X(SHORT_WRITE, "short write")                                                                  \
    X(RENAME, "rename or mkdir")                                                                   \
    X(SYNC, "fsync or truncate")                                                                   \
    X(MAP, "mmap")                                                                                 \
    X(LOOK, "stat or access")                                                                      \
    X(LOCK, "lock or fcntl")                                                                       \
    X(START, "process, thread or pipe")                                                            \
    X(SOCKET, "socket")

enum fault_class {
#define X(name, words) FAULT_##name,
    FAULT_CLASSES(X)
#undef X
        N_FAULT_CLASSES
};
enum fault_mode { FAULT_COUNT, FAULT_ONCE, FAULT_FROM_THEN_ON };

struct faults {
    char program[32]; /* only in processes of this name */
    int what, mode;   /* of enum fault_class, enum fault_mode */
    uint32_t number;  /* the first is 1; over all processes of that name together */
    atomic_uint counted[N_FAULT_CLASSES];
    atomic_uint failed;           /* calls that did fail */
    atomic_uint_least64_t caller; /* of the first: where it returns to, from the program's start */
    char call[32];                /* its name */
};

#endif
