/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread sleeps on a word of its own and says so with its bit. As long as jobs follow each
 * other closely nobody sleeps, and announcing one writes the epoch alone. Whoever announces wakes
 * two, and each that was woken two more, so that many are awake soon and nobody has to wake all. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_sleepers.h"

#include "base/forks.h"
#include "runtime/deadline.h"

#include <stddef.h>

enum { BITS = 64, WORDS = QN__CPU_THREADS_MAX / BITS, AT_ONCE = 2 };

static struct {
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint epoch;
    atomic_uint wanted; /* threads, by the last job */
    _Alignas(QN__CPU_LINE_BYTES) atomic_uint n_asleep;
    _Atomic uint64_t asleep[WORDS];
    struct place {
        _Alignas(QN__CPU_LINE_BYTES) atomic_uint word; /* changes when the thread is woken */
    } places[QN__CPU_THREADS_MAX];
} all;

static void forget_sleepers(void) /* in a forked child there are none */
{
    atomic_store(&all.n_asleep, 0);
    for (size_t i = 0; i < WORDS; i++)
        atomic_store(&all.asleep[i], 0);
}
QN__FORK_PART(NULL, forget_sleepers)

atomic_uint *qn__cpu_epoch(void)
{
    return &all.epoch;
}

static uint64_t bit_of(uint32_t number)
{
    return UINT64_C(1) << number % BITS;
}

/* False: it was awake, or somebody else has woken it. */
static bool wake_one(uint32_t number)
{
    if (!(atomic_fetch_and(&all.asleep[number / BITS], ~bit_of(number)) & bit_of(number)))
        return false;
    atomic_fetch_add(&all.places[number].word, 1);
    qn__cpu_wake(&all.places[number].word);
    return true;
}

/* Two of the first `end` threads that sleep. */
static bool wake_some(uint32_t end)
{
    uint32_t woken = 0;
    for (uint32_t i = 0; i * BITS < end; i++) {
        uint64_t bits = atomic_load(&all.asleep[i]);
        for (; bits && woken < AT_ONCE; bits &= bits - 1) {
            const uint32_t number = i * BITS + (uint32_t)__builtin_ctzll(bits);
            woken += number < end && wake_one(number);
        }
    }
    return woken > 0;
}

void qn__cpu_announce(uint32_t wanted, bool may_be_busy)
{
    atomic_store_explicit(&all.wanted, wanted, memory_order_relaxed);
    atomic_fetch_add(&all.epoch, 1);
    if (atomic_load(&all.n_asleep) && !wake_some(wanted) && may_be_busy)
        wake_some(QN__CPU_THREADS_MAX);
}

void qn__cpu_fall_asleep(uint32_t number, unsigned seen)
{
    atomic_uint *const word = &all.places[number].word;
    const unsigned before = atomic_load(word);
    atomic_fetch_add(&all.n_asleep, 1);
    atomic_fetch_or(&all.asleep[number / BITS], bit_of(number));
    /* Who announces counts the epoch first and looks for those asleep then. */
    if (atomic_load(&all.epoch) == seen)
        qn__cpu_sleep(word, before, QN__FOREVER);
    atomic_fetch_and(&all.asleep[number / BITS], ~bit_of(number));
    atomic_fetch_sub(&all.n_asleep, 1);
    wake_some(atomic_load_explicit(&all.wanted, memory_order_relaxed));
}
