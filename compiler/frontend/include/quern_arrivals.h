/* SPDX-License-Identifier: Apache-2.0
 *
 * What threads that wait for one another share: barriers, latches, semaphores, stages of a
 * pipeline.
 *
 * A device may take its work-items one after another up to the next barrier of the group, as a CPU
 * does, and then no loop can wait for another work-item. So a wait is a barrier of the group, which
 * all of its work-items reach (compiler/stmt/flatten.c), also those that do not wait here; what the
 * source has before the wait, whoever does it, is then done. If the arrivals waited for are still
 * missing they come later in the source, or from another group, and would never come: the wait
 * fails, as an assertion of the line in which the source waits. NVIDIA's devices run their threads
 * independently of each other; there it is a loop.
 */
#pragma clang system_header
#ifndef QN_STANDIN_ARRIVALS
#define QN_STANDIN_ARRIVALS

#include <quern_atomic_object.h>

/* The line in which the source calls a function that waits. */
#define QN__WAITS_AT const char *qn_file = __builtin_FILE(), int qn_line = __builtin_LINE()

#define QN__SYNC static __host__ __device__ inline __attribute__((always_inline))
#define QN__TEST __attribute__((host, device, always_inline))

/* In a loop that is not to be warned of. */
__device__ void __qn_may_spin() __asm__("__qn_may_spin");

namespace __qn_sync
{

typedef long count;

static constexpr const char *late = "waits for threads that arrive further down, or in another "
                                    "block: let all arrive before any waits";

/* Until `done()` is true. */
template <int Scope, class Done>
QN__SYNC void wait(Done done, const char *what, const char *file, int line)
{
#ifdef QUERN_HAS_PTX
    while (!done())
        __qn_may_spin();
#else
    __syncthreads();
    if (!done())
        __assert_fail(what, file, (unsigned int)line, what);
#endif
    __qn_atomics::fence<Scope>();
}

/* How many arrivals are missing, and above that the phase; and how many each phase has. It is as
 * large as the barrier of a block is on NVIDIA's devices. */
template <int Scope> struct arrivals {
    enum : unsigned { BITS = 20, MISSING = (1u << BITS) - 1 };
    unsigned state, expected;

    QN__SYNC void start(arrivals *a, count n)
    {
        a->state = a->expected = (unsigned)n;
    }
    /* The phase; the last one to arrive calls `complete` before it ends. */
    template <class Complete>
    QN__ATOMIC_METHOD unsigned arrive(count n, Complete complete, const char *file, int line)
    {
        __qn_atomics::fence<Scope>();
        const unsigned old = atomicSub(&state, (unsigned)n), missing = old & MISSING;
        if (missing < (unsigned)n)
            __assert_fail("no more arrivals than the barrier expects", file, (unsigned int)line,
                          "");
        if (missing == (unsigned)n) {
            __qn_atomics::fence<Scope>();
            complete();
            const unsigned next = *(volatile unsigned *)&expected;
            __qn_atomics::fence<Scope>();
            atomicExch(&state, ((old >> BITS) + 1) << BITS | next);
        }
        return old >> BITS;
    }
    QN__ATOMIC_METHOD void drop()
    {
        __qn_atomics::fence<Scope>();
        atomicSub(&expected, 1u);
    }
    QN__ATOMIC_METHOD unsigned phase() const
    {
        return *(const volatile unsigned *)&state >> BITS;
    }
    QN__ATOMIC_METHOD void wait_past(unsigned of, const char *file, int line) const
    {
        wait<Scope>([this, of]() QN__TEST { return phase() != of; }, late, file, line);
    }
    QN__ATOMIC_METHOD void wait_parity(unsigned parity, const char *file, int line) const
    {
        wait<Scope>([this, parity]() QN__TEST { return (phase() & 1) != parity; }, late, file,
                    line);
    }
};

} // namespace __qn_sync

#endif
