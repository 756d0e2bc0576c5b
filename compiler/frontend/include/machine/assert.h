/* SPDX-License-Identifier: Apache-2.0
 *
 * Assertions of device code need ours, also among the machine's headers. */
#pragma clang system_header
#include <std/assert.h>
