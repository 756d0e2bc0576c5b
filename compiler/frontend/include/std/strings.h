/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything is in string.h. */
#pragma clang system_header
#include <string.h>
