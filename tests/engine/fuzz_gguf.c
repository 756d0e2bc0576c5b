/* SPDX-License-Identifier: Apache-2.0
 *
 * GGUF files from hostile bytes: whatever is accepted can be read to its end. */
#include "engine/model_keys.h"
#include "engine/model_open.h"
#include "engine/model_shape.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint64_t sum;

static void look_at_facts(const struct qn__model_file *f)
{
    for (uint32_t i = 0; i < qn__model_file_n_facts(f); i++) {
        const struct qn__fact *fact = qn__model_file_fact(f, i);
        if (qn__fact_find(f, fact->key) != fact)
            __builtin_trap();
        if (fact->kind == QN__FACT_TEXT && fact->value.text.bytes[fact->value.text.n] != '\0')
            __builtin_trap();
        for (uint64_t k = 0; fact->kind == QN__FACT_ARRAY && k < fact->value.array.n; k++) {
            const struct qn__fact e = qn__fact_element(f, fact, k);
            if (e.kind != fact->value.array.kind)
                __builtin_trap();
            if (e.kind == QN__FACT_TEXT && e.value.text.bytes[e.value.text.n] != '\0')
                __builtin_trap();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__model_file *f;
    if (qn__model_file_open_bytes(&f, data, n) != QN_OK) {
        if (f || !qn_message()[0])
            __builtin_trap();
        return 0;
    }
    look_at_facts(f);
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(f, i);
        if (qn__model_file_find(f, t->name) != t)
            __builtin_trap();
        for (uint64_t b = 0; b < t->bytes; b++)
            sum += ((const uint8_t *)t->data)[b];
    }
    struct qn__config config;
    if (qn__config_read(&config, f) != QN_OK && !qn_message()[0])
        __builtin_trap();
    if (qn__facts_check(f) != QN_OK && !qn_message()[0])
        __builtin_trap();
    qn__model_file_close(f);
    return 0;
}
