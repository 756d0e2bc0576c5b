/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's sorts of a whole device. All of them are the stable merge sort; a radix sort compares the
 * bits that it was told to, turned so that integers and floats are in order. */
#pragma clang system_header
#ifndef QN_CUB_DEVICE_SORT
#define QN_CUB_DEVICE_SORT

#include <cub/device/quern_cub_reduce.h>
#include <wide/quern_wide_sort.h>

namespace cub
{

namespace __qn
{
template <size_t n> struct bits_of;
template <> struct bits_of<1> {
    typedef unsigned char type;
};
template <> struct bits_of<2> {
    typedef unsigned short type;
};
template <> struct bits_of<4> {
    typedef unsigned int type;
};
template <> struct bits_of<8> {
    typedef unsigned long long type;
};

/* Keys by the bits from `begin` to `end`. */
template <class K, bool descending> struct radix_less {
    typedef typename bits_of<sizeof(K)>::type Bits;
    static constexpr int width = 8 * sizeof(K);
    static constexpr Bits top = (Bits)((Bits)1 << (width - 1));
    int begin;
    Bits mask;
    radix_less(int b, int end)
        : begin(b), mask(end - b >= width ? (Bits) ~(Bits)0 : (Bits)(((Bits)1 << (end - b)) - 1))
    {
    }
    __device__ Bits digits(const K &k) const
    {
        Bits bits;
        __builtin_memcpy(&bits, &k, sizeof bits);
        if constexpr (std::is_integral_v<K> || std::is_enum_v<K>) {
            if constexpr (std::is_signed_v<K>)
                bits ^= top;
        } else { /* floats of any width: -0 counts as 0 */
            if (bits == top)
                bits = 0;
            bits ^= (bits & top) ? (Bits) ~(Bits)0 : top;
        }
        return (Bits)((Bits)(bits >> begin) & mask);
    }
    __device__ bool operator()(const K &a, const K &b) const
    {
        return descending ? digits(b) < digits(a) : digits(a) < digits(b);
    }
};

template <class K, class V, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut,
          class Less>
inline cudaError_t sorted(void *temp, size_t &bytes, KeysIn keys_in, KeysOut keys_out,
                          ValuesIn values_in, ValuesOut values_out, size_t n, Less less,
                          cudaStream_t stream)
{
    __qn_wide::workspace w(temp);
    const __qn_wide::sort_room<K, V> room(w, n);
    cudaError_t error;
    if (is_question(temp, bytes, w, &error))
        return error;
    return __qn_wide::sort_copy<K, V>(stream, room, n, keys_in, values_in, keys_out, values_out,
                                      less);
}
typedef __qn_wide::no_value none;
} // namespace __qn

struct DeviceRadixSort {
#define QN__CUB_SORT(suffix, descending)                                                           \
    template <class K, class V, class N>                                                           \
    static cudaError_t SortPairs##suffix(void *temp, size_t &bytes, const K *keys_in, K *keys_out, \
                                         const V *values_in, V *values_out, N n, int begin = 0,    \
                                         int end = 8 * sizeof(K), cudaStream_t stream = 0)         \
    {                                                                                              \
        return __qn::sorted<K, V>(temp, bytes, keys_in, keys_out, values_in, values_out,           \
                                  (size_t)n, __qn::radix_less<K, descending>(begin, end), stream); \
    }                                                                                              \
    template <class K, class N>                                                                    \
    static cudaError_t SortKeys##suffix(void *temp, size_t &bytes, const K *keys_in, K *keys_out,  \
                                        N n, int begin = 0, int end = 8 * sizeof(K),               \
                                        cudaStream_t stream = 0)                                   \
    {                                                                                              \
        return __qn::sorted<K, __qn::none>(temp, bytes, keys_in, keys_out, __qn::none(),           \
                                           __qn::none(), (size_t)n,                                \
                                           __qn::radix_less<K, descending>(begin, end), stream);   \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    static cudaError_t SortPairs##suffix(void *temp, size_t &bytes, DoubleBuffer<K> &keys,         \
                                         DoubleBuffer<V> &values, N n, int begin = 0,              \
                                         int end = 8 * sizeof(K), cudaStream_t stream = 0)         \
    {                                                                                              \
        return SortPairs##suffix(temp, bytes, (const K *)keys.Current(), keys.Current(),           \
                                 (const V *)values.Current(), values.Current(), n, begin, end,     \
                                 stream);                                                          \
    }                                                                                              \
    template <class K, class N>                                                                    \
    static cudaError_t SortKeys##suffix(void *temp, size_t &bytes, DoubleBuffer<K> &keys, N n,     \
                                        int begin = 0, int end = 8 * sizeof(K),                    \
                                        cudaStream_t stream = 0)                                   \
    {                                                                                              \
        return SortKeys##suffix(temp, bytes, (const K *)keys.Current(), keys.Current(), n, begin,  \
                                end, stream);                                                      \
    }
    QN__CUB_SORT(, false)
    QN__CUB_SORT(Descending, true)
#undef QN__CUB_SORT
};

struct DeviceMergeSort {
    template <class Keys, class N, class Less>
    static cudaError_t StableSortKeys(void *temp, size_t &bytes, Keys keys, N n, Less less,
                                      cudaStream_t stream = 0)
    {
        return __qn::sorted<__qn::val<Keys>, __qn::none>(temp, bytes, keys, keys, __qn::none(),
                                                         __qn::none(), (size_t)n, less, stream);
    }
    template <class Keys, class Values, class N, class Less>
    static cudaError_t StableSortPairs(void *temp, size_t &bytes, Keys keys, Values values, N n,
                                       Less less, cudaStream_t stream = 0)
    {
        return __qn::sorted<__qn::val<Keys>, __qn::val<Values>>(temp, bytes, keys, keys, values,
                                                                values, (size_t)n, less, stream);
    }
    template <class Keys, class N, class Less>
    static cudaError_t SortKeys(void *temp, size_t &bytes, Keys keys, N n, Less less,
                                cudaStream_t stream = 0)
    {
        return StableSortKeys(temp, bytes, keys, n, less, stream);
    }
    template <class Keys, class Values, class N, class Less>
    static cudaError_t SortPairs(void *temp, size_t &bytes, Keys keys, Values values, N n,
                                 Less less, cudaStream_t stream = 0)
    {
        return StableSortPairs(temp, bytes, keys, values, n, less, stream);
    }
    template <class In, class Out, class N, class Less>
    static cudaError_t SortKeysCopy(void *temp, size_t &bytes, In in, Out out, N n, Less less,
                                    cudaStream_t stream = 0)
    {
        return __qn::sorted<__qn::val<In>, __qn::none>(temp, bytes, in, out, __qn::none(),
                                                       __qn::none(), (size_t)n, less, stream);
    }
    template <class In, class ValuesIn, class Out, class ValuesOut, class N, class Less>
    static cudaError_t SortPairsCopy(void *temp, size_t &bytes, In in, ValuesIn values_in, Out out,
                                     ValuesOut values_out, N n, Less less, cudaStream_t stream = 0)
    {
        return __qn::sorted<__qn::val<In>, __qn::val<ValuesIn>>(
            temp, bytes, in, out, values_in, values_out, (size_t)n, less, stream);
    }
};

} // namespace cub

#endif
