/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights in the order in which dots_<codes> reads them (quern_dots.cuh has the layout). Codes are
 * the format's own; scales and offsets are rounded to f16, which they are already in all but the
 * K formats: there a scale is a small integer times the block's. */
#ifndef QN_KERNELS_DOT_TILES_H
#define QN_KERNELS_DOT_TILES_H

#include "kernels/formats.h"

enum { QN__DOT_ROWS = 16, QN__DOT_ELEMS = 32 };

struct qn__tiling {
    const char *kernel;     /* that reads them */
    uint32_t words, scales; /* of 64 bytes for the codes of a block; of 16 f16 */
    bool has_offset;
    uint32_t zero; /* the code that means 0 */
};

/* NULL: the format has no tiles */
const struct qn__tiling *qn__tiling(const struct qn__format *f);

/* Bytes of 16 rows of n elements. */
uint64_t qn__dot_tile_bytes(const struct qn__tiling *t, uint64_t n);

/* One tile from 16 rows that lie one after the other. `out` is aligned to 4 bytes, n a multiple of
 * 32 and of the format's blocks. */
void qn__dot_tile_pack(void *out, const struct qn__format *f, const void *rows, uint64_t n);

/* What a tile means, (16, n), and for each element the largest |scale (code - zero)| + |offset| of
 * its 32: what errors of the two terms are relative to. */
void qn__dot_tile_unpack(float *values, float *size, const struct qn__format *f, const void *tile,
                         uint64_t n);

#endif
