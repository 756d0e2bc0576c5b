/* SPDX-License-Identifier: Apache-2.0
 *
 * How the program talks: results on stdout, complaints and progress on stderr, colours and moving
 * lines only on a terminal (and no colours where NO_COLOR is set). */
#ifndef QN_TOOLS_TERMINAL_H
#define QN_TOOLS_TERMINAL_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum qn__style { QN__STYLE_BOLD, QN__STYLE_DIM, QN__STYLE_GOOD, QN__STYLE_BAD };

/* The escape sequences that begin and end a style on that file; "" where there are no colours. */
const char *qn__style_on(FILE *file, enum qn__style style);
const char *qn__style_off(FILE *file);

/* Text of entries and bundles, which anybody may have made, without what a terminal would obey.
 * Good until the eighth call after this one. */
const char *qn__plain(const char *text);

/* "quern: <formatted>" on stderr; returns the exit status given. */
int qn__complain(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "quern: <what>: <the library's last message>" on stderr; returns QN__EXIT_FAILED. */
int qn__complain_status(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What was complained about last, without "quern: "; "" when nothing was. */
const char *qn__last_complaint(void);

/* A line on stderr that is written over by the next one; nothing when stderr is no terminal.
 * total 0: no bar. qn__progress_clear() before anything else is printed. */
void qn__progress(uint32_t done, uint32_t total, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same as text, in `width` columns at most: bar and text become shorter. */
void qn__progress_line(struct qn__str *out, uint32_t width, uint32_t done, uint32_t total,
                       const char *what);
void qn__progress_clear(void);
bool qn__progress_is_visible(void);

/* Bytes for people: "512 B", "1.5 MiB", "79.2 GiB". */
enum { QN__SIZE_TEXT = 24 };
const char *qn__size_text(char out[QN__SIZE_TEXT], uint64_t bytes);

/* How long ago or for how long: "12 s", "3 min", "5 h", "20 days". */
enum { QN__TIME_TEXT = 24 };
const char *qn__time_text(char out[QN__TIME_TEXT], int64_t seconds);

/* "  name       value ..." on stdout, wrapped in a column of its own; nothing for an empty value.
 */
void qn__print_field(const char *name, const char *value);

/* The whole file with a 0 after it, to free(); "-" is stdin. n may be NULL. Complains and returns
 * NULL when it cannot. */
char *qn__read_file(size_t *n, const char *path);
/* The same for what must be text: a zero byte in it is refused. */
char *qn__read_text(const char *path);

/* Write whole; complains and returns false when it cannot. "-" is stdout. */
bool qn__write_file(const char *path, const void *bytes, size_t n);

/* Make the folder and those above it, where they are missing; complains as above. */
bool qn__make_folder(const char *path);

/* False when something that was written is lost: what follows would not be read either. */
bool qn__flush_stdout(void);
/* Must be the last thing done with stdout: false, after a complaint, when something was lost. */
bool qn__close_stdout(void);

#endif
