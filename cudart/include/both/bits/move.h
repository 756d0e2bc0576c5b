/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's own, for kernels as well: libstdc++ before C++20 has no constexpr on assignments
 * and swaps, and clang lets kernels call what is constexpr alone. What it includes stays as it is.
 */
#pragma GCC system_header
#include <type_traits>
#pragma clang force_cuda_host_device begin
#include_next <bits/move.h>
#pragma clang force_cuda_host_device end
