/* SPDX-License-Identifier: Apache-2.0
 *
 * Spinning with a limit, then a futex. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_wait.h"

#include "runtime/cpu/cpu_cost.h"
#include "runtime/deadline.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    GREEDY_NS = 5000, /* without giving way to others */
    SPINS = 64        /* between two looks at the clock */
};

static struct {
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint n;
    atomic_uint most;
} awake;

static void pause_processor(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool has_changed(const atomic_uint *number, unsigned seen, struct qn__cpu_word w)
{
    return atomic_load_explicit(number, memory_order_acquire) != seen ||
           (w.word && atomic_load_explicit(w.word, memory_order_acquire) != w.seen);
}

bool qn__cpu_spin(const atomic_uint *number, unsigned seen, struct qn__cpu_word word, uint64_t ns)
{
    const uint64_t begin = qn__cpu_now_ns();
    uint64_t passed = 0;
    do {
        for (int i = 0; i < SPINS; i++) {
            if (has_changed(number, seen, word))
                return true;
            pause_processor();
        }
        if (passed > GREEDY_NS)
            sched_yield();
        passed = qn__cpu_now_ns() - begin;
    } while (passed < ns);
    return false;
}

static long futex(atomic_uint *word, int what, unsigned value, const struct timespec *limit)
{
    return syscall(SYS_futex, word, what | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
}

void qn__cpu_sleep(atomic_uint *number, unsigned seen, uint64_t ns)
{
    const struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000),
                                   .tv_nsec = (long)(ns % 1000000000)};
    futex(number, FUTEX_WAIT, seen, ns == QN__FOREVER ? NULL : &limit);
}

void qn__cpu_wake(atomic_uint *number)
{
    futex(number, FUTEX_WAKE, 1, NULL);
}

void qn__cpu_wake_all(atomic_uint *number)
{
    futex(number, FUTEX_WAKE, INT32_MAX, NULL);
}

void qn__cpu_awake_limit(uint32_t n)
{
    atomic_store(&awake.most, n);
}

void qn__cpu_awake_forget(void)
{
    atomic_store(&awake.n, 0);
}

void qn__cpu_await(atomic_uint *number, unsigned seen, struct qn__cpu_word word,
                   atomic_uint *sleepers, uint64_t ns)
{
    if (atomic_fetch_add(&awake.n, 1) < atomic_load_explicit(&awake.most, memory_order_relaxed)) {
        const uint64_t most = ns < QN__CPU_AWAKE_NS ? ns : QN__CPU_AWAKE_NS;
        const bool changed = qn__cpu_spin(number, seen, word, most);
        atomic_fetch_sub(&awake.n, 1);
        if (changed)
            return;
    } else {
        atomic_fetch_sub(&awake.n, 1);
    }
    atomic_fetch_add(sleepers, 1); /* before the number is looked at, by the kernel */
    qn__cpu_sleep(number, seen, ns);
    atomic_fetch_sub(sleepers, 1);
}
