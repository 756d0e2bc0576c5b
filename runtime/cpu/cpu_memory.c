/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory is the process's own, and an address is a pointer. Live allocations are kept in a
 * sorted table, so that only what was allocated is given back. Large ones are aligned to huge pages
 * and ask for them: a decode reads all weights once a token, and walks page tables less. */
#define _GNU_SOURCE
#include "base/forks.h"
#include "runtime/cpu/cpu_backend.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN_BYTES = 256, HUGE_BYTES = 2 << 20 };

/* Of all devices' tables, so that fork() finds them whole. */
static pthread_mutex_t tables = PTHREAD_MUTEX_INITIALIZER;
QN__FORK_PART(&tables, NULL)

static void *pointer(uint64_t addr)
{
    return (void *)(uintptr_t)addr;
}

/* Number of ranges that start at or before addr. */
static uint32_t ranges_upto(const struct qn__cpu_device *dev, uint64_t addr)
{
    uint32_t low = 0, high = dev->n_ranges;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (dev->ranges[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static qn_status add_range(struct qn__cpu_device *dev, struct qn__cpu_range range)
{
    if (dev->n_ranges == dev->capacity) {
        const uint32_t capacity = dev->capacity ? 2 * dev->capacity : 64;
        struct qn__cpu_range *grown = realloc(dev->ranges, capacity * sizeof *grown);
        if (!grown)
            return qn__fail(QN_E_MEMORY, "no memory for the table of %u allocations", capacity);
        dev->ranges = grown;
        dev->capacity = capacity;
    }
    const uint32_t at = ranges_upto(dev, range.start);
    memmove(&dev->ranges[at + 1], &dev->ranges[at], (dev->n_ranges - at) * sizeof range);
    dev->ranges[at] = range;
    dev->n_ranges++;
    return QN_OK;
}

static void *allocate(uint64_t bytes)
{
    void *p = NULL;
    const size_t align = bytes >= 2 * (uint64_t)HUGE_BYTES ? HUGE_BYTES : ALIGN_BYTES;
    if (bytes > SIZE_MAX - align || posix_memalign(&p, align, (size_t)bytes) != 0)
        return NULL;
    if (align == HUGE_BYTES)
        (void)madvise(p, (size_t)bytes, MADV_HUGEPAGE); /* a wish */
    return p;
}

static qn_status alloc_locked(qn_addr *out, struct qn__cpu_device *dev, uint64_t bytes)
{
    const uint64_t left = dev->memory_bytes - dev->allocated_bytes;
    void *p = bytes <= left ? allocate(bytes) : NULL;
    if (!p)
        return qn__fail(QN_E_DEVICE_MEMORY, "%llu bytes asked for, %llu of %llu are free",
                        (unsigned long long)bytes, (unsigned long long)left,
                        (unsigned long long)dev->memory_bytes);
    const struct qn__cpu_range range = {.start = (uintptr_t)p, .bytes = bytes};
    const qn_status s = add_range(dev, range);
    if (s != QN_OK) {
        free(p);
        return s;
    }
    dev->allocated_bytes += bytes;
    *out = range.start;
    return QN_OK;
}

qn_status qn__cpu_alloc(qn_addr *out, qn_device *device, uint64_t bytes)
{
    struct qn__cpu_device *dev = (struct qn__cpu_device *)device;
    *out = 0;
    pthread_mutex_lock(&tables);
    const qn_status s = alloc_locked(out, dev, bytes);
    pthread_mutex_unlock(&tables);
    return s;
}

qn_status qn__cpu_free(qn_device *device, qn_addr addr)
{
    struct qn__cpu_device *dev = (struct qn__cpu_device *)device;
    pthread_mutex_lock(&tables);
    const uint32_t n = ranges_upto(dev, addr);
    struct qn__cpu_range *r = n ? &dev->ranges[n - 1] : NULL;
    const bool is_start = r && r->start == addr;
    if (is_start) {
        dev->allocated_bytes -= r->bytes;
        memmove(r, r + 1, (dev->n_ranges - n) * sizeof *r);
        dev->n_ranges--;
    }
    pthread_mutex_unlock(&tables);
    if (!is_start)
        return qn__fail(QN_E_INVALID, "0x%llx is not the start of a live allocation",
                        (unsigned long long)addr);
    free(pointer(addr));
    return QN_OK;
}

uint64_t qn__cpu_memory_left(struct qn__cpu_device *dev)
{
    pthread_mutex_lock(&tables);
    const uint64_t left = dev->memory_bytes - dev->allocated_bytes;
    pthread_mutex_unlock(&tables);
    return left;
}

/* All of the host's memory is as near as it gets. */
qn_status qn__cpu_alloc_host(void **out, qn_device *dev, uint64_t bytes)
{
    (void)dev;
    *out = allocate(bytes);
    return *out ? QN_OK
                : qn__fail(QN_E_MEMORY, "no memory for %llu bytes", (unsigned long long)bytes);
}

qn_status qn__cpu_free_host(qn_device *dev, void *host)
{
    (void)dev;
    free(host);
    return QN_OK;
}

/* What the program has not given back. */
void qn__cpu_memory_close(struct qn__cpu_device *dev)
{
    for (uint32_t i = 0; i < dev->n_ranges; i++)
        free(pointer(dev->ranges[i].start));
    free(dev->ranges);
}
