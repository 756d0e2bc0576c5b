/* SPDX-License-Identifier: Apache-2.0
 *
 * String builder: bytes that grow, always followed by a 0 that is not counted.
 *
 * Invariants: text is never NULL after init by {0} and the first add; text[len] == 0. An allocation
 * failure sets `failed` and turns later adds into nothing, so callers check once, at the end, with
 * qn__str_check().
 */
#ifndef QN_BASE_STR_H
#define QN_BASE_STR_H

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qn__str {
    char *text;
    size_t len, capacity;
    bool failed;
};

void qn__str_add(struct qn__str *s, const char *text);
void qn__str_add_bytes(struct qn__str *s, const void *bytes, size_t n);
void qn__str_add_char(struct qn__str *s, char c);
void qn__str_add_repeat(struct qn__str *s, char c, size_t n);
void qn__str_printf(struct qn__str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void qn__str_vprintf(struct qn__str *s, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* QN_E_MEMORY when any add failed. */
qn_status qn__str_check(const struct qn__str *s);

/* How many builders have failed in this thread: for work that makes many small ones and is worth
 * nothing when one of them lost a part. */
uint32_t qn__str_failures(void);

/* The text ("" when nothing was added); the caller frees it and the builder is empty again.
 * NULL when an add failed. */
char *qn__str_take(struct qn__str *s);
void qn__str_clear(struct qn__str *s); /* keeps the memory */
void qn__str_release(struct qn__str *s);

/* `n` texts one after the other, cut to fit, with a 0: what snprintf() does with "%s%s", without
 * printf, whose first use costs a process more than reading a kernel. */
void qn__text_join(char *out, size_t capacity, const char *const *texts, size_t n);
#define QN__TEXT_JOIN(out, capacity, ...)                                                          \
    qn__text_join((out), (capacity), (const char *const[]){__VA_ARGS__},                           \
                  sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Add text that somebody else made and a person will read: control characters, which a terminal
 * would obey, as "\x1b". Line ends and tabs stay. */
void qn__str_add_plain(struct qn__str *s, const char *text, size_t n);

/* Add a URL without what may be secret in it: user, password and query. */
void qn__str_add_url(struct qn__str *s, const char *url);

/* Small questions about plain strings. */
bool qn__starts_with(const char *s, const char *prefix);
bool qn__ends_with(const char *s, const char *suffix);
bool qn__equal(const char *a, const char *b); /* NULL equals only NULL */
bool qn__is_listed(const char *const *list, uint32_t n, const char *text);

#endif
