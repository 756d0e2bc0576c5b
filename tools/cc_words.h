/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `quern cc`: its own words, nvcc's and hipcc's. */
#ifndef QN_TOOLS_CC_WORDS_H
#define QN_TOOLS_CC_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct qn__cc_list {
    const char **items;
    uint32_t n;
};

enum qn__cc_language { QN__CC_NONE, QN__CC_KERNELS, QN__CC_CXX, QN__CC_C, QN__CC_OBJECT };

struct qn__cc_input {
    const char *path;
    enum qn__cc_language language;
    uint32_t at; /* its place among the words for the linker */
};

/* What is made: a program, an object of each source, a text of each, the device half of each. */
enum qn__cc_step { QN__CC_LINK, QN__CC_OBJECTS, QN__CC_PREPROCESS, QN__CC_DEVICE, QN__CC_CHECK };

struct qn__cc {
    struct qn__cc_input *inputs;
    uint32_t n_inputs;
    enum qn__cc_step step;
    bool hip;         /* the dialect */
    const char *name; /* as it was called: nvcc or hipcc, perhaps with a folder; else NULL */
    const char *output, *host_compiler, *std;
    const char *suffix;                           /* of QN__CC_DEVICE's files */
    struct qn__cc_list targets;                   /* of finished images */
    struct qn__cc_list defines, includes, forced; /* -D, -I and the like, -include */
    struct qn__cc_list device;                    /* options of the device half */
    struct qn__cc_list host;   /* of the host half, and of files without kernels */
    struct qn__cc_list linker; /* words for the linker; inputs have a place there, NULL at first */
    struct qn__cc_list meaningless; /* what was taken and means nothing here */
    bool relocatable, is_static, shared, verbose, dry_run, version, json;
    struct qn__cc_list owned; /* texts made while reading */
};

/* QN__EXIT_USAGE after saying why; 0 when all is well. */
int qn__cc_words_read(struct qn__cc *out, int argc, char *const *argv);
void qn__cc_words_release(struct qn__cc *cc);

/* Ends the program where there is no memory. */
void qn__cc_add(struct qn__cc_list *list, const char *item);

#endif
