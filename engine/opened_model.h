/* SPDX-License-Identifier: Apache-2.0
 *
 * A model without a device, as the session sees it. */
#ifndef QN_ENGINE_OPENED_MODEL_H
#define QN_ENGINE_OPENED_MODEL_H

#include "engine/model_weights.h"
#include "engine/tokenizer.h"

#include <quern/model.h>

struct qn_model {
    struct qn__model_file *file;
    struct qn__tokenizer *tokenizer;
    struct qn__config config;
    struct qn__weights plan; /* placed at 0: sizes and shapes, no addresses */
    struct qn__weights tiled_plan;
    qn_model_info info;
};

#endif
