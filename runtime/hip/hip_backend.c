/* SPDX-License-Identifier: Apache-2.0
 *
 * The HIP backend's table: which function is which callback of runtime/backend.h. */
#include "runtime/hip/hip_backend.h"

const struct qn__backend qn__backend_hip = {
    .name = "hip",
    .probe = qn__hip_probe,
    .files = qn__hip_files,
    .device_open = qn__hip_device_open,
    .device_close = qn__hip_device_close,
    .device_memory = qn__hip_device_memory,
    .alloc = qn__hip_alloc,
    .free = qn__hip_free,
    .alloc_host = qn__hip_alloc_host,
    .free_host = qn__hip_free_host,
    .copy = qn__hip_copy,
    .fill = qn__hip_fill,
    .no_textures = "textures of HIP devices: read the data through a pointer",
    .module_load = qn__hip_module_load,
    .module_close = qn__hip_module_close,
    .kernel_open = qn__hip_kernel_open,
    .kernel_close = qn__hip_kernel_close,
    .global_find = qn__hip_global_find,
    .launch = qn__hip_launch,
    .stream_open = qn__hip_stream_open,
    .stream_close = qn__hip_stream_close,
    .stream_wait = qn__hip_stream_wait,
    .stream_wait_event = qn__hip_stream_wait_event,
    .event_open = qn__hip_event_open,
    .event_close = qn__hip_event_close,
    .event_record = qn__hip_event_record,
    .event_wait = qn__hip_event_wait,
    .event_elapsed = qn__hip_event_elapsed,
    .capture_begin = qn__hip_capture_begin,
    .capture_end = qn__hip_capture_end,
    .graph_launch = qn__hip_graph_launch,
    .graph_close = qn__hip_graph_close,
};
