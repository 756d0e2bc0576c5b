/* SPDX-License-Identifier: Apache-2.0
 *
 * config.json as facts. */
#ifndef QN_ENGINE_HF_CONFIG_H
#define QN_ENGINE_HF_CONFIG_H

#include "engine/hf_names.h"
#include "engine/model_build.h"

#include <jansson.h>

struct qn__hf_model {
    enum qn__hf_family family;
    bool tied_head;
};

/* config.json as facts. */
qn_status qn__hf_config_read(struct qn__hf_model *out, struct qn__model_file *f,
                             const json_t *config, const char *folder);

#endif
