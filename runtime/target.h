/* SPDX-License-Identifier: Apache-2.0
 *
 * Target strings, parsed in one place, and the rules for "may this image run there".
 *
 *   cuda:sm_90     cubin: runs on the same major, equal or higher minor (not Tegra's 87/88-like
 * parts across families: exact) cuda:sm_90a    cubin: sm_90 only ("a" and "f" features do not
 * travel; "f" within its major family) cuda:compute_80  PTX: runs on every later architecture, if
 * the driver's PTX version is new enough hip:gfx90a     runs on gfx90a with any feature setting;
 * hip:gfx90a:xnack- only where xnack is off hip:gfx11-generic  runs on its family opencl:NAME text:
 * any device whose abilities cover the image's needs; binary: that device only
 */
#ifndef QN_RUNTIME_TARGET_H
#define QN_RUNTIME_TARGET_H

#include "base/error.h"

#include <quern/compile.h>
#include <stdbool.h>

enum qn__target_backend { QN__TARGET_CUDA, QN__TARGET_HIP, QN__TARGET_OPENCL };

struct qn__target {
    enum qn__target_backend backend;
    char arch[96];   /* everything behind the colon, features sorted: "gfx90a:sramecc+:xnack-" */
    char base[64];   /* without features: "gfx90a", "sm_90a" */
    uint32_t number; /* cuda: 90; else 0 */
    char suffix;     /* cuda: 0, 'a' or 'f' */
    bool is_ptx;     /* cuda:compute_NN */
    bool is_generic; /* gfx11-generic */
    signed char xnack, sramecc; /* -1 off, 0 unspecified, +1 on */
};

/* QN_E_INVALID  the message says what is wrong with the string and shows a good one */
qn_status qn__target_parse(struct qn__target *out, const char *text);

/* Canonical spelling, e.g. features sorted. */
void qn__target_print(char *out, size_t capacity, const struct qn__target *t);

/* May an image made for `image` run on a device that is `device` (a full cuda:sm_/hip:gfx target)?
 * QN_E_MISMATCH with the reason. */
qn_status qn__target_accepts(const struct qn__target *device, const struct qn__target *image);

#endif
