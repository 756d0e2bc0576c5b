/* SPDX-License-Identifier: Apache-2.0
 *
 * thrust::swap. */
#pragma clang system_header
#ifndef QN_STANDIN_THRUST_SWAP
#define QN_STANDIN_THRUST_SWAP

#include <utility>

namespace thrust
{
using std::swap;
} // namespace thrust

#endif
