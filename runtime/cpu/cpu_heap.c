/* SPDX-License-Identifier: Apache-2.0
 *
 * Each piece is an allocation of the C library's. The set of those that live says what a kernel may
 * give back, without a look at memory that may be nobody's, and what it leaves, which goes with the
 * device. It is a table with open addressing; what is taken out is filled from behind. A piece
 * counts as on other devices: its bytes in units of 16, and one more. */
#include "runtime/cpu/cpu_heap.h"

#include "base/device_buffers.h"

#include <stdlib.h>

struct qn__cpu_piece {
    void *p; /* NULL: a free place */
    uint64_t counted_bytes;
};

static uint64_t counted(uint64_t align, uint64_t bytes)
{
    const uint64_t units = (bytes + (bytes == 0) + QN__HEAP_UNIT - 1) / QN__HEAP_UNIT + 1;
    return units * QN__HEAP_UNIT + (align > QN__HEAP_UNIT ? align - QN__HEAP_UNIT : 0);
}

/* -- the set -- */

static uint64_t first_place(const struct qn__cpu_heap *heap, const void *p)
{
    return ((uintptr_t)p / QN__HEAP_UNIT * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
           (heap->capacity - 1);
}

/* Where the address is, or the free place for it. */
static uint64_t place_of(const struct qn__cpu_heap *heap, const void *p)
{
    uint64_t i = first_place(heap, p);
    while (heap->live[i].p && heap->live[i].p != p)
        i = (i + 1) & (heap->capacity - 1);
    return i;
}

/* Half of the places stay free. */
static bool make_place(struct qn__cpu_heap *heap)
{
    enum { FIRST = 64 };
    struct qn__cpu_heap larger = *heap;
    if (2 * heap->n_live < heap->capacity)
        return true;
    larger.capacity = heap->capacity ? 2 * heap->capacity : FIRST;
    larger.live = calloc(larger.capacity, sizeof *larger.live);
    if (!larger.live)
        return false;
    for (uint64_t i = 0; i < heap->capacity; i++)
        if (heap->live[i].p)
            larger.live[place_of(&larger, heap->live[i].p)] = heap->live[i];
    free(heap->live);
    *heap = larger;
    return true;
}

static void take_out(struct qn__cpu_heap *heap, uint64_t hole)
{
    const uint64_t mask = heap->capacity - 1;
    for (uint64_t i = (hole + 1) & mask; heap->live[i].p; i = (i + 1) & mask) {
        const uint64_t first = first_place(heap, heap->live[i].p);
        if (((i - first) & mask) < ((i - hole) & mask))
            continue; /* it would come before its first place */
        heap->live[hole] = heap->live[i];
        hole = i;
    }
    heap->live[hole].p = NULL;
    heap->n_live--;
}

/* -- taking and giving back -- */

static void *take(struct qn__cpu_heap *heap, uint64_t align, uint64_t bytes)
{
    const uint64_t counts = counted(align, bytes);
    void *p = NULL;
    heap->device->heap_is_made = true;
    if (counts > heap->device->heap_bytes - heap->taken_bytes || !make_place(heap) ||
        posix_memalign(&p, align < QN__HEAP_UNIT ? QN__HEAP_UNIT : (size_t)align,
                       bytes ? bytes : 1) != 0)
        return NULL;
    heap->live[place_of(heap, p)] = (struct qn__cpu_piece){p, counts};
    heap->n_live++;
    heap->taken_bytes += counts;
    return p;
}

void *qn__cpu_heap_take(struct qn__cpu_heap *heap, uint64_t align, uint64_t bytes)
{
    enum { MOST = 1 << 30 };
    if (align > MOST || align & (align - 1) || bytes > SIZE_MAX - 2 * (uint64_t)MOST)
        return NULL;
    pthread_mutex_lock(&heap->device->lock);
    void *p = take(heap, align, bytes);
    pthread_mutex_unlock(&heap->device->lock);
    return p;
}

bool qn__cpu_heap_give(struct qn__cpu_heap *heap, void *p)
{
    pthread_mutex_lock(&heap->device->lock);
    const uint64_t place = heap->capacity ? place_of(heap, p) : 0;
    const bool is_live = heap->capacity && heap->live[place].p;
    if (is_live) {
        heap->taken_bytes -= heap->live[place].counted_bytes;
        take_out(heap, place);
    }
    pthread_mutex_unlock(&heap->device->lock);
    if (is_live)
        free(p);
    return is_live;
}

void qn__cpu_heap_close(struct qn__cpu_heap *heap)
{
    for (uint64_t i = 0; i < heap->capacity; i++)
        free(heap->live[i].p);
    free(heap->live);
    heap->live = NULL;
    heap->n_live = heap->capacity = 0;
}
