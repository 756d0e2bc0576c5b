/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel as C under one of clang's sanitizers, in a program of its own
 * (tools/kernel_runner.inc): the text that `quern translate --to c` prints, compiled with checks.
 */
#ifndef QN_TOOLS_SANITIZE_H
#define QN_TOOLS_SANITIZE_H

#include "tools/launch_args.h"
#include "tools/source_options.h"

#include <jansson.h>

struct qn__sanitize {
    const char *command; /* whose messages are printed: "check" */
    const struct qn__source_options *source;
    const char *kernel, *kind; /* address, undefined or thread */
    uint32_t grid[3], block[3];
    uint64_t shared_bytes, heap_bytes;   /* of the heap 0: as many as by default */
    const struct qn__option_list *words; /* --arg */
    const char *keep;                    /* leave the C text there; or NULL */
    bool verbose;                        /* and show what the sanitizer says itself */
    /* filled */
    struct qn__launch_arg *args;
    unsigned char **outputs; /* of each argument: its bytes after the run, or NULL */
    json_t *found;           /* a list of {kind, file, line, text, ...} */
};

/* What a person reads: one finding a line, then how many there were. */
void qn__sanitize_print(const struct qn__sanitize *s);

/* Runs it; false, after a complaint, where it could not be run. Release in any case. */
bool qn__sanitize_run(struct qn__sanitize *s);
void qn__sanitize_release(struct qn__sanitize *s);

#endif
