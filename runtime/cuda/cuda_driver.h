/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA backend's shared parts: the driver table, its objects, errors.
 *
 * A device is the card's primary context, the one the CUDA runtime uses too, so that memory and
 * streams of both can meet in one process. The driver keeps a current context per thread; the
 * application may change it behind our back, so every call sets it again (qn__cuda_use).
 */
#ifndef QN_RUNTIME_CUDA_DRIVER_H
#define QN_RUNTIME_CUDA_DRIVER_H

#include "runtime/backend.h"
#include "runtime/cuda/cuda_types.h"

/* The driver's functions, filled once by qn__cuda_load(). */
struct qn__cuda_api {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#define QN_OPT                          QN_SYM
#include "runtime/cuda/cuda.sym"
#undef QN_SYM
#undef QN_OPT
};
extern struct qn__cuda_api qn__cuda;

struct qn__cuda_device {
    qn_device base;
    cu_device handle;
    cu_context context;
    uint32_t shared_bytes_max; /* static + dynamic, after opting in */
};

struct qn__cuda_module {
    qn_module base;
    cu_module handle;
};

struct qn__cuda_kernel {
    qn_kernel base;
    cu_function handle;
    struct qn__arena arena;         /* of names and arguments in base.info */
    uint32_t shared_bytes_max;      /* dynamic, after opting in; once described */
    atomic_uint shared_bytes_ready; /* dynamic, that a launch may use now; 0 until described */
};

struct qn__cuda_stream {
    qn_stream base;
    cu_stream handle;
};

/* An event that may be timed costs more to record, and which kind is wanted shows only when it is
 * recorded: both are made on first need. */
struct qn__cuda_event {
    qn_event base;
    cu_event plain, timed;
    cu_event last; /* the one recorded last */
};

struct qn__cuda_graph {
    qn_graph base;
    cu_graph_exec handle;
};

/* Load libcuda and start it; the first call decides for the process. *library is what was tried.
 * QN_E_NO_DEVICE  the message has the reason and what would help */
qn_status qn__cuda_load(const char **library);

/* What a failed driver call means: "<formatted>: CUDA_ERROR_X: text", with the driver's code. */
qn_status qn__cuda_fail(cu_result code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Make the device's context current on this thread. QN_E_DRIVER */
qn_status qn__cuda_use(const qn_device *dev);

/* Newest PTX version the driver reads, as 10 * major + minor, for what cuDriverGetVersion says;
 * 0 where it is newer than this table. */
int qn__cuda_ptx_version(int driver_version);

/* The callbacks of runtime/backend.h, by file. */
qn_status qn__cuda_probe(struct qn__found *found);
qn_status qn__cuda_device_open(qn_device **out, uint32_t index);
void qn__cuda_device_close(qn_device *dev);
qn_status qn__cuda_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);

qn_status qn__cuda_alloc(qn_addr *out, qn_device *dev, uint64_t bytes);
qn_status qn__cuda_free(qn_device *dev, qn_addr addr);
qn_status qn__cuda_alloc_host(void **out, qn_device *dev, uint64_t bytes);
qn_status qn__cuda_free_host(qn_device *dev, void *host);
qn_status qn__cuda_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                        uint64_t bytes);
qn_status qn__cuda_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                        uint64_t n_elems);

qn_status qn__cuda_module_load(qn_module **out, qn_device *dev, qn_image *image,
                               struct qn__str *log);
void qn__cuda_module_close(qn_module *mod);
qn_status qn__cuda_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                               const struct qn__kernel *signature);
void qn__cuda_kernel_close(qn_kernel *kernel);
qn_status qn__cuda_global_find(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol);

qn_status qn__cuda_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                          void *const *args);
qn_status qn__cuda_stream_open(qn_stream **out, qn_device *dev, bool timing);
void qn__cuda_stream_close(qn_stream *s);
qn_status qn__cuda_stream_wait(qn_stream *s, bool block);
qn_status qn__cuda_stream_wait_event(qn_stream *s, qn_event *e);
qn_status qn__cuda_event_open(qn_event **out, qn_device *dev);
void qn__cuda_event_close(qn_event *e);
qn_status qn__cuda_event_record(qn_event *e, qn_stream *s);
qn_status qn__cuda_event_wait(qn_event *e, bool block);
qn_status qn__cuda_event_elapsed(double *out_ms, qn_event *a, qn_event *b);

qn_status qn__cuda_capture_begin(qn_stream *s);
qn_status qn__cuda_capture_end(qn_graph **out, qn_stream *s);
qn_status qn__cuda_graph_launch(qn_graph *g, qn_stream *s);
void qn__cuda_graph_close(qn_graph *g);

#endif
