/* SPDX-License-Identifier: Apache-2.0
 *
 * Every header, so that a test can list what they declare. */
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <hip/hip_runtime.h>
#include <mma.h>
#include <quern_lanes.h>
