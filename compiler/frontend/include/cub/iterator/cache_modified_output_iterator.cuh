/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of CUB. */
#pragma clang system_header
#include <cub/cub.cuh>
