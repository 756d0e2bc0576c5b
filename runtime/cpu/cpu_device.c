/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor as a device: what it is called, what it can do, how much memory the machine has. */
#define _GNU_SOURCE
#include "base/control_groups.h"
#include "base/free_memory.h"
#include "runtime/cpu/cpu_backend.h"
#include "runtime/cpu/cpu_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum { TEXT_BYTES = 4096 };

/* The limits of CUDA's devices: kernels that run there run here. */
enum { BLOCK_ITEMS_MAX = 1024, BLOCK_Z_MAX = 64, SHARED_BYTES_MAX = 256 << 10 };

/* Value of the first line that begins with `key`, "model name	: Xeon"; "" where there is none. */
static void read_value(char *out, size_t capacity, const char *text, const char *key)
{
    const char *line = strstr(text, key);
    line = line ? line + strcspn(line, ":\n") : "";
    line += strspn(line, ": \t");
    snprintf(out, capacity, "%.*s", (int)strcspn(line, "\n"), line);
}

static void read_name(char *out, size_t capacity)
{
    char text[TEXT_BYTES];
    qn__small_file_read(text, sizeof text, "/proc/cpuinfo");
    read_value(out, capacity, text, "model name");
    if (!out[0])
        snprintf(out, capacity, "CPU");
}

qn_status qn__cpu_probe(struct qn__found *found)
{
    struct qn__cpu_target native;
    char arch[QN__CPU_ARCH_MAX], target[QN__CPU_ARCH_MAX + 8], name[128], driver[128];
    struct utsname system;
    if (qn__cpu_target_native(&native) != QN_OK)
        return qn__found_refusal(found, "cpu", "this processor", "%s", qn_message());
    qn__cpu_target_print(arch, &native);
    snprintf(target, sizeof target, "cpu:%s", arch);
    read_name(name, sizeof name);
    const struct qn__free_memory memory = qn__free_memory();
    uname(&system);
    snprintf(driver, sizeof driver, "%.20s %.80s", system.sysname, system.release);
    const qn_device_info info = {
        .kind = "cpu",
        .name = name,
        .arch = arch,
        .target = target,
        .driver = driver,
        .device_class = QN_DEVICE_CPU,
        .memory_total_bytes = memory.total_bytes,
        .memory_free_bytes = memory.free_bytes,
        .compute_units = qn__cpu_threads(),
        .wave_width = 32,
        .block_threads_max = BLOCK_ITEMS_MAX,
        .block_max = {BLOCK_ITEMS_MAX, BLOCK_ITEMS_MAX, BLOCK_Z_MAX},
        .grid_max = {INT32_MAX, UINT16_MAX, UINT16_MAX},
        .shared_bytes_max = SHARED_BYTES_MAX,
    };
    return qn__found_device(found, &info);
}

void qn__cpu_files(struct qn__str *names)
{
    (void)names; /* no library is loaded */
}

qn_status qn__cpu_device_open(qn_device **out, uint32_t index)
{
    (void)index; /* there is one */
    struct qn__cpu_device *dev = qn__alloc(1, sizeof *dev);
    *out = dev ? &dev->base : NULL;
    if (!dev)
        return qn__fail(QN_E_MEMORY, "no memory for a device");
    dev->memory_bytes = qn__free_memory().total_bytes;
    if (!dev->memory_bytes)
        dev->memory_bytes = UINT64_MAX;
    dev->heap.device = &dev->base;
    return QN_OK;
}

void qn__cpu_device_close(qn_device *device)
{
    struct qn__cpu_device *dev = (struct qn__cpu_device *)device;
    qn__cpu_memory_close(dev);
    qn__cpu_heap_close(&dev->heap);
    free(dev);
}

qn_status qn__cpu_device_memory(qn_device *device, uint64_t *free_bytes, uint64_t *total_bytes)
{
    struct qn__cpu_device *dev = (struct qn__cpu_device *)device;
    const struct qn__free_memory now = qn__free_memory();
    const uint64_t left = qn__cpu_memory_left(dev);
    *total_bytes = now.total_bytes;
    *free_bytes = now.total_bytes && now.free_bytes < left ? now.free_bytes : left;
    return QN_OK;
}
