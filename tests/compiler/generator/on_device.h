/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on a real device, in a child process: a driver or compiler that crashes or hangs takes
 * the child with it and becomes an outcome. */
#ifndef QN_TESTS_GENERATOR_ON_DEVICE_H
#define QN_TESTS_GENERATOR_ON_DEVICE_H

#include "tests/compiler/generator/program.h"

enum gen_verdict {
    GEN_AGREES,
    GEN_DIFFERS, /* a result is not the interpreter's */
    GEN_REFUSED, /* the compiler or the driver's compiler says no */
    GEN_CRASHED, /* the process died */
    GEN_HANGS,   /* out of time */
    GEN_NO_DEVICE,
    GEN_NOT_RUN, /* something before it failed */
};

struct gen_device {
    bool is_cuda;     /* compiled by NVRTC */
    char profile[80]; /* what its text is translated for; empty where it is no text */
    char name[520], driver[1560];
};

struct gen_outcome {
    enum gen_verdict verdict;
    char message[4000];
    struct gen_device device;
};

enum { GEN_EACH = 0xffff }; /* more than there are programs in one source */

const char *gen_verdict_text(enum gen_verdict verdict);

/* Build all programs as one source, run each, compare. outcomes[i] is for programs[i].
 *   device     as qn_device_open() takes it
 *   only       launch this one alone, GEN_EACH each; the others are GEN_NOT_RUN
 *   optimised  false: by NVRTC without its optimiser; CUDA alone
 *   limit_s    for the whole call
 * Programs must be ones that gen_accepts() takes. */
void gen_run_on_device(struct gen_outcome *outcomes, struct gen_program *const *programs,
                       uint32_t n, uint32_t only, const char *device, bool optimised,
                       uint32_t limit_s);

#endif
