/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor cores: nvcuda::wmma. A fragment holds what a lane has of a matrix, and where that lies in
 * the matrix is as in mma.sync (docs/tensor-cores.md), so that a product is one call of a function
 * of builtins/mma.def for each block of 16 rows and 8 columns. Where A has 8 rows and B 32 columns
 * the transposed product is made: B takes A's place. Halves stand in a fragment twice, as on
 * NVIDIA's GPUs.
 */
#pragma clang system_header
#ifndef QN_STANDIN_MMA
#define QN_STANDIN_MMA

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <quern_prelude.h>

typedef unsigned int __qn_mma_words __attribute__((ext_vector_type(8)));
typedef float __qn_mma_floats __attribute__((ext_vector_type(4)));
typedef int __qn_mma_ints __attribute__((ext_vector_type(4)));
typedef double __qn_mma_doubles __attribute__((ext_vector_type(4)));

/* Some are for inline PTX alone (ptx_mma.c). */
#define QN__MMA(sums, name)                                                                        \
    __device__ __attribute__((convergent)) __qn_mma_##sums name(__qn_mma_words,                    \
                                                                __qn_mma_##sums) __asm__(#name);
QN__MMA(floats, __qn_mma_f16_8)
QN__MMA(floats, __qn_mma_f16_4)
QN__MMA(floats, __qn_mma_bf16_8)
QN__MMA(floats, __qn_mma_bf16_4)
QN__MMA(floats, __qn_mma_tf32_8)
QN__MMA(floats, __qn_mma_tf32_4)
QN__MMA(floats, __qn_mma_e4m3e4m3_8)
QN__MMA(floats, __qn_mma_e4m3e5m2_8)
QN__MMA(floats, __qn_mma_e5m2e4m3_8)
QN__MMA(floats, __qn_mma_e5m2e5m2_8)
QN__MMA(ints, __qn_mma_s8s8_8)
QN__MMA(ints, __qn_mma_s8s8_4)
QN__MMA(ints, __qn_mma_s8u8_8)
QN__MMA(ints, __qn_mma_s8u8_4)
QN__MMA(ints, __qn_mma_u8s8_8)
QN__MMA(ints, __qn_mma_u8s8_4)
QN__MMA(ints, __qn_mma_u8u8_8)
QN__MMA(ints, __qn_mma_u8u8_4)
QN__MMA(ints, __qn_mma_s4s4_8)
QN__MMA(ints, __qn_mma_s4s4_4)
QN__MMA(ints, __qn_mma_s4u4_8)
QN__MMA(ints, __qn_mma_s4u4_4)
QN__MMA(ints, __qn_mma_u4s4_8)
QN__MMA(ints, __qn_mma_u4s4_4)
QN__MMA(ints, __qn_mma_u4u4_8)
QN__MMA(ints, __qn_mma_u4u4_4)
QN__MMA(ints, __qn_mma_xor_8)
QN__MMA(ints, __qn_mma_xor_4)
QN__MMA(ints, __qn_mma_and_8)
QN__MMA(ints, __qn_mma_and_4)
#undef QN__MMA
__device__ __attribute__((convergent))
__qn_mma_doubles __qn_mma_f64(__qn_mma_doubles, __qn_mma_doubles) __asm__("__qn_mma_f64");
typedef unsigned int __qn_mma_lane_words __attribute__((ext_vector_type(4)));
__device__ __attribute__((convergent)) __qn_mma_lane_words
__qn_mma_lanes(unsigned int, __qn_mma_lane_words) __asm__("__qn_mma_lanes");

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
} // namespace precision
namespace experimental
{
namespace precision
{
struct u4 {
};
struct s4 {
};
struct b1 {
};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* Of an element's type: what stands for it in x[] and in memory, how many of it a word has, and,
 * for those that are products' operands, how many times each stands in x[]. */
template <class T> struct __qn_element {
    typedef T element, storage, memory;
    enum { in_word = 4 / sizeof(T), in_storage = 1, copies = 1 };
};
template <> struct __qn_element<__half> {
    typedef __half element, storage, memory;
    enum { in_word = 2, in_storage = 1, copies = 2 };
};
template <> struct __qn_element<double> {
    typedef double element, storage, memory;
    enum { in_word = 1, in_storage = 1, copies = 1 };
};
template <> struct __qn_element<precision::tf32> {
    typedef float element, storage, memory;
    enum { in_word = 1, in_storage = 1, copies = 1 };
};
template <> struct __qn_element<experimental::precision::s4> {
    typedef experimental::precision::s4 element;
    typedef int storage;
    typedef void memory;
    enum { in_word = 8, in_storage = 8, copies = 1 };
};
template <> struct __qn_element<experimental::precision::u4> {
    typedef experimental::precision::u4 element;
    typedef unsigned int storage;
    typedef void memory;
    enum { in_word = 8, in_storage = 8, copies = 1 };
};
template <> struct __qn_element<experimental::precision::b1> {
    typedef experimental::precision::b1 element;
    typedef unsigned int storage;
    typedef void memory;
    enum { in_word = 32, in_storage = 32, copies = 1 };
};

/* The shapes that exist for a type. */
template <class T, int m, int n, int k> struct __qn_shape {
    enum { exists = false };
};
#define QN__SHAPE(type, m, n, k)                                                                   \
    template <> struct __qn_shape<type, m, n, k> {                                                 \
        enum { exists = true };                                                                    \
    };
#define QN__SHAPES(type)                                                                           \
    QN__SHAPE(type, 16, 16, 16) QN__SHAPE(type, 32, 8, 16) QN__SHAPE(type, 8, 32, 16)
QN__SHAPES(__half)
QN__SHAPES(__nv_bfloat16)
QN__SHAPES(signed char)
QN__SHAPES(unsigned char)
QN__SHAPE(precision::tf32, 16, 16, 8)
QN__SHAPE(double, 8, 8, 4)
QN__SHAPE(experimental::precision::s4, 8, 8, 32)
QN__SHAPE(experimental::precision::u4, 8, 8, 32)
QN__SHAPE(experimental::precision::b1, 8, 8, 128)
#define QN__SUMS(type)                                                                             \
    template <int m, int n, int k> struct __qn_shape<type, m, n, k> {                              \
        enum { exists = true };                                                                    \
    };
QN__SUMS(float)
QN__SUMS(int)
#undef QN__SUMS
#undef QN__SHAPES
#undef QN__SHAPE

/* A matrix of `outer` rows of A or columns of B, k deep. is_rows: it takes A's place. */
template <int outer, int k, class T, bool is_rows> struct __qn_operand {
    typedef __qn_element<T> of;
    enum {
        step = is_rows && outer > 8 ? 2 : 1, /* rows of a block are 8 apart */
        in_block = step * (k / of::in_word / 4),
        words = outer / (8 * step) * in_block,
        distinct = words * of::in_word / of::in_storage
    };
    /* which row or column, and which word of it, a lane's word is */
    static __device__ int outer_of(int word)
    {
        return word / in_block * 8 * step + word % in_block % step * 8 + __qn_lane() / 4;
    }
    static __device__ int word_of(int word)
    {
        return word % in_block / step * 4 + __qn_lane() % 4;
    }
    static __device__ int __qn_lane()
    {
        unsigned int lane;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        return (int)lane;
    }
};

template <class Use, int m, int n, int k, class T, class Layout = void,
          bool exists = __qn_shape<T, m, n, k>::exists>
struct fragment;

template <class T, int count, int copies> struct __qn_fragment {
    typedef typename __qn_element<T>::element element_type;
    typedef typename __qn_element<T>::storage storage_element_type;
    enum {
        num_storage_elements = count * copies,
        num_elements = count * copies * __qn_element<T>::in_storage
    };
    storage_element_type x[num_storage_elements];
};

template <int m, int n, int k, class T, class Layout>
struct fragment<matrix_a, m, n, k, T, Layout, true>
    : __qn_fragment<T, __qn_operand<m, k, T, (m > 8 || n == 8)>::distinct,
                    __qn_element<T>::copies> {
    typedef __qn_operand<m, k, T, (m > 8 || n == 8)> __qn_place;
    enum { __qn_is_deep = sizeof(Layout) && __is_same(Layout, row_major) };
};
template <int m, int n, int k, class T, class Layout>
struct fragment<matrix_b, m, n, k, T, Layout, true>
    : __qn_fragment<T, __qn_operand<n, k, T, (m == 8 && n > 8)>::distinct,
                    __qn_element<T>::copies> {
    typedef __qn_operand<n, k, T, (m == 8 && n > 8)> __qn_place;
    enum { __qn_is_deep = sizeof(Layout) && __is_same(Layout, col_major) };
};
template <int m, int n, int k, class T>
struct fragment<accumulator, m, n, k, T, void, true> : __qn_fragment<T, m * n / 32, 1> {
    /* where element i of x[] lies: in blocks of 16 rows (or 8) and 8 columns, transposed for 8 by
     * 32 */
    static __device__ int __qn_index(int i, unsigned int stride, layout_t layout)
    {
        const int lane = __qn_operand<m, k, T, true>::__qn_lane();
        int row = lane / 4, column = lane % 4 * 2 + i % 2;
        if (m == 8 && n == 8)
            ;
        else if (m == 16)
            row += i / 2 % 2 * 8, column += i / 4 * 8;
        else
            row += i / 2 * 8;
        const bool is_row_major = (layout == mem_row_major) == (m != 8 || n == 8);
        return is_row_major ? row * (int)stride + column : column * (int)stride + row;
    }
};

/* ---- loads and stores ---- */

template <class Fragment, class T>
__device__ __forceinline__ void fill_fragment(Fragment &f, const T &v)
{
    for (int i = 0; i < Fragment::num_storage_elements; i++)
        f.x[i] = (typename Fragment::storage_element_type)v;
}

template <class T, class F>
__device__ __forceinline__ void __qn_load(F &f, const void *p, unsigned int stride)
{
    typedef typename F::__qn_place place;
    typedef typename F::storage_element_type storage;
    const int in_word = __qn_element<T>::in_word / __qn_element<T>::in_storage;
    const int distinct = place::distinct;
    const storage *const from = (const storage *)p;
    stride /= __qn_element<T>::in_storage;
    __syncwarp();
    for (int i = 0; i < distinct; i++) {
        const int outer = place::outer_of(i / in_word);
        const int inner = place::word_of(i / in_word) * in_word + i % in_word;
        const storage v = from[F::__qn_is_deep ? outer * stride + inner : inner * stride + outer];
        f.x[i] = v;
        if (__qn_element<T>::copies == 2)
            f.x[i + distinct] = v;
    }
}

/* Of A and of B; narrow elements are given as void *. */
template <int m, int n, int k, class T, class Layout>
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &f,
                                                 const typename __qn_element<T>::memory *p,
                                                 unsigned int stride)
{
    __qn_load<T>(f, p, stride);
}
template <int m, int n, int k, class T, class Layout>
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &f,
                                                 const typename __qn_element<T>::memory *p,
                                                 unsigned int stride)
{
    __qn_load<T>(f, p, stride);
}

template <int m, int n, int k, class T>
__device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,
                                                 unsigned int stride, layout_t layout)
{
    __syncwarp();
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = p[f.__qn_index(i, stride, layout)];
}

template <int m, int n, int k, class T>
__device__ __forceinline__ void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,
                                                  unsigned int stride, layout_t layout)
{
    __syncwarp();
    for (int i = 0; i < f.num_elements; i++)
        p[f.__qn_index(i, stride, layout)] = f.x[i];
    __syncwarp();
}

/* ---- products ---- */

template <class T> struct __qn_words {
    static __device__ unsigned int at(const T *x, int i)
    {
        return x[i];
    }
};
template <> struct __qn_words<__half> {
    static __device__ unsigned int at(const __half *x, int i)
    {
        return __half_as_ushort(x[2 * i]) | (unsigned int)__half_as_ushort(x[2 * i + 1]) << 16;
    }
};
template <> struct __qn_words<__nv_bfloat16> {
    static __device__ unsigned int at(const __nv_bfloat16 *x, int i)
    {
        return __bfloat16_as_ushort(x[2 * i]) | (unsigned int)__bfloat16_as_ushort(x[2 * i + 1])
                                                    << 16;
    }
};
template <> struct __qn_words<float> {
    static __device__ unsigned int at(const float *x, int i)
    {
        return __float_as_uint(x[i]);
    }
};
#define QN__BYTES(type)                                                                            \
    template <> struct __qn_words<type> {                                                          \
        static __device__ unsigned int at(const type *x, int i)                                    \
        {                                                                                          \
            return (unsigned char)x[4 * i] | (unsigned int)(unsigned char)x[4 * i + 1] << 8 |      \
                   (unsigned int)(unsigned char)x[4 * i + 2] << 16 |                               \
                   (unsigned int)(unsigned char)x[4 * i + 3] << 24;                                \
        }                                                                                          \
    };
QN__BYTES(signed char)
QN__BYTES(unsigned char)
#undef QN__BYTES

template <class T> struct __qn_product;
#define QN__PRODUCT(type, sums_type, sum_type, builtin)                                            \
    template <> struct __qn_product<type> {                                                        \
        typedef sums_type sums;                                                                    \
        typedef sum_type sum;                                                                      \
        static __device__ sums of(__qn_mma_words ab, sums c)                                       \
        {                                                                                          \
            return builtin(ab, c);                                                                 \
        }                                                                                          \
    };
QN__PRODUCT(__half, __qn_mma_floats, float, __qn_mma_f16_8)
QN__PRODUCT(__nv_bfloat16, __qn_mma_floats, float, __qn_mma_bf16_8)
QN__PRODUCT(precision::tf32, __qn_mma_floats, float, __qn_mma_tf32_8)
QN__PRODUCT(signed char, __qn_mma_ints, int, __qn_mma_s8s8_4)
QN__PRODUCT(unsigned char, __qn_mma_ints, int, __qn_mma_u8u8_4)
QN__PRODUCT(experimental::precision::s4, __qn_mma_ints, int, __qn_mma_s4s4_4)
QN__PRODUCT(experimental::precision::u4, __qn_mma_ints, int, __qn_mma_u4u4_4)
#undef QN__PRODUCT

struct __qn_xor {
    typedef __qn_mma_ints sums;
    typedef int sum;
    static __device__ sums of(__qn_mma_words ab, sums c)
    {
        return __qn_mma_xor_4(ab, c);
    }
};
struct __qn_and {
    typedef __qn_mma_ints sums;
    typedef int sum;
    static __device__ sums of(__qn_mma_words ab, sums c)
    {
        return __qn_mma_and_4(ab, c);
    }
};

__device__ inline int __qn_add_sat(int a, int b)
{
    return __builtin_elementwise_add_sat(a, b);
}

/* The blocks of a product: rows in A's place, columns in B's. */
template <class Product, bool saturates, class A, class B, class C, class D>
__device__ __forceinline__ void __qn_multiply(D &d, const A &rows, const B &columns, const C &c)
{
    typedef typename Product::sum sum;
    typedef __qn_words<typename A::storage_element_type> words;
    const int per_block = D::num_elements < 4 ? D::num_elements : 4;
    const int step = A::__qn_place::step;
    const bool deep = A::__qn_place::in_block == 4;
    const bool blocks_of_rows = A::__qn_place::words > A::__qn_place::in_block;
#pragma unroll
    for (int block = 0; block < D::num_elements / per_block; block++) {
        const int a = blocks_of_rows ? block * A::__qn_place::in_block : 0;
        const int b = blocks_of_rows ? 0 : block * B::__qn_place::in_block;
        const __qn_mma_words ab = {words::at(rows.x, a),
                                   step == 2 ? words::at(rows.x, a + 1) : 0,
                                   deep ? words::at(rows.x, a + 2) : 0,
                                   deep ? words::at(rows.x, a + 3) : 0,
                                   words::at(columns.x, b),
                                   deep ? words::at(columns.x, b + 1) : 0,
                                   0,
                                   0};
        const int at = block * per_block;
        const sum c0 = (sum)c.x[at], c1 = (sum)c.x[at + 1];
        const sum c2 = per_block == 4 ? (sum)c.x[at + 2] : 0;
        const sum c3 = per_block == 4 ? (sum)c.x[at + 3] : 0;
        typename Product::sums s = {c0, c1, c2, c3};
        if (saturates)
            s = 0;
        s = Product::of(ab, s);
        if (saturates) {
            s.x = __qn_add_sat((int)s.x, (int)c0), s.y = __qn_add_sat((int)s.y, (int)c1);
            s.z = __qn_add_sat((int)s.z, (int)c2), s.w = __qn_add_sat((int)s.w, (int)c3);
        }
        typedef typename D::storage_element_type T;
        d.x[at] = (T)s.x;
        d.x[at + 1] = (T)s.y;
        if (per_block == 4) {
            d.x[at + 2] = (T)s.z;
            d.x[at + 3] = (T)s.w;
        }
    }
}

template <class Product, bool saturates, int m, int n, int k, class T, class LayoutA, class LayoutB,
          class TC, class TD>
__device__ __forceinline__ void __qn_mma(fragment<accumulator, m, n, k, TD> &d,
                                         const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                                         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                                         const fragment<accumulator, m, n, k, TC> &c)
{
    if constexpr (m == 8 && n == 32)
        __qn_multiply<Product, saturates>(d, b, a, c);
    else
        __qn_multiply<Product, saturates>(d, a, b, c);
}

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class TC, class TD>
__device__ __forceinline__ void mma_sync(fragment<accumulator, m, n, k, TD> &d,
                                         const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                                         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                                         const fragment<accumulator, m, n, k, TC> &c)
{
    __qn_mma<__qn_product<T>, false>(d, a, b, c);
}
template <int m, int n, int k, class T, class LayoutA, class LayoutB>
__device__ __forceinline__ void
mma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
         const fragment<accumulator, m, n, k, int> &c, bool saturates)
{
    if (saturates)
        __qn_mma<__qn_product<T>, true>(d, a, b, c);
    else
        __qn_mma<__qn_product<T>, false>(d, a, b, c);
}
template <class LayoutA, class LayoutB>
__device__ __forceinline__ void mma_sync(fragment<accumulator, 8, 8, 4, double> &d,
                                         const fragment<matrix_a, 8, 8, 4, double, LayoutA> &a,
                                         const fragment<matrix_b, 8, 8, 4, double, LayoutB> &b,
                                         const fragment<accumulator, 8, 8, 4, double> &c)
{
    __qn_mma_doubles ab = 0, s = 0;
    ab.x = a.x[0];
    ab.z = b.x[0];
    s.x = c.x[0];
    s.y = c.x[1];
    s = __qn_mma_f64(ab, s);
    d.x[0] = s.x;
    d.x[1] = s.y;
}

__device__ inline float __float_to_tf32(float x)
{
    float r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(*(unsigned int *)&r) : "f"(x));
    return r;
}

template <int m, int n, int k, class LayoutA, class LayoutB>
__device__ __forceinline__ void
bmma_sync(fragment<accumulator, m, n, k, int> &d,
          const fragment<matrix_a, m, n, k, experimental::precision::b1, LayoutA> &a,
          const fragment<matrix_b, m, n, k, experimental::precision::b1, LayoutB> &b,
          const fragment<accumulator, m, n, k, int> &c,
          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    if (op == experimental::bmmaBitOpXOR)
        __qn_mma<__qn_xor, false>(d, a, b, c);
    else
        __qn_mma<__qn_and, false>(d, a, b, c);
}
} // namespace wmma
} // namespace nvcuda

#endif
