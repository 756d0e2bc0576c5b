/* SPDX-License-Identifier: Apache-2.0
 *
 * What the caller says about positions in place of what the file says (qn_model_options). */
#ifndef QN_ENGINE_ROPE_OVERRIDE_H
#define QN_ENGINE_ROPE_OVERRIDE_H

#include "engine/model_shape.h"

#include <quern/model.h>

/* QN_E_INVALID      a value out of range, or two that contradict each other
 * QN_E_UNSUPPORTED  the model's angles come from tensors that only its own way of stretching has */
qn_status qn__rope_override(struct qn__config *c, const qn_model_options *o);

#endif
