/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_early.cuh: kernels that begin before the one in front of them has ended
 * (qn_stream_launch_early): what they do before the wait may read only what no kernel of the stream
 * writes, and write nothing. Elsewhere both calls are nothing. */
#ifndef QUERN_EARLY_CUH
#define QUERN_EARLY_CUH

#include "quern_kernel.cuh"

#if defined(QK_NVIDIA) && __CUDA_ARCH__ >= 900
#define QK_STARTS_EARLY 1
#else
#define QK_STARTS_EARLY 0
#endif

/* By all blocks: the next launch's blocks may take what room there is. */
QK_DEVICE void qk_next_may_start()
{
#if QK_STARTS_EARLY
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* All that was queued before has ended, and is seen. */
QK_DEVICE void qk_wait_for_previous()
{
#if QK_STARTS_EARLY
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#endif
