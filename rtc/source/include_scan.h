/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the #include and #embed lines of a C++ file without preprocessing it. */
#ifndef QN_RTC_SOURCE_INCLUDE_SCAN_H
#define QN_RTC_SOURCE_INCLUDE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum qn__include_kind {
    QN__INCLUDE,   /* begin to end is the name with its quotes */
    QN__EMBED,     /* the directive, from its '#' to the end of its line */
    QN__HAS_EMBED, /* __has_embed with what it has in brackets */
};

struct qn__include {
    const char *begin, *end; /* in the text */
    bool is_angled;
    enum qn__include_kind kind;
};

struct qn__include_scan {
    const char *p, *end, *start;
    const char *last;  /* where the last word of interest begins; after it is nothing to find */
    bool line_start;   /* nothing but blanks and comments since the line began */
    bool in_condition; /* inside an #if or #elif line, where __has_include and __has_embed occur */
    bool met_macro;    /* an #include of a macro was skipped */
};

void qn__include_scan_init(struct qn__include_scan *s, const char *text, size_t n);

/* The next #include "..." or <...>, or file asked for by __has_include; the next #embed of a file,
 * or question for one. False at the end.
 * An #include of a macro is skipped: only the preprocessor knows it. */
bool qn__include_scan_next(struct qn__include *out, struct qn__include_scan *s);

/* The next macro that may be meant by such an #include: "#define NAME <file>" or "file", with
 * nothing after it. *p moves on. */
bool qn__include_macro_next(struct qn__include *out, const char **p, const char *end);

#endif
