/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of `quern tune`: text, a head line, then a line of fields with tabs between them for
 * each result. Whoever has it may edit it; what is not of the form is an error with its line. */
#ifndef QN_RTC_TUNED_FILE_H
#define QN_RTC_TUNED_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum { QN__TUNED_DEFINES = 16, QN__TUNED_BYTES_MAX = 16 << 20 };

struct qn__tuned_line {
    const char *digest; /* 64 hex digits */
    const char *kernel; /* "saxpy.cu:saxpy<float>" */
    const char *device, *driver;
    uint32_t size_class;
    const char *defines[QN__TUNED_DEFINES];
    uint32_t n_defines;
    uint32_t block[3];
    uint64_t block_items;
    double ms, first_ms;
};

struct qn__tuned_lines {
    struct qn__tuned_line *items;
    uint32_t n;
};

/* Text to lines; strings are the arena's. QN_E_CORRUPT names the line; QN_E_MEMORY */
qn_status qn__tuned_parse(struct qn__tuned_lines *out, struct qn__arena *arena, const char *text,
                          size_t n);

/* The text of one line, with its newline; that of the head. */
void qn__tuned_print_head(struct qn__str *out);
void qn__tuned_print(struct qn__str *out, const struct qn__tuned_line *line);

/* "NAME=INTEGER" */
bool qn__tuned_is_define(const char *text);

#endif
