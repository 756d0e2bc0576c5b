/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats of stored weights, as facts and as plain C: what one block of each means.
 *
 * kernels/formats.def is the list. A row of a matrix is a whole number of blocks, blocks lie one
 * after the other, and nothing is padded: a (rows, n) matrix takes rows * n / block_elems *
 * block_bytes. The block layouts are those of GGUF files (little endian). */
#ifndef QN_KERNELS_FORMATS_H
#define QN_KERNELS_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

enum qn__format_id {
#define QN__FORMAT(name, gguf_type, block_elems, block_bytes) QN__FORMAT_##name,
#include "kernels/formats.def"
    QN__N_FORMATS,
};

struct qn__format {
    enum qn__format_id id;
    const char *name;
    uint32_t gguf_type;
    uint32_t block_elems, block_bytes;
    /* n elements (a multiple of block_elems) to floats, bit for bit what the format defines */
    void (*unpack)(float *out, const void *blocks, uint64_t n);
    /* n floats to blocks, rounding to nearest; NULL where Quern only reads the format */
    void (*pack)(void *blocks, const float *in, uint64_t n);
};

const struct qn__format *qn__format_get(enum qn__format_id id);
const struct qn__format *qn__format_find(const char *name);        /* or NULL */
const struct qn__format *qn__format_find_gguf(uint32_t gguf_type); /* or NULL */

/* Bytes of n elements; n is a multiple of block_elems. */
uint64_t qn__format_bytes(const struct qn__format *f, uint64_t n);

#endif
