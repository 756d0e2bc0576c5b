/* SPDX-License-Identifier: Apache-2.0
 *
 * What to compile for an NVIDIA GPU with the NVRTC and the driver of this machine. A pure function
 * of version numbers, so every combination can be tested without a GPU. */
#ifndef QN_RTC_KEY_CUDA_CHOICE_H
#define QN_RTC_KEY_CUDA_CHOICE_H

#include "base/error.h"

#include <stdint.h>

enum { QN__CUDA_ARCH_MAX = 24 };

struct qn__cuda_facts {
    const char *gpu;              /* name for messages */
    uint32_t capability;          /* 90 for 9.0 */
    int nvrtc_major, nvrtc_minor; /* 13, 0 */
    const uint32_t *archs;        /* plain numbers that NVRTC lists, in any order */
    uint32_t n_archs;
    int driver_version; /* as cuDriverGetVersion gives it: 12040; 0: not known */
};

/* Write the architecture to compile for: "sm_90" where NVRTC has it; else "compute_NN", the newest
 * that the GPU runs, if the driver reads this NVRTC's PTX; else the newest cubin of the same major
 * version.
 * QN_E_MISMATCH  nothing made here runs there: the message names GPU, toolkit and driver, and what
 *                would help */
qn_status qn__cuda_choose(char out[QN__CUDA_ARCH_MAX], const struct qn__cuda_facts *facts);

/* "sm_90" becomes "sm_90a", which runs on that one architecture and has its features, where NVRTC
 * lists it and the source asks for them: it mentions __CUDA_ARCH_FEAT_SM90_ALL. */
void qn__cuda_take_features(char arch[QN__CUDA_ARCH_MAX], const char *source,
                            const char *const *targets, uint32_t n_targets);

#endif
