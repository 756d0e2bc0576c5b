/* SPDX-License-Identifier: Apache-2.0
 *
 * #embed, written out: the bytes of a file as the list of numbers that the directive stands for.
 *
 * Few of the compilers know the directive, and what they read would be in no key. As text it is
 * the same for all of them, and part of the source. */
#ifndef QN_RTC_SOURCE_EMBED_H
#define QN_RTC_SOURCE_EMBED_H

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct qn__embed_text {
    const char *begin;
    size_t n;
};

struct qn__embed {
    struct qn__embed_text name; /* without its quotes */
    bool is_angled;
    uint64_t offset, limit; /* in bytes */
    struct qn__embed_text prefix, suffix, if_empty;
    uint32_t n_lines; /* further lines that the directive goes on to */
};

/* A directive, or __has_embed with its brackets, as include_scan.h finds them.
 * QN_E_UNSUPPORTED  a parameter that is not known, or no plain number: the message names it */
qn_status qn__embed_read(struct qn__embed *out, const char *begin, const char *end);

/* What the directive becomes with the file's bytes. */
void qn__embed_print(struct qn__str *out, const struct qn__embed *e, const void *bytes, size_t n);

/* How many of a file's n bytes it takes. */
size_t qn__embed_count(const struct qn__embed *e, size_t n);

#endif
