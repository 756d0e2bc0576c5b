/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything is in the prelude; programs that include this also get what nvcc includes on its own.
 */
#pragma clang system_header
#include <quern_host.h>
#include <quern_prelude.h>
