/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA backend's table: which function is which callback of runtime/backend.h. */
#include "runtime/cuda/cuda_backend.h"

const struct qn__backend qn__backend_cuda = {
    .name = "cuda",
    .probe = qn__cuda_probe,
    .files = qn__cuda_files,
    .device_open = qn__cuda_device_open,
    .device_close = qn__cuda_device_close,
    .device_memory = qn__cuda_device_memory,
    .alloc = qn__cuda_alloc,
    .free = qn__cuda_free,
    .alloc_host = qn__cuda_alloc_host,
    .free_host = qn__cuda_free_host,
    .copy = qn__cuda_copy,
    .fill = qn__cuda_fill,
    .module_load = qn__cuda_module_load,
    .module_close = qn__cuda_module_close,
    .kernel_open = qn__cuda_kernel_open,
    .kernel_close = qn__cuda_kernel_close,
    .global_find = qn__cuda_global_find,
    .launch = qn__cuda_launch,
    .stream_open = qn__cuda_stream_open,
    .stream_close = qn__cuda_stream_close,
    .stream_wait = qn__cuda_stream_wait,
    .stream_wait_event = qn__cuda_stream_wait_event,
    .stream_native = qn__cuda_stream_native,
    .event_open = qn__cuda_event_open,
    .event_close = qn__cuda_event_close,
    .event_record = qn__cuda_event_record,
    .event_wait = qn__cuda_event_wait,
    .event_elapsed = qn__cuda_event_elapsed,
    .capture_begin = qn__cuda_capture_begin,
    .capture_end = qn__cuda_capture_end,
    .graph_launch = qn__cuda_graph_launch,
    .graph_close = qn__cuda_graph_close,
};
