/* SPDX-License-Identifier: Apache-2.0
 *
 * One file of `quern cc`: the host half by clang, with the device half inside; and the programs
 * that are run for it. */
#ifndef QN_TOOLS_CC_UNIT_H
#define QN_TOOLS_CC_UNIT_H

#include "base/str.h"
#include "tools/cc_words.h"

/* What all files of one run share. */
struct qn__cc_session {
    const struct qn__cc *cc;
    const char *clang;
    const char *gcc, *gxx; /* for files without kernels, as with nvcc; NULL: clang */
    char *temp;            /* folder of what lies in between */
    char *headers;         /* folder of the stand-in headers, below it */
    uint32_t n_files;
    struct qn__cc_list unserved; /* functions of CUDA's or HIP's that the linker did not find */
    bool lacks_openmp;           /* -fopenmp was given, and clang's library for it is not here */
};

/* A folder with our headers in it; release it in every case. */
bool qn__cc_session_open(struct qn__cc_session *s, const struct qn__cc *cc);
void qn__cc_session_close(struct qn__cc_session *s);

/* Run a program; shows the words first with -v, and does nothing more with --dryrun. Standard error
 * goes into `log` where that is not NULL. Its exit status, 127 where it cannot be started. */
int qn__cc_run(const struct qn__cc *cc, const struct qn__cc_list *words, const char *log);

/* The word as clang takes it: -fopenmp where it lacks the library. */
const char *qn__cc_clang_word(const struct qn__cc_session *s, const char *word);

/* A text that lives as long as the list: a format and two strings. */
const char *qn__cc_text(struct qn__cc_list *owned, const char *front, const char *back);
void qn__cc_texts_release(struct qn__cc_list *owned);

/* Compile to an object file, or as -E and the like say (output may be NULL: standard output). */
bool qn__cc_compile(struct qn__cc_session *s, const struct qn__cc_input *input, const char *output);

/* Write the device half alone, in the place of a fat binary, for cuModuleLoad(). */
bool qn__cc_write_device(struct qn__cc_session *s, const struct qn__cc_input *input,
                         const char *output);

#endif
