/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel's machine code and the runtime agree on. The text that the translator prints has
 * the same declarations in its own header; a test compares the two. */
#ifndef QN_RUNTIME_CPU_ABI_H
#define QN_RUNTIME_CPU_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { QN__CPU_ABI_VERSION = 1 };

/* What kernels ask the runtime for. It grows at its end. */
struct qn_services {
    int (*print)(struct qn_services *s, const char *format, ...);
    /* A failed assertion; text "": a trap. Returns, and the work-item ends by itself. */
    void (*fail)(struct qn_services *s, const char *file, uint32_t line, const char *text);
    void *(*allocate)(struct qn_services *s, size_t bytes); /* aligned to 16; NULL: none left */
    void (*release)(struct qn_services *s, void *p);        /* NULL is fine */
    void *(*allocate_aligned)(struct qn_services *s, size_t align, size_t bytes);
    /* grid.sync(): returns when all blocks of a cooperative launch are there, and not at all where
     * the launch is none. */
    void (*meet)(struct qn_services *s);
    /* 64 bytes that the blocks of a cooperative launch share, 0 when it begins, for a grid.sync()
     * of the kernel's own. Does not return where the launch is none. */
    void *(*grid_words)(struct qn_services *s);
    uint64_t (*nanoseconds)(struct qn_services *s); /* of a clock that never goes back */
};

/* One block of work-items, as a kernel sees it. */
struct qn_block {
    uint32_t block[3];     /* blockIdx */
    uint32_t blocks[3];    /* gridDim */
    uint32_t items[3];     /* blockDim */
    unsigned char *shared; /* __shared__, the dynamic array last; aligned to 128 */
    unsigned char *frame;  /* frame_bytes for each work-item; aligned to 128 */
    struct qn_services *services;
};

/* Runs the whole block; args[i] is the address of the i-th argument's value. */
typedef void qn_kernel_run(const struct qn_block *b, void *const *args);

enum {
    QN__CPU_KERNEL_WAITS = 1, /* has a loop that waits for other threads, or may have no end */
    QN__CPU_KERNEL_SHORT = 4, /* no loop but those of a small constant count: a block ends soon */
};

struct qn_kernel_entry { /* a row of the table that an image exports */
    const char *name;
    qn_kernel_run *run;
    uint32_t shared_bytes; /* static */
    uint32_t frame_bytes;  /* for each work-item */
    uint32_t max_items;    /* of a block; 0: the device's limit */
    uint32_t warp;
    uint32_t flags;
};

struct qn_global_entry { /* and of that of its variables */
    const char *name;
    void *address;
    uint64_t bytes;
};

/* Symbols of an image: a uint32_t, and two tables with their lengths, uint32_t as well. */
#define QN__CPU_SYMBOL_VERSION       "qn_abi_version"
#define QN__CPU_SYMBOL_KERNELS       "qn_kernels"
#define QN__CPU_SYMBOL_KERNELS_COUNT "qn_kernels_count"
#define QN__CPU_SYMBOL_GLOBALS       "qn_globals"
#define QN__CPU_SYMBOL_GLOBALS_COUNT "qn_globals_count"

#endif
