/* SPDX-License-Identifier: Apache-2.0
 *
 * thrust::pair, which is the standard's. */
#pragma clang system_header
#ifndef QN_STANDIN_THRUST_PAIR
#define QN_STANDIN_THRUST_PAIR

#include <utility>

namespace thrust
{
using std::get;
using std::make_pair;
using std::pair;
using std::tuple_element;
using std::tuple_size;
} // namespace thrust

#endif
