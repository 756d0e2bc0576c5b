/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in front of the C that Quern makes of a CUDA kernel: one block of work-items as the
 * kernel sees it, what a program finds of the kernels, and the types of CUDA that C lacks.
 *
 *     clang -std=gnu11 -O3 -fwrapv -fno-strict-aliasing -ffp-contract=on -fsigned-char -c
 */
#ifndef QUERN_C_H
#define QUERN_C_H

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#ifdef __SIZE_TYPE__
typedef __SIZE_TYPE__ size_t;
#endif

/* What a kernel asks of the program that runs it. May grow at its end. */
struct qn_services {
    int (*print)(struct qn_services *s, const char *format, ...); /* printf */
    /* A failed assertion (text) or __trap ("") at a line of the source; the work-item ends. */
    void (*fail)(struct qn_services *s, const char *file, uint line, const char *text);
    void *(*allocate)(struct qn_services *s, ulong bytes); /* a kernel's malloc */
    void (*release)(struct qn_services *s, void *memory);  /* and free */
    void *(*allocate_aligned)(struct qn_services *s, ulong align, ulong bytes);
    void (*meet)(struct qn_services *s);         /* grid.sync(): wait for all other blocks */
    void *(*grid_words)(struct qn_services *s);  /* 64 bytes, 0 when a cooperative launch begins */
    ulong (*nanoseconds)(struct qn_services *s); /* a clock */
};

struct qn_block {
    uint block[3];         /* blockIdx */
    uint blocks[3];        /* gridDim */
    uint items[3];         /* blockDim */
    unsigned char *shared; /* __shared__, then the dynamic array; aligned to 128 */
    unsigned char *frame;  /* frame_bytes for each work-item; aligned to 128 */
    struct qn_services *services;
};

/* args[i] points at the i-th argument. Runs all work-items of the block. */
typedef void qn_kernel_function(const struct qn_block *block, void *const *args);

struct qn_kernel_entry {
    const char *name;
    qn_kernel_function *run;
    uint shared_bytes; /* of the static __shared__ variables, a multiple of 16 */
    uint frame_bytes;
    uint max_items; /* 0: as many as the device has */
    uint warp;      /* 32 */
    uint flags;     /* QN_KERNEL_SHORT */
};

/* No loop and no printf: a small grid is done before another thread would have begun. */
enum { QN_KERNEL_SHORT = 4 };

/* A __device__ or __constant__ variable. */
struct qn_global_entry {
    const char *name;
    void *address;
    ulong bytes;
};

enum { QN_ABI_VERSION = 1 };

#ifdef __clang__

#ifndef __cplusplus
#define bool  _Bool
#define true  1
#define false 0
#endif
#define INFINITY __builtin_inff()
#define NAN      __builtin_nanf("")
#define M_PI     3.14159265358979323846
#define INT_MIN  (-2147483647 - 1)
#define INT_MAX  2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807l - 1)
#define LONG_MAX 9223372036854775807l

typedef _Float16 half;
#define QN_VECTORS(T)                                                                              \
    typedef T T##2 __attribute__((ext_vector_type(2)));                                            \
    typedef T T##3 __attribute__((ext_vector_type(3)));                                            \
    typedef T T##4 __attribute__((ext_vector_type(4)));                                            \
    typedef T T##8 __attribute__((ext_vector_type(8)));                                            \
    typedef T T##16 __attribute__((ext_vector_type(16)))
QN_VECTORS(char);
QN_VECTORS(uchar);
QN_VECTORS(short);
QN_VECTORS(ushort);
QN_VECTORS(int);
QN_VECTORS(uint);
QN_VECTORS(long);
QN_VECTORS(ulong);
QN_VECTORS(half);
QN_VECTORS(float);
QN_VECTORS(double);

#define QN_EXPORT   __attribute__((visibility("default")))
#define QN_FUNCTION static inline __attribute__((nodebug, unused))
#define QN_OVERLOAD static inline __attribute__((overloadable, nodebug, unused))

/* QN_BARRIER, QN_WARP_BARRIER: __syncthreads and __syncwarp stood here. QN_WARP(a), QN_BLOCK(a): a
 * warp operation, or a barrier with a result, will read what others left in a. QN_ALL(a): so does
 * this expression. The loops that end there are enough for all of it; where each work-item is a
 * thread (quern check --sanitize thread) they are calls. QN_GRID_BARRIER: grid.sync(). */
#ifndef QN_ITEMS
#define QN_BARRIER      ((void)0)
#define QN_WARP_BARRIER ((void)0)
#define QN_GRID_BARRIER qn_meet(qn_b.services)
#define QN_WARP(a)      ((void)0)
#define QN_BLOCK(a)     ((void)0)
#define QN_ALL(a)       (a)
#define qn_first        0 /* whom the block asks for what is the same for all */

/* What follows is done by each work-item, one after the other; `continue` ends one. qn_i is its
 * number in the block, a warp is 32 of them in a row.
 *
 * QN_ROW changes no meaning: clang still looks at run time whether arrays overlap, where vectors
 * need that, and no sum goes from one work-item to the next. Without it clang leaves a row of few
 * work-items as it is, because it takes that look for too dear. */
#pragma clang diagnostic ignored "-Wpass-failed"
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QN_ROW /* a report names what one work-item reads or writes */
#else
#define QN_ROW _Pragma("clang loop vectorize(enable)")
#endif
#define QN_ITEMS                                                                                   \
    for (ulong qn_z = 0, qn_i = 0; qn_z < qn_b.items[2]; qn_z++)                                   \
        for (ulong qn_y = 0; qn_y < qn_b.items[1]; qn_y++)                                         \
    QN_ROW for (ulong qn_x = 0; qn_x < qn_b.items[0]; qn_x++, qn_i++)
#endif

/* The statement behind the call keeps its place in the kernel, which the message of a fault names.
 */
static inline __attribute__((nodebug, unused, always_inline)) void qn_meet(struct qn_services *s)
{
    s->meet(s);
    __asm__ volatile("" ::: "memory");
}

#define threadIdx_x qn_x
#define threadIdx_y qn_y
#define threadIdx_z qn_z
#define blockIdx_x  ((ulong)qn_b.block[0])
#define blockIdx_y  ((ulong)qn_b.block[1])
#define blockIdx_z  ((ulong)qn_b.block[2])
#define blockDim_x  ((ulong)qn_b.items[0])
#define blockDim_y  ((ulong)qn_b.items[1])
#define blockDim_z  ((ulong)qn_b.items[2])
#define gridDim_x   ((ulong)qn_b.blocks[0])
#define gridDim_y   ((ulong)qn_b.blocks[1])
#define gridDim_z   ((ulong)qn_b.blocks[2])

#endif
#endif /* QUERN_C_H */
