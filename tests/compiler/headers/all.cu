/* SPDX-License-Identifier: Apache-2.0
 *
 * Every header, so that a test can list what they declare. */
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda_fp8.h>
#include <hip/hip_runtime.h>
