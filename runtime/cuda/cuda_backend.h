/* SPDX-License-Identifier: Apache-2.0
 *
 * The callbacks of runtime/backend.h for CUDA, by file. Only cuda_backend.c's
 * table calls them. */
#ifndef QN_RUNTIME_CUDA_BACKEND_H
#define QN_RUNTIME_CUDA_BACKEND_H

#include "runtime/backend.h"

qn_status qn__cuda_probe(struct qn__found *found);
void qn__cuda_files(struct qn__str *names);
qn_status qn__cuda_device_open(qn_device **out, uint32_t index);
void qn__cuda_device_close(qn_device *dev);
qn_status qn__cuda_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);

qn_status qn__cuda_heap_set(qn_device *dev, uint64_t bytes);
qn_status qn__cuda_alloc(qn_addr *out, qn_device *dev, uint64_t bytes);
qn_status qn__cuda_free(qn_device *dev, qn_addr addr);
qn_status qn__cuda_alloc_host(void **out, qn_device *dev, uint64_t bytes);
qn_status qn__cuda_free_host(qn_device *dev, void *host);
qn_status qn__cuda_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                        uint64_t bytes);
qn_status qn__cuda_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                        uint64_t n_elems);
qn_status qn__cuda_texture_open(qn_texture *t);
void qn__cuda_texture_close(qn_texture *t);
qn_status qn__cuda_texture_copy(qn_texture *t, enum qn__copy kind, void *host);

qn_status qn__cuda_module_load(qn_module **out, qn_device *dev, qn_image *image,
                               struct qn__str *log);
void qn__cuda_module_close(qn_module *mod);
qn_status qn__cuda_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                               const struct qn__kernel *signature);
void qn__cuda_kernel_close(qn_kernel *kernel);
qn_status qn__cuda_global_find(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol);

qn_status qn__cuda_launch_early(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                void *const *args);
qn_status qn__cuda_launch_cooperative(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                      void *const *args);
qn_status qn__cuda_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                          void *const *args);
qn_status qn__cuda_stream_open(qn_stream **out, qn_device *dev, bool timing);
void qn__cuda_stream_close(qn_stream *s);
qn_status qn__cuda_stream_wait(qn_stream *s, uint64_t ns);
qn_status qn__cuda_stream_wait_event(qn_stream *s, qn_event *e);
qn_status qn__cuda_stream_native(void **handle, qn_stream *s);
qn_status qn__cuda_event_open(qn_event **out, qn_device *dev);
void qn__cuda_event_close(qn_event *e);
qn_status qn__cuda_event_record(qn_event *e, qn_stream *s);
qn_status qn__cuda_event_wait(qn_event *e, uint64_t ns);
qn_status qn__cuda_event_elapsed(double *out_ms, qn_event *a, qn_event *b);

qn_status qn__cuda_capture_begin(qn_stream *s);
qn_status qn__cuda_capture_end(qn_graph **out, qn_stream *s);
qn_status qn__cuda_graph_launch(qn_graph *g, qn_stream *s);
void qn__cuda_graph_close(qn_graph *g);

#endif
