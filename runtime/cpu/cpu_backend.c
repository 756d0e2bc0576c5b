/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU backend's table: which function is which callback of runtime/backend.h. Graphs are the
 * generic layer's: a recorded launch costs no more than a new one. */
#include "runtime/cpu/cpu_backend.h"

const struct qn__backend qn__backend_cpu = {
    .name = "cpu",
    .probe = qn__cpu_probe,
    .files = qn__cpu_files,
    .device_open = qn__cpu_device_open,
    .device_close = qn__cpu_device_close,
    .device_memory = qn__cpu_device_memory,
    .alloc = qn__cpu_alloc,
    .free = qn__cpu_free,
    .alloc_host = qn__cpu_alloc_host,
    .free_host = qn__cpu_free_host,
    .copy = qn__cpu_copy,
    .fill = qn__cpu_fill,
    .module_load = qn__cpu_module_load,
    .module_close = qn__cpu_module_close,
    .kernel_open = qn__cpu_kernel_open,
    .kernel_close = qn__cpu_kernel_close,
    .global_find = qn__cpu_global_find,
    .launch = qn__cpu_launch,
    .launch_cooperative = qn__cpu_launch_cooperative,
    .stream_open = qn__cpu_stream_open,
    .stream_close = qn__cpu_stream_close,
    .stream_wait = qn__cpu_stream_wait,
    .stream_wait_event = qn__cpu_stream_wait_event,
    .event_open = qn__cpu_event_open,
    .event_close = qn__cpu_event_close,
    .event_record = qn__cpu_event_record,
    .event_wait = qn__cpu_event_wait,
    .event_elapsed = qn__cpu_event_elapsed,
};
