/* SPDX-License-Identifier: Apache-2.0
 *
 * The translator: CUDA/HIP C++ source in, OpenCL C text out. Linked only into the helper program.
 *
 *     frontend/    runs clang on the source with our stand-in headers; LLVM IR in memory
 *     pipeline.c   the passes of passes.def: on the IR, on each kernel's values, on its statements
 *     out/         OpenCL C, with the source's names; what the kernels take and need
 */
#ifndef QN_COMPILER_TRANSLATOR_H
#define QN_COMPILER_TRANSLATOR_H

#include "base/arena.h"
#include "base/machine_files.h"
#include "base/signature.h"
#include "base/source_file.h"

/* Raise this whenever the text the translator makes for any source may change: it is in every key.
 */
#define QN__TRANSLATOR_VERSION 67

struct qn__language;

struct qn__translate_request {
    const struct qn__source_file *files; /* files[0] is the main source */
    uint32_t n_files;
    const char *profile;        /* "portable", ... */
    const char *const *options; /* normalised: -std=, -D, -U, -O, -g, -use_fast_math, -fmad=, -w */
    uint32_t n_options;
    const char *const *names; /* name expressions */
    uint32_t n_names;
    const char *clang; /* program; NULL: search */
    /* Folders with the cub/, thrust/ and cuda/ of a CUDA toolkit or of CCCL, which may be read
     * where ours do not suffice. */
    const char *const *toolkit;
    uint32_t n_toolkit;
    const char *const *below; /* by file: its name in one of them, "cub/cub.cuh", or NULL; NULL:
                                 none is in one */
    /* LLVM bitcode to use in place of what clang would make of the files: for tests. Without kernel
     * annotations every function it defines is a kernel. */
    const void *bitcode;
    size_t bitcode_bytes;
    const struct qn__language *language; /* of the text, lang/language.h; NULL: OpenCL C */
};

struct qn__translate_result {
    char *text;                       /* OpenCL C; NULL on failure */
    struct qn__reflection reflection; /* in the arena */
    char *reflect_json;
    char *explain_json;
    const char *compiler; /* qn__translate_identity()'s; NULL when clang made no IR */
    /* Headers of this machine that were read, because ours did not suffice, and where they were
     * looked for: the text depends on them. */
    struct qn__machine_files machine;
    char *diagnostics; /* "file:line:column: error: ...", source line, caret; "" when silent */
    char *raw;         /* clang's own output */
};

/* Everything in *out lives in the arena, on success and on failure.
 * QN_E_COMPILE      the source is wrong; diagnostics has the list
 * QN_E_UNSUPPORTED  the source is right and cannot be translated; diagnostics says where and why
 * QN_E_COMPILER     no clang, or it crashed
 * QN_E_INVALID      unknown profile or option */
qn_status qn__translate(struct qn__translate_result *out, struct qn__arena *arena,
                        const struct qn__translate_request *request);

/* "quern-translate 2 (clang 19.1.7, LLVM 19.1.7)", in the arena. QN_E_COMPILER when there is no
 * clang. */
qn_status qn__translate_identity(const char **out, struct qn__arena *arena, const char *clang);

/* NULL-terminated list of profile names. */
const char *const *qn__translate_profiles(void);

#endif
