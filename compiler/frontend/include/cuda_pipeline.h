/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies, which become copies where they are issued: a thread may read what it has
 * copied only after it has waited, so it cannot tell, and others meet it at a barrier. */
#pragma clang system_header
#ifndef QN_STANDIN_PIPELINE
#define QN_STANDIN_PIPELINE

#include <quern_prelude.h>

/* The first n bytes, and zeros after them up to `size`. */
template <class Word>
QN__INLINE void __qn_pipeline_copy(void *to, const void *from, size_t size, size_t n)
{
    const Word *const in = (const Word *)from;
    Word *const out = (Word *)to;
#pragma unroll
    for (size_t i = 0; i < size / sizeof(Word); i++)
        out[i] = i * sizeof(Word) < n ? in[i] : Word();
}
/* As whole elements where that is what is copied; both are aligned to the size. */
template <class T, class U>
QN__INLINE void __pipeline_memcpy_async(T *to, const U *from, size_t size, size_t n_zeroes = 0)
{
    if constexpr (__is_same(T, U) && !__is_same(T, void)) {
        if (size == sizeof(T) && n_zeroes == 0) {
            *to = *from;
            return;
        }
    }
    if (n_zeroes % 4 != 0)
        __qn_pipeline_copy<unsigned char>(to, from, size, size - n_zeroes);
    else if (n_zeroes == 0 && size == 16)
        *(uint4 *)to = *(const uint4 *)from;
    else if (n_zeroes == 0 && size == 8)
        *(uint2 *)to = *(const uint2 *)from;
    else
        __qn_pipeline_copy<unsigned int>(to, from, size, size - n_zeroes);
}
QN__INLINE void __pipeline_commit()
{
}
QN__INLINE void __pipeline_wait_prior(size_t)
{
}

#endif
