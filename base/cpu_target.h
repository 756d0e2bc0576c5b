/* SPDX-License-Identifier: Apache-2.0
 *
 * Targets of the CPU backend without their "cpu:": a level, and features beyond it
 * (base/cpu_target.def). "native" is read as what this processor is. */
#ifndef QN_BASE_CPU_TARGET_H
#define QN_BASE_CPU_TARGET_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum qn__cpu_machine { QN__CPU_X86, QN__CPU_ARM };
enum { QN__CPU_MACHINES = QN__CPU_ARM + 1 };

enum qn__cpu_level {
#define QN_CPU_LEVEL(LEVEL, name, machine, triple, march) QN__CPU_##LEVEL,
#include "base/cpu_target.def"
#undef QN_CPU_LEVEL
    QN__CPU_LEVELS
};

struct qn__cpu_target {
    enum qn__cpu_level level;
    uint32_t features; /* a bit for each feature of the machine, in the order of the list */
};

enum { QN__CPU_ARCH_MAX = 96 };

/* QN_E_INVALID: the message begins with what is wrong and shows what there is.
 * QN_E_NO_DEVICE: "native", and this processor has none of the levels */
qn_status qn__cpu_target_parse(struct qn__cpu_target *out, const char *arch);
void qn__cpu_target_print(char out[QN__CPU_ARCH_MAX], const struct qn__cpu_target *t);

/* What this processor is. QN_E_NO_DEVICE: what it lacks even for the lowest level. */
qn_status qn__cpu_target_native(struct qn__cpu_target *out);

/* The first thing that code for `image` may use and `device` does not have: "avx512vnni",
 * "x86-64-v4"; NULL: there is none. */
const char *qn__cpu_target_lacks(const struct qn__cpu_target *device,
                                 const struct qn__cpu_target *image);

const char *qn__cpu_level_name(enum qn__cpu_level level);
enum qn__cpu_machine qn__cpu_level_machine(enum qn__cpu_level level);
const char *qn__cpu_level_triple(enum qn__cpu_level level); /* for clang's --target= */
const char *qn__cpu_level_march(enum qn__cpu_level level);  /* and its -march= */

/* Name of a machine's feature `i`; NULL behind the last. */
const char *qn__cpu_feature_name(enum qn__cpu_machine machine, uint32_t i);

#endif
