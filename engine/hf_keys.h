/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the keys of config.json (model_keys.def). */
#ifndef QN_ENGINE_HF_KEYS_H
#define QN_ENGINE_HF_KEYS_H

#include "engine/model_keys.h"

#include <jansson.h>

/* The row of a key; NULL: it is not known. type: model_type */
const struct qn__model_key *qn__config_key(const char *type, const char *key);

/* A copy of the config in which each key that is not there has the value that transformers takes
 * for it. NULL: no memory. */
json_t *qn__hf_config_complete(const json_t *config, const char *type);

/* Every key of the file `name`: what changes numbers and is not computed is refused, what is not
 * known is warned of.
 * QN_E_UNSUPPORTED  the key is named */
qn_status qn__hf_keys_check(struct qn__model_file *f, const json_t *config, const char *type,
                            const char *name);

#endif
