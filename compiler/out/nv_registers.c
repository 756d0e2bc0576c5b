/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of a thread, which NVIDIA's OpenCL divides as its CUDA does and has no words for:
 *
 *     __launch_bounds__(256, 2)    65536 / (256 * 2) = 128    -cl-nv-maxrregcount=128
 *     -maxrregcount=64             64, if that is less        -cl-nv-maxrregcount=64
 *
 * The attribute reqd_work_group_size would say that blocks are that large; a bound says that they
 * are no larger. The build option holds for a whole program: the strictest bound of its kernels,
 * with which all of them start. A kernel without one may be launched in blocks of 1024 and would
 * have to be bound to 64 registers for that, or the others could not have theirs; then the driver
 * decides. */
#include "compiler/out/nv_registers.h"
#include "compiler/core/diagnose.h"

/* What NVIDIA's multiprocessors have, of a thread at most, and what they are handed out by. */
enum { ALL = 65536, MOST = 255, STEP = 8 };

/* What a kernel's launch bounds leave a thread of it. */
static uint32_t left_by_bounds(const struct qn__kernel_source *k)
{
    const uint64_t threads =
        (uint64_t)k->bound_threads * (k->bound_blocks > 1 ? k->bound_blocks : 1);
    const uint64_t n = ALL / threads / STEP * STEP;
    return n > MOST ? MOST : n < STEP ? STEP : (uint32_t)n;
}

uint32_t qn__registers_of(struct qn__unit *u)
{
    uint32_t least = MOST;
    if (!qn__profile_can(u->profile, QN__CAN_ptx))
        return 0;
    for (uint32_t i = 0; i < u->n_kernels && least; i++) {
        const struct qn__kernel_source *const k = &u->kernels[i];
        const uint32_t left = k->bound_threads ? left_by_bounds(k) : 0;
        least = left < least ? left : least;
    }
    if (u->registers_max && (!least || u->registers_max < least))
        least = u->registers_max;
    if (least)
        qn__explain(u, NULL, "launch bounds: a build option says how many registers they leave");
    return least;
}
