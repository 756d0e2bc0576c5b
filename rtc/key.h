/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache key: everything that decides what a compile makes, and nothing else.
 *
 * Fields are written length-prefixed, in one fixed order, into one buffer; the key is its
 * BLAKE2b-256. Paths, times and places are no fields: a moved project or another machine has the
 * same keys. There are two digests: the *request* (what was asked for, without who would compile
 * it) and the *key* (request and compiler). Images are stored under the key; the request names them
 * where no compiler is installed.
 */
#ifndef QN_RTC_KEY_H
#define QN_RTC_KEY_H

#include "base/hash.h"
#include "base/str.h"
#include "rtc/compile_options.h"
#include "rtc/source.h"

struct qn__key {
    char hex[QN__HASH_HEX];
    char request_hex[QN__HASH_HEX];
};

/* What qn__key_make() looks at. */
struct qn__key_input {
    const struct qn__closure *closure;
    const struct qn__compile_options *options;
    const char *const *names; /* name expressions; order and repetition do not matter */
    uint32_t n_names;
    const char *target;       /* canonical, with features */
    const char *compiler;     /* which one: "hiprtc" */
    const char *identity;     /* version and build of it */
    const char *cuda_include; /* the toolkit's include folder, for headers not found; or NULL */
};

/* fields (may be NULL) gets one printable line "name: value" per field, for people who ask why two
 * keys differ. QN_E_MEMORY */
qn_status qn__key_make(struct qn__key *out, struct qn__str *fields, const struct qn__key_input *in);

/* The key of a driver's binary made from the image with key `text` on that device. */
void qn__key_binary(struct qn__key *out, const struct qn__key *text, const char *fingerprint);

#endif
