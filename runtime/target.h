/* SPDX-License-Identifier: Apache-2.0
 *
 * Target strings, parsed in one place, and the rules for "may this image run there".
 *
 *   cuda:sm_90       cubin: same major, same or higher minor; an embedded (Tegra) part and the
 *                    other parts of its major never run each other's
 *   cuda:sm_100f     cubin with family features: as above
 *   cuda:sm_90a      cubin with features of one architecture: exactly that one
 *   cuda:compute_80  PTX: that architecture and every later one (whether the driver reads this
 *                    PTX version is the CUDA backend's question); compute_90a and compute_100f as
 *                    their cubins
 *   hip:gfx90a       code object: gfx90a with any feature setting
 *   hip:gfx90a:xnack-   only where xnack is off
 *   hip:gfx11-generic   the architectures of that family
 *   hip:sm_90        HIP over an NVIDIA driver: PTX, by the rules of compute_90
 *   opencl:NAME      OpenCL C text: "portable" runs everywhere, another profile where the device
 *                    has it or one that includes it (module_load checks extensions as well);
 *                    opencl:NAME:fp64-:fp16+ has fewer and more abilities (base/profiles.h);
 *                    64 hex digits: a driver's binary for exactly that device and driver
 *   cpu:x86-64-v3    machine code for processors with at least that; cpu:x86-64-v4, cpu:aarch64
 *   cpu:x86-64-v4:avx512vnni+   only where that feature is as well (base/cpu_target.def)
 *   cpu:native       is read as what this processor is
 */
#ifndef QN_RUNTIME_TARGET_H
#define QN_RUNTIME_TARGET_H

#include "base/cpu_target.h"
#include "base/error.h"

#include <quern/compile.h>
#include <stdbool.h>

enum qn__target_backend { QN__TARGET_CUDA, QN__TARGET_HIP, QN__TARGET_OPENCL, QN__TARGET_CPU };

struct qn__target {
    enum qn__target_backend backend;
    char arch[96];   /* everything after the colon, features sorted: "gfx90a:sramecc+:xnack-" */
    char base[64];   /* without features: "gfx90a", "sm_90a" */
    uint32_t number; /* cuda, hip:sm_: 90; else 0 */
    char suffix;     /* cuda: 0, 'a' or 'f' */
    bool is_ptx;     /* cuda:compute_NN */
    bool is_generic; /* gfx11-generic */
    bool is_binary;  /* opencl: a fingerprint */
    signed char xnack, sramecc; /* -1 off, 0 unspecified, +1 on */
    struct qn__cpu_target cpu;
};

/* QN_E_INVALID  the message says what is wrong with the string and shows a good one */
qn_status qn__target_parse(struct qn__target *out, const char *text);

/* Canonical spelling, e.g. features sorted. */
void qn__target_print(char *out, size_t capacity, const struct qn__target *t);

/* May an image made for `image` run on a device that is `device` (a full cuda:sm_/hip:gfx target)?
 * QN_E_MISMATCH with the reason. */
qn_status qn__target_accepts(const struct qn__target *device, const struct qn__target *image);

/* How well an image suits a device, to choose among several: QN__RANK_EXACT for its very target,
 * less for a binary of its family, less again for PTX and text, more for later PTX; 0: does not run
 * there. Leaves this thread's message alone. */
enum { QN__RANK_EXACT = 1000 };
int qn__target_rank(const struct qn__target *device, const struct qn__target *image);

#endif
