/* SPDX-License-Identifier: Apache-2.0
 *
 * What a target driver can do, and what it gets wrong (profiles.def). */
#ifndef QN_BASE_PROFILES_H
#define QN_BASE_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qn__ability {
#define QN_ABILITY(name, extension, text) QN__CAN_##name,
#include "base/profiles.def"
    QN__N_ABILITIES,
};

enum qn__quirk {
#define QN_QUIRK(name, text) QN__QUIRK_##name,
#include "base/profiles.def"
    QN__N_QUIRKS,
};

struct qn__profile {
    char name[96];           /* "intel", "portable:fp16+:fp64-" */
    const char *cl_std;      /* "CL1.2" */
    unsigned wave;           /* work-items in lock step, as our own kernels see it */
    unsigned argument_bytes; /* of a kernel's argument block, at least */
    uint32_t abilities;      /* bit 1 << enum qn__ability */
    uint32_t quirks;         /* bit 1 << enum qn__quirk */
};

/* A profile by its name, with the abilities and quirks that a driver has more (+) or fewer (-) than
 * the table says, each after a colon: "pocl3:fp16+:switch-". NULL and "" are "portable". False: no
 * such profile, ability or quirk. */
bool qn__profile_parse(struct qn__profile *out, const char *name);

/* The name for a device: `base`, and what `has` says of the extensions that the abilities need
 * where that differs from the table. */
void qn__profile_of_device(char *out, size_t capacity, const char *base,
                           bool (*has)(const void *device, const char *extension),
                           const void *device);
const char *const *qn__profile_names(void); /* NULL-terminated */

bool qn__profile_can(const struct qn__profile *p, enum qn__ability a);
bool qn__profile_has(const struct qn__profile *p, enum qn__quirk q);

/* Ability by name; false when there is none of that name. */
bool qn__ability_find(enum qn__ability *out, const char *name, unsigned n);
const char *qn__ability_name(enum qn__ability a);
const char *qn__ability_extension(enum qn__ability a); /* "" for what is no extension */
const char *qn__ability_text(enum qn__ability a);
const char *qn__quirk_name(enum qn__quirk q);

#endif
