/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithms on pointers, for kernels: constexpr, as the standard has most of them, and preferred
 * to those on any iterator (quern_std_misc.h), which only host code may call. */
#pragma clang system_header
#ifndef QN_STD_QUERN_STD_ALGORITHM_H
#define QN_STD_QUERN_STD_ALGORITHM_H

#include <quern_std_misc.h>

namespace std
{
template <class T> constexpr void __qn_swap(T &a, T &b)
{
    T kept = std::move(a);
    a = std::move(b);
    b = std::move(kept);
}
template <class T, class U> constexpr void iter_swap(T *a, U *b)
{
    T kept = std::move(*a);
    *a = std::move(*b);
    *b = std::move(kept);
}

/* ---- looking ---- */

template <class T, class F> constexpr T *find_if(T *first, T *last, F f)
{
    for (; first != last; ++first)
        if (f(*first))
            break;
    return first;
}
template <class T, class F> constexpr T *find_if_not(T *first, T *last, F f)
{
    for (; first != last; ++first)
        if (!f(*first))
            break;
    return first;
}
template <class T, class V> constexpr T *find(T *first, T *last, const V &v)
{
    for (; first != last; ++first)
        if (*first == v)
            break;
    return first;
}
template <class T, class V> constexpr ptrdiff_t count(T *first, T *last, const V &v)
{
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        n += *first == v;
    return n;
}
template <class T, class F> constexpr ptrdiff_t count_if(T *first, T *last, F f)
{
    ptrdiff_t n = 0;
    for (; first != last; ++first)
        n += f(*first) ? 1 : 0;
    return n;
}
template <class T, class F> constexpr bool all_of(T *first, T *last, F f)
{
    for (; first != last; ++first)
        if (!f(*first))
            return false;
    return true;
}
template <class T, class F> constexpr bool any_of(T *first, T *last, F f)
{
    for (; first != last; ++first)
        if (f(*first))
            return true;
    return false;
}
template <class T, class F> constexpr bool none_of(T *first, T *last, F f)
{
    return !std::any_of(first, last, f);
}
template <class T, class U, class F = equal_to<>>
constexpr bool equal(T *first, T *last, U *other, F f = F())
{
    for (; first != last; ++first, ++other)
        if (!f(*first, *other))
            return false;
    return true;
}
template <class T, class U, class F = equal_to<>>
constexpr pair<T *, U *> mismatch(T *first, T *last, U *other, F f = F())
{
    while (first != last && f(*first, *other)) {
        ++first;
        ++other;
    }
    return {first, other};
}
template <class T, class U, class F = less<>>
constexpr bool lexicographical_compare(T *first, T *last, U *first_2, U *last_2, F f = F())
{
    for (; first != last && first_2 != last_2; ++first, ++first_2) {
        if (f(*first, *first_2))
            return true;
        if (f(*first_2, *first))
            return false;
    }
    return first == last && first_2 != last_2;
}
template <class T, class F = less<>> constexpr T *min_element(T *first, T *last, F f = F())
{
    T *least = first;
    for (; first != last; ++first)
        if (f(*first, *least))
            least = first;
    return least;
}
template <class T, class F = less<>> constexpr T *max_element(T *first, T *last, F f = F())
{
    T *most = first;
    for (; first != last; ++first)
        if (f(*most, *first))
            most = first;
    return most;
}
template <class T, class F = less<>>
constexpr pair<T *, T *> minmax_element(T *first, T *last, F f = F())
{
    T *least = first, *most = first;
    for (; first != last; ++first) {
        if (f(*first, *least))
            least = first;
        if (!f(*first, *most)) /* the last of those that are equal */
            most = first;
    }
    return {least, most};
}
template <class T, class F = equal_to<>> constexpr T *adjacent_find(T *first, T *last, F f = F())
{
    if (first == last)
        return last;
    for (T *next = first + 1; next != last; first = next++)
        if (f(*first, *next))
            return first;
    return last;
}

/* ---- what is in order ---- */

template <class T, class V, class F = less<>>
constexpr T *lower_bound(T *first, T *last, const V &v, F f = F())
{
    ptrdiff_t n = last - first;
    while (n > 0) {
        const ptrdiff_t half = n / 2;
        if (f(first[half], v)) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}
template <class T, class V, class F = less<>>
constexpr T *upper_bound(T *first, T *last, const V &v, F f = F())
{
    ptrdiff_t n = last - first;
    while (n > 0) {
        const ptrdiff_t half = n / 2;
        if (!f(v, first[half])) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}
template <class T, class V, class F = less<>>
constexpr pair<T *, T *> equal_range(T *first, T *last, const V &v, F f = F())
{
    return {std::lower_bound(first, last, v, f), std::upper_bound(first, last, v, f)};
}
template <class T, class V, class F = less<>>
constexpr bool binary_search(T *first, T *last, const V &v, F f = F())
{
    T *const at = std::lower_bound(first, last, v, f);
    return at != last && !f(v, *at);
}
template <class T, class F = less<>> constexpr T *is_sorted_until(T *first, T *last, F f = F())
{
    if (first == last)
        return last;
    for (T *next = first + 1; next != last; first = next++)
        if (f(*next, *first))
            return next;
    return last;
}
template <class T, class F = less<>> constexpr bool is_sorted(T *first, T *last, F f = F())
{
    return std::is_sorted_until(first, last, f) == last;
}
/* Stable: each is put before those that are greater. */
template <class T, class F = less<>> constexpr void stable_sort(T *first, T *last, F f = F())
{
    for (T *next = first; next != last; ++next) {
        T v = std::move(*next), *at = next;
        for (; at != first && f(v, at[-1]); --at)
            *at = std::move(at[-1]);
        *at = std::move(v);
    }
}
template <class T, class F> constexpr void __qn_sift(T *heap, ptrdiff_t at, ptrdiff_t n, F f)
{
    for (ptrdiff_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && f(heap[child], heap[child + 1]))
            child++;
        if (!f(heap[at], heap[child]))
            return;
        std::__qn_swap(heap[at], heap[child]);
        at = child;
    }
}
template <class T, class F = less<>> constexpr void make_heap(T *first, T *last, F f = F())
{
    for (ptrdiff_t i = (last - first) / 2; i-- > 0;)
        std::__qn_sift(first, i, last - first, f);
}
template <class T, class F = less<>> constexpr void pop_heap(T *first, T *last, F f = F())
{
    std::__qn_swap(*first, last[-1]);
    std::__qn_sift(first, 0, last - first - 1, f);
}
template <class T, class F = less<>> constexpr void push_heap(T *first, T *last, F f = F())
{
    for (ptrdiff_t i = last - first - 1; i > 0 && f(first[(i - 1) / 2], first[i]); i = (i - 1) / 2)
        std::__qn_swap(first[(i - 1) / 2], first[i]);
}
template <class T, class F = less<>> constexpr void sort_heap(T *first, T *last, F f = F())
{
    for (; last - first > 1; --last)
        std::pop_heap(first, last, f);
}
/* No recursion, and n log n steps at most. */
template <class T, class F = less<>> constexpr void sort(T *first, T *last, F f = F())
{
    std::make_heap(first, last, f);
    std::sort_heap(first, last, f);
}
template <class T, class F = less<>>
constexpr void partial_sort(T *first, T *middle, T *last, F f = F())
{
    if (first == middle)
        return;
    std::make_heap(first, middle, f);
    for (T *next = middle; next != last; ++next)
        if (f(*next, *first)) {
            std::__qn_swap(*next, *first);
            std::__qn_sift(first, 0, middle - first, f);
        }
    std::sort_heap(first, middle, f);
}
template <class T, class F = less<>>
constexpr void nth_element(T *first, T *nth, T *last, F f = F())
{
    if (nth != last)
        std::partial_sort(first, nth + 1, last, f);
}
template <class T, class U, class V, class F = less<>>
constexpr V *merge(T *first, T *last, U *first_2, U *last_2, V *out, F f = F())
{
    while (first != last || first_2 != last_2)
        if (first == last || (first_2 != last_2 && f(*first_2, *first)))
            *out++ = *first_2++;
        else
            *out++ = *first++;
    return out;
}

/* ---- writing ---- */

template <class T, class U> constexpr U *copy(T *first, T *last, U *out)
{
    for (; first != last; ++first, ++out)
        *out = *first;
    return out;
}
template <class T, class N, class U> constexpr U *copy_n(T *first, N n, U *out)
{
    for (; n > 0; --n, ++first, ++out)
        *out = *first;
    return out;
}
template <class T, class U, class F> constexpr U *copy_if(T *first, T *last, U *out, F f)
{
    for (; first != last; ++first)
        if (f(*first))
            *out++ = *first;
    return out;
}
template <class T, class U> constexpr U *copy_backward(T *first, T *last, U *out)
{
    while (first != last)
        *--out = *--last;
    return out;
}
template <class T, class F> constexpr F for_each(T *first, T *last, F f)
{
    for (; first != last; ++first)
        f(*first);
    return f;
}
template <class T, class N, class F> constexpr T *for_each_n(T *first, N n, F f)
{
    for (; n > 0; --n, ++first)
        f(*first);
    return first;
}
template <class T, class U, class F> constexpr U *transform(T *first, T *last, U *out, F f)
{
    for (; first != last; ++first, ++out)
        *out = f(*first);
    return out;
}
template <class T, class U, class V, class F>
constexpr V *transform(T *first, T *last, U *other, V *out, F f)
{
    for (; first != last; ++first, ++other, ++out)
        *out = f(*first, *other);
    return out;
}
template <class T, class F> constexpr void generate(T *first, T *last, F f)
{
    for (; first != last; ++first)
        *first = f();
}
template <class T, class N, class F> constexpr T *generate_n(T *first, N n, F f)
{
    for (; n > 0; --n, ++first)
        *first = f();
    return first;
}
template <class T, class F> constexpr T *remove_if(T *first, T *last, F f)
{
    T *out = first;
    for (; first != last; ++first)
        if (!f(*first))
            *out++ = std::move(*first);
    return out;
}
template <class T, class V> constexpr T *remove(T *first, T *last, const V &v)
{
    T *out = first;
    for (; first != last; ++first)
        if (!(*first == v))
            *out++ = std::move(*first);
    return out;
}
template <class T, class V> constexpr void replace(T *first, T *last, const V &from, const V &to)
{
    for (; first != last; ++first)
        if (*first == from)
            *first = to;
}
template <class T, class F, class V> constexpr void replace_if(T *first, T *last, F f, const V &to)
{
    for (; first != last; ++first)
        if (f(*first))
            *first = to;
}
template <class T, class F = equal_to<>> constexpr T *unique(T *first, T *last, F f = F())
{
    if (first == last)
        return last;
    T *out = first;
    while (++first != last)
        if (!f(*out, *first))
            *++out = std::move(*first);
    return out + 1;
}
template <class T> constexpr void reverse(T *first, T *last)
{
    for (; first < last; ++first)
        std::__qn_swap(*first, *--last);
}
template <class T> constexpr T *rotate(T *first, T *middle, T *last)
{
    std::reverse(first, middle);
    std::reverse(middle, last);
    std::reverse(first, last);
    return first + (last - middle);
}
template <class T, class U> constexpr U *swap_ranges(T *first, T *last, U *other)
{
    for (; first != last; ++first, ++other)
        std::iter_swap(first, other);
    return other;
}
template <class T, class F> constexpr T *partition(T *first, T *last, F f)
{
    for (first = std::find_if_not(first, last, f); first != last;) {
        T *const next = std::find_if(first, last, f);
        if (next == last)
            break;
        std::__qn_swap(*first++, *next);
    }
    return first;
}

/* ---- <numeric> ---- */

template <class T, class V> constexpr void iota(T *first, T *last, V v)
{
    for (; first != last; ++first, ++v)
        *first = v;
}
template <class T, class V, class F> constexpr V accumulate(T *first, T *last, V v, F f)
{
    for (; first != last; ++first)
        v = f(v, *first);
    return v;
}
template <class T, class V, class F = plus<>> constexpr V reduce(T *first, T *last, V v, F f = F())
{
    for (; first != last; ++first)
        v = f(v, *first);
    return v;
}
template <class T> constexpr remove_cv_t<T> reduce(T *first, T *last)
{
    return std::reduce(first, last, remove_cv_t<T>());
}
template <class T, class U, class V, class F = plus<>, class G = multiplies<>>
constexpr V inner_product(T *first, T *last, U *other, V v, F f = F(), G g = G())
{
    for (; first != last; ++first, ++other)
        v = f(v, g(*first, *other));
    return v;
}
template <class T, class U, class V, class F = plus<>, class G = multiplies<>>
constexpr V transform_reduce(T *first, T *last, U *other, V v, F f = F(), G g = G())
{
    return std::inner_product(first, last, other, v, f, g);
}
template <class T, class V, class F, class G>
constexpr V transform_reduce(T *first, T *last, V v, F f, G g)
{
    for (; first != last; ++first)
        v = f(v, g(*first));
    return v;
}
template <class T, class U, class F = plus<>>
constexpr U *partial_sum(T *first, T *last, U *out, F f = F())
{
    if (first == last)
        return out;
    remove_cv_t<T> sum = *first;
    for (*out = sum; ++first != last; *++out = sum)
        sum = f(sum, *first);
    return out + 1;
}
template <class T, class U, class F = plus<>>
constexpr U *inclusive_scan(T *first, T *last, U *out, F f = F())
{
    return std::partial_sum(first, last, out, f);
}
template <class T, class U, class V, class F = plus<>>
constexpr U *exclusive_scan(T *first, T *last, U *out, V v, F f = F())
{
    for (; first != last; ++first, ++out) {
        const V before = v;
        v = f(v, *first);
        *out = before;
    }
    return out;
}
template <class T, class U, class F = minus<>>
constexpr U *adjacent_difference(T *first, T *last, U *out, F f = F())
{
    if (first == last)
        return out;
    remove_cv_t<T> before = *first;
    for (*out = before; ++first != last;) {
        const remove_cv_t<T> now = *first;
        *++out = f(now, before);
        before = now;
    }
    return out + 1;
}
template <class T> constexpr T midpoint(T a, T b)
{
    if constexpr (__is_integral(T)) {
        typedef make_unsigned_t<T> U;
        return a > b ? (T)(a - (T)((U)((U)a - (U)b) / 2)) : (T)(a + (T)((U)((U)b - (U)a) / 2));
    } else {
        return a / 2 + b / 2;
    }
}
} // namespace std

#endif
