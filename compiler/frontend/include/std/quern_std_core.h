/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ library's parts that most of its headers need, and placement new. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_CORE_H
#define QN_STD_QUERN_STD_CORE_H

#include <quern_std_functional.h>
#include <quern_std_limits.h>
#include <quern_std_traits.h>
#include <quern_std_tuple.h>

void *operator new(size_t, const std::nothrow_t &) noexcept;
void *operator new[](size_t, const std::nothrow_t &) noexcept;
__attribute__((device)) inline void *operator new(size_t bytes, const std::nothrow_t &) noexcept
{
    return ::operator new(bytes);
}
__attribute__((device)) inline void *operator new[](size_t bytes, const std::nothrow_t &) noexcept
{
    return ::operator new[](bytes);
}
__attribute__((host, device)) inline void *operator new(size_t, void *p) noexcept
{
    return p;
}
inline void *operator new[](size_t, void *p) noexcept
{
    return p;
}

#endif
