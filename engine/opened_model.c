/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a model: file, shape, vocabulary, and a trial placement of every weight, so that what is
 * wrong with a file is said here and not half-way through loading it. */
#include "engine/opened_model.h"

#include "base/str.h"
#include "engine/chat.h"
#include "engine/load_as.h"
#include "engine/model_keys.h"
#include "engine/model_open.h"
#include "engine/rope_override.h"

#include <stdlib.h>
#include <string.h>

static const char *text_or_empty(const struct qn__model_file *f, const char *key)
{
    const struct qn__fact *fact = qn__fact_find(f, key);
    return fact && fact->kind == QN__FACT_TEXT ? fact->value.text.bytes : "";
}

static uint64_t count_params(const struct qn__model_file *f)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(f, i);
        n += t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3];
    }
    return n;
}

static const char *main_format(const struct qn__weights *w)
{
    enum qn__format_id best = QN__FORMAT_f32;
    for (int i = 0; i < QN__N_FORMATS; i++)
        if (w->format_bytes[i] > w->format_bytes[best])
            best = (enum qn__format_id)i;
    return qn__format_get(best)->name;
}

static void fill_info(struct qn_model *m)
{
    const struct qn__config *c = &m->config;
    m->info = (qn_model_info){
        .path = qn__model_file_path(m->file),
        .name = text_or_empty(m->file, "general.name"),
        .family = c->family->name,
        .weights = main_format(&m->plan),
        .n_params = count_params(m->file),
        .file_bytes = qn__model_file_bytes(m->file),
        .n_layers = c->n_layers,
        .dim = c->dim,
        .n_heads = c->n_heads,
        .n_kv_heads = c->n_kv_heads,
        .head_dim = c->head_dim,
        .n_ffn = c->n_ffn,
        .n_vocab = c->n_vocab,
        .n_experts = c->n_experts,
        .n_experts_used = c->n_used,
        .context_trained = c->context_trained,
        .has_chat_template = text_or_empty(m->file, "tokenizer.chat_template")[0] != '\0',
    };
}

/* The token that the chat template writes after an answer ends one, whatever else the file says. A
 * template that cannot be run says so when it is used. */
static void learn_end(struct qn_model *m)
{
    static const struct qn__chat_message talk[] = {
        {"user", "q", NULL}, {"assistant", "q7answerq7", NULL}, {"user", "r", NULL}};
    const struct qn__chat_options options = {.now = 1, .no_prompt = true};
    struct qn__chat_text t;
    if (!m->info.has_chat_template || qn__chat_format(&t, m->file, talk, 3, &options) != QN_OK)
        return;
    const char *after = strstr(t.bytes, "q7answerq7");
    if (after) {
        after += strlen("q7answerq7");
        after += strspn(after, " \n");
        qn__tokenizer_add_end(m->tokenizer, after, strlen(after));
    }
    qn__chat_text_release(&t);
}

static qn_status open_parts(struct qn_model *m, const char *path, const qn_model_options *o)
{
    const struct qn__family *family;
    const char *name;
    QN_TRY(o && o->load_as ? qn__model_file_open_as(&m->file, path, o)
                           : qn__model_file_open(&m->file, path));
    QN_TRY(qn__fact_text(&name, m->file, "general.architecture"));
    QN_TRY(qn__family_find(&family, name));
    QN_TRY(qn__facts_check(m->file));
    QN_TRY(qn__config_read(&m->config, m->file));
    if (o)
        QN_TRY(qn__rope_override(&m->config, o));
    const uint32_t context = m->config.context_trained;
    QN_TRY(qn__weights_place(&m->plan, &m->config, m->file, context, false, NULL, 0));
    QN_TRY(qn__weights_place(&m->tiled_plan, &m->config, m->file, context, true, NULL, 0));
    QN_TRY(qn__tokenizer_create(&m->tokenizer, m->file));
    const uint32_t n_vocab = qn__tokenizer_facts(m->tokenizer)->n_vocab;
    if (n_vocab > m->config.n_vocab)
        return qn__fail(QN_E_CORRUPT, "the vocabulary has %u tokens, token_embd.weight %u rows",
                        n_vocab, m->config.n_vocab);
    fill_info(m);
    learn_end(m);
    return QN_OK;
}

qn_status qn_model_open(qn_model **out, const char *path)
{
    return qn_model_open_with(out, path, NULL);
}

qn_status qn_model_open_with(qn_model **out, const char *path, const qn_model_options *options)
{
    *out = NULL;
    struct qn_model *m = qn__alloc(1, sizeof *m);
    if (!m)
        return qn__fail(QN_E_MEMORY, "no memory for a model");
    memset(m, 0, sizeof *m);
    const qn_status s = open_parts(m, path, options);
    if (s != QN_OK) {
        qn_model_close(m);
        /* the message may have come from the file, and begin with it */
        return qn__starts_with(qn_message(), path) ? s : qn__fail_prefix(s, "%s", path);
    }
    *out = m;
    return QN_OK;
}

void qn_model_close(qn_model *m)
{
    if (!m)
        return;
    qn__tokenizer_destroy(m->tokenizer);
    qn__weights_release(&m->plan);
    qn__weights_release(&m->tiled_plan);
    qn__model_file_close(m->file);
    free(m);
}

const qn_model_info *qn_model_get_info(const qn_model *m)
{
    return &m->info;
}

uint32_t qn_model_count_warnings(const qn_model *m)
{
    return qn__model_file_n_warnings(m->file);
}

const char *qn_model_get_warning(const qn_model *m, uint32_t index)
{
    return qn__model_file_warning(m->file, index);
}

/* -- text -- */

qn_status qn_model_encode(qn_tokens *out, const qn_model *m, const char *text, size_t n_bytes,
                          unsigned flags)
{
    struct qn__tokens tokens = {0};
    unsigned mapped = 0;
    *out = (qn_tokens){0};
    mapped |= flags & QN_ENCODE_BOS ? QN__ENCODE_BOS : 0u;
    mapped |= flags & QN_ENCODE_SPECIAL ? QN__ENCODE_SPECIAL : 0u;
    QN_TRY(qn__tokenizer_encode(&tokens, m->tokenizer, text, n_bytes, mapped));
    *out = (qn_tokens){.ids = tokens.ids, .n = tokens.n};
    return QN_OK;
}

static qn_status take(char **out, size_t *n_bytes, struct qn__str *text, qn_status s)
{
    if (s == QN_OK)
        s = qn__str_check(text);
    if (s == QN_OK) {
        *n_bytes = text->len;
        *out = qn__str_take(text);
        if (!*out)
            s = qn__fail(QN_E_MEMORY, "no memory for a text");
    }
    qn__str_release(text);
    return s;
}

qn_status qn_model_decode(char **out, size_t *n_bytes, const qn_model *m, const int32_t *ids,
                          uint32_t n)
{
    const struct qn__token_facts *facts = qn__tokenizer_facts(m->tokenizer);
    struct qn__str text = {0};
    qn_status s = QN_OK;
    bool is_first = true;
    *out = NULL;
    *n_bytes = 0;
    for (uint32_t i = 0; s == QN_OK && i < n; i++) {
        s = qn__tokenizer_decode(&text, m->tokenizer, ids[i], is_first, false);
        is_first = is_first && ids[i] == facts->bos;
    }
    return take(out, n_bytes, &text, s);
}

qn_status qn_model_decode_next(char **out, size_t *n_bytes, const qn_model *m, int32_t id)
{
    struct qn__str text = {0};
    *out = NULL;
    *n_bytes = 0;
    return take(out, n_bytes, &text, qn__tokenizer_decode(&text, m->tokenizer, id, false, false));
}

qn_status qn_model_token_text(char **out, size_t *n_bytes, const qn_model *m, int32_t id)
{
    struct qn__str text = {0};
    *out = NULL;
    *n_bytes = 0;
    return take(out, n_bytes, &text, qn__tokenizer_decode(&text, m->tokenizer, id, false, true));
}

bool qn_model_is_end(const qn_model *m, int32_t id)
{
    return qn__tokenizer_is_end(m->tokenizer, id);
}

static qn_status format_chat(struct qn__chat_text *out, const qn_model *m,
                             const qn_chat_message *messages, uint32_t n, const qn_chat_options *o)
{
    const struct qn__chat_options inner = {o->template_name, o->template_text, o->tools,
                                           o->variables,     o->now,           o->no_prompt};
    *out = (struct qn__chat_text){0};
    struct qn__chat_message *list = qn__alloc(n ? n : 1, sizeof *list);
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for %u messages", n);
    for (uint32_t i = 0; i < n; i++)
        list[i] = (struct qn__chat_message){messages[i].role, messages[i].text, messages[i].fields};
    const qn_status s = qn__chat_format(out, m->file, list, n, &inner);
    free(list);
    return s;
}

qn_status qn_model_encode_chat(qn_tokens *out, char **text, const qn_model *m,
                               const qn_chat_message *messages, uint32_t n,
                               const qn_chat_options *options)
{
    static const qn_chat_options plain;
    const qn_chat_options *o = options ? options : &plain;
    struct qn__chat_text written;
    struct qn__tokens tokens = {0};
    *out = (qn_tokens){0};
    if (text)
        *text = NULL;
    qn_status s = format_chat(&written, m, messages, n, o);
    if (s == QN_OK)
        s = qn__tokenizer_encode_marked(&tokens, m->tokenizer, written.bytes,
                                        o->special_in_messages ? NULL : written.foreign, written.n,
                                        QN__ENCODE_BOS | QN__ENCODE_SPECIAL);
    if (s == QN_OK && text) {
        *text = written.bytes;
        written.bytes = NULL;
    }
    qn__chat_text_release(&written);
    *out = (qn_tokens){.ids = tokens.ids, .n = tokens.n};
    return s;
}
