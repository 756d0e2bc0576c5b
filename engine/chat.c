/* SPDX-License-Identifier: Apache-2.0
 *
 * A conversation as text: which template writes it. */
#include "engine/chat.h"

#include "engine/chat_named.h"
#include "engine/chat_template.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The model's template, or NULL. Some models have one of its own for conversations with tools. */
static const char *own_template(const struct qn__model_file *f, bool with_tools)
{
    static const char *const keys[] = {"tokenizer.chat_template.tool_use",
                                       "tokenizer.chat_template"};
    for (int i = with_tools ? 0 : 1; i < 2; i++) {
        const struct qn__fact *fact = qn__fact_find(f, keys[i]);
        if (fact && fact->kind == QN__FACT_TEXT && fact->value.text.n)
            return fact->value.text.bytes;
    }
    return NULL;
}

static qn_status write_by(struct qn__chat_writer *w, const struct qn__chat_message *messages,
                          uint32_t n, const struct qn__chat_options *o)
{
    const char *own = own_template(w->file, o->tools != NULL);
    if (o->template_name)
        return qn__chat_write_named(w, o->template_name, messages, n);
    if (!o->template_text && !own)
        return qn__chat_unknown_name(NULL);
    return qn__chat_write_template(w, o->template_text ? o->template_text : own, messages, n, o);
}

static qn_status take(struct qn__chat_text *out, const struct qn__text_builder *b)
{
    out->bytes = qn__alloc(b->n + 1, 1);
    out->foreign = qn__alloc(b->n + 1, 1);
    out->n = b->n;
    if (!out->bytes || !out->foreign)
        return qn__fail(QN_E_MEMORY, "no memory for a conversation of %zu bytes", b->n);
    if (b->n)
        memcpy(out->bytes, b->bytes, b->n);
    if (b->n && b->foreign)
        memcpy(out->foreign, b->foreign, b->n);
    return QN_OK;
}

qn_status qn__chat_format(struct qn__chat_text *out, const struct qn__model_file *f,
                          const struct qn__chat_message *messages, uint32_t n,
                          const struct qn__chat_options *options)
{
    struct qn__template_run run;
    struct qn__chat_writer w = {.run = &run, .file = f};
    *out = (struct qn__chat_text){0};
    qn__template_run_init(&run);
    run.now = options->now ? options->now : (int64_t)time(NULL);
    qn_status s = write_by(&w, messages, n, options);
    if (s == QN_OK)
        s = take(out, &w.text);
    if (s != QN_OK)
        qn__chat_text_release(out);
    qn__template_run_release(&run);
    return s;
}

void qn__chat_text_release(struct qn__chat_text *t)
{
    free(t->bytes);
    free(t->foreign);
    *t = (struct qn__chat_text){0};
}
