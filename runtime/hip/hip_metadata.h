/* SPDX-License-Identifier: Apache-2.0
 *
 * What an AMD code object says about its kernels: the AMDGPU metadata note (code object versions 3
 * to 6), an ELF note that holds a MessagePack map.
 */
#ifndef QN_RUNTIME_HIP_METADATA_H
#define QN_RUNTIME_HIP_METADATA_H

#include "base/arena.h"
#include "base/error.h"

#include <quern/compile.h>

struct qn__hip_kernel_metadata {
    const char *name; /* symbol */
    uint32_t n_args;  /* of the source; hidden ones are left out */
    const qn_arg_info *args;
    uint32_t static_shared_bytes, local_bytes;
    uint32_t registers; /* vector registers */
    uint32_t wave_width, block_threads_max;
};

struct qn__hip_metadata {
    const char *target; /* "gfx90a:sramecc+:xnack-"; "" where it is not given */
    uint32_t n_kernels;
    const struct qn__hip_kernel_metadata *kernels;
};

/* Read it from a bare ELF code object. Strings and arrays live in the arena.
 * QN_E_NOT_FOUND  not such an ELF file, or it has no metadata note
 * QN_E_CORRUPT    lengths that leave the file, or a note that is not what it should be */
qn_status qn__hip_metadata_read(struct qn__hip_metadata *out, struct qn__arena *arena,
                                const void *bytes, size_t n);

/* NULL where there is no kernel of that symbol. */
const struct qn__hip_kernel_metadata *qn__hip_metadata_find(const struct qn__hip_metadata *m,
                                                            const char *name);

#endif
