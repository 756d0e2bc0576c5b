/* SPDX-License-Identifier: Apache-2.0
 *
 * A model file as GGUF with its matrices in another format. What need not change is copied; the
 * rest is unpacked and packed again, piece by piece. */
#include "base/arena.h"
#include "engine/gguf_write.h"
#include "engine/weight_mix.h"

#include <quern/model_data.h>

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4096 }; /* elements; whole blocks of every format */

struct conversion {
    struct qn__model_file *in;
    struct qn__gguf_writer w;
    struct qn__weight_mix mix;
};

static bool is_plain(const struct qn__format *f)
{
    return f->block_elems == 1;
}

/* Facts of the old file that say how it is stored are not the new file's. */
static bool is_about_storage(const char *key)
{
    return !strcmp(key, "general.file_type") || !strcmp(key, "general.quantization_version") ||
           !strcmp(key, "general.alignment") || qn__starts_with(key, "split.");
}

static qn_status choose(const struct qn__format **out, const struct conversion *c,
                        const struct qn__tensor *t)
{
    *out = is_plain(t->format) && t->n_dims < 2
               ? qn__format_get(QN__FORMAT_f32)
               : qn__weight_mix_choose(&c->mix, t->name, t->n_dims, t->shape[0]);
    if (*out == t->format)
        return QN_OK;
    if (!is_plain(t->format))
        return qn__fail(QN_E_UNSUPPORTED,
                        "tensor '%s' is %s already: quantise the model it was made from, in f32, "
                        "f16 or bf16",
                        t->name, t->format->name);
    if (!(*out)->pack)
        return qn__fail(QN_E_UNSUPPORTED, "Quern reads %s but does not write it", (*out)->name);
    return QN_OK;
}

static qn_status fill(void *blocks, void *context, uint32_t tensor, uint64_t first, uint64_t n)
{
    const struct conversion *c = context;
    const struct qn__tensor *t = qn__model_file_tensor(c->in, tensor);
    const struct qn__format *from = t->format, *to = c->w.outputs[tensor].format;
    const char *in = (const char *)t->data + qn__format_bytes(from, first);
    char *out = blocks;
    if (from == to && !t->plus_one) {
        memcpy(out, in, (size_t)qn__format_bytes(from, n));
        return QN_OK;
    }
    for (uint64_t done = 0; done < n; done += AT_ONCE) {
        float values[AT_ONCE];
        const uint64_t now = n - done < AT_ONCE ? n - done : AT_ONCE;
        from->unpack(values, in, now);
        for (uint64_t i = 0; t->plus_one && i < now; i++)
            values[i] += 1.0f;
        to->pack(out, values, now);
        in += qn__format_bytes(from, now);
        out += qn__format_bytes(to, now);
    }
    return QN_OK;
}

static qn_status read_shape(struct conversion *c)
{
    const char *architecture;
    struct qn__str text = {0};
    QN_TRY(qn__fact_text(&architecture, c->in, "general.architecture"));
    qn__str_printf(&text, "%s.block_count", architecture);
    qn_status s = qn__str_check(&text);
    if (s == QN_OK)
        s = qn__fact_u32(&c->mix.n_layers, c->in, text.text);
    qn__str_clear(&text);
    qn__str_printf(&text, "%s.expert_count", architecture);
    if (s == QN_OK)
        s = qn__str_check(&text);
    if (s == QN_OK && qn__fact_find(c->in, text.text))
        s = qn__fact_u32(&c->mix.n_experts, c->in, text.text);
    qn__str_release(&text);
    c->mix.tied_head = !qn__model_file_find(c->in, "output.weight");
    return s;
}

static qn_status convert(struct conversion *c, const char *out_path, const char *in_path,
                         const char *type, uint32_t n_threads)
{
    QN_TRY(qn__weight_mix_find(&c->mix, type));
    QN_TRY(qn__model_file_open(&c->in, in_path));
    QN_TRY(read_shape(c));
    for (uint32_t i = 0; i < qn__model_file_n_facts(c->in); i++) {
        const struct qn__fact *fact = qn__model_file_fact(c->in, i);
        if (!is_about_storage(fact->key))
            qn__gguf_copy_fact(&c->w, c->in, fact);
    }
    qn__gguf_add_u32(&c->w, "general.file_type", c->mix.file_type);
    qn__gguf_add_u32(&c->w, "general.quantization_version", 2);
    for (uint32_t i = 0; i < qn__model_file_n_tensors(c->in); i++) {
        const struct qn__tensor *t = qn__model_file_tensor(c->in, i);
        const struct qn__format *format;
        QN_TRY(choose(&format, c, t));
        QN_TRY(qn__gguf_add_tensor(&c->w, t->name, t->n_dims, t->shape, format));
    }
    return qn__gguf_write(&c->w, out_path, fill, c, n_threads);
}

qn_status qn_model_convert(const char *out_path, const char *in_path, const char *type,
                           uint32_t n_threads)
{
    QN_ARG_CHECK(out_path != NULL && in_path != NULL && type != NULL);
    struct conversion c = {0};
    const qn_status s = convert(&c, out_path, in_path, type, n_threads);
    qn__gguf_writer_release(&c.w);
    qn__model_file_close(c.in);
    return s;
}
