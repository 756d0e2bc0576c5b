/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel source with everything it includes.
 *
 * Includes are resolved here, not by the compiler: headers given in memory, the including file's
 * own folder (for "..."), the include folders in order, the headers that are part of Quern. What is
 * found becomes part of the closure by content; what is not found is remembered by its spelling and
 * left to the compiler. Each file gets a short name of its own and the #include lines are rewritten
 * to these names, so that one spelling may mean different files in different places, and blanks,
 * '%', '$' or other alphabets in paths reach no compiler.
 *
 * Conditions are not evaluated: a file under a false #if is part of the closure too. Where a file
 * includes a macro, all files that some macro names are, by the names that it has for them. What
 * #embed takes is written out as numbers (embed.h); a byte order mark is left out.
 *
 * A closure is the same for all compilers, until qn__closure_add_shims() fills one compiler's gaps.
 */
#ifndef QN_RTC_SOURCE_SOURCE_H
#define QN_RTC_SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/source_file.h"
#include "base/str.h"
#include "rtc/source/shims.h"

#include <quern/compile.h>

struct qn__closure {
    struct qn__arena arena;        /* holds everything below */
    struct qn__source_file *files; /* [0] is the main source; texts rewritten */
    const char **shown;            /* by file: the name the user knows it by */
    uint32_t n_files;
    uint32_t n_own_files;          /* without the shims, which come last */
    const unsigned char **digests; /* by file: BLAKE2b-256 of its text */
    const char **missing; /* spellings of includes that were not found, sorted, each once */
    uint32_t n_missing;
    struct qn__origin *origins; /* by file; private, as are the capacities */
    uint32_t capacity, missing_capacity;
};

/* include_dirs: those of src->options as well. Release *out in every case.
 * QN_E_IO       the source, or a file that was found, cannot be read
 * QN_E_INVALID  neither text nor path
 * QN_E_LIMIT    more than 32,768 files or 256 MiB */
qn_status qn__closure_build(struct qn__closure *out, const qn_source *src,
                            const char *const *include_dirs, uint32_t n_include_dirs);

/* Let includes that were not found mean the shims of that compiler, where it has some. Once. */
qn_status qn__closure_add_shims(struct qn__closure *c, enum qn__shims shims);
void qn__closure_release(struct qn__closure *c);

/* Append diagnostics ("name:line:...") with the names the user knows. */
void qn__closure_show(struct qn__str *out, const struct qn__closure *c, const char *diagnostics);

#endif
