/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that faults ends its launch and not the process. While a thread runs blocks it has a
 * guard; a signal that its own instruction raised goes back to where the guard was set. Everything
 * else goes to whoever handled the signal before, as if we were not there. */
#ifndef QN_RUNTIME_CPU_FAULT_H
#define QN_RUNTIME_CPU_FAULT_H

#include "runtime/cpu/cpu_watchdog.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* What went wrong. */
struct qn__cpu_fault {
    int signal;             /* 0: a failed assertion or trap, of which the rest tells */
    uint64_t address, code; /* accessed; of the instruction, or 0 */
    uint32_t line;
    char file[124], text[124];
};

struct qn__cpu_guard {
    sigjmp_buf back;
    struct qn__cpu_watched *watched; /* NULL: nobody ends it */
    bool has_failed;                 /* an assertion, which ended nothing */
    struct qn__cpu_fault fault;
};

/* Set, or with NULL lift, this thread's guard; `back` is to be set before. */
void qn__cpu_guard_set(struct qn__cpu_guard *g);
/* The guard, lifted: a fault is now the program's. NULL: there was none. */
struct qn__cpu_guard *qn__cpu_guard_lift(void);

/* Before the first kernel: handlers for the process, once, unless QUERN_CPU_FAULTS=0 or the program
 * runs under a sanitizer, whose reports are better. */
void qn__cpu_faults_begin(void);

/* A stack for this thread's handler, which a kernel that overflowed its own needs; none where the
 * program has given the thread one. *out is for the other; NULL: none was made. */
void qn__cpu_signal_stack_make(void **out);
void qn__cpu_signal_stack_drop(void *stack);

#endif
