/* SPDX-License-Identifier: Apache-2.0
 *
 * NVTX. */
#pragma clang system_header
#include <nvToolsExt.h>
