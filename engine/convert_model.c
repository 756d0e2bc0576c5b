/* SPDX-License-Identifier: Apache-2.0
 *
 * A model file as GGUF with its matrices in another format. What need not change is copied; the
 * rest is unpacked and packed again, piece by piece.
 *
 * Models from safetensors also get the order that GGUF wants: the rows of llama's queries and keys
 * are interleaved (the two elements that RoPE turns are neighbours), and the matrices of a layer's
 * experts, which are tensors of their own there, become one with a third axis. */
#include "engine/convert_model.h"

#include "base/arena.h"
#include "engine/gguf_write.h"
#include "engine/model_open.h"
#include "engine/weight_mix.h"

#include <quern/model_data.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4096, NAME_BYTES = 64, EXPERTS_MAX = 4096 };

/* Where an output's elements come from. */
struct source {
    const struct qn__tensor *
        *parts; /* of the arena; as many as the output's third axis if joined */
    uint32_t n_parts;
    uint64_t part_elems;
    uint32_t head_rows; /* rows of a head to interleave; 0: rows stay where they are */
};

struct conversion {
    struct qn__model_file *in;
    struct qn__arena arena;
    struct qn__gguf_writer w;
    struct qn__weight_mix mix;
    const char *architecture;
    struct source *sources; /* of each output */
    uint32_t head_dim;      /* of a model whose rows must be interleaved; 0: none */
};

static bool is_plain(const struct qn__format *f)
{
    return f->block_elems == 1;
}

/* -- what becomes of a tensor -- */

/* The fact "<architecture>.<name>"; NULL where the file has none. */
static const struct qn__fact *own_fact(const struct conversion *c, const char *name)
{
    struct qn__str key = {0};
    qn__str_printf(&key, "%s.%s", c->architecture, name);
    const struct qn__fact *fact = key.text ? qn__fact_find(c->in, key.text) : NULL;
    qn__str_release(&key);
    return fact;
}

static qn_status own_number(uint32_t *out, const struct conversion *c, const char *name)
{
    const struct qn__fact *fact = own_fact(c, name);
    *out = 0;
    return fact ? qn__fact_u32(out, c->in, fact->key) : QN_OK;
}

static qn_status choose(const struct qn__format **out, const struct conversion *c, const char *name,
                        const struct qn__tensor *t)
{
    *out = is_plain(t->format) && t->n_dims < 2
               ? qn__format_get(QN__FORMAT_f32)
               : qn__weight_mix_choose(&c->mix, name, t->n_dims, t->shape[0]);
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

/* Is it "blk.3.ffn_up.7.weight", the matrix of an expert? Then `joined` is "blk.3.ffn_up" and the
 * number is the expert's. */
static bool is_expert(char joined[NAME_BYTES], uint32_t *expert, const char *name)
{
    uint32_t layer;
    char part[8];
    int n = 0;
    if (sscanf(name, "blk.%" SCNu32 ".ffn_%4[a-z].%" SCNu32 ".weight%n", &layer, part, expert,
               &n) != 3 ||
        n == 0 || name[n])
        return false;
    snprintf(joined, NAME_BYTES, "blk.%" PRIu32 ".ffn_%s", layer, part);
    return true;
}

/* All experts of a layer's matrix, as parts of one tensor. */
static qn_status add_experts(struct conversion *c, const char *joined)
{
    const uint32_t n = c->mix.n_experts;
    char name[NAME_BYTES + 16];
    struct source s = {.n_parts = n};
    const struct qn__format *format;
    s.parts =
        n && n <= EXPERTS_MAX ? QN__ARENA_ARRAY(&c->arena, const struct qn__tensor *, n) : NULL;
    if (!s.parts)
        return qn__fail(QN_E_CORRUPT, "expert_count is %u, but there are tensors of experts", n);
    for (uint32_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s.%" PRIu32 ".weight", joined, i);
        s.parts[i] = qn__model_file_find(c->in, name);
        if (!s.parts[i])
            return qn__fail(QN_E_CORRUPT, "tensor '%s' is missing", name);
        if (s.parts[i]->format != s.parts[0]->format || s.parts[i]->n_dims != 2 ||
            memcmp(s.parts[i]->shape, s.parts[0]->shape, sizeof s.parts[0]->shape) != 0)
            return qn__fail(QN_E_CORRUPT,
                            "tensor '%s' is not of the other experts' shape and format", name);
    }
    const uint64_t shape[4] = {s.parts[0]->shape[0], s.parts[0]->shape[1], n, 1};
    s.part_elems = shape[0] * shape[1];
    snprintf(name, sizeof name, "%s_exps.weight", joined);
    QN_TRY(choose(&format, c, name, s.parts[0]));
    c->sources[c->w.n_tensors] = s;
    return qn__gguf_add_tensor(&c->w, name, 3, shape, format);
}

static qn_status add_tensor(struct conversion *c, const struct qn__tensor *t)
{
    char joined[NAME_BYTES];
    uint32_t expert;
    const struct qn__format *format;
    if (is_expert(joined, &expert, t->name))
        return expert == 0 ? add_experts(c, joined) : QN_OK;
    struct source s = {.parts = QN__ARENA_NEW(&c->arena, const struct qn__tensor *), .n_parts = 1};
    if (!s.parts)
        return qn__fail(QN_E_MEMORY, "no memory for tensor '%s'", t->name);
    s.parts[0] = t;
    s.part_elems = t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3];
    if (c->head_dim && (strstr(t->name, ".attn_q.") || strstr(t->name, ".attn_k."))) {
        s.head_rows = c->head_dim;
        if (!is_plain(t->format) || (t->n_dims > 1 ? t->shape[1] : t->shape[0]) % s.head_rows != 0)
            return qn__fail(QN_E_CORRUPT,
                            "tensor '%s': its rows are no whole number of heads of %u", t->name,
                            s.head_rows);
    }
    QN_TRY(choose(&format, c, t->name, t));
    c->sources[c->w.n_tensors] = s;
    return qn__gguf_add_tensor(&c->w, t->name, t->n_dims, t->shape, format);
}

/* -- the data -- */

/* The row in safetensors that is row `row` in GGUF: in each head, element i of the first half and
 * element i of the second become neighbours. */
static uint64_t row_before(uint64_t row, uint32_t head_rows)
{
    const uint64_t in_head = row % head_rows;
    return row - in_head + in_head / 2 + in_head % 2 * (head_rows / 2);
}

/* n elements of the output's order as floats; plain formats only, unless nothing moves. */
static void gather(float *out, const struct source *s, uint64_t first, uint64_t n)
{
    while (n) {
        const struct qn__tensor *t = s->parts[first / s->part_elems];
        const uint64_t at = first % s->part_elems;
        const uint64_t width = !s->head_rows ? s->part_elems : t->n_dims > 1 ? t->shape[0] : 1;
        const uint64_t row = at / width, column = at % width;
        const uint64_t now = n < width - column ? n : width - column;
        const uint64_t from = (s->head_rows ? row_before(row, s->head_rows) : row) * width + column;
        t->format->unpack(out, (const char *)t->data + qn__format_bytes(t->format, from), now);
        for (uint64_t i = 0; t->plus_one && i < now; i++)
            out[i] += 1.0f;
        out += now;
        first += now;
        n -= now;
    }
}

/* The numbers from `first` on are no NaN and no infinity, and become none in the new format: a
 * block's scale is an f16 number in most. */
static qn_status check_finite(const struct conversion *c, uint32_t tensor, uint64_t first,
                              const float *values, const void *packed, uint64_t n)
{
    enum { F16_MAX = 65504 };
    const struct source *s = &c->sources[tensor];
    const struct qn__format *to = c->w.outputs[tensor].format;
    float again[AT_ONCE], largest = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            return qn__fail(QN_E_CORRUPT, "tensor '%s': element %" PRIu64 " is %s",
                            s->parts[(first + i) / s->part_elems]->name,
                            (first + i) % s->part_elems,
                            isnan(values[i])   ? "NaN"
                            : values[i] > 0.0f ? "infinite"
                                               : "negative and infinite");
        largest = fmaxf(largest, fabsf(values[i]));
    }
    if (largest < F16_MAX)
        return QN_OK;
    to->unpack(again, packed, n);
    for (uint64_t i = 0; i < n; i++)
        if (!isfinite(again[i]))
            return qn__fail(QN_E_UNSUPPORTED,
                            "tensor '%s': element %" PRIu64 " is %g, which %s cannot hold; f32 and "
                            "bf16 can",
                            s->parts[(first + i) / s->part_elems]->name,
                            (first + i) % s->part_elems, (double)values[i], to->name);
    return QN_OK;
}

static qn_status fill(void *blocks, void *context, uint32_t tensor, uint64_t first, uint64_t n)
{
    const struct conversion *c = context;
    const struct source *s = &c->sources[tensor];
    const struct qn__tensor *t = s->parts[0];
    const struct qn__format *to = c->w.outputs[tensor].format;
    char *out = blocks;
    if (t->format == to && s->n_parts == 1 && !s->head_rows && !t->plus_one && !is_plain(to)) {
        memcpy(out, (const char *)t->data + qn__format_bytes(to, first),
               (size_t)qn__format_bytes(to, n));
        return QN_OK;
    }
    for (uint64_t done = 0; done < n; done += AT_ONCE) {
        float values[AT_ONCE];
        const uint64_t now = n - done < AT_ONCE ? n - done : AT_ONCE;
        gather(values, s, first + done, now);
        to->pack(out, values, now);
        QN_TRY(check_finite(c, tensor, first + done, values, out, now));
        out += qn__format_bytes(to, now);
    }
    return QN_OK;
}

/* -- all of it -- */

/* Facts of the old file that say how it is stored are not the new file's. */
static bool is_about_storage(const char *key)
{
    return !strcmp(key, "general.file_type") || !strcmp(key, "general.quantization_version") ||
           !strcmp(key, "general.alignment") || qn__starts_with(key, "split.") ||
           qn__ends_with(key, ".rope.neox");
}

static qn_status read_shape(struct conversion *c)
{
    QN_TRY(qn__fact_text(&c->architecture, c->in, "general.architecture"));
    QN_TRY(own_number(&c->mix.n_layers, c, "block_count"));
    QN_TRY(own_number(&c->mix.n_experts, c, "expert_count"));
    c->mix.tied_head = !qn__model_file_find(c->in, "output.weight");
    const struct qn__fact *neox = own_fact(c, "rope.neox");
    if (!neox || neox->kind != QN__FACT_BOOL || !neox->value.boolean)
        return QN_OK;
    QN_TRY(own_number(&c->head_dim, c, "attention.key_length"));
    if (c->head_dim == 0 || c->head_dim % 2 != 0)
        return qn__fail(QN_E_CORRUPT, "attention.key_length is %u", c->head_dim);
    return QN_OK;
}

static qn_status convert(struct conversion *c, const char *out_path, const char *in_path,
                         const char *type, uint32_t n_threads)
{
    QN_TRY(qn__weight_mix_find(&c->mix, type));
    QN_TRY(qn__model_file_open(&c->in, in_path));
    QN_TRY(read_shape(c));
    c->sources =
        QN__ARENA_ARRAY(&c->arena, struct source, (size_t)qn__model_file_n_tensors(c->in) + 1);
    if (!c->sources)
        return qn__fail(QN_E_MEMORY, "no memory for %u tensors", qn__model_file_n_tensors(c->in));
    for (uint32_t i = 0; i < qn__model_file_n_facts(c->in); i++) {
        const struct qn__fact *fact = qn__model_file_fact(c->in, i);
        if (!is_about_storage(fact->key))
            qn__gguf_copy_fact(&c->w, c->in, fact);
    }
    qn__gguf_add_u32(&c->w, "general.file_type", c->mix.file_type);
    qn__gguf_add_u32(&c->w, "general.quantization_version", 2);
    for (uint32_t i = 0; i < qn__model_file_n_tensors(c->in); i++)
        QN_TRY(add_tensor(c, qn__model_file_tensor(c->in, i)));
    return qn__gguf_write(&c->w, out_path, fill, c, n_threads);
}

qn_status qn__model_convert(const char *out_path, const char *in_path, const char *type,
                            uint32_t n_threads,
                            void (*progress)(uint64_t done, uint64_t total, void *payload),
                            void *payload)
{
    struct conversion c = {.w = {.progress = progress, .payload = payload}};
    const qn_status s = convert(&c, out_path, in_path, type, n_threads);
    qn__gguf_writer_release(&c.w);
    qn__model_file_close(c.in);
    qn__arena_release(&c.arena);
    return s;
}

qn_status qn_model_convert(const char *out_path, const char *in_path, const char *type,
                           uint32_t n_threads)
{
    QN_ARG_CHECK(out_path != NULL && in_path != NULL && type != NULL);
    return qn__model_convert(out_path, in_path, type, n_threads, NULL, NULL);
}
