/* SPDX-License-Identifier: Apache-2.0
 *
 * How many threads a grid is worth. Each one more makes the threads' meeting longer by what it
 * takes to reach one, and their work shorter; both are measured while grids run, on this machine.
 */
#ifndef QN_RUNTIME_CPU_COST_H
#define QN_RUNTIME_CPU_COST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct qn__cpu_cost {          /* of a kernel; zeros: not known */
    atomic_uint block_64ths;   /* of a nanosecond, that a block takes */
    atomic_uint n_till_sample; /* launches */
};

/* Into how many parts a grid is best cut, at most `most`. */
uint32_t qn__cpu_cost_parts(const struct qn__cpu_cost *cost, uint64_t n_blocks, uint32_t most);

/* Is this launch to be measured? Some are, as clocks cost, too; each that gets fewer threads than
 * it could is, as it may have more to do than the last one. */
bool qn__cpu_cost_is_due(struct qn__cpu_cost *cost, bool has_fewer);

/* So many blocks took so long, one after the other. */
void qn__cpu_cost_note(struct qn__cpu_cost *cost, uint64_t n_blocks, uint64_t ns);

/* The last of n_parts threads began so long after the grid was dealt out. */
void qn__cpu_meeting_note(uint32_t n_parts, uint64_t ns);

uint64_t qn__cpu_now_ns(void);

#endif
