/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose translation read headers of this machine, because the stand-ins do not suffice for
 * their host code: which headers an image depends on is only known after it was made.
 *
 * So there are two keys. The one of the request (key.h) leads to a record in the cache: the headers
 * that were read, with digests, and what would have to be otherwise for others to be read. Record
 * and request together give the second key, under which the image lies. A lookup makes sure of each
 * file by a look at its state and reads it only where that has changed; no compiler is asked.
 */
#ifndef QN_RTC_KEY_HEADER_NOTES_H
#define QN_RTC_KEY_HEADER_NOTES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/machine_files.h"
#include "rtc/key/file_state.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { QN__HEADER_FOLDERS_MAX = 32 };

/* One header that was read; or the name of an include that the source's own folders do not have,
 * `path` NULL. */
struct qn__noted_header {
    const char *path;
    const char *name; /* below its folder of the search */
    uint32_t folder;  /* which that is; n_folders: in none */
    uint32_t others;  /* bit i: folder i, searched before that one, has the name as well */
    unsigned char state[QN__FILE_STATE_BYTES];
    unsigned char digest[QN__HASH_BYTES];
};

struct qn__noted_choice {
    const char *path;
    unsigned char digest[QN__HASH_BYTES]; /* of the names in it */
};

struct qn__header_notes {
    const char **folders; /* searched, in this order */
    struct qn__noted_choice *choices;
    struct qn__noted_header *headers;
    uint32_t n_folders, n_choices, n_headers;
    const char **toolkit; /* folders of CUB, Thrust and libcu++ that were known to the compile */
    uint32_t n_toolkit;
    bool asks_toolkit; /* it had a use for them */
};

/* Is it one of the toolkit's? */
bool qn__header_notes_of_toolkit(const struct qn__header_notes *m,
                                 const struct qn__noted_header *h);

/* What a compile that began at `start` depends on: what it read, and the includes `missing` from
 * its closure. All of *out is in the arena.
 * QN_E_MISMATCH  a file has changed since the start: what was made of it cannot be told
 * QN_E_IO, QN_E_LIMIT, QN_E_MEMORY */
qn_status qn__header_notes_make(struct qn__header_notes *out, struct qn__arena *arena,
                                const struct qn__machine_files *files, const char *const *missing,
                                uint32_t n_missing, const struct timespec *start);

/* Bring the digests up to date. False: the same compile might read other files now.
 * *changed: a file is in another state than noted. */
bool qn__header_notes_check(struct qn__header_notes *m, bool *changed);

/* The record of a key in the cache's folder. False: none, or a damaged one. */
bool qn__header_notes_load(struct qn__header_notes *out, struct qn__arena *arena,
                           const char *key_hex);
void qn__header_notes_store(const struct qn__header_notes *m, const char *key_hex);

#endif
