/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights on their way to the device (weight_upload.h). */
#include "engine/weight_upload.h"

#include "kernels/dot_tiles.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { UPLOAD_BYTES = 64 << 20 };

struct uploading {
    const struct qn__weights *w;
    uint32_t layer;
    struct qn__upload *u;
    unsigned char *room; /* for tiles */
    uint64_t room_bytes;
};

static void count(struct uploading *up, uint64_t n_bytes)
{
    up->u->done += n_bytes;
    if (up->u->progress)
        up->u->progress(up->u->done, up->u->total, up->u->payload);
}

/* Where what is uploaded with placement i goes on, or ends. */
static qn_addr next_addr(const struct uploading *up, uint32_t i)
{
    const struct qn__weights *w = up->w;
    for (i++; i < w->n_placements; i++)
        if (w->placements[i].layer == up->layer)
            return w->placements[i].addr;
    return up->layer == QN__STAYS ? w->base + w->n_bytes
                                  : w->layers[up->layer].addr + w->layers[up->layer].n_bytes;
}

/* Zeros between the placement and the next, or the end: whoever reads the allocation as a whole
 * (bandwidth.c) reads nothing that was never written. */
static qn_status clear_gap(const struct uploading *up, uint32_t i)
{
    const struct qn__placement *p = &up->w->placements[i];
    const qn_addr end = p->addr + p->n_bytes;
    return qn_memory_fill(up->u->dev, end, 0, 1, next_addr(up, i) - end, up->u->stream);
}

/* Tiles are packed here and copied, as many at a time as `room` holds: at least one. */
static qn_status upload_tiles(struct uploading *up, const struct qn__placement *p)
{
    const uint64_t tile = qn__dot_tile_bytes(qn__tiling(p->format), p->n);
    const uint64_t tile_rows = qn__format_bytes(p->format, (uint64_t)QN__DOT_ROWS * p->n);
    const uint64_t n_tiles = p->rows / QN__DOT_ROWS, at_once = up->room_bytes / tile;
    for (uint64_t first = 0; first < n_tiles; first += at_once) {
        const uint64_t n = n_tiles - first < at_once ? n_tiles - first : at_once;
        for (uint64_t i = 0; i < n; i++)
            qn__dot_tile_pack(up->room + i * tile, p->format,
                              (const unsigned char *)p->bytes + (first + i) * tile_rows, p->n);
        QN_TRY(qn_memory_upload(up->u->dev, p->addr + first * tile, up->room, n * tile,
                                up->u->stream));
        QN_TRY(qn_stream_sync(up->u->stream)); /* the room is used again */
    }
    count(up, p->n_bytes);
    return QN_OK;
}

/* Rows become columns, one copy at a time. */
static qn_status upload_turned(struct uploading *up, const struct qn__placement *p)
{
    const uint64_t n = (uint64_t)p->rows * p->n;
    const uint64_t from_bytes = qn__format_bytes(p->turned, n);
    const uint64_t to_bytes = qn__format_bytes(p->turned_to, n);
    float *stored = qn__alloc(n, sizeof *stored), *turned = qn__alloc(n, sizeof *turned);
    void *packed = qn__alloc(to_bytes, 1);
    qn_status s =
        stored && turned && packed ? QN_OK : qn__fail(QN_E_MEMORY, "no memory to turn weights");
    for (uint32_t i = 0; s == QN_OK && i < p->copies; i++) {
        p->turned->unpack(stored, (const char *)p->bytes + i * from_bytes, n);
        for (uint64_t at = 0; at < n; at++)
            turned[at % p->rows * p->n + at / p->rows] = stored[at];
        p->turned_to->pack(packed, turned, n);
        s = qn_memory_upload(up->u->dev, p->addr + i * to_bytes, packed, to_bytes, up->u->stream);
        if (s == QN_OK)
            s = qn_stream_sync(up->u->stream);
    }
    free(stored);
    free(turned);
    free(packed);
    count(up, p->n_bytes);
    return s;
}

static qn_status upload_bytes(struct uploading *up, const struct qn__placement *p)
{
    for (uint64_t at = 0; at < p->n_bytes; at += UPLOAD_BYTES) {
        const uint64_t left = p->n_bytes - at, n = left < UPLOAD_BYTES ? left : UPLOAD_BYTES;
        QN_TRY(qn_memory_upload(up->u->dev, p->addr + at, (const char *)p->bytes + at, n,
                                up->u->stream));
        count(up, n);
    }
    return QN_OK;
}

/* Room for tiles: some of each placement's, which has as many as it may be large. */
static qn_status tile_room(struct uploading *up)
{
    enum { USUAL_BYTES = 1 << 20 };
    for (uint32_t i = 0; i < up->w->n_placements; i++) {
        const struct qn__placement *p = &up->w->placements[i];
        const bool is_wanted = p->layer == up->layer && p->format;
        const uint64_t tile = is_wanted ? qn__dot_tile_bytes(qn__tiling(p->format), p->n) : 0;
        const uint64_t wanted = tile && tile < USUAL_BYTES ? USUAL_BYTES : tile;
        up->room_bytes = wanted > up->room_bytes ? wanted : up->room_bytes;
    }
    up->room = up->room_bytes ? qn__alloc(up->room_bytes, 1) : NULL;
    return up->room_bytes && !up->room ? qn__fail(QN_E_MEMORY, "no memory to pack weights") : QN_OK;
}

static qn_status upload_all(struct uploading *up)
{
    for (uint32_t i = 0; i < up->w->n_placements; i++) {
        const struct qn__placement *p = &up->w->placements[i];
        if (p->layer != up->layer)
            continue;
        QN_TRY(p->format   ? upload_tiles(up, p)
               : p->turned ? upload_turned(up, p)
                           : upload_bytes(up, p));
        QN_TRY(clear_gap(up, i));
    }
    return qn_stream_sync(up->u->stream);
}

qn_status qn__weights_upload(const struct qn__weights *w, uint32_t layer, struct qn__upload *u)
{
    struct uploading up = {.w = w, .layer = layer, .u = u};
    QN_TRY(tile_room(&up));
    const qn_status s = upload_all(&up);
    free(up.room);
    return s;
}

void qn__weights_will_need(const struct qn__weights *w, uint32_t layer)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (uint32_t i = 0; i < w->n_placements; i++) {
        const struct qn__placement *p = &w->placements[i];
        const uintptr_t at = (uintptr_t)p->bytes / page * page;
        if (p->layer == layer) /* advice: it cannot fail in a way that matters */
            posix_madvise((void *)at, (uintptr_t)p->bytes + p->n_bytes - at, POSIX_MADV_WILLNEED);
    }
}
