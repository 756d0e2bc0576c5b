/* SPDX-License-Identifier: Apache-2.0
 *
 * A CUDA kernel on the CPU, compiled by clang as plain C++ with one POSIX thread per CUDA thread:
 * the answer that translated kernels are held to. The blocks of a grid run one after the other, so
 * a `static` variable is shared memory. A thread that returned counts as arrived at every barrier,
 * as it does on a GPU.
 *
 * tests/compiler/check_compiler_run.c puts this in front of the source, after turning
 * `extern __shared__ T name[];` into QN_DYNAMIC(T, name) and `__shared__` into static.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline
#define __restrict__    __restrict
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __host__

#include "vector_types.h"

#include "vector_functions.h"

static thread_local uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static const int warpSize = 32;

static char qn_dynamic[1 << 16] __attribute__((aligned(16)));
#define QN_DYNAMIC(type, name) static type *const name = (type *)qn_dynamic;

/* ---- barriers: of the block, and of each warp ---- */

struct qn_barrier {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    int members, waiting;
    unsigned generation;
};
static qn_barrier qn_block;
static qn_barrier qn_warps[32];
static thread_local unsigned qn_linear;
static unsigned long long qn_slots[1024];
static int qn_votes[1024];

static void qn_barrier_start(qn_barrier *b, int members)
{
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->turn, NULL);
    b->members = members;
    b->waiting = 0;
    b->generation = 0;
}

static void qn_open(qn_barrier *b)
{
    b->waiting = 0;
    b->generation++;
    pthread_cond_broadcast(&b->turn);
}

static void qn_wait(qn_barrier *b)
{
    pthread_mutex_lock(&b->lock);
    const unsigned generation = b->generation;
    if (++b->waiting >= b->members)
        qn_open(b);
    while (generation == b->generation)
        pthread_cond_wait(&b->turn, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

static void qn_leave(qn_barrier *b)
{
    pthread_mutex_lock(&b->lock);
    b->members--;
    if (b->members > 0 && b->waiting >= b->members)
        qn_open(b);
    pthread_mutex_unlock(&b->lock);
}

static inline void __syncthreads()
{
    qn_wait(&qn_block);
}
static inline void __syncwarp(unsigned = ~0u)
{
    qn_wait(&qn_warps[qn_linear / 32]);
}
static inline void __threadfence()
{
    __sync_synchronize();
}
static inline void __threadfence_block()
{
    __sync_synchronize();
}

static inline int __syncthreads_count(int predicate)
{
    qn_votes[qn_linear] = predicate != 0;
    __syncthreads();
    int n = 0;
    for (unsigned i = 0; i < blockDim.x * blockDim.y * blockDim.z; i++)
        n += qn_votes[i];
    __syncthreads();
    return n;
}
static inline int __syncthreads_or(int predicate)
{
    return __syncthreads_count(predicate) != 0;
}
static inline int __syncthreads_and(int predicate)
{
    return __syncthreads_count(!predicate) == 0;
}

/* ---- warp operations; a lane that is not in the mask is not read ---- */

template <class T> static T qn_exchange(T v, int from)
{
    memcpy(&qn_slots[qn_linear], &v, sizeof v);
    __syncwarp();
    T r;
    memcpy(&r, &qn_slots[qn_linear / 32 * 32 + (unsigned)from], sizeof r);
    __syncwarp();
    return r;
}
static inline int qn_lane()
{
    return (int)(qn_linear % 32);
}
template <class T> static T __shfl_sync(unsigned, T v, int lane, int width = 32)
{
    return qn_exchange(v, qn_lane() / width * width + (lane & (width - 1)));
}
template <class T> static T __shfl_up_sync(unsigned, T v, unsigned by, int width = 32)
{
    const int from = qn_lane() - (int)by;
    return qn_exchange(v, from < qn_lane() / width * width ? qn_lane() : from);
}
template <class T> static T __shfl_down_sync(unsigned, T v, unsigned by, int width = 32)
{
    const int from = qn_lane() + (int)by;
    return qn_exchange(v, from >= (qn_lane() / width + 1) * width ? qn_lane() : from);
}
template <class T> static T __shfl_xor_sync(unsigned, T v, int mask, int width = 32)
{
    const int from = qn_lane() ^ mask;
    return qn_exchange(v, from >= (qn_lane() / width + 1) * width ? qn_lane() : from);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned bits = 0;
    qn_votes[qn_linear] = predicate != 0;
    __syncwarp();
    for (unsigned i = 0; i < 32; i++)
        bits |= (unsigned)(qn_votes[qn_linear / 32 * 32 + i] != 0) << i;
    __syncwarp();
    qn_votes[qn_linear] = 0;
    return bits & mask;
}
static inline int __any_sync(unsigned m, int p)
{
    return __ballot_sync(m, p) != 0;
}
static inline int __all_sync(unsigned m, int p)
{
    return __ballot_sync(m, !p) == 0;
}

/* ---- the rest of what the test kernels call ---- */

template <class T> static T qn_update(T *p, T (*f)(T, T), T v)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const T old = *p;
    *p = f(old, v);
    pthread_mutex_unlock(&lock);
    return old;
}
#define QN_ATOMIC(name, expression)                                                                \
    template <class T, class U> static T name(T *p, U v)                                           \
    {                                                                                              \
        return qn_update<T>(p, [](T a, T b) -> T { return expression; }, (T)v);                    \
    }
QN_ATOMIC(atomicAdd, a + b)
QN_ATOMIC(atomicSub, a - b)
QN_ATOMIC(atomicMin, a < b ? a : b)
QN_ATOMIC(atomicMax, a > b ? a : b)
QN_ATOMIC(atomicExch, b)
QN_ATOMIC(atomicAnd, a &b)
QN_ATOMIC(atomicOr, a | b)
QN_ATOMIC(atomicXor, a ^ b)
QN_ATOMIC(atomicInc, a >= b ? 0 : a + 1)
QN_ATOMIC(atomicDec, a == 0 || a > b ? b : a - 1)
template <class T> static T atomicCAS(T *p, T seen, T v)
{
    return __sync_val_compare_and_swap(p, seen, v);
}

static inline float __fmul_rn(float a, float b)
{
    return a * b;
}
static inline float __fadd_rn(float a, float b)
{
    return a + b;
}
template <class T> static T min(T a, T b)
{
    return b < a ? b : a;
}
template <class T> static T max(T a, T b)
{
    return a < b ? b : a;
}
template <class T> static T __ldg(const T *p)
{
    return *p;
}
static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
static inline int __clz(int v)
{
    return v ? __builtin_clz((unsigned)v) : 32;
}
static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}
static inline unsigned __brev(unsigned v)
{
    return __builtin_bitreverse32(v);
}
static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}
static inline int __float_as_int(float f)
{
    int i;
    memcpy(&i, &f, 4);
    return i;
}
static inline float __int_as_float(int i)
{
    float f;
    memcpy(&f, &i, 4);
    return f;
}
static inline unsigned __float_as_uint(float f)
{
    return (unsigned)__float_as_int(f);
}
static inline float rsqrtf(float v)
{
    return 1.0f / sqrtf(v);
}

/* ---- launching ---- */

template <unsigned... I> struct qn_indices {
};
template <unsigned N, unsigned... I> struct qn_count : qn_count<N - 1, N - 1, I...> {
};
template <unsigned... I> struct qn_count<0, I...> {
    using type = qn_indices<I...>;
};
template <class T> struct qn_plain {
    using type = T;
};
template <class T> struct qn_plain<const T> {
    using type = T;
};

template <class... A, unsigned... I>
static void qn_apply(void (*k)(A...), void **a, qn_indices<I...>)
{
    k(*(typename qn_plain<A>::type *)a[I]...);
}
template <class... A> static void qn_invoke(void (*k)(A...), void **a)
{
    qn_apply(k, a, typename qn_count<sizeof...(A)>::type{});
}

struct qn_thread {
    pthread_t id;
    uint3 thread, block;
    void **args;
    void (*entry)(void **);
};

static void *qn_start(void *argument)
{
    qn_thread *const t = (qn_thread *)argument;
    threadIdx = t->thread;
    blockIdx = t->block;
    qn_linear = (t->thread.z * blockDim.y + t->thread.y) * blockDim.x + t->thread.x;
    t->entry(t->args);
    qn_votes[qn_linear] = 0;
    qn_leave(&qn_warps[qn_linear / 32]);
    qn_leave(&qn_block);
    return NULL;
}

static void qn_launch(void (*entry)(void **), void **args, const unsigned *grid,
                      const unsigned *block)
{
    static qn_thread threads[1024];
    gridDim = dim3(grid[0], grid[1], grid[2]);
    blockDim = dim3(block[0], block[1], block[2]);
    const unsigned n = block[0] * block[1] * block[2];
    for (unsigned b = 0; b < grid[0] * grid[1] * grid[2]; b++) {
        qn_barrier_start(&qn_block, (int)n);
        for (unsigned w = 0; w * 32 < n; w++)
            qn_barrier_start(&qn_warps[w], (int)(n - w * 32 < 32 ? n - w * 32 : 32));
        for (unsigned i = 0; i < n; i++) {
            threads[i].thread =
                uint3{i % block[0], i / block[0] % block[1], i / block[0] / block[1]};
            threads[i].block = uint3{b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
            threads[i].args = args;
            threads[i].entry = entry;
            if (pthread_create(&threads[i].id, NULL, qn_start, &threads[i]) != 0)
                abort();
        }
        for (unsigned i = 0; i < n; i++)
            pthread_join(threads[i].id, NULL);
    }
}
