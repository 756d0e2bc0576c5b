/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/model_data.h over engine/model_file.h. */
#include "engine/model_open.h"

#include <quern/model_data.h>

/* The public handle is the internal one. */
static const struct qn__model_file *inside(const qn_model_file *f)
{
    return (const struct qn__model_file *)(const void *)f;
}

qn_status qn_model_file_open(qn_model_file **out, const char *path)
{
    QN_ARG_CHECK(out != NULL && path != NULL);
    struct qn__model_file *f;
    const qn_status s = qn__model_file_open(&f, path);
    *out = (qn_model_file *)(void *)f;
    return s;
}

void qn_model_file_close(qn_model_file *f)
{
    qn__model_file_close((struct qn__model_file *)(void *)f);
}

uint64_t qn_model_file_get_bytes(const qn_model_file *f)
{
    return qn__model_file_bytes(inside(f));
}

uint32_t qn_model_file_count_warnings(const qn_model_file *f)
{
    return qn__model_file_n_warnings(inside(f));
}

const char *qn_model_file_get_warning(const qn_model_file *f, uint32_t index)
{
    return qn__model_file_warning(inside(f), index);
}

uint32_t qn_model_file_count_tensors(const qn_model_file *f)
{
    return qn__model_file_n_tensors(inside(f));
}

qn_model_tensor qn_model_file_get_tensor(const qn_model_file *f, uint32_t index)
{
    const struct qn__tensor *t = qn__model_file_tensor(inside(f), index);
    return (qn_model_tensor){.name = t->name,
                             .format = t->format->name,
                             .n_dims = t->n_dims,
                             .shape = {t->shape[0], t->shape[1], t->shape[2], t->shape[3]},
                             .size_bytes = t->bytes,
                             .data = t->data};
}

uint32_t qn_model_file_count_facts(const qn_model_file *f)
{
    return qn__model_file_n_facts(inside(f));
}

static qn_model_fact to_public(const struct qn__fact *fact)
{
    qn_model_fact out = {.key = fact->key, .text = ""};
    switch (fact->kind) {
    case QN__FACT_U64:
        out.kind = QN_MODEL_FACT_U64;
        out.u64 = fact->value.u64;
        break;
    case QN__FACT_I64:
        out.kind = QN_MODEL_FACT_I64;
        out.i64 = fact->value.i64;
        break;
    case QN__FACT_F64:
        out.kind = QN_MODEL_FACT_F64;
        out.f64 = fact->value.f64;
        break;
    case QN__FACT_BOOL:
        out.kind = QN_MODEL_FACT_BOOL;
        out.boolean = fact->value.boolean;
        break;
    case QN__FACT_TEXT:
        out.kind = QN_MODEL_FACT_TEXT;
        out.text = fact->value.text.bytes;
        out.text_bytes = fact->value.text.n;
        break;
    case QN__FACT_ARRAY:
        out.kind = QN_MODEL_FACT_ARRAY;
        out.n = fact->value.array.n;
        break;
    }
    return out;
}

qn_model_fact qn_model_file_get_fact(const qn_model_file *f, uint32_t index)
{
    return to_public(qn__model_file_fact(inside(f), index));
}

qn_model_fact qn_model_file_get_element(const qn_model_file *f, uint32_t index, uint64_t element)
{
    const struct qn__fact e =
        qn__fact_element(inside(f), qn__model_file_fact(inside(f), index), element);
    return to_public(&e);
}
