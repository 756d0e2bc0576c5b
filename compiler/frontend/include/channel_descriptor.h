/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures are in the prelude.
 */
#pragma clang system_header
#include <quern_prelude.h>
#include <vector_types.h>
