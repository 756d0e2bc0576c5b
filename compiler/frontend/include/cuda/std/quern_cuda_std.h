/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda::std is the standard library for device code; here that is what std is. */
#pragma clang system_header
#ifndef QN_STANDIN_CUDA_STD
#define QN_STANDIN_CUDA_STD

namespace std
{
}
namespace cuda
{
namespace std = ::std;
}

#endif
