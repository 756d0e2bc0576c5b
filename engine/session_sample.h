/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing on the device, for whatever part of a session has logits there. */
#ifndef QN_ENGINE_SESSION_SAMPLE_H
#define QN_ENGINE_SESSION_SAMPLE_H

#include "engine/session.h"

/* Choose from the n_vocab logits at `at` by kernels, where that can be and the sampler's choice
 * allows it: *done. */
qn_status qn__session_choose_there(int32_t *out, bool *done, qn_session *s, qn_sampler *sampler,
                                   qn_addr at);

#endif
