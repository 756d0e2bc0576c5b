/* SPDX-License-Identifier: Apache-2.0
 *
 * The scans are in cooperative_groups.h.
 */
#pragma clang system_header
#include <cooperative_groups.h>
