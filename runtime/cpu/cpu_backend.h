/* SPDX-License-Identifier: Apache-2.0
 *
 * The callbacks of runtime/backend.h for the CPU, by file, and their structs. There is no driver:
 * images are machine code, and the threads that run it are ours (cpu_pool.h). */
#ifndef QN_RUNTIME_CPU_BACKEND_H
#define QN_RUNTIME_CPU_BACKEND_H

#include "runtime/backend.h"
#include "runtime/cpu/cpu_cost.h"
#include "runtime/cpu/cpu_heap.h"
#include "runtime/cpu/cpu_run.h"

/* -- cpu_device.c -- */
qn_status qn__cpu_probe(struct qn__found *found);
void qn__cpu_files(struct qn__str *names);
qn_status qn__cpu_device_open(qn_device **out, uint32_t index);
void qn__cpu_device_close(qn_device *dev);
qn_status qn__cpu_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);

/* -- cpu_memory.c -- */
struct qn__cpu_range {
    uint64_t start, bytes;
};

struct qn__cpu_device {
    qn_device base;
    uint64_t memory_bytes; /* of the machine */
    /* live allocations, sorted; guarded by base.lock */
    struct qn__cpu_range *ranges;
    uint32_t n_ranges, capacity;
    uint64_t allocated_bytes;
    struct qn__cpu_heap heap;
};

qn_status qn__cpu_alloc(qn_addr *out, qn_device *dev, uint64_t bytes);
qn_status qn__cpu_free(qn_device *dev, qn_addr addr);
qn_status qn__cpu_alloc_host(void **out, qn_device *dev, uint64_t bytes);
qn_status qn__cpu_free_host(qn_device *dev, void *host);
void qn__cpu_memory_close(struct qn__cpu_device *dev);
uint64_t qn__cpu_memory_left(struct qn__cpu_device *dev); /* bytes */

/* -- cpu_module.c -- */
struct qn__cpu_module {
    qn_module base;
    void *handle; /* of dlopen */
    struct qn__cpu_code code;
    const struct qn_kernel_entry *entries;
    uint32_t n_entries;
    const struct qn_global_entry *globals;
    uint32_t n_globals;
    struct qn__arena arena; /* while it is loaded */
};

struct qn__cpu_kernel {
    qn_kernel base;
    const struct qn_kernel_entry *entry;
    uint32_t args_bytes; /* for a copy of all arguments; 0: none, or not known */
    struct qn__cpu_cost *cost;
};

qn_status qn__cpu_module_load(qn_module **out, qn_device *dev, qn_image *image,
                              struct qn__str *log);
void qn__cpu_module_close(qn_module *mod);
qn_status qn__cpu_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                              const struct qn__kernel *signature);
void qn__cpu_kernel_close(qn_kernel *kernel);
qn_status qn__cpu_global_find(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol);

/* -- cpu_stream.c -- */
qn_status qn__cpu_stream_open(qn_stream **out, qn_device *dev, bool timing);
void qn__cpu_stream_close(qn_stream *s);
qn_status qn__cpu_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                       uint64_t bytes);
qn_status qn__cpu_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                       uint64_t n_elems);
qn_status qn__cpu_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                         void *const *args);
qn_status qn__cpu_launch_cooperative(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                     void *const *args);
qn_status qn__cpu_stream_wait(qn_stream *s, uint64_t ns);
qn_status qn__cpu_stream_wait_event(qn_stream *s, qn_event *e);

/* -- cpu_event.c -- */
qn_status qn__cpu_event_open(qn_event **out, qn_device *dev);
void qn__cpu_event_close(qn_event *e);
qn_status qn__cpu_event_record(qn_event *e, qn_stream *s);
qn_status qn__cpu_event_wait(qn_event *e, uint64_t ns);
qn_status qn__cpu_event_elapsed(double *out_ms, qn_event *a, qn_event *b);

#endif
