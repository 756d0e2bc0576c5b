/* SPDX-License-Identifier: Apache-2.0
 *
 * An open device: who holds it, what it says of itself. Listing and opening, which know every
 * backend, are in device_open.c. */
#include "base/hash.h"
#include "runtime/backend.h"
#include "runtime/driver_build.h"
#include "runtime/open_devices.h"

#include <string.h>

qn_device *qn__device_retain(qn_device *dev)
{
    atomic_fetch_add_explicit(&dev->refs, 1, memory_order_relaxed);
    return dev;
}

void qn__device_release(qn_device *dev)
{
    if (!dev || atomic_fetch_sub_explicit(&dev->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (dev->default_stream &&
        atomic_load_explicit(&dev->default_stream->is_late, memory_order_acquire))
        return; /* closing would wait for what does not end */
    if (dev->default_stream)
        dev->backend->stream_close(dev->default_stream);
    qn__open_devices_remove(dev);
    pthread_mutex_destroy(&dev->streams_lock);
    pthread_mutex_destroy(&dev->lock);
    qn__arena_release(&dev->arena);
    dev->backend->device_close(dev);
}

void qn_device_close(qn_device *dev)
{
    qn__device_release(dev);
}

void qn_device_set_watchdog(qn_device *dev, uint32_t ms)
{
    atomic_store_explicit(&dev->watchdog_ms, ms, memory_order_relaxed);
}

/* -- questions -- */

const qn_device_info *qn_device_get_info(const qn_device *dev)
{
    return &dev->info;
}

qn_status qn_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
    QN_ARG_CHECK(dev != NULL);
    uint64_t free_now = 0, total = 0;
    const qn_status s = dev->backend->device_memory(dev, &free_now, &total);
    if (free_bytes)
        *free_bytes = free_now;
    if (total_bytes)
        *total_bytes = total;
    return s;
}

void qn__device_fingerprint(char out[QN__HASH_HEX], const qn_device *dev)
{
    const char *const fields[] = {dev->info.backend, dev->info.name, dev->info.arch,
                                  dev->info.driver, dev->driver_build};
    unsigned char hash[QN__HASH_BYTES];
    struct qn__hash h;
    qn__hash_init(&h);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) /* with their ends */
        qn__hash_add(&h, fields[i], strlen(fields[i]) + 1);
    qn__driver_variables(&h, dev->info.driver);
    qn__hash_finish(&h, hash);
    qn__hash_to_hex(out, hash);
}
