/* SPDX-License-Identifier: Apache-2.0
 *
 * A stable merge sort: a thread sorts a few elements, then runs are merged pair by pair. Each
 * thread of a merge finds its part of both runs by a binary search. Keys and values lie in memory
 * of the caller's, twice. */
#pragma clang system_header
#ifndef QN_WIDE_SORT
#define QN_WIDE_SORT

#include <wide/quern_wide_launch.h>

namespace __qn_wide
{

enum { SORT_RUN = 16, SORT_CHUNK = 8 };

struct no_value {
};

template <class K, class V, class Less> struct sort_run {
    K *keys;
    V *values;
    Less less;
    size_t n;
    __device__ void operator()(size_t run)
    {
        const size_t first = run * SORT_RUN;
        const size_t end = n - first < SORT_RUN ? n : first + SORT_RUN;
        for (size_t i = first + 1; i < end; i++) {
            const K key = keys[i];
            size_t at = i;
            if constexpr (std::is_same_v<V, no_value>) {
                for (; at > first && less(key, keys[at - 1]); at--)
                    keys[at] = keys[at - 1];
            } else {
                const V value = values[i];
                for (; at > first && less(key, keys[at - 1]); at--) {
                    keys[at] = keys[at - 1];
                    values[at] = values[at - 1];
                }
                values[at] = value;
            }
            keys[at] = key;
        }
    }
};

/* How many of the first `d` of the merged come from `a`; equal ones of `a` come first. */
template <class A, class B, class Less>
__device__ inline size_t merge_split(A a, size_t n_a, B b, size_t n_b, size_t d, Less &less)
{
    size_t low = d > n_b ? d - n_b : 0, high = d < n_a ? d : n_a;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (less(b[d - 1 - middle], a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

template <class K, class V, class Less> struct merge_chunk {
    const K *keys;
    const V *values;
    K *keys_out;
    V *values_out;
    Less less;
    size_t n, width;
    __device__ void operator()(size_t chunk)
    {
        const size_t first = chunk * SORT_CHUNK;
        const size_t end = n - first < SORT_CHUNK ? n : first + SORT_CHUNK;
        const size_t a = first / (2 * width) * (2 * width);
        const size_t n_a = n - a < width ? n - a : width, b = a + n_a;
        const size_t n_b = n - b < width ? n - b : width;
        size_t i = merge_split(keys + a, n_a, keys + b, n_b, first - a, less);
        size_t j = first - a - i;
        for (size_t at = first; at < end; at++) {
            const bool from_a = j == n_b || (i < n_a && !less(keys[b + j], keys[a + i]));
            const size_t from = from_a ? a + i++ : b + j++;
            put(keys_out + at, keys[from]);
            if constexpr (!std::is_same_v<V, no_value>)
                put(values_out + at, values[from]);
        }
    }
};

/* Sorts n elements of keys[0] and values[0]; *result: in which of the two they are then. */
template <class K, class V, class Less>
inline cudaError_t sort(cudaStream_t stream, size_t n, K *const keys[2], V *const values[2],
                        Less less, int *result)
{
    int at = 0;
    cudaError_t error = for_each(stream, (n + SORT_RUN - 1) / SORT_RUN,
                                 sort_run<K, V, Less>{keys[0], values[0], less, n});
    for (size_t width = SORT_RUN; error == cudaSuccess && width < n; width *= 2, at ^= 1)
        error = for_each(stream, (n + SORT_CHUNK - 1) / SORT_CHUNK,
                         merge_chunk<K, V, Less>{keys[at], values[at], keys[at ^ 1], values[at ^ 1],
                                                 less, n, width});
    *result = at;
    return error;
}

template <class T, class In> struct copy_in {
    In from;
    T *to;
    __device__ void operator()(size_t i)
    {
        put(to + i, (T)from[i]);
    }
};
template <class In, class Out> struct copy_out {
    In from;
    Out to;
    __device__ void operator()(size_t i)
    {
        to[i] = from[i];
    }
};

template <class K, class V> struct sort_room {
    K *keys[2];
    V *values[2];
    sort_room(workspace &w, size_t n) : keys{w.take<K>(n), w.take<K>(n)}, values{}
    {
        if constexpr (!std::is_same_v<V, no_value>) {
            values[0] = w.take<V>(n);
            values[1] = w.take<V>(n);
        }
    }
};

/* Any iterators; in and out may be the same. */
template <class K, class V, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut,
          class Less>
inline cudaError_t sort_copy(cudaStream_t stream, const sort_room<K, V> &room, size_t n,
                             KeysIn keys_in, ValuesIn values_in, KeysOut keys_out,
                             ValuesOut values_out, Less less)
{
    int at = 0;
    cudaError_t error = for_each(stream, n, copy_in<K, KeysIn>{keys_in, room.keys[0]});
    if constexpr (!std::is_same_v<V, no_value>)
        if (error == cudaSuccess)
            error = for_each(stream, n, copy_in<V, ValuesIn>{values_in, room.values[0]});
    if (error == cudaSuccess)
        error = sort<K, V, Less>(stream, n, room.keys, room.values, less, &at);
    if (error == cudaSuccess)
        error = for_each(stream, n, copy_out<const K *, KeysOut>{room.keys[at], keys_out});
    if constexpr (!std::is_same_v<V, no_value>)
        if (error == cudaSuccess)
            error =
                for_each(stream, n, copy_out<const V *, ValuesOut>{room.values[at], values_out});
    return error;
}

} // namespace __qn_wide

#endif
