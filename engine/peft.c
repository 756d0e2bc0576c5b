/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading PEFT's files (peft.h). */
#include "engine/peft.h"

#include "base/file.h"
#include "base/str.h"
#include "engine/hf_folder.h"
#include "engine/hf_keys.h"
#include "engine/safetensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char config_name[] = "adapter_config.json";

qn_status qn__peft_config_read(struct qn__model_file *f, const json_t *config)
{
    enum { ALPHA_DEFAULT = 8 };
    const json_t *alpha = json_object_get(config, "lora_alpha");
    const double value = json_is_null(alpha) || !alpha ? ALPHA_DEFAULT : json_number_value(alpha);
    if (!json_is_string(json_object_get(config, "peft_type")))
        return qn__fail(QN_E_CORRUPT, "%s: peft_type is missing", config_name);
    QN_TRY(qn__hf_keys_check(f, config, "lora", config_name));
    if (alpha && !json_is_null(alpha) && (!json_is_number(alpha) || !isfinite((float)value)))
        return qn__fail(QN_E_CORRUPT, "%s: lora_alpha is no number", config_name);
    QN_TRY(qn__model_file_add_text(f, "general.type", "adapter"));
    QN_TRY(qn__model_file_add_text(f, "adapter.type", "lora"));
    QN_TRY(qn__model_file_add_f64(f, "adapter.lora.alpha", value));
    QN_TRY(qn__model_file_add_bool(f, "adapter.quern.is_peft", true));
    return qn__model_file_add_bool(f, "adapter.quern.by_root",
                                   json_is_true(json_object_get(config, "use_rslora")));
}

qn_status qn__peft_read(struct qn__model_file *f, const char *path, const char *family)
{
    const bool is_folder = qn__file_is_dir(path), is_file = qn__ends_with(path, ".safetensors");
    char *folder = is_folder ? strdup(path) : qn__path_dir(path), *weights = NULL;
    json_t *config = NULL;
    qn_status s = QN_OK;
    if (folder)
        weights = is_file ? strdup(path) : qn__path_join(folder, "adapter_model.safetensors");
    if (!weights)
        s = qn__fail(QN_E_MEMORY, "no memory for a path");
    if (s == QN_OK)
        s = qn__hf_load(&config, folder, config_name, 0);
    if (s == QN_OK)
        s = qn__peft_config_read(f, config);
    if (s == QN_OK && !qn__file_exists(weights))
        s = qn__fail(QN_E_NOT_FOUND,
                     "%s: there is no such file; Quern reads adapters in "
                     "safetensors and in GGUF",
                     weights);
    if (s == QN_OK)
        s = qn__safetensors_read_adapter(
            f, weights, strcmp(family, "gemma3") == 0 ? QN__HF_GEMMA3 : QN__HF_LLAMA);
    json_decref(config);
    free(weights);
    free(folder);
    return s;
}
