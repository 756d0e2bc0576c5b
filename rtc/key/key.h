/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache key: everything that decides what a compile makes, and nothing else.
 *
 * Fields are written length-prefixed, in one fixed order, into one buffer and hashed with
 * BLAKE2b-256. Paths, times and places are no fields: a moved project or another machine has the
 * same keys. There are three digests, each of which goes into the next:
 *
 *     source   texts, includes that were not found, options, names: what is to be compiled
 *     request  and the target
 *     key      and the compiler: which, its build, its shims and headers, its environment
 *
 * A translation that read headers of this machine has another key, made from that one and their
 * contents (header_notes.h).
 *
 * Images on disk are stored under the key. A bundle is searched by source digest and target, so it
 * serves machines that have another compiler or none.
 */
#ifndef QN_RTC_KEY_KEY_H
#define QN_RTC_KEY_KEY_H

#include "base/hash.h"
#include "base/str.h"
#include "rtc/key/header_notes.h"
#include "rtc/source/compile_options.h"
#include "rtc/source/source.h"

struct qn__key {
    char source_hex[QN__HASH_HEX];
    char request_hex[QN__HASH_HEX];
    char hex[QN__HASH_HEX]; /* "" before qn__key_finish() */
};

/* What is to be compiled. */
struct qn__key_input {
    const struct qn__closure *closure; /* without shims */
    const struct qn__compile_options *options;
    const char *const *names; /* name expressions; order and repetition do not matter */
    uint32_t n_names;
};

/* What compiles it. */
struct qn__key_compiler {
    const struct qn__closure *closure; /* with that compiler's shims */
    const char *compiler;              /* which one: "hiprtc" */
    const char *identity;              /* version and build of it */
    const char *cuda_include; /* the toolkit's include folder, for headers not found; or NULL */
};

/* The three steps. Each appends its fields to `fields` (one string for all three) and digests them.
 * QN_E_MEMORY */
qn_status qn__key_source(struct qn__key *out, struct qn__str *fields,
                         const struct qn__key_input *in);
qn_status qn__key_target(struct qn__key *key, struct qn__str *fields, const char *target);
qn_status qn__key_finish(struct qn__key *key, struct qn__str *fields,
                         const struct qn__key_compiler *in);

/* The key of an image that depends on these headers of the machine, too. QN_E_MEMORY */
qn_status qn__key_add_headers(struct qn__key *key, struct qn__str *fields,
                              const struct qn__header_notes *m);

/* Append one line "name: value" per field, to show why two keys differ. */
void qn__key_print(struct qn__str *out, const struct qn__str *fields);

/* Is a variable set that reaches inside that compiler and changes what it makes? */
bool qn__key_has_environment(const char *compiler);

/* The key of a driver's binary made from the image with key `text` on that device. QN_E_MEMORY */
qn_status qn__key_binary(struct qn__key *out, const struct qn__key *text, const char *fingerprint);

#endif
