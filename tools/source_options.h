/* SPDX-License-Identifier: Apache-2.0
 *
 * What compile, translate and launch share: the options that shape a source, and how its compile
 * log is shown. */
#ifndef QN_TOOLS_SOURCE_OPTIONS_H
#define QN_TOOLS_SOURCE_OPTIONS_H

#include "base/options.h"

#include <quern/compile.h>

struct qn__source_options {
    const char *file;
    struct qn__option_list more, defines, includes, names, options;
};

/* Rows for a command whose values have a struct qn__source_options called `source`. */
#define QN__SOURCE_ROWS(type)                                                                      \
    QN__OPERAND(type, source.file, "FILE", "kernel source in the CUDA/HIP dialect"),               \
        QN__LIST(type, source.more, 0, "with", "FILE",                                             \
                 "another file of the same program, compiled by itself"),                          \
        QN__LIST(type, source.defines, 'D', "define", "NAME[=VALUE]",                              \
                 "define a macro; QUERN_RECURSION_DEPTH=N: translated, N calls of functions may "  \
                 "be inside one another (default 64)"),                                            \
        QN__LIST(type, source.includes, 'I', "include", "DIR", "search this folder for #include"), \
        QN__LIST(type, source.names, 0, "name", "EXPRESSION",                                      \
                 "template kernel or variable to keep, as in 'saxpy<float>'; the one of several "  \
                 "kernels 'bump' as 'bump(int *)'"),                                               \
        QN__LIST(type, source.options, 0, "option", "OPTION",                                      \
                 "option for the compiler, as in --option=-std=c++20; NVRTC takes __int128 only "  \
                 "with --option=--device-int128")

/* The library's form of them; everything is borrowed from `options`, and with --with from one text
 * and one list that the next call writes anew. */
void qn__source_fill(qn_source *out, const struct qn__source_options *options);

/* Why a source was not built: its diagnostics where there are some, else (and where the compiler
 * itself failed) the library's message.
 *   what  the file or target; left out where the message begins with it
 * Returns QN__EXIT_FAILED. Call it right after the library's call. */
int qn__complain_build(const char *command, const char *what, qn_status s, const qn_log *log,
                       bool verbose);

/* Diagnostics on stderr; with `verbose` also what the compiler itself printed. */
void qn__print_log(const qn_log *log, bool verbose);

const char *qn__origin_text(qn_origin origin); /* "compiled", "disk cache", ... */
/* For people, from qn_image_get_origin(): "made here", "server URL, signed by KEY", ... To free();
 * never NULL but when out of memory. */
char *qn__origin_sentence(const char *origin, const char *signer);
const char *qn__image_kind_text(qn_image_kind kind);   /* "cubin", "OpenCL C", ... */
const char *qn__image_kind_suffix(qn_image_kind kind); /* "cubin", "cl", ... */

/* How many headers of this machine are among the fields of a key, and of a CUDA toolkit. */
uint32_t qn__count_machine_headers(const char *fields);
uint32_t qn__count_toolkit_headers(const char *fields);

#endif
