/* SPDX-License-Identifier: Apache-2.0
 *
 * The HIP backend's shared parts: the runtime table, its objects, errors.
 *
 * HIP keeps a current device per thread; the application may change it behind our back, so every
 * call that depends on it sets it again (qn__hip_use).
 *
 * HIP also exists on NVIDIA GPUs, as a layer over CUDA. Such a device says "sm_90" where an AMD one
 * says "gfx90a"; its images are cubin and PTX, its target is "cuda:sm_90". */
#ifndef QN_RUNTIME_HIP_DRIVER_H
#define QN_RUNTIME_HIP_DRIVER_H

#include "runtime/backend.h"
#include "runtime/hip/hip_metadata.h"
#include "runtime/hip/hip_types.h"

/* The runtime's functions, filled once by qn__hip_load(). */
struct qn__hip_api {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#define QN_OPT                          QN_SYM
#include "runtime/hip/hip.sym"
#undef QN_SYM
#undef QN_OPT
};
extern struct qn__hip_api qn__hip;

struct qn__hip_device {
    qn_device base;
    int ordinal; /* of hipSetDevice() */
};

struct qn__hip_module {
    qn_module base;
    hip_module handle;
    struct qn__arena arena;           /* of metadata */
    struct qn__hip_metadata metadata; /* empty where the image has none */
};

struct qn__hip_kernel {
    qn_kernel base;
    hip_function handle;
    struct qn__arena arena; /* of the name in base.info */
};

struct qn__hip_stream {
    qn_stream base;
    hip_stream handle;
    uint32_t n_captured; /* operations since the capture began */
};

/* An event that may be timed costs more to record, and which kind is wanted shows only when it is
 * recorded: both are made on first need. */
struct qn__hip_event {
    qn_event base;
    hip_event plain, timed;
    hip_event last; /* the one recorded last */
};

struct qn__hip_graph {
    qn_graph base;
    hip_graph_exec handle;
};

/* Load libamdhip64 and start it; the first call decides for the process. *library is what was
 * tried. QN_E_NO_DEVICE  the message has the reason and what would help */
qn_status qn__hip_load(const char **library);

/* What a failed call means: "<formatted>: hipErrorX: text", with HIP's code. */
qn_status qn__hip_fail(hip_result code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Make the device this thread's current one. QN_E_DRIVER */
qn_status qn__hip_use(const qn_device *dev);

/* The environment variables in effect that hide or disguise AMD devices, as
 * "; HIP_VISIBLE_DEVICES=1 is set"; "" where there are none. */
void qn__hip_environment(char *out, size_t capacity);

/* The callbacks of runtime/backend.h, by file. */
qn_status qn__hip_probe(struct qn__found *found);
qn_status qn__hip_device_open(qn_device **out, uint32_t index);
void qn__hip_device_close(qn_device *dev);
qn_status qn__hip_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);

qn_status qn__hip_alloc(qn_addr *out, qn_device *dev, uint64_t bytes);
qn_status qn__hip_free(qn_device *dev, qn_addr addr);
qn_status qn__hip_alloc_host(void **out, qn_device *dev, uint64_t bytes);
qn_status qn__hip_free_host(qn_device *dev, void *host);
qn_status qn__hip_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                       uint64_t bytes);
qn_status qn__hip_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                       uint64_t n_elems);

qn_status qn__hip_module_load(qn_module **out, qn_device *dev, qn_image *image,
                              struct qn__str *log);
void qn__hip_module_close(qn_module *mod);
qn_status qn__hip_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                              const struct qn__kernel *signature);
void qn__hip_kernel_close(qn_kernel *kernel);
qn_status qn__hip_global_find(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol);

qn_status qn__hip_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                         void *const *args);
qn_status qn__hip_stream_open(qn_stream **out, qn_device *dev, bool timing);
void qn__hip_stream_close(qn_stream *s);
qn_status qn__hip_stream_wait(qn_stream *s, bool block);
qn_status qn__hip_stream_wait_event(qn_stream *s, qn_event *e);
qn_status qn__hip_event_open(qn_event **out, qn_device *dev);
void qn__hip_event_close(qn_event *e);
qn_status qn__hip_event_record(qn_event *e, qn_stream *s);
qn_status qn__hip_event_wait(qn_event *e, bool block);
qn_status qn__hip_event_elapsed(double *out_ms, qn_event *a, qn_event *b);

qn_status qn__hip_capture_begin(qn_stream *s);
qn_status qn__hip_capture_end(qn_graph **out, qn_stream *s);
qn_status qn__hip_graph_launch(qn_graph *g, qn_stream *s);
void qn__hip_graph_close(qn_graph *g);

#endif
