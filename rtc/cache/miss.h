/* SPDX-License-Identifier: Apache-2.0
 *
 * Why was something not found? The entry that is nearest to it, and how the two differ. */
#ifndef QN_RTC_CACHE_MISS_H
#define QN_RTC_CACHE_MISS_H

#include "base/str.h"

#include <stdint.h>

/* The lines that only one of two lists of fields has: "- ..." for a's, "+ ..." for b's. Lines about
 * the same thing lie side by side. Returns how many there are. */
uint32_t qn__fields_diff(struct qn__str *out, const char *a, const char *b);

struct qn__nearest {
    char where[4096]; /* bundle or folder; "" when there is nothing near */
    char key[65];
    char compiler[128];  /* that made it, as its fields name it */
    struct qn__str diff; /* qn__fields_diff(entry, wanted) */
    uint32_t n;          /* differences */
    uint32_t rank;       /* private: less is nearer */
};

/* Look through all bundles and the cache folder: entries of the same main source, and of those the
 * one with the fewest differences, rather for the same target than for another and rather an image
 * than a driver's binary. Reads every entry's fields, so it is for explanations only.
 * fields: the wanted entry's, as far as they are known; source_hex: its source digest. Where no
 * compiler is known, what other compilers have to do with an entry is no difference. */
void qn__find_nearest(struct qn__nearest *out, const char *fields, const char *source_hex);
void qn__nearest_release(struct qn__nearest *n);

/* The same in one line: "the nearest entry (..., in ...) differs: option: -O2 there, -O3 here". */
void qn__miss_explain(struct qn__str *out, const char *fields, const char *source_hex);

#endif
