/* SPDX-License-Identifier: Apache-2.0
 *
 * libcu++'s asynchronous copies, which become copies where they are asked for: nobody may look at
 * what was copied before they have waited for it. */
#pragma clang system_header
#ifndef QN_STANDIN_MEMCPY_ASYNC
#define QN_STANDIN_MEMCPY_ASYNC

#include <quern_arrivals.h>

/* Refused: bulk copies count bytes in a barrier. */
__device__ void __qn_bulk_copy() __asm__("__qn_bulk_copy");

namespace cuda
{

/* A number of bytes, and what the addresses and the number are multiples of. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ constexpr explicit aligned_size_t(size_t n) : value(n)
    {
    }
    __host__ __device__ constexpr operator size_t() const
    {
        return value;
    }
};

} // namespace cuda

namespace __qn_sync
{

template <size_t Alignment> struct copied {
    typedef unsigned char type;
};
template <> struct copied<4> {
    typedef unsigned int type;
};
template <> struct copied<8> {
    typedef uint2 type;
};
template <> struct copied<16> {
    typedef uint4 type;
};
/* Elements, or as many bytes as the addresses are multiples of. */
template <class T, class Size> struct piece {
    typedef T type;
};
template <class Size> struct piece<void, Size> {
    typedef unsigned char type;
};
template <size_t Alignment> struct piece<void, cuda::aligned_size_t<Alignment>> {
    typedef typename copied<(Alignment > 16 ? 16 : Alignment)>::type type;
};

/* The last bytes, which make no whole piece. */
template <size_t Piece> QN__SYNC void copy_rest(void *to, const void *from, size_t bytes)
{
    if constexpr (Piece > 1)
        for (size_t i = bytes / Piece * Piece; i < bytes; i++)
            ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
template <class T, class Size> QN__SYNC void copy(T *to, const T *from, Size size)
{
    typedef typename piece<T, Size>::type Piece;
    const size_t bytes = size;
    Piece *const out = (Piece *)to;
    const Piece *const in = (const Piece *)from;
    static_assert(__is_trivially_copyable(Piece), "memcpy_async copies bytes");
    if (bytes == sizeof(Piece)) {
        *out = *in;
        return;
    }
    for (size_t i = 0; i < bytes / sizeof(Piece); i++)
        out[i] = in[i];
    copy_rest<sizeof(Piece)>(to, from, bytes);
}
/* All threads of the group share it. */
template <class Group, class T, class Size>
QN__SYNC void copy_by(const Group &g, T *to, const T *from, Size size)
{
    typedef typename piece<T, Size>::type Piece;
    const size_t bytes = size;
    Piece *const out = (Piece *)to;
    const Piece *const in = (const Piece *)from;
    static_assert(__is_trivially_copyable(Piece), "memcpy_async copies bytes");
    for (size_t i = g.thread_rank(); i < bytes / sizeof(Piece); i += g.size())
        out[i] = in[i];
    if (g.thread_rank() == 0)
        copy_rest<sizeof(Piece)>(to, from, bytes);
}

} // namespace __qn_sync

#endif
