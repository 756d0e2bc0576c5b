/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of Thrust, for programs that `quern cc` builds. */
#pragma clang system_header
#ifdef __QUERN_CC__
#include <thrust/quern_thrust_iterators.h>
#endif
