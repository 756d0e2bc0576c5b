/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements that stay, by a scan of how many stay before them: copy_if, unique, partition, and sums
 * of runs of equal keys. */
#pragma clang system_header
#ifndef QN_WIDE_SELECT
#define QN_WIDE_SELECT

#include <wide/quern_wide_scan.h>

namespace __qn_wide
{

/* Discards what is assigned. */
struct nowhere {
    struct place {
        template <class T> __host__ __device__ const place &operator=(const T &) const
        {
            return *this;
        }
    };
    __host__ __device__ place operator*() const
    {
        return place();
    }
    __host__ __device__ place operator[](size_t) const
    {
        return place();
    }
};

struct add_counts {
    __device__ size_t operator()(size_t a, size_t b) const
    {
        return a + b;
    }
};
template <class It, class Predicate> struct load_if {
    It stencil;
    Predicate predicate;
    __device__ size_t operator()(size_t i)
    {
        return predicate(stencil[i]) ? 1 : 0;
    }
};
template <class It> struct load_flag {
    It flags;
    __device__ size_t operator()(size_t i)
    {
        return flags[i] ? 1 : 0;
    }
};
template <class Predicate> struct negated {
    Predicate predicate;
    template <class T> __host__ __device__ bool operator()(T &&v)
    {
        return !predicate(static_cast<T &&>(v));
    }
};

/* Those that stay into `yes`, the others where `no` has them; the number of them last. */
template <class In, class Yes, class No, class Count> struct store_selected {
    In from;
    Yes yes;
    No no;
    Count count;
    size_t n;
    __device__ void operator()(size_t i, bool has, size_t before, size_t sum)
    {
        const size_t at = has ? before : 0;
        if (sum > at)
            yes[at] = from[i];
        else
            no[i - at] = from[i];
        if (i + 1 == n)
            *count = sum;
    }
};
/* The others at the end, the last first, as CUB's partitions have them. */
template <class Out> struct from_the_end {
    Out to;
    size_t n;
    __device__ decltype(auto) operator[](size_t i)
    {
        return to[n - 1 - i];
    }
};
template <class Keys, class Values, class KeysOut, class ValuesOut, class Count>
struct store_pairs {
    Keys keys;
    Values values;
    KeysOut keys_out;
    ValuesOut values_out;
    Count count;
    size_t n;
    __device__ void operator()(size_t i, bool has, size_t before, size_t sum)
    {
        const size_t at = has ? before : 0;
        if (sum > at) {
            keys_out[at] = keys[i];
            values_out[at] = values[i];
        }
        if (i + 1 == n)
            *count = sum;
    }
};
template <class Count> struct store_none {
    Count count;
    __device__ void operator()(size_t)
    {
        *count = 0;
    }
};

/* load(i): does it stay? */
template <class Load, class Store, class Count>
inline cudaError_t select(cudaStream_t stream, size_t *tiles, size_t n, Load load, Store store,
                          Count count)
{
    if (n == 0)
        return for_each(stream, 1, store_none<Count>{count});
    return scan<size_t>(stream, tiles, n, load, add_counts{}, store);
}

/* The key of each run, and the sum of its values. */
template <class T, class Head, class Keys, class KeysOut, class ValuesOut, class Count>
struct store_runs {
    Head head;
    Keys keys;
    KeysOut keys_out;
    ValuesOut values_out;
    Count count;
    size_t n;
    __device__ void operator()(size_t i, bool has, const headed<T> &before, const headed<T> &sum)
    {
        if (!has || sum.head > before.head)
            keys_out[sum.head - 1] = keys[i];
        if (i + 1 == n || head(i + 1))
            values_out[sum.head - 1] = sum.v;
        if (i + 1 == n)
            *count = sum.head;
    }
};

template <class T, class Keys, class Values, class KeysOut, class ValuesOut, class Count,
          class Equal, class Op>
inline cudaError_t reduce_runs(cudaStream_t stream, headed<T> *tiles, size_t n, Keys keys,
                               Values values, KeysOut keys_out, ValuesOut values_out, Count count,
                               Equal equal, Op op)
{
    typedef is_head<Keys, Equal> Head;
    if (n == 0)
        return for_each(stream, 1, store_none<Count>{count});
    const Head head{keys, equal};
    return scan<headed<T>>(stream, tiles, n, load_headed<T, Head, Values>{head, values},
                           headed_op<T, Op>{op},
                           store_runs<T, Head, Keys, KeysOut, ValuesOut, Count>{
                               head, keys, keys_out, values_out, count, n});
}

} // namespace __qn_wide

#endif
