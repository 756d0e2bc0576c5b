/* SPDX-License-Identifier: Apache-2.0
 *
 * thrust::tuple. In a kernel alone it is the standard's. In a program that `quern cc` builds both
 * halves must agree where its members lie, and the host's standard library has an order of its
 * own, so there it is a type of ours. */
#pragma clang system_header
#ifndef QN_STANDIN_THRUST_TUPLE
#define QN_STANDIN_THRUST_TUPLE

#include <thrust/pair.h>
#include <tuple>

#ifdef __QUERN_CC__
#include <thrust/quern_thrust_tuple.h>
#else
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

#endif
