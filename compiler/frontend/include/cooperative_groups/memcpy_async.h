/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy_async() and wait() are in cooperative_groups.h.
 */
#pragma clang system_header
#include <cooperative_groups.h>
