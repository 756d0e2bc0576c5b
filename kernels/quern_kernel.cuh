/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_kernel.cuh: what a kernel may use, and the only file that knows targets.
 *
 * A kernel includes this file and nothing else, and then compiles with NVRTC, with hipRTC, with
 * clang's own HIP mode, and through Quern's translator to OpenCL C. No vendor header is needed.
 *
 * Two facts about the target shape every kernel:
 *
 *   QK_WAVE_WIDTH  threads that exchange registers: 32, 64, or 1 where they cannot
 *   QK_COALESCE    1: neighbouring threads should load neighbouring memory (GPUs)
 *                  0: each thread is one core's loop and should walk memory on its own (CPUs)
 *
 * Those threads are a *wave*: NVIDIA's warp, AMD's wavefront, OpenCL's subgroup. A thread's place in
 * it is its lane.
 *
 * Kernels do not ask for them. They divide work with qk_share(), move data in packs, and reduce over
 * a *team* (the block, or the smallest group that can reduce); the same text is then coalesced on a
 * GPU and one long vectorisable loop on a CPU. Blocks are one-dimensional, at most QK_BLOCK_MAX
 * threads, and a multiple of the wave; any grid is right.
 */
#ifndef QUERN_KERNEL_CUH
#define QUERN_KERNEL_CUH

/* -- targets -- */

#if defined(QUERN_OPENCL) /* the translator; it also defines QUERN_WAVE_WIDTH (1: a CPU) */
#ifndef QK_COALESCE /* a test defines it: a GPU's division of work on a CPU */
#define QK_COALESCE (QUERN_WAVE_WIDTH > 1)
#endif
#if defined(QUERN_HAS_SHUFFLE) && !defined(QK_WAVE_WIDTH)
#define QK_WAVE_WIDTH QUERN_WAVE_WIDTH
#elif !defined(QK_WAVE_WIDTH) /* a test defines it: a GPU's waves in C, which has all it takes */
#define QK_WAVE_WIDTH 1
#endif
#elif defined(__AMDGCN__)
#define QK_AMD 1
#define QK_COALESCE 1
#if defined(__GFX6__) || defined(__GFX7__) /* no lane permute */
#define QK_WAVE_WIDTH 1
#elif defined(__GFX8__) || defined(__GFX9__)
#define QK_WAVE_WIDTH 64
#else
#define QK_WAVE_WIDTH 32
#endif
#elif defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define QK_NVIDIA 1
#define QK_COALESCE 1
#define QK_WAVE_WIDTH 32
#else
#error "quern_kernel.cuh: unknown target (known: NVRTC, AMD GPUs, Quern's translator)"
#endif

#define QK_BLOCK_MAX 1024
#define QK_DEVICE static __device__ __forceinline__

/* -- numbers -- */

typedef unsigned char qk_u8;
typedef unsigned short qk_u16;
typedef unsigned int qk_u32;
typedef unsigned long long qk_u64;
typedef signed char qk_i8;
typedef short qk_i16;
typedef int qk_i32;
typedef long long qk_i64;

/* 16-bit floats are storage: convert, compute in float, convert back. */
struct qk_half {
    qk_u16 bits;
};
struct qk_bf16 {
    qk_u16 bits;
};

QK_DEVICE float qk_float_of_bits(qk_u32 bits)
{
#ifdef QK_NVIDIA
    return __uint_as_float(bits);
#else
    return __builtin_bit_cast(float, bits);
#endif
}

QK_DEVICE qk_u32 qk_bits_of_float(float x)
{
#ifdef QK_NVIDIA
    return __float_as_uint(x);
#else
    return __builtin_bit_cast(qk_u32, x);
#endif
}

QK_DEVICE float qk_inf()
{
    return qk_float_of_bits(0x7f800000u);
}

QK_DEVICE float qk_nan()
{
    return qk_float_of_bits(0x7fc00000u);
}

/* A GPU does them in hardware, and C on a CPU; OpenCL on a CPU vectorises the bit code below. */
#if defined(QUERN_OPENCL) && (QK_COALESCE || defined(QUERN_C))
#define QK_CONVERTS_F16 1
__device__ __attribute__((const)) float qk_f16_to_f32(qk_u16 bits) __asm__("__qn_f16_to_f32");
__device__ __attribute__((const)) qk_u16 qk_f32_to_f16(float x) __asm__("__qn_f32_to_f16");
#endif

/* Half to float is exact. Subnormals are made by a subtraction of normal numbers, so that a target
 * that flushes subnormal floats does not lose them. */
QK_DEVICE float qk_float(qk_half h)
{
#if defined(QK_NVIDIA)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits));
    return x;
#elif defined(QK_AMD)
    return (float)__builtin_bit_cast(_Float16, h.bits);
#elif defined(QK_CONVERTS_F16)
    return qk_f16_to_f32(h.bits);
#else
    const qk_u32 magnitude = (qk_u32)(h.bits & 0x7fffu) << 13;
    const qk_u32 normal = magnitude + (112u << 23);
    const qk_u32 special = magnitude + (224u << 23); /* infinity, NaN */
    const float small =
        qk_float_of_bits(magnitude + (113u << 23)) - qk_float_of_bits(113u << 23);
    qk_u32 bits = magnitude >= (31u << 23) ? special : normal;
    bits = magnitude < (1u << 23) ? qk_bits_of_float(small) : bits;
    return qk_float_of_bits(bits | (qk_u32)(h.bits & 0x8000u) << 16);
#endif
}

/* Round to nearest, ties to even; overflow gives infinity, NaN stays NaN. */
QK_DEVICE qk_half qk_half_of(float x)
{
    qk_half h;
#if defined(QK_NVIDIA)
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x));
#elif defined(QK_AMD)
    h.bits = __builtin_bit_cast(qk_u16, (_Float16)x);
#elif defined(QK_CONVERTS_F16)
    h.bits = qk_f32_to_f16(x);
#else
    const qk_u32 bits = qk_bits_of_float(x), magnitude = bits & 0x7fffffffu;
    const qk_u32 odd = (magnitude >> 13) & 1u;
    const qk_u32 normal = (magnitude - (112u << 23) + 0xfffu + odd) >> 13;
    /* the adder rounds at 2^-24, the unit of half subnormals */
    const qk_u32 small = qk_bits_of_float(qk_float_of_bits(magnitude) + 0.5f) - 0x3f000000u;
    const qk_u32 special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    qk_u32 r = magnitude < 0x38800000u ? small : normal;
    r = magnitude >= 0x47800000u ? special : r;
    h.bits = (qk_u16)(r | (bits >> 16 & 0x8000u));
#endif
    return h;
}

QK_DEVICE float qk_float(qk_bf16 b)
{
    return qk_float_of_bits((qk_u32)b.bits << 16);
}

QK_DEVICE qk_bf16 qk_bf16_of(float x)
{
    const qk_u32 bits = qk_bits_of_float(x);
    const qk_u32 rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    qk_bf16 b;
    b.bits = (qk_u16)(is_nan ? bits >> 16 | 0x40u : rounded);
    return b;
}

QK_DEVICE float qk_float(float x)
{
    return x;
}

/* Store a float as any of the three types. */
QK_DEVICE void qk_put(float *p, float x)
{
    *p = x;
}
QK_DEVICE void qk_put(qk_half *p, float x)
{
    *p = qk_half_of(x);
}
QK_DEVICE void qk_put(qk_bf16 *p, float x)
{
    *p = qk_bf16_of(x);
}

template <class T> QK_DEVICE T qk_min(T a, T b)
{
    return b < a ? b : a;
}

template <class T> QK_DEVICE T qk_max(T a, T b)
{
    return a < b ? b : a;
}

/* The precise functions, unless the kernel was compiled with --use_fast_math. */
QK_DEVICE float qk_expf(float x)
{
#if defined(QUERN_C) /* within 1.1e-7 of it, and no call: loops of it become vectors */
    const float most = x > 89.0f ? 89.0f : x, in = most < -104.0f ? -104.0f : most;
    const float shifted = in * 1.44269504f + 12582912.0f; /* 1.5 * 2^23: its unit is 1 */
    const float n = shifted - 12582912.0f;
    const float r = (in - n * 0.693145752f) - n * 1.42860677e-6f; /* ln 2 in two parts */
    float y = r * (1.0f / 5040.0f) + 1.0f / 720.0f;
    y = y * r + 1.0f / 120.0f;
    y = y * r + 1.0f / 24.0f;
    y = y * r + 1.0f / 6.0f;
    y = y * r + 0.5f;
    y = y * r + 1.0f;
    y = y * r + 1.0f;
    const qk_i32 power = (qk_i32)qk_bits_of_float(shifted) - 0x4b400000, half = power >> 1;
    return y * qk_float_of_bits((qk_u32)(half + 127) << 23) *
           qk_float_of_bits((qk_u32)(power - half + 127) << 23);
#else
    return expf(x);
#endif
}
/* Sine and cosine: together the angle is reduced once. */
QK_DEVICE void qk_sincosf(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}
QK_DEVICE float qk_tanhf(float x)
{
    return tanhf(x);
}
QK_DEVICE float qk_sqrtf(float x)
{
    return sqrtf(x);
}

/* -- threads and the division of work -- */

QK_DEVICE qk_u32 qk_thread()
{
    return threadIdx.x;
}
QK_DEVICE qk_u32 qk_threads()
{
    return blockDim.x;
}
QK_DEVICE qk_u32 qk_block()
{
    return blockIdx.x;
}
QK_DEVICE qk_u32 qk_blocks()
{
    return gridDim.x;
}
QK_DEVICE void qk_barrier()
{
    __syncthreads();
}

/* The items one worker visits: for (i = begin; i < end; i += step). */
struct qk_span {
    qk_u64 begin, end, step;
};

/* Share of worker `rank` of `size` in n items: interleaved where neighbours load together, one
 * piece where a worker is a core. */
QK_DEVICE qk_span qk_share(qk_u64 n, qk_u32 rank, qk_u32 size)
{
    qk_span s;
#if QK_COALESCE
    s.begin = rank;
    s.end = n;
    s.step = size;
#else
    const qk_u64 piece = (n + size - 1) / size;
    s.begin = qk_min(n, piece * rank);
    s.end = qk_min(n, s.begin + piece);
    s.step = 1;
#endif
    return s;
}

/* Share of this thread among all threads of the grid. */
QK_DEVICE qk_span qk_grid_share(qk_u64 n)
{
    return qk_share(n, qk_block() * qk_threads() + qk_thread(), qk_blocks() * qk_threads());
}

/* -- packs: what a thread loads at once -- */

/* On GPUs 16 aligned bytes, one load; on CPUs 16 elements, which become vector instructions. */
template <class T> struct qk_pack {
    enum { n = QK_COALESCE ? 16 / sizeof(T) : 16 };
};

struct alignas(8) qk_u32x2 {
    qk_u32 x, y;
};

struct alignas(16) qk_u32x4 {
    qk_u32 x, y, z, w;
};

/* Whole packs in n elements at p; 0 where p is not aligned for them: the caller's loop over single
 * elements then does all the work. */
template <class T> QK_DEVICE qk_u64 qk_packs(const T *p, qk_u64 n)
{
#if QK_COALESCE
    if (((qk_u64)p & 15u) != 0)
        return 0;
#else
    (void)p;
#endif
    return n / qk_pack<T>::n;
}

/* Two 16-bit floats in one word, the first in the low half. */
template <class T> QK_DEVICE void qk_unpair(float *v, qk_u32 word)
{
    T low, high;
    low.bits = (qk_u16)(word & 0xffffu);
    high.bits = (qk_u16)(word >> 16);
    v[0] = qk_float(low);
    v[1] = qk_float(high);
}

template <class T> QK_DEVICE qk_u32 qk_pair(const float *v)
{
    T low, high;
    qk_put(&low, v[0]);
    qk_put(&high, v[1]);
    return (qk_u32)low.bits | (qk_u32)high.bits << 16;
}

#if QK_COALESCE
QK_DEVICE void qk_load_pack(float *v, const float *p)
{
    const qk_u32x4 q = *(const qk_u32x4 *)p;
    v[0] = qk_float_of_bits(q.x);
    v[1] = qk_float_of_bits(q.y);
    v[2] = qk_float_of_bits(q.z);
    v[3] = qk_float_of_bits(q.w);
}

QK_DEVICE void qk_store_pack(float *p, const float *v)
{
    qk_u32x4 q;
    q.x = qk_bits_of_float(v[0]);
    q.y = qk_bits_of_float(v[1]);
    q.z = qk_bits_of_float(v[2]);
    q.w = qk_bits_of_float(v[3]);
    *(qk_u32x4 *)p = q;
}

template <class T> QK_DEVICE void qk_load_pack(float *v, const T *p)
{
    const qk_u32x4 q = *(const qk_u32x4 *)p;
    qk_unpair<T>(v, q.x);
    qk_unpair<T>(v + 2, q.y);
    qk_unpair<T>(v + 4, q.z);
    qk_unpair<T>(v + 6, q.w);
}

template <class T> QK_DEVICE void qk_store_pack(T *p, const float *v)
{
    qk_u32x4 q;
    q.x = qk_pair<T>(v);
    q.y = qk_pair<T>(v + 2);
    q.z = qk_pair<T>(v + 4);
    q.w = qk_pair<T>(v + 6);
    *(qk_u32x4 *)p = q;
}
#else
template <class T> QK_DEVICE void qk_load_pack(float *v, const T *p)
{
#pragma unroll
    for (int j = 0; j < qk_pack<T>::n; j++)
        v[j] = qk_float(p[j]);
}

template <class T> QK_DEVICE void qk_store_pack(T *p, const float *v)
{
#pragma unroll
    for (int j = 0; j < qk_pack<T>::n; j++)
        qk_put(p + j, v[j]);
}
#endif

/* As many floats as a pack of T has elements, to go with it. */
template <class T> QK_DEVICE void qk_load_floats(float *v, const float *p)
{
#pragma unroll
    for (int j = 0; j < qk_pack<T>::n; j += qk_pack<float>::n)
        qk_load_pack(v + j, p + j);
}
template <class T> QK_DEVICE void qk_store_floats(float *p, const float *v)
{
#pragma unroll
    for (int j = 0; j < qk_pack<T>::n; j += qk_pack<float>::n)
        qk_store_pack(p + j, v + j);
}

/* -- reductions -- */

struct qk_sum {
    template <class T> static __device__ __forceinline__ T of(T a, T b)
    {
        return a + b;
    }
};
struct qk_greatest {
    template <class T> static __device__ __forceinline__ T of(T a, T b)
    {
        return qk_max(a, b);
    }
};

QK_DEVICE qk_u32 qk_lane()
{
    return qk_thread() % QK_WAVE_WIDTH;
}

/* Value of lane `qk_lane() ^ mask`; every lane of the wave calls it. */
QK_DEVICE qk_u32 qk_shuffle_xor(qk_u32 x, qk_u32 mask)
{
#if QK_WAVE_WIDTH == 1
    (void)mask;
    return x;
#elif defined(QK_AMD)
    return (qk_u32)__builtin_amdgcn_ds_bpermute((int)((qk_lane() ^ mask) * 4u), (int)x);
#else
    return __shfl_xor_sync(0xffffffffu, x, mask);
#endif
}

QK_DEVICE float qk_shuffle_xor(float x, qk_u32 mask)
{
    return qk_float_of_bits(qk_shuffle_xor(qk_bits_of_float(x), mask));
}

QK_DEVICE qk_u64 qk_shuffle_xor(qk_u64 x, qk_u32 mask)
{
    const qk_u32 low = qk_shuffle_xor((qk_u32)x, mask);
    const qk_u32 high = qk_shuffle_xor((qk_u32)(x >> 32), mask);
    return (qk_u64)high << 32 | low;
}

/* Every lane gets the result. */
template <class Op, class T> QK_DEVICE T qk_wave_reduce(T x)
{
#pragma unroll
    for (qk_u32 mask = QK_WAVE_WIDTH / 2; mask > 0; mask /= 2)
        x = Op::of(x, qk_shuffle_xor(x, mask));
    return x;
}

/* Every thread of the block calls it, and gets the result. Waves reduce by shuffles, one slot each;
 * the slots are halved until few are left, which every thread combines by itself. */
template <class Op, class T> QK_DEVICE T qk_block_reduce(T x)
{
    __shared__ T slots[QK_BLOCK_MAX / QK_WAVE_WIDTH];
    const qk_u32 me = qk_thread() / QK_WAVE_WIDTH;
    qk_u32 n = (qk_threads() + QK_WAVE_WIDTH - 1) / QK_WAVE_WIDTH;
    x = qk_wave_reduce<Op>(x);
    if (qk_lane() == 0)
        slots[me] = x;
    qk_barrier();
    while (n > 8) {
        const qk_u32 half = (n + 1) / 2;
        if (qk_lane() == 0 && me + half < n)
            slots[me] = Op::of(slots[me], slots[me + half]);
        qk_barrier();
        n = half;
    }
    T result = slots[0];
    for (qk_u32 i = 1; i < n; i++)
        result = Op::of(result, slots[i]);
    qk_barrier(); /* the slots may be used again */
    return result;
}

/* Teams: threads that reduce together. Team `index()` of `count()`, thread `rank()` of `size()`.
 * All threads of a team take the same path to reduce(). */
struct qk_block_team {
    static __device__ __forceinline__ qk_u32 index()
    {
        return qk_block();
    }
    static __device__ __forceinline__ qk_u32 count()
    {
        return qk_blocks();
    }
    static __device__ __forceinline__ qk_u32 rank()
    {
        return qk_thread();
    }
    static __device__ __forceinline__ qk_u32 size()
    {
        return qk_threads();
    }
    template <class Op, class T> static __device__ __forceinline__ T reduce(T x)
    {
        return qk_block_reduce<Op>(x);
    }
};

/* One wave; on a CPU one thread. */
struct qk_wave_team {
    static __device__ __forceinline__ qk_u32 index()
    {
        return (qk_block() * qk_threads() + qk_thread()) / QK_WAVE_WIDTH;
    }
    static __device__ __forceinline__ qk_u32 count()
    {
        return qk_blocks() * qk_threads() / QK_WAVE_WIDTH;
    }
    static __device__ __forceinline__ qk_u32 rank()
    {
        return qk_lane();
    }
    static __device__ __forceinline__ qk_u32 size()
    {
        return QK_WAVE_WIDTH;
    }
    template <class Op, class T> static __device__ __forceinline__ T reduce(T x)
    {
        return qk_wave_reduce<Op>(x);
    }
};

/* The smallest team that loads well and can reduce: for short rows, and for many of them. */
#if QK_COALESCE && QK_WAVE_WIDTH == 1
typedef qk_block_team qk_small_team;
#else
typedef qk_wave_team qk_small_team;
#endif

/* -- element by element -- */

/* out[i] = F::of(a[i]) over the whole grid. Arrays may be the same, but must not otherwise overlap. */
template <class F, class T> QK_DEVICE void qk_map(T *out, const T *a, qk_u64 n)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_min(qk_packs(out, n), qk_packs(a, n));
    const qk_span s = qk_grid_share(packs);
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float x[qk_pack<T>::n];
        qk_load_pack(x, a + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            x[j] = F::of(x[j]);
        qk_store_pack(out + p * width, x);
    }
    const qk_u64 done = packs * width;
    const qk_span rest = qk_grid_share(n - done);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        qk_put(out + i, F::of(qk_float(a[i])));
}

/* out[i] = F::of(a[i], b[i]), as above. */
template <class F, class T> QK_DEVICE void qk_map(T *out, const T *a, const T *b, qk_u64 n)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_min(qk_min(qk_packs(out, n), qk_packs(a, n)), qk_packs(b, n));
    const qk_span s = qk_grid_share(packs);
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float x[qk_pack<T>::n], y[qk_pack<T>::n];
        qk_load_pack(x, a + p * width);
        qk_load_pack(y, b + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            x[j] = F::of(x[j], y[j]);
        qk_store_pack(out + p * width, x);
    }
    const qk_u64 done = packs * width;
    const qk_span rest = qk_grid_share(n - done);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        qk_put(out + i, F::of(qk_float(a[i]), qk_float(b[i])));
}

#endif
