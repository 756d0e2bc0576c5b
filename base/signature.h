/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the kernels and variables of one image, and its wire form.
 *
 * The translator produces it (in the helper program), the wire form travels over the helper
 * protocol and in cache entries, the runtime reads it to set kernel arguments. For NVRTC and hipRTC
 * images it holds names only (args_known false).
 */
#ifndef QN_BASE_SIGNATURE_H
#define QN_BASE_SIGNATURE_H

#include "base/arena.h"
#include "base/str.h"

#include <quern/compile.h>

/* Arguments the source does not have, after the source's own, in order. */

enum qn__hidden_kind {
    QN__HIDDEN_SHARED =
        1,             /* dynamic shared memory: a __local pointer of the launch's shared_bytes */
    QN__HIDDEN_GLOBAL, /* address of variable `index` of the reflection, owned by the module */
};

struct qn__hidden {
    enum qn__hidden_kind kind;
    uint32_t index;
};

struct qn__kernel {
    qn_kernel_info info; /* name, expression, arguments: the public part */
    uint32_t n_hidden;
    const struct qn__hidden *hidden;
    bool has_indirect_pointers; /* follows addresses found in memory or in structs */
    bool has_barrier;
    uint32_t block_required[3]; /* reqd_work_group_size; 0 0 0: none */
};

/* An address in a variable's initial value: of another variable, or of the same. */
struct qn__address {
    uint64_t offset; /* of its 8 bytes */
    uint64_t global; /* index in the reflection */
    uint64_t addend; /* bytes from there */
};

struct qn__global {
    const char *name;   /* as the source calls it: "table", "ns::scale" */
    const char *symbol; /* name in the image */
    uint64_t size_bytes;
    uint32_t align_bytes;
    bool is_constant; /* __constant__ */
    const void *init; /* size_bytes bytes; NULL: zero */
    uint32_t n_addresses;
    const struct qn__address *addresses; /* to be put into it when the memory is there */
};

struct qn__reflection {
    uint32_t n_kernels;
    const struct qn__kernel *kernels;
    uint32_t n_globals;
    const struct qn__global *globals;
    uint32_t n_needs; /* OpenCL extensions and features the text needs: "cl_khr_fp64" */
    const char *const *needs;
    const char *build_options; /* for clBuildProgram: "-cl-std=CL1.2 ..." ; "" for other kinds */
};

/* Append the wire form. */
void qn__reflection_encode(struct qn__str *w, const struct qn__reflection *r);

/* Read it back; everything in *out lives in the arena (bytes are copied).
 * QN_E_CORRUPT  anything damaged, inconsistent or absurd (counts are bounded) */
qn_status qn__reflection_decode(struct qn__reflection *out, struct qn__arena *arena,
                                const void *bytes, size_t n);

#endif
