/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of a sampler's steps, and an order of them that somebody wrote. */
#ifndef QN_ENGINE_SAMPLER_ORDER_H
#define QN_ENGINE_SAMPLER_ORDER_H

#include <quern/model.h>

enum qn__sampling_step {
    QN__STEP_PENALTIES,
    QN__STEP_DRY,
    QN__STEP_TOP_N_SIGMA,
    QN__STEP_TOP_K,
    QN__STEP_TYPICAL,
    QN__STEP_TOP_P,
    QN__STEP_MIN_P,
    QN__STEP_XTC,
    QN__STEP_TEMPERATURE,
    QN__N_SAMPLING_STEPS,
};

/* QN_E_INVALID  a name that is not known (the message lists them), or one twice */
qn_status qn__sampling_order_read(enum qn__sampling_step out[QN__N_SAMPLING_STEPS], uint32_t *n,
                                  const char *order);

#endif
