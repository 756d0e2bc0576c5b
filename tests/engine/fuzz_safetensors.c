/* SPDX-License-Identifier: Apache-2.0
 *
 * safetensors, config.json and tokenizer.json from hostile bytes. An input that is a JSON object is
 * taken for a config and for a tokenizer; any other for a file of weights.
 *
 * covers: engine/safetensors engine/hf_config engine/hf_tokenizer engine/peft */
#include "engine/hf_config.h"
#include "engine/hf_names.h"
#include "engine/hf_tokenizer.h"
#include "engine/peft.h"
#include "engine/safetensors.h"
#include "engine/tokenizer.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint64_t sum;

static void look_at(const struct qn__model_file *f)
{
    struct qn__tokenizer *t;
    for (uint32_t i = 0; i < f->n_tensors; i++)
        for (uint64_t b = 0; b < f->tensors[i].bytes; b++)
            sum += ((const uint8_t *)f->tensors[i].data)[b];
    if (qn__tokenizer_create(&t, f) == QN_OK) {
        struct qn__tokens tokens;
        if (qn__tokenizer_encode(&tokens, t, "a <s>ab\xff", 8, QN__ENCODE_SPECIAL) == QN_OK)
            free(tokens.ids);
        qn__tokenizer_destroy(t);
    }
}

static struct qn__model_file *new_file(void)
{
    struct qn__model_file *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->path = "fuzz";
    return f;
}

/* Sealed and read where reading went well; released in every case. */
static void finish(struct qn__model_file *f, qn_status s)
{
    if (s == QN_OK && qn__model_file_seal(f) == QN_OK)
        look_at(f);
    else if (!qn_message()[0])
        __builtin_trap();
    qn__model_file_close(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    json_t *object = json_loadb((const char *)data, n, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(object)) {
        struct qn__hf_model model;
        struct qn__model_file *f = new_file();
        finish(f, qn__hf_config_read(&model, f, object, "folder"));
        f = new_file();
        finish(f, qn__peft_config_read(f, object));
        f = new_file();
        finish(f, qn__hf_tokenizer_convert(f, object, object, object, object));
    } else {
        struct qn__model_file *f = new_file();
        finish(f,
               qn__safetensors_read_bytes(f, (struct qn__mapping){.bytes = data, .n = n}, false));
        f = new_file();
        finish(f, qn__safetensors_read_bytes(f, (struct qn__mapping){.bytes = data, .n = n}, true));
    }
    json_decref(object);
    return 0;
}
