/* SPDX-License-Identifier: Apache-2.0
 *
 * The tokens that end a text, as config.json and generation_config.json list them: GGUF has a key
 * for one of them only. */
#include "engine/hf_end_tokens.h"

#include "engine/end_tokens.h"

struct ids {
    unsigned char bytes[4 * QN__END_TOKENS_MAX]; /* little endian */
    uint32_t n;
};

static void add(struct ids *ids, const json_t *number, uint32_t n_vocab)
{
    const json_int_t id = json_integer_value(number);
    if (!json_is_integer(number) || id < 0 || id >= n_vocab || ids->n == QN__END_TOKENS_MAX)
        return;
    for (int i = 0; i < 4; i++)
        ids->bytes[4 * ids->n + (uint32_t)i] = (unsigned char)(id >> 8 * i);
    ids->n++;
}

static void add_all(struct ids *ids, const json_t *config, uint32_t n_vocab)
{
    const json_t *value = json_object_get(config, "eos_token_id");
    add(ids, value, n_vocab);
    for (size_t i = 0; i < json_array_size(value); i++)
        add(ids, json_array_get(value, i), n_vocab);
}

qn_status qn__hf_end_tokens(struct qn__model_file *f, const json_t *config,
                            const json_t *generation_config, uint32_t n_vocab)
{
    struct ids ids = {.n = 0};
    add_all(&ids, config, n_vocab);
    add_all(&ids, generation_config, n_vocab);
    if (ids.n == 0)
        return QN_OK;
    const unsigned char *elements = qn__arena_memdup(&f->arena, ids.bytes, 4 * (size_t)ids.n);
    if (!elements)
        return qn__fail(QN_E_MEMORY, "no memory for %u end tokens", ids.n);
    return qn__model_file_add_fact(
        f, "tokenizer.quern.end_token_ids",
        (struct qn__stored_fact){
            .fact = {.kind = QN__FACT_ARRAY, .value.array = {QN__FACT_U64, ids.n}},
            .number = QN__NUMBER_U32,
            .elements = elements});
}
