/* SPDX-License-Identifier: Apache-2.0
 *
 * A range of characters as ranges of bytes, one after the other: U+0000 to U+10FFFF without the
 * surrogates is nine such sequences. */
#ifndef QN_ENGINE_UTF8_RANGES_H
#define QN_ENGINE_UTF8_RANGES_H

#include "engine/utf8.h"

#include <stdint.h>

struct qn__byte_range {
    uint8_t low, high;
};
struct qn__utf8_sequence {
    struct qn__byte_range bytes[4];
    uint32_t n;
};

/* Calls add() for each sequence; surrogates are left out. False from it ends this, with false. */
typedef int (*qn__utf8_sink)(const struct qn__utf8_sequence *s, void *payload);
int qn__utf8_ranges(uint32_t low, uint32_t high, qn__utf8_sink add, void *payload);

#endif
