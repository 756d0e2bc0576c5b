/* SPDX-License-Identifier: Apache-2.0
 *
 * What writing a conversation by a named template and by the model's own have in common. */
#include "engine/chat_writer.h"

#include "base/str.h"

const char *qn__chat_writer_token(const struct qn__model_file *f, const char *name)
{
    const struct qn__fact *tokens = qn__fact_find(f, "tokenizer.ggml.tokens");
    const char *const parts[] = {"tokenizer.ggml.", name, "_token_id"};
    char key[64];
    uint32_t id;
    qn__text_join(key, sizeof key, parts, 3);
    if (!qn__fact_find(f, key) || qn__fact_u32(&id, f, key) != QN_OK || !tokens ||
        tokens->kind != QN__FACT_ARRAY || tokens->value.array.kind != QN__FACT_TEXT ||
        id >= tokens->value.array.n)
        return NULL;
    return qn__fact_element(f, tokens, id).value.text.bytes;
}
