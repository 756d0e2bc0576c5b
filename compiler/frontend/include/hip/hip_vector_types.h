/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector types and their operators.
 */
#pragma clang system_header
#include <hip/hip_vector_operators.h>
