/* SPDX-License-Identifier: Apache-2.0
 *
 * Length-prefixed fields: the one byte format of cache entries, the helper protocol, cache keys
 * and kernel signatures.
 *
 * Little-endian. A field is a u32 tag, a u32 byte length, and the bytes. Numbers are fields of 4 or
 * 8 bytes. A record is a field whose bytes are fields. The reader never trusts a length: a field
 * that leaves its buffer makes the reader fail for good, and every later read returns nothing.
 */
#ifndef QN_BASE_WIRE_H
#define QN_BASE_WIRE_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the first line of a warning of the translator about its own result. */
#define QN__TRANSLATION_MARK "[translation]"

/* Writing goes into a string builder (it may hold 0 bytes). */
void qn__wire_bytes(struct qn__str *w, uint32_t tag, const void *bytes, size_t n);
void qn__wire_text(struct qn__str *w, uint32_t tag, const char *text); /* NULL writes nothing */
void qn__wire_u32(struct qn__str *w, uint32_t tag, uint32_t value);
void qn__wire_u64(struct qn__str *w, uint32_t tag, uint64_t value);

/* Records nest: remember the position begin() returned and give it to end(). */
size_t qn__wire_begin(struct qn__str *w, uint32_t tag);
void qn__wire_end(struct qn__str *w, size_t position);

struct qn__wire_reader {
    const unsigned char *p, *end;
    bool failed;
};

struct qn__wire_field {
    uint32_t tag;
    uint32_t n;
    const unsigned char *bytes; /* inside the reader's buffer */
};

struct qn__wire_reader qn__wire_reader(const void *bytes, size_t n);
struct qn__wire_reader qn__wire_record(struct qn__wire_field f);

/* The next field; false at the end or when the data is damaged (then r->failed). */
bool qn__wire_next(struct qn__wire_reader *r, struct qn__wire_field *f);

/* Value of a number field; 0 and false when its length is wrong. */
bool qn__wire_get_u32(struct qn__wire_field f, uint32_t *value);
bool qn__wire_get_u64(struct qn__wire_field f, uint64_t *value);

/* Plain little-endian numbers, for headers with fixed layout. */
void qn__put_u32(unsigned char *p, uint32_t v);
void qn__put_u64(unsigned char *p, uint64_t v);
uint32_t qn__get_u32(const unsigned char *p);
uint64_t qn__get_u64(const unsigned char *p);

#endif
