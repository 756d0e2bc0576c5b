/* SPDX-License-Identifier: Apache-2.0
 *
 * reduce() is in cooperative_groups.h.
 */
#pragma clang system_header
#include <cooperative_groups.h>
