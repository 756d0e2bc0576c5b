/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters as bytes (utf8_ranges.h). A range is cut where the number of bytes changes, at the
 * surrogates, and where a byte would not go through all of its values while those before it stay.
 */
#include "engine/utf8_ranges.h"

/* Of one number of bytes. */
static int add_even(uint32_t low, uint32_t high, uint32_t n, qn__utf8_sink add, void *payload)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t mask = (1u << 6 * i) - 1;
        if ((low & ~mask) == (high & ~mask))
            continue;
        if (low & mask)
            return add_even(low, low | mask, n, add, payload) &&
                   add_even((low | mask) + 1, high, n, add, payload);
        if ((high & mask) != mask)
            return add_even(low, (high & ~mask) - 1, n, add, payload) &&
                   add_even(high & ~mask, high, n, add, payload);
    }
    char a[4], b[4];
    struct qn__utf8_sequence s = {.n = n};
    qn__utf8_write(a, low);
    qn__utf8_write(b, high);
    for (uint32_t i = 0; i < n; i++)
        s.bytes[i] = (struct qn__byte_range){(uint8_t)a[i], (uint8_t)b[i]};
    return add(&s, payload);
}

int qn__utf8_ranges(uint32_t low, uint32_t high, qn__utf8_sink add, void *payload)
{
    static const struct {
        uint32_t low, high, n;
    } parts[] = {{0, 0x7f, 1},
                 {0x80, 0x7ff, 2},
                 {0x800, 0xd7ff, 3},
                 {0xe000, 0xffff, 3},
                 {0x10000, QN__CHARACTER_MAX, 4}};
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const uint32_t from = low > parts[i].low ? low : parts[i].low;
        const uint32_t to = high < parts[i].high ? high : parts[i].high;
        if (from <= to && !add_even(from, to, parts[i].n, add, payload))
            return 0;
    }
    return 1;
}
