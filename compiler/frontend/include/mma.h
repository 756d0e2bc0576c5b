/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor-core fragments: refused in the kernels that use them, and nowhere else. */
#pragma clang system_header
#ifndef QN_STANDIN_MMA
#define QN_STANDIN_MMA

#include <quern_prelude.h>

QN__BUILTIN(void, __qn_mma, ());

namespace nvcuda
{
namespace wmma
{
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {
};
struct u4 {
};
struct s4 {
};
struct b1 {
};
} // namespace precision
template <class T> struct __qn_storage {
    typedef T type;
};
template <> struct __qn_storage<precision::tf32> {
    typedef float type;
};
template <> struct __qn_storage<precision::u4> {
    typedef unsigned int type;
};
template <> struct __qn_storage<precision::s4> {
    typedef int type;
};
template <> struct __qn_storage<precision::b1> {
    typedef unsigned int type;
};
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    typedef typename __qn_storage<T>::type element_type, storage_element_type;
    enum { num_elements = 8, num_storage_elements = 8 };
    storage_element_type x[num_elements];
};

#define QN__MMA(name)                                                                              \
    template <class... Arguments> __device__ void name(Arguments &&...)                            \
    {                                                                                              \
        __qn_mma();                                                                                \
    }
QN__MMA(fill_fragment)
QN__MMA(load_matrix_sync)
QN__MMA(store_matrix_sync)
QN__MMA(mma_sync)
QN__MMA(bmma_sync)
#undef QN__MMA
__device__ inline float __float_to_tf32(float x)
{
    __qn_mma();
    return x;
}
} // namespace wmma
} // namespace nvcuda

#endif
