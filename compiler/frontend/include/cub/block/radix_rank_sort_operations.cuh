/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys as unsigned integers in the same order, and single bits of them. */
#pragma clang system_header
#ifndef QN_STANDIN_CUB_RADIX
#define QN_STANDIN_CUB_RADIX

#include <cub/util_ptx.cuh>

#include <tuple>

namespace cub
{

template <int bytes> struct qn_bits_of;
template <> struct qn_bits_of<1> {
    typedef unsigned char type;
};
template <> struct qn_bits_of<2> {
    typedef unsigned short type;
};
template <> struct qn_bits_of<4> {
    typedef unsigned int type;
};
template <> struct qn_bits_of<8> {
    typedef unsigned long long type;
};

/* Kept bit by bit: integers are as they are but for the sign, floating-point numbers are turned
 * around where they are negative. Both zeros count as one number, in each direction as the one
 * that comes first. NaNs lie beyond the infinities of their sign. */
template <class T> struct Traits {
    typedef typename qn_bits_of<sizeof(T)>::type UnsignedBits;
    static constexpr UnsignedBits HIGH = (UnsignedBits)((UnsignedBits)1 << (sizeof(T) * 8 - 1));
    static constexpr bool IS_INTEGER = std::is_integral<T>::value;
    static constexpr bool IS_SIGNED = IS_INTEGER && T(-1) < T(0);

    __host__ __device__ static UnsignedBits TwiddleIn(UnsignedBits key)
    {
        if constexpr (!IS_INTEGER)
            return key ^ (key & HIGH ? (UnsignedBits) ~(UnsignedBits)0 : HIGH);
        else
            return IS_SIGNED ? (UnsignedBits)(key ^ HIGH) : key;
    }
    __host__ __device__ static UnsignedBits TwiddleOut(UnsignedBits key)
    {
        if constexpr (!IS_INTEGER)
            return key ^ (key & HIGH ? HIGH : (UnsignedBits) ~(UnsignedBits)0);
        else
            return IS_SIGNED ? (UnsignedBits)(key ^ HIGH) : key;
    }
    __device__ __forceinline__ static UnsignedBits qn_ordered(const T &key, bool descending)
    {
        UnsignedBits bits;
        __builtin_memcpy(&bits, &key, sizeof bits);
        bits = TwiddleIn(bits);
        if constexpr (!IS_INTEGER) {
            const UnsignedBits minus_zero = HIGH - 1;
            if (descending ? bits == HIGH : bits == minus_zero)
                bits = descending ? minus_zero : HIGH;
        }
        return bits;
    }
};

/* Bit `at` of a key. */
struct qn_whole_key {
    template <class T>
    __device__ __forceinline__ static bool bit(const T &key, int at, bool descending)
    {
        return Traits<T>::qn_ordered(key, descending) >> at & 1;
    }
};

/* Of a key that `decomposer` makes a tuple of references of: the last one has the lowest bits. */
template <class Decomposer> struct qn_decomposed_key {
    Decomposer decomposer;
    template <int n, class Parts>
    __device__ __forceinline__ static bool bit_of(const Parts &parts, int at, bool descending)
    {
        typedef std::decay_t<decltype(std::get<n>(parts))> Part;
        const int bits = (int)sizeof(Part) * 8;
        if constexpr (n > 0)
            if (at >= bits)
                return bit_of<n - 1>(parts, at - bits, descending);
        return qn_whole_key::bit<Part>(std::get<n>(parts), at, descending);
    }
    template <int n, class Parts> static constexpr int bits_of()
    {
        if constexpr (n < 0)
            return 0;
        else
            return bits_of<n - 1, Parts>() +
                   (int)sizeof(std::decay_t<decltype(std::get<n>(std::declval<Parts>()))>) * 8;
    }
    template <class T> static constexpr int bits()
    {
        typedef std::decay_t<decltype(std::declval<Decomposer>()(std::declval<T &>()))> Parts;
        return bits_of<(int)std::tuple_size<Parts>::value - 1, Parts>();
    }
    template <class T> __device__ __forceinline__ bool bit(T &key, int at, bool descending)
    {
        const auto parts = decomposer(key);
        typedef std::decay_t<decltype(parts)> Parts;
        return bit_of<(int)std::tuple_size<Parts>::value - 1>(parts, at, descending);
    }
};

} // namespace cub

#endif
