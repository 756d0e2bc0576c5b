/* SPDX-License-Identifier: Apache-2.0
 *
 * What the plans of launches share: launch_plan.c, tiles.c, product.c. */
#ifndef QN_KERNELS_LAUNCH_SIZES_H
#define QN_KERNELS_LAUNCH_SIZES_H

#include <quern/device.h>
#include <stdint.h>

/* a / b, rounded up. */
static inline uint64_t qn__ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Threads that a wave has in kernels/: one on a processor (quern_kernel.cuh), whatever its warps
 * are. */
static inline uint32_t qn__kernel_wave(const qn_device_info *dev)
{
    return dev->device_class == QN_DEVICE_CPU || dev->wave_width == 0 ? 1 : dev->wave_width;
}

#endif
