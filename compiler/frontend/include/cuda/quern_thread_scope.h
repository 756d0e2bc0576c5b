/* SPDX-License-Identifier: Apache-2.0
 *
 * Which threads an object of libcu++ is shared by. */
#pragma clang system_header
#ifndef QN_STANDIN_THREAD_SCOPE
#define QN_STANDIN_THREAD_SCOPE

#include <cuda/std/quern_cuda_std.h>
#include <quern_atomic_object.h>

namespace cuda
{

enum thread_scope {
    thread_scope_system = __qn_atomics::SYSTEM,
    thread_scope_device = __qn_atomics::DEVICE,
    thread_scope_block = __qn_atomics::BLOCK,
    thread_scope_thread = __qn_atomics::THREAD
};

} // namespace cuda

#endif
