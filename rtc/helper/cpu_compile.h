/* SPDX-License-Identifier: Apache-2.0
 *
 * C that the translator printed, to a shared object, by clang and a linker. */
#ifndef QN_RTC_HELPER_CPU_COMPILE_H
#define QN_RTC_HELPER_CPU_COMPILE_H

#include "base/arena.h"
#include "base/cpu_target.h"
#include "base/error.h"

#include <stdbool.h>

struct qn__cpu_compile {
    const char *clang, *linker; /* programs */
    struct qn__cpu_target target;
    const char *text;
    bool for_debugger; /* with all that is known of variables */
    bool as_written;   /* not optimised */
    bool is_empty;     /* it has no kernels, and so perhaps no lines */
};

/* Bytes in the arena; what the programs said is put into *said, also on failure.
 * QN_E_COMPILER  one of them cannot be started, refuses the text, or ends without an object */
qn_status qn__cpu_compile(const void **bytes, size_t *n, const char **said, struct qn__arena *arena,
                          const struct qn__cpu_compile *c);

/* Which machines can the linker make objects for?
 * QN_E_COMPILER  it does not say: no answer that may be written down */
qn_status qn__cpu_linker_ask(bool makes[QN__CPU_MACHINES], struct qn__arena *arena,
                             const char *linker);

#endif
