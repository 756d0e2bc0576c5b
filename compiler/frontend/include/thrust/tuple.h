/* SPDX-License-Identifier: Apache-2.0
 *
 * thrust::tuple, which is the standard's. */
#pragma clang system_header
#ifndef QN_STANDIN_THRUST_TUPLE
#define QN_STANDIN_THRUST_TUPLE

#include <thrust/pair.h>
#include <tuple>

namespace thrust
{
using std::get; /* pair.h named those that were declared there */
using std::ignore;
using std::make_tuple;
using std::tie;
using std::tuple;
struct null_type {
};
} // namespace thrust

#endif
