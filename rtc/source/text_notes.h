/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about a source text: its digest, and the files it includes. A program's kernels
 * share most of their headers, so the notes of each text are made once and kept for this process,
 * found again by the text's content.
 */
#ifndef QN_RTC_SOURCE_TEXT_NOTES_H
#define QN_RTC_SOURCE_TEXT_NOTES_H

#include "base/arena.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "rtc/source/include_scan.h"

#include <quern/status.h>
#include <stdbool.h>
#include <stdint.h>

struct qn__text_include {
    uint32_t begin, end; /* in the text */
    bool is_angled;
    enum qn__include_kind kind;
};

struct qn__text_notes {
    unsigned char digest[QN__HASH_BYTES];
    const struct qn__text_include *includes; /* in their order; in the arena */
    uint32_t n_includes;
    bool includes_macro; /* an #include names its file by a macro */
};

/* row: the text is the whole of this embedded file and is recognised by its address; or NULL. n: at
 * most 4 GiB - 1. QN_E_MEMORY, QN_E_LIMIT */
qn_status qn__text_notes_of(struct qn__text_notes *out, struct qn__arena *arena, const char *text,
                            size_t n, const struct qn__embedded *row);

#endif
