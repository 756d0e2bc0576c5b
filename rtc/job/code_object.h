/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiled image records about itself: its target and the names in it.
 *
 * Reads cubins and AMD code objects (ELF) and PTX text. The bytes may come from anywhere: every
 * offset is checked, and a false one is QN_E_CORRUPT.
 */
#ifndef QN_RTC_JOB_CODE_OBJECT_H
#define QN_RTC_JOB_CODE_OBJECT_H

#include "base/arena.h"
#include "base/error.h"

#include <quern/compile.h>
#include <stdint.h>

/* What our own variables are called in an image: rtc/helper/name_variables.c. */
#define QN__NAME_VARIABLE "qn__name_"

struct qn__code_variable {
    const char *name;
    uint64_t size_bytes;
};

struct qn__code_object {
    qn_image_kind kind;
    char target[96]; /* "cuda:sm_90", "cuda:compute_80", "hip:gfx90a:xnack-"; cubins do not record
                        the "a" and "f" suffixes */
    uint32_t n_kernels;
    const char *const *kernels;
    uint32_t n_variables; /* ELF kinds only */
    const struct qn__code_variable *variables;
};

/* Everything in *out lives in the arena.
 * QN_E_INVALID  neither of the kinds above
 * QN_E_CORRUPT  one of them, but damaged */
qn_status qn__code_object_read(struct qn__code_object *out, struct qn__arena *arena,
                               const void *bytes, size_t n);

/* For AMD code objects: name of the kernel whose address the 8-byte variable `name` holds (a
 * relocation at the variable's place); NULL where there is none. */
const char *qn__code_object_pointee(struct qn__arena *arena, const void *bytes, size_t n,
                                    const char *name);

#endif
