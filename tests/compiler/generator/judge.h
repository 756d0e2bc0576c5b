/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose mistake is it, when a device computes something else than the interpreter, or its compiler
 * crashes? The translation of the same program, for the same profile, runs once more:
 *
 *     under Oclgrind, which interprets it and reports races and accesses out of bounds;
 *     where Oclgrind is not here, cannot, or computes something else and reports nothing: through
 *     the same device with -cl-opt-disable.
 *
 * A text that one of them runs to the right end, Oclgrind without a report, is right, and the
 * mistake is the driver's. That proves nothing of a program with shapes that C leaves undefined:
 * one compiler may do what was meant where the next does not. Both run in a process of their own,
 * this program with --judge in front, because Oclgrind puts itself in front of the OpenCL library
 * by preloading. */
#ifndef QN_TESTS_GENERATOR_JUDGE_H
#define QN_TESTS_GENERATOR_JUDGE_H

#include "tests/compiler/generator/on_device.h"
#include "tools/plain_opencl.h"

enum gen_judgement {
    GEN_OURS,       /* the text is wrong, or there was no judge */
    GEN_THE_DRIVER, /* the text is right */
};

/* The program of that seed, whole. *by: what judged, or why nothing could. */
enum gen_judgement gen_judge(const char **by, const struct gen_program *p,
                             const struct gen_device *device);

/* That program on that device, in a process of its own with -cl-opt-disable. *differs: it ran, and
 * computed something else. */
bool gen_is_right_unoptimised(bool *differs, const struct gen_program *p,
                              const struct gen_device *device);

/* In the other process: run the program's translation on the OpenCL that is preloaded, on its first
 * device where `device` is NULL. Returns the exit status that gen_judge() understands. */
int gen_run_preloaded(const struct gen_program *p, const char *profile,
                      const struct qn__plain_device *device, const char *build_options);

#endif
