/* SPDX-License-Identifier: Apache-2.0
 *
 * Experts of gpt-oss become blocks as GGUF has them (hf_mxfp4.h): 32 numbers are a byte of scale
 * and 16 bytes of codes. Here a byte of codes is two neighbours; there, one and the one 16 behind.
 * Both have the same codes and the same scales, so no number changes. */
#include "engine/hf_mxfp4.h"

#include "base/str.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CODES = 16, BLOCK = 17, ELEMS = 32, NAME_BYTES = 64 };

/* Rows first, first + step, ... of each expert. */
struct rows {
    uint64_t n, first, step;
};

static const struct qn__hf_part *find(const struct qn__hf_part *parts, const char *name)
{
    while (parts && strcmp(parts->t.name, name) != 0)
        parts = parts->before;
    return parts;
}

static void unite_block(unsigned char *out, const unsigned char *codes, unsigned char scale)
{
    out[0] = scale;
    for (int i = 0; i < CODES; i++) {
        const int shift = i % 2 * 4, from = i / 2;
        out[1 + i] = (unsigned char)((codes[from] >> shift & 15) |
                                     (codes[from + CODES / 2] >> shift & 15) << 4);
    }
}

static qn_status add(struct qn__model_file *f, const char *name, struct qn__tensor t)
{
    t.name = qn__arena_strdup(&f->arena, name);
    if (!t.name)
        return qn__fail(QN_E_MEMORY, "no memory for tensor '%s'", name);
    QN_TRY(qn__tensor_measure(&t));
    return qn__model_file_add_tensor(f, &t);
}

/* blocks (experts, rows, groups, 16), scales (experts, rows, groups) */
static qn_status add_weights(struct qn__model_file *f, const char *name,
                             const struct qn__tensor *blocks, const struct qn__tensor *scales,
                             struct rows rows)
{
    const uint64_t groups = blocks->shape[1], all = blocks->shape[2], experts = blocks->shape[3];
    unsigned char *data = qn__arena_alloc(&f->arena, (size_t)(experts * rows.n * groups), BLOCK);
    if (!data)
        return qn__fail(QN_E_MEMORY, "tensor '%s': no memory for its blocks", name);
    const struct qn__tensor t = {.format = qn__format_get(QN__FORMAT_mxfp4),
                                 .n_dims = 3,
                                 .shape = {groups * ELEMS, rows.n, experts},
                                 .data = data};
    for (uint64_t e = 0; e < experts; e++)
        for (uint64_t r = 0; r < rows.n; r++) {
            const uint64_t from = (e * all + rows.first + r * rows.step) * groups;
            for (uint64_t g = 0; g < groups; g++, data += BLOCK)
                unite_block(data, (const unsigned char *)blocks->data + (from + g) * CODES,
                            ((const unsigned char *)scales->data)[from + g]);
        }
    return add(f, name, t);
}

/* bias (experts, rows), its elements as they are */
static qn_status add_bias(struct qn__model_file *f, const char *name, const struct qn__tensor *bias,
                          struct rows rows)
{
    const uint64_t all = bias->shape[0], experts = bias->shape[1],
                   size = bias->bytes / all / experts;
    unsigned char *data = qn__arena_alloc(&f->arena, (size_t)(experts * rows.n), (size_t)size);
    if (!data)
        return qn__fail(QN_E_MEMORY, "tensor '%s': no memory", name);
    const struct qn__tensor t = {
        .format = bias->format, .n_dims = 2, .shape = {rows.n, experts}, .data = data};
    for (uint64_t e = 0; e < experts; e++)
        for (uint64_t r = 0; r < rows.n; r++, data += size)
            memcpy(data,
                   (const unsigned char *)bias->data +
                       (e * all + rows.first + r * rows.step) * size,
                   (size_t)size);
    return add(f, name, t);
}

static qn_status check_pair(const struct qn__tensor *blocks, const struct qn__hf_part *scales)
{
    if (!scales)
        return qn__fail(QN_E_CORRUPT, "tensor '%s' has no scales beside it", blocks->name);
    const uint64_t *b = blocks->shape, *s = scales->t.shape;
    if (blocks->n_dims != 4 || b[0] != CODES || scales->t.n_dims != 3 || s[0] != b[1] ||
        s[1] != b[2] || s[2] != b[3])
        return qn__fail(QN_E_CORRUPT,
                        "tensors '%s' and '%s': not (experts, rows, groups, 16) and (experts, "
                        "rows, groups)",
                        blocks->name, scales->t.name);
    return QN_OK;
}

/* The tensors that a part stands for: gate and up have their rows by turns. */
static qn_status unite(struct qn__model_file *f, const struct qn__hf_part *all,
                       const struct qn__tensor *t)
{
    static const char both[] = ".ffn_gate_up_exps.", down[] = ".ffn_down_exps.";
    char name[NAME_BYTES];
    const bool is_both = strstr(t->name, both) != NULL;
    const char *layer_end = strstr(t->name, is_both ? both : down);
    const int layer_bytes = layer_end ? (int)(layer_end - t->name) : 0;
    const bool is_bias = qn__ends_with(t->name, ".bias");
    snprintf(name, sizeof name, "%.*s%sscales", layer_bytes, t->name, is_both ? both : down);
    const struct qn__hf_part *scales = find(all, name);
    if (!is_bias)
        QN_TRY(check_pair(t, scales));
    else if (t->n_dims != 2)
        return qn__fail(QN_E_CORRUPT, "tensor '%s' has %u axes, not 2", t->name, t->n_dims);
    const uint64_t n = is_bias ? t->shape[0] : t->shape[2];
    if (is_both && n % 2 != 0)
        return qn__fail(QN_E_CORRUPT, "tensor '%s': %" PRIu64 " rows of gate and up", t->name, n);
    for (uint64_t i = 0; i < (is_both ? 2u : 1u); i++) {
        const struct rows rows = {is_both ? n / 2 : n, i, is_both ? 2 : 1};
        const char *which = !is_both ? "down" : i ? "up" : "gate";
        snprintf(name, sizeof name, "%.*s.ffn_%s_exps.%s", layer_bytes, t->name, which,
                 is_bias ? "bias" : "weight");
        QN_TRY(is_bias ? add_bias(f, name, t, rows) : add_weights(f, name, t, &scales->t, rows));
    }
    return QN_OK;
}

qn_status qn__hf_mxfp4_unite(struct qn__model_file *f, const struct qn__hf_part *parts)
{
    for (const struct qn__hf_part *p = parts; p; p = p->before) {
        char blocks[NAME_BYTES];
        const size_t n = strlen(p->t.name) - strlen("scales");
        snprintf(blocks, sizeof blocks, "%.*sblocks", (int)n, p->t.name);
        if (!qn__ends_with(p->t.name, ".scales"))
            QN_TRY(unite(f, parts, &p->t));
        else if (!find(parts, blocks))
            return qn__fail(QN_E_CORRUPT, "tensor '%s' has no blocks beside it", p->t.name);
    }
    return QN_OK;
}
