/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime on Quern's public API, for programs built by `quern cc`: what its files share.
 *
 * A program is one or more translation units. Each registers, before main(), the bytes that `quern
 * cc` made of its device half (carried_program.h), and the names of its kernels and variables. The
 * first launch on a device compiles them (modules.c), through the cache.
 *
 * A failure is returned, kept for cudaGetLastError(), and its reason printed on stderr: CUDA's
 * error codes alone say too little. Nothing that is not done counts as done.
 *
 * Locks, in the order in which they are taken: one of each stream, which is held while something is
 * queued on it, the default stream's first; that of the list of streams between the two; one for
 * all tables (qn__rt_lock), under which nothing else is locked. */
#ifndef QN_CUDART_RUNTIME_H
#define QN_CUDART_RUNTIME_H

#include <pthread.h>
#include <quern/quern.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dim3 {
    unsigned int x, y, z;
} dim3;
#include <quern_runtime_types.h>

#define QN_CALL(group, result, name, parameters, note) QN_API result name parameters;
#include "cudart/calls.def"
#undef QN_CALL

/* ---- errors (errors.c) ---- */

/* Keep and return the error. */
cudaError_t qn__rt_error(cudaError_t error);
/* The same with its reason on stderr. */
cudaError_t qn__rt_fail(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* That message with the error's name, and nothing else. */
void qn__rt_complain(const char *name, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));
/* What CUDA calls the failure that just happened; said on stderr with what was being done. */
cudaError_t qn__rt_status(qn_status s, const char *what);

/* ---- devices (runtime_devices.c) ---- */

struct qn__rt_module;
struct qn__library_module;

struct CUstream_st {
    pthread_mutex_t lock;
    struct qn__rt_device *device;
    qn_stream *stream;
    qn_event *mark; /* for other streams to wait for */
    bool blocking;  /* in order with the default stream's work */
    bool pending;   /* was given work since the default stream last waited for it */
    bool capturing;
    uint64_t default_seen; /* how much of the default stream's work it has waited for */
    struct CUstream_st *next;
};

struct qn__rt_device {
    qn_device *device; /* opened by the first call that needs it */
    const char *id;    /* NULL: what the name means qn_device_open() knows */
    struct CUstream_st default_stream, *streams;
    _Atomic uint64_t default_work; /* counts what the default stream was given */
    struct qn__rt_module *modules;
    struct qn__library_module *libraries;
    cudaError_t closed; /* why it could not be opened, said once */
    cudaError_t sticky; /* after a fault, until cudaDeviceReset() */
    size_t heap_bytes;
    int index;
};

extern pthread_mutex_t qn__rt_lock;

/* The calling thread's device, opened; *error says why there is none. */
struct qn__rt_device *qn__rt_device(cudaError_t *error);
struct qn__rt_device *qn__rt_device_of(int index, cudaError_t *error);
/* Which device the calling thread works on, and whether it has used one; and to say so. */
bool qn__rt_device_chosen(int *device);
void qn__rt_device_choose(int device, bool used);
/* The devices that are open, to go through; NULL at the end. */
struct qn__rt_device *qn__rt_open_device(int index);

/* Do host and device share memory, so that either's addresses do for both? */
bool qn__rt_shares_memory(const struct qn__rt_device *d);

/* Begin with the calling thread's device in a function that returns cudaError_t. */
#define QN__RT_DEVICE(name)                                                                        \
    cudaError_t qn__rt_why;                                                                        \
    struct qn__rt_device *const name = qn__rt_device(&qn__rt_why);                                 \
    if (!name)                                                                                     \
    return qn__rt_error(qn__rt_why)

/* ---- streams (streams.c) ---- */

cudaError_t qn__rt_streams_open(struct qn__rt_device *d);
void qn__rt_streams_close(struct qn__rt_device *d);

/* The stream behind the handle, locked and in order with the default stream; NULL: *error. */
struct CUstream_st *qn__rt_stream_enter(cudaStream_t handle, cudaError_t *error);
void qn__rt_stream_leave(struct CUstream_st *s);

/* Wait for all streams of the device. */
cudaError_t qn__rt_streams_wait(struct qn__rt_device *d, const char *what);

/* Wait for its work; the lock is held. */
cudaError_t qn__rt_stream_wait(struct CUstream_st *s, const char *what);

/* ---- memory (runtime_memory.c) ---- */

enum qn__rt_kind { QN__RT_UNKNOWN = 0, QN__RT_DEVICE_MEMORY, QN__RT_HOST, QN__RT_MANAGED };

struct qn__rt_block {
    uintptr_t begin;
    size_t n;
    enum qn__rt_kind kind;
    bool is_ours; /* else registered */
    struct qn__rt_device *device;
};

/* The allocation that the address lies in; kind is QN__RT_UNKNOWN where there is none. */
struct qn__rt_block qn__rt_block_of(const void *p);
void qn__rt_memory_release(struct qn__rt_device *d);

qn_addr qn__rt_address(const void *p);
void *qn__rt_pointer(qn_addr a);

/* Copy on a locked stream, without waiting. */
cudaError_t qn__rt_copy(struct CUstream_st *s, void *to, const void *from, size_t n,
                        cudaMemcpyKind kind, const char *what);

/* Fill rows with a value of 1, 2 or 4 bytes. */
cudaError_t qn__rt_fill(void *p, size_t pitch, uint32_t value, uint32_t element_bytes, size_t width,
                        size_t height, cudaStream_t stream, bool waits, const char *what);

/* ---- launches (launches.c) ---- */

cudaError_t qn__rt_launch(struct qn__rt_device *d, const qn_kernel *kernel, const char *symbol,
                          dim3 grid, dim3 block, void **arguments, size_t shared,
                          cudaStream_t stream, bool cooperative);
cudaError_t qn__rt_kernel_attributes(cudaFuncAttributes *out, struct qn__rt_device *d,
                                     const qn_kernel *kernel, const char *symbol);
/* Of a kernel with these attributes. */
cudaError_t qn__rt_kernel_set_attribute(const cudaFuncAttributes *a, cudaFuncAttribute attribute,
                                        int value);
cudaError_t qn__rt_occupancy(int *n, struct qn__rt_device *d, const cudaFuncAttributes *a,
                             int block, size_t shared);

/* ---- programs and modules ---- */

/* A kernel or variable of one of the program's translation units, by its address in the host. */
struct qn__rt_kernel;
struct qn__rt_variable;

const qn_kernel *qn__rt_kernel_on(struct qn__rt_device *d, const void *host, const char **symbol,
                                  cudaError_t *error);
/* reads: its value is to be read, which must be known then. */
cudaError_t qn__rt_variable_on(qn_addr *address, uint64_t *n, struct qn__rt_device *d,
                               const void *host, bool reads);
void qn__rt_modules_close(struct qn__rt_device *d);

/* A module of the fields of a carried program that was not registered. */
cudaError_t qn__rt_module_of_fields(qn_module **out, struct qn__rt_device *d, const char *name,
                                    const unsigned char *fields, size_t n);
/* By symbol; NULL: it is not there. */
const qn_kernel *qn__rt_find_kernel(qn_module *module, const char *symbol);
qn_status qn__rt_find_variable(qn_addr *address, uint64_t *n, qn_module *module,
                               const char *symbol);

#endif
