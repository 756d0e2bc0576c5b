/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative groups.
 */
#pragma clang system_header
#include <cooperative_groups.h>
