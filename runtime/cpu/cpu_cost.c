/* SPDX-License-Identifier: Apache-2.0
 *
 * With P threads a grid of work W takes W / P + P * m, where m is what one more thread adds to a
 * meeting; that is least where P is the root of W / m. Work is rather taken for too much than for
 * too little: a thread too many costs the others little, one too few costs its whole share. So m
 * follows the short times, of threads that were awake and had not been interrupted, and W the long
 * ones; and the same kernel may have had less to do the last time. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_cost.h"

#include <time.h>

enum {
    EVERY = 16,   /* launches of a kernel from one measurement to the next */
    FRACTION = 64 /* of a nanosecond */
};

static atomic_uint meeting; /* m, in 64ths of a nanosecond; 0: not known */

uint64_t qn__cpu_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint32_t qn__cpu_cost_parts(const struct qn__cpu_cost *cost, uint64_t n_blocks, uint32_t most)
{
    const uint64_t block = atomic_load_explicit(&cost->block_64ths, memory_order_relaxed);
    const uint64_t one = atomic_load_explicit(&meeting, memory_order_relaxed);
    if (!block || !one || n_blocks > UINT32_MAX || block * n_blocks / one >= (uint64_t)most * most)
        return most;
    uint32_t n = 1;
    while ((uint64_t)(n + 1) * (n + 1) * one <= block * n_blocks)
        n++;
    return n < most ? n : most;
}

bool qn__cpu_cost_is_due(struct qn__cpu_cost *cost, bool has_fewer)
{
    const unsigned n = atomic_load_explicit(&cost->n_till_sample, memory_order_relaxed);
    atomic_store_explicit(&cost->n_till_sample, n ? n - 1 : EVERY - 1, memory_order_relaxed);
    return n == 0 || has_fewer;
}

static unsigned bounded(uint64_t x)
{
    return x < 1 ? 1 : x < UINT32_MAX ? (unsigned)x : UINT32_MAX;
}

void qn__cpu_cost_note(struct qn__cpu_cost *cost, uint64_t n_blocks, uint64_t ns)
{
    const unsigned now = bounded(ns * FRACTION / n_blocks);
    const unsigned before = atomic_load_explicit(&cost->block_64ths, memory_order_relaxed);
    const unsigned next = now > before ? now : before - (before - now) / 4;
    atomic_store_explicit(&cost->block_64ths, next, memory_order_relaxed);
}

void qn__cpu_meeting_note(uint32_t n_parts, uint64_t ns)
{
    const unsigned now = bounded(ns * FRACTION / n_parts);
    const unsigned before = atomic_load_explicit(&meeting, memory_order_relaxed);
    unsigned next = now;
    if (before && now > before) /* by an interruption, or since more of them meet */
        next = before + (now - before < before ? now - before : before) / 16;
    atomic_store_explicit(&meeting, next ? next : 1, memory_order_relaxed);
}
