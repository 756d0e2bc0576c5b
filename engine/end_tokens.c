/* SPDX-License-Identifier: Apache-2.0
 *
 * Which tokens end a text. */
#include "engine/end_tokens.h"

#include <string.h>

/* Texts of tokens that end a turn or a text, in one family or another. */
static const char *const texts[] = {
    "<|eot_id|>",    "<|eom_id|>",         "<|end_of_text|>",
    "<|im_end|>",    "<|endoftext|>",      "<|end|>",
    "<end_of_turn>", "<|endofturn|>",      "<|end_of_turn|>",
    "<|return|>",    "<|call|>",           "<|END_OF_TURN_TOKEN|>",
    "<|eom|>",       "<end_of_utterance>", "<turn|>",
};
/* These may be words of a text: only where the file calls them special. */
static const char *const short_texts[] = {"</s>", "<EOT>", "_<EOT>", "<eos>", "[EOS]"};

qn_status qn__token_id_read(int32_t *out, const struct qn__vocabulary *v,
                            const struct qn__model_file *f, const char *key)
{
    const struct qn__fact *fact = qn__fact_find(f, key);
    uint32_t id;
    *out = -1;
    if (!fact || (fact->kind == QN__FACT_I64 && fact->value.i64 == -1))
        return QN_OK;
    QN_TRY(qn__fact_u32(&id, f, key));
    if (id != UINT32_MAX && id >= v->n)
        return qn__fail(QN_E_CORRUPT, "%s: token %u, but the vocabulary has %u", key, id, v->n);
    *out = id == UINT32_MAX ? -1 : (int32_t)id;
    return QN_OK;
}

bool qn__end_tokens_have(const struct qn__end_tokens *e, int32_t id)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->ids[i] == id)
            return true;
    return false;
}

void qn__end_tokens_add(struct qn__end_tokens *e, int32_t id)
{
    if (id >= 0 && id != e->never && e->n < QN__END_TOKENS_MAX && !qn__end_tokens_have(e, id))
        e->ids[e->n++] = id;
}

static bool is_special(const struct qn__vocabulary_token *t)
{
    return t->type == QN__TOKEN_CONTROL || t->type == QN__TOKEN_USER;
}

static void make_control(struct qn__vocabulary *v, int32_t id)
{
    if (id >= 0 && v->tokens[id].type == QN__TOKEN_NORMAL)
        v->tokens[id].type = QN__TOKEN_CONTROL;
}

/* What generation_config.json lists, which has no key of GGUF's. */
static qn_status add_listed(struct qn__end_tokens *e, const struct qn__vocabulary *v,
                            const struct qn__model_file *f)
{
    static const char key[] = "tokenizer.quern.end_token_ids";
    const struct qn__fact *list = qn__fact_find(f, key);
    if (!list)
        return QN_OK;
    if (list->kind != QN__FACT_ARRAY || list->value.array.kind != QN__FACT_U64)
        return qn__fail(QN_E_CORRUPT, "%s: no array of numbers", key);
    for (uint64_t i = 0; i < list->value.array.n; i++) {
        const uint64_t id = qn__fact_element(f, list, i).value.u64;
        if (id >= v->n)
            return qn__fail(QN_E_CORRUPT, "%s: token %llu, but the vocabulary has %u", key,
                            (unsigned long long)id, v->n);
        qn__end_tokens_add(e, (int32_t)id);
    }
    return QN_OK;
}

/* An answer in OpenAI's harmony is several messages; each ends with <|end|>, the last one with
 * <|return|> or <|call|>. */
static int32_t end_of_message(const struct qn__vocabulary *v)
{
    static const char *const marks[] = {"<|channel|>", "<|return|>", "<|call|>"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (qn__vocabulary_find(v, marks[i], strlen(marks[i])) < 0)
            return -1;
    return qn__vocabulary_find(v, "<|end|>", strlen("<|end|>"));
}

qn_status qn__end_tokens_init(struct qn__end_tokens *out, struct qn__vocabulary *v,
                              const struct qn__model_file *f, int32_t eos)
{
    static const char *const turns[] = {"<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>"};
    int32_t eom;
    *out = (struct qn__end_tokens){.eos = eos, .never = end_of_message(v)};
    QN_TRY(qn__token_id_read(&out->eot, v, f, "tokenizer.ggml.eot_token_id"));
    QN_TRY(qn__token_id_read(&eom, v, f, "tokenizer.ggml.eom_token_id"));
    for (size_t i = 0; i < sizeof turns / sizeof turns[0] && out->eot < 0; i++)
        out->eot = qn__vocabulary_find(v, turns[i], strlen(turns[i]));
    const int32_t named[] = {eos, out->eot, eom};
    for (size_t i = 0; i < 3; i++) {
        make_control(v, named[i]);
        qn__end_tokens_add(out, named[i]);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const int32_t id = qn__vocabulary_find(v, texts[i], strlen(texts[i]));
        make_control(v, id);
        qn__end_tokens_add(out, id);
    }
    for (size_t i = 0; i < sizeof short_texts / sizeof short_texts[0]; i++) {
        const int32_t id = qn__vocabulary_find(v, short_texts[i], strlen(short_texts[i]));
        if (id >= 0 && is_special(&v->tokens[id]))
            qn__end_tokens_add(out, id);
    }
    return add_listed(out, v, f);
}

void qn__end_tokens_mark_template(struct qn__vocabulary *v, const struct qn__model_file *f)
{
    const struct qn__fact *fact = qn__fact_find(f, "tokenizer.chat_template");
    const char *p = fact && fact->kind == QN__FACT_TEXT ? fact->value.text.bytes : "";
    while ((p = strstr(p, "<|"))) {
        const char *end = strstr(p, "|>");
        if (!end)
            return;
        make_control(v, qn__vocabulary_find(v, p, (size_t)(end + 2 - p)));
        p += 2;
    }
}
