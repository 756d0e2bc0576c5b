/* SPDX-License-Identifier: Apache-2.0
 *
 * Each piece is an allocation of the C library's with a head in front of what the kernel gets, in a
 * list, so that what kernels leave goes with the device. A piece counts as on other devices: its
 * bytes in units of 16, and one more. */
#include "runtime/cpu/cpu_heap.h"

#include "base/device_buffers.h"

#include <stdlib.h>

enum { MAGIC = 0x716e6d61 };

struct qn__cpu_piece {
    struct qn__cpu_piece *next, *prev;
    uint64_t counted_bytes;
    uint32_t magic, lead_bytes; /* from the allocation's beginning to what the kernel has */
};

static uint64_t counted(uint64_t align, uint64_t bytes)
{
    const uint64_t units = (bytes + (bytes == 0) + QN__HEAP_UNIT - 1) / QN__HEAP_UNIT + 1;
    return units * QN__HEAP_UNIT + (align > QN__HEAP_UNIT ? align - QN__HEAP_UNIT : 0);
}

static bool count(struct qn__cpu_heap *heap, uint64_t bytes)
{
    qn_device *const dev = heap->device;
    pthread_mutex_lock(&dev->lock);
    dev->heap_is_made = true;
    const bool has_room = bytes <= dev->heap_bytes - heap->taken_bytes;
    heap->taken_bytes += has_room ? bytes : 0;
    pthread_mutex_unlock(&dev->lock);
    return has_room;
}

static void uncount(struct qn__cpu_heap *heap, uint64_t bytes)
{
    pthread_mutex_lock(&heap->device->lock);
    heap->taken_bytes -= bytes;
    pthread_mutex_unlock(&heap->device->lock);
}

static void link_piece(struct qn__cpu_heap *heap, struct qn__cpu_piece *piece)
{
    pthread_mutex_lock(&heap->device->lock);
    piece->prev = NULL;
    piece->next = heap->first;
    if (piece->next)
        piece->next->prev = piece;
    heap->first = piece;
    pthread_mutex_unlock(&heap->device->lock);
}

void *qn__cpu_heap_take(struct qn__cpu_heap *heap, uint64_t align, uint64_t bytes)
{
    enum { MOST = 1 << 30 };
    const uint64_t lead =
        align > sizeof(struct qn__cpu_piece) ? align : sizeof(struct qn__cpu_piece);
    void *at = NULL;
    if (align > MOST || align & (align - 1) || bytes > SIZE_MAX - 2 * (uint64_t)MOST)
        return NULL;
    const uint64_t counts = counted(align, bytes);
    if (!count(heap, counts))
        return NULL;
    if (posix_memalign(&at, align < QN__HEAP_UNIT ? QN__HEAP_UNIT : (size_t)align, lead + bytes) !=
        0) {
        uncount(heap, counts);
        return NULL;
    }
    char *const p = (char *)at + lead;
    struct qn__cpu_piece *const piece = (struct qn__cpu_piece *)(void *)p - 1;
    piece->counted_bytes = counts;
    piece->magic = MAGIC;
    piece->lead_bytes = (uint32_t)lead;
    link_piece(heap, piece);
    return p;
}

/* The head of what a kernel frees twice is looked at where it was, which a sanitizer forbids. */
__attribute__((no_sanitize("address"))) bool qn__cpu_heap_has(const void *p)
{
    return (uintptr_t)p % QN__HEAP_UNIT == 0 &&
           ((const struct qn__cpu_piece *)p - 1)->magic == MAGIC;
}

static void drop(struct qn__cpu_piece *piece)
{
    piece->magic = 0;
    free((char *)(piece + 1) - piece->lead_bytes);
}

void qn__cpu_heap_give(struct qn__cpu_heap *heap, void *p)
{
    struct qn__cpu_piece *const piece = (struct qn__cpu_piece *)p - 1;
    pthread_mutex_lock(&heap->device->lock);
    if (piece->prev)
        piece->prev->next = piece->next;
    else
        heap->first = piece->next;
    if (piece->next)
        piece->next->prev = piece->prev;
    heap->taken_bytes -= piece->counted_bytes;
    pthread_mutex_unlock(&heap->device->lock);
    drop(piece);
}

void qn__cpu_heap_close(struct qn__cpu_heap *heap)
{
    for (struct qn__cpu_piece *piece = heap->first, *next; piece; piece = next) {
        next = piece->next;
        drop(piece);
    }
    heap->first = NULL;
}
