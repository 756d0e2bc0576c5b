/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for another thread: awake for a moment, because falling asleep and being woken costs tens
 * of microseconds, then asleep. */
#ifndef QN_RUNTIME_CPU_WAIT_H
#define QN_RUNTIME_CPU_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    QN__CPU_LINE_BYTES = 64,     /* what one thread writes lies so far from what others do */
    QN__CPU_AWAKE_NS = 50 * 1000 /* how long that moment is */
};

/* A word that stands still until another thread is done with something. */
struct qn__cpu_word {
    const _Atomic uint64_t *word; /* NULL: none */
    uint64_t seen;
};

/* Awake: has the number or the word changed within that time? */
bool qn__cpu_spin(const atomic_uint *number, unsigned seen, struct qn__cpu_word word, uint64_t ns);

/* Asleep, at most `ns` (QN__FOREVER: no limit) and not at all if the number is not `seen` any more;
 * returns for no reason as well. */
void qn__cpu_sleep(atomic_uint *number, unsigned seen, uint64_t ns);
void qn__cpu_wake(atomic_uint *number);

/* For any thread: both, one after the other, unless there are as many awake as may be. `sleepers`
 * counts those asleep; who changes the number wakes them. */
void qn__cpu_await(atomic_uint *number, unsigned seen, struct qn__cpu_word word,
                   atomic_uint *sleepers, uint64_t ns);
void qn__cpu_wake_all(atomic_uint *number);

/* How many threads may wait awake in qn__cpu_await() at once; 0 until it is said. */
void qn__cpu_awake_limit(uint32_t n);
void qn__cpu_awake_forget(void); /* in a forked child: none waits */

#endif
