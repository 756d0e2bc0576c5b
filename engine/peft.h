/* SPDX-License-Identifier: Apache-2.0
 *
 * Adapters as PEFT writes them: adapter_config.json and adapter_model.safetensors. They come out
 * under GGUF's names, with two facts of ours: "adapter.quern.is_peft" (rows and axes are as in
 * safetensors) and "adapter.quern.by_root" (alpha is divided by the rank's root). */
#ifndef QN_ENGINE_PEFT_H
#define QN_ENGINE_PEFT_H

#include "engine/model_build.h"

#include <jansson.h>

/* path: the folder, the .safetensors file or the .json file; family: the model's. */
qn_status qn__peft_read(struct qn__model_file *f, const char *path, const char *family);

/* adapter_config.json as facts. QN_E_UNSUPPORTED, QN_E_CORRUPT: the key is named */
qn_status qn__peft_config_read(struct qn__model_file *f, const json_t *config);

#endif
