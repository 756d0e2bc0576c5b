/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenCL backend's table: which function is which callback of runtime/backend.h. */
#include "runtime/opencl/opencl_backend.h"

const struct qn__backend qn__backend_opencl = {
    .name = "opencl",
    .probe = qn__opencl_probe,
    .files = qn__opencl_files,
    .device_open = qn__opencl_device_open,
    .device_close = qn__opencl_device_close,
    .device_memory = qn__opencl_device_memory,
    .alloc = qn__opencl_alloc,
    .free = qn__opencl_free,
    .alloc_host = qn__opencl_alloc_host,
    .free_host = qn__opencl_free_host,
    .copy = qn__opencl_copy,
    .fill = qn__opencl_fill,
    .module_load = qn__opencl_module_load,
    .module_close = qn__opencl_module_close,
    .kernel_open = qn__opencl_kernel_open,
    .kernel_close = qn__opencl_kernel_close,
    .global_find = qn__opencl_global_find,
    .module_binary = qn__opencl_module_binary,
    .launch = qn__opencl_launch,
    .stream_open = qn__opencl_stream_open,
    .stream_close = qn__opencl_stream_close,
    .stream_wait = qn__opencl_stream_wait,
    .stream_wait_event = qn__opencl_stream_wait_event,
    .event_open = qn__opencl_event_open,
    .event_close = qn__opencl_event_close,
    .event_record = qn__opencl_event_record,
    .event_wait = qn__opencl_event_wait,
    .event_elapsed = qn__opencl_event_elapsed,
};
