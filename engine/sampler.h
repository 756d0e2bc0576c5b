/* SPDX-License-Identifier: Apache-2.0
 *
 * What the session asks a sampler besides quern/model.h. */
#ifndef QN_ENGINE_SAMPLER_H
#define QN_ENGINE_SAMPLER_H

#include <quern/model.h>

/* Greedy without a penalty: the device's own choice is the answer. */
bool qn__sampler_is_plain(const qn_sampler *s);

#endif
