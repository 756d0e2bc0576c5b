/* SPDX-License-Identifier: Apache-2.0
 *
 * What a target driver can do (profiles.def). */
#ifndef QN_COMPILER_PROFILES_H
#define QN_COMPILER_PROFILES_H

#include <stdbool.h>
#include <stdint.h>

enum qn__ability {
#define QN_ABILITY(name, extension, text) QN__CAN_##name,
#include "compiler/profiles.def"
    QN__N_ABILITIES,
};

struct qn__profile {
    const char *name;
    const char *cl_std; /* "CL1.2" */
    unsigned wave;      /* work-items in lock step, as our own kernels see it */
    const char *abilities;
    const char *text;
};

/* The profile of that name, or NULL. NULL and "" are "portable". */
const struct qn__profile *qn__profile_find(const char *name);
const char *const *qn__profile_names(void); /* NULL-terminated */

bool qn__profile_can(const struct qn__profile *p, enum qn__ability a);

/* Ability by name; false when there is none of that name. */
bool qn__ability_find(enum qn__ability *out, const char *name, unsigned n);
const char *qn__ability_name(enum qn__ability a);
const char *qn__ability_extension(enum qn__ability a); /* "" for what is no extension */
const char *qn__ability_text(enum qn__ability a);

#endif
