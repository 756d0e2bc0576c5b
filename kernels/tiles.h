/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights in tiles, as quern_tiles.cuh reads them: which matrices can be, what a launch over them
 * needs, and the way there and back on the host, by which the kernels' own is checked. */
#ifndef QN_KERNELS_TILES_H
#define QN_KERNELS_TILES_H

#include "kernels/formats.h"

#include <quern/device.h>
#include <quern/stream.h>
#include <stdbool.h>

enum { QN__TILE_ROWS = 16, QN__TILE_WIDTH = 256, QN__TILE_COLUMNS = 4 };

/* Are there kernels for it? `pairs`: a gate and its way up in one. */
bool qn__tiles_accept(const struct qn__format *f, uint64_t rows, uint64_t n, bool pairs);
/* NULL, or why not: "no kernel for its format", ... */
const char *qn__tiles_refusal(const struct qn__format *f, uint64_t rows, uint64_t n, bool pairs);

/* Of a tile; 0: the format has none. */
uint32_t qn__tile_bytes(const struct qn__format *f);

struct qn__tile_work {
    const struct qn__format *format;
    uint64_t rows, n;
    uint32_t tokens; /* at once, up to QN__TILE_COLUMNS */
    bool pairs;
};

/* `threads` in a block, 0: the plan's own. The second with that many blocks. */
qn_dims qn__tiles_plan(const struct qn__tile_work *w, const qn_device_info *dev, uint32_t threads);
qn_dims qn__tiles_plan_on(const struct qn__tile_work *w, const qn_device_info *dev,
                          uint32_t threads, uint32_t blocks);

/* The most tokens at once for which the plan's shared memory is there; 0: not even one. */
uint32_t qn__tiles_at_once(const struct qn__tile_work *w, const qn_device_info *dev);

/* Stored blocks of (rows, n) in tiles, and back. out may not be in. */
void qn__tiles_pack(uint8_t *out, const uint8_t *in, const struct qn__format *f, uint64_t rows,
                    uint64_t n);

#endif
