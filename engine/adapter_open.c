/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening an adapter (adapter_open.h): each pair of tensors is found its place in the model, and
 * its shapes are compared. */
#include "engine/adapter_open.h"

#include "base/str.h"
#include "engine/model_build.h"
#include "engine/model_keys.h"
#include "engine/model_open.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_MAX = 1 << 16, NAME_BYTES = 96 };

/* -- places -- */

enum { Q, K, V, O, GATE, UP, DOWN, ROUTER, SHARED_GATE, SHARED_UP, SHARED_DOWN, SHARED_SHARE, N };

static const size_t offsets[N] = {
    [Q] = offsetof(struct qn__layer, q),
    [K] = offsetof(struct qn__layer, k),
    [V] = offsetof(struct qn__layer, v),
    [O] = offsetof(struct qn__layer, o),
    [GATE] = offsetof(struct qn__layer, gate),
    [UP] = offsetof(struct qn__layer, up),
    [DOWN] = offsetof(struct qn__layer, down),
    [ROUTER] = offsetof(struct qn__layer, router),
    [SHARED_GATE] = offsetof(struct qn__layer, shared_gate),
    [SHARED_UP] = offsetof(struct qn__layer, shared_up),
    [SHARED_DOWN] = offsetof(struct qn__layer, shared_down),
    [SHARED_SHARE] = offsetof(struct qn__layer, shared_share),
};

/* Behind "blk.N."; several places: one matrix after the other. */
static const struct {
    const char *name;
    uint32_t first, last;
} rows[] = {
    {"attn_q.weight", Q, Q},
    {"attn_k.weight", K, K},
    {"attn_v.weight", V, V},
    {"attn_qkv.weight", Q, V},
    {"attn_output.weight", O, O},
    {"ffn_gate.weight", GATE, GATE},
    {"ffn_up.weight", UP, UP},
    {"ffn_down.weight", DOWN, DOWN},
    {"ffn_gate_inp.weight", ROUTER, ROUTER},
    {"ffn_gate_shexp.weight", SHARED_GATE, SHARED_GATE},
    {"ffn_up_shexp.weight", SHARED_UP, SHARED_UP},
    {"ffn_down_shexp.weight", SHARED_DOWN, SHARED_DOWN},
    {"ffn_gate_inp_shexp.weight", SHARED_SHARE, SHARED_SHARE},
};

uint32_t qn__place_of_embedding(const struct qn__config *c)
{
    return c->n_layers * N;
}

uint32_t qn__places_count(const struct qn__config *c)
{
    return c->n_layers * N + 2;
}

const struct qn__matrix *qn__place_matrix(const struct qn__weights *w, const struct qn__config *c,
                                          uint32_t place)
{
    if (place >= c->n_layers * N)
        return place == c->n_layers * N ? &w->embedding : &w->head;
    const char *layer = (const char *)&w->layers[place / N];
    return (const struct qn__matrix *)(const void *)(layer + offsets[place % N]);
}

bool qn__place_is_turned(const struct qn__config *c, uint32_t place)
{
    return place < c->n_layers * N && (place % N == Q || place % N == K);
}

/* The places of a tensor of the model. */
static qn_status find_places(uint32_t *first, uint32_t *last, const struct qn_model *m,
                             const char *name)
{
    const struct qn__config *c = &m->config;
    unsigned layer;
    int n = 0;
    *first = *last = qn__places_count(c) - 1;
    if (!strcmp(name, "output.weight")) /* also where the head is tied: it is adapted alone */
        return QN_OK;
    if (!qn__model_file_find(m->file, name))
        return qn__fail(QN_E_UNSUPPORTED, "'%.96s': the model has no such tensor", name);
    *first = *last = qn__place_of_embedding(c);
    if (!strcmp(name, "token_embd.weight"))
        return QN_OK;
    if (sscanf(name, "blk.%5u.%n", &layer, &n) == 1 && n && layer < c->n_layers)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            if (strcmp(rows[i].name, name + n) != 0)
                continue;
            *first = layer * N + rows[i].first;
            *last = layer * N + rows[i].last;
            if (rows[i].first == UP && !c->n_experts &&
                qn__model_file_find(m->file, name)->shape[1] == 2 * (uint64_t)c->n_ffn)
                *first = layer * N + GATE; /* gate and up in one */
            return QN_OK;
        }
    return qn__fail(QN_E_UNSUPPORTED, "'%.96s': Quern adapts no such matrix%s", name,
                    c->n_experts ? " (experts stay as they are)" : "");
}

/* -- pairs -- */

static qn_status wrong_shape(const struct qn__tensor *t, uint64_t rows_wanted, uint64_t n_wanted,
                             const char *which)
{
    char want_rows[24] = "rank", want_n[24] = "rank";
    if (rows_wanted)
        snprintf(want_rows, sizeof want_rows, "%llu", (unsigned long long)rows_wanted);
    if (n_wanted)
        snprintf(want_n, sizeof want_n, "%llu", (unsigned long long)n_wanted);
    return qn__fail(QN_E_CORRUPT,
                    "tensor '%.96s' is (%llu, %llu), not (%s, %s)%s: was it made for this model?",
                    t->name, (unsigned long long)t->shape[1], (unsigned long long)t->shape[0],
                    want_rows, want_n, which);
}

/* What alpha and the rank come to. In GGUF files an alpha of 0 stands for none. */
static qn_status read_scale(float *out, const struct qn_adapter *a, uint32_t rank)
{
    bool by_root = false;
    float alpha;
    QN_TRY(qn__fact_f32(&alpha, a->file, "adapter.lora.alpha"));
    if (qn__fact_find(a->file, "adapter.quern.by_root"))
        QN_TRY(qn__fact_bool(&by_root, a->file, "adapter.quern.by_root"));
    *out = alpha / (by_root ? sqrtf((float)rank) : (float)rank);
    if (alpha == 0.0f && !a->is_peft)
        *out = 1.0f;
    return QN_OK;
}

static qn_status add_part(struct qn_adapter *a, const struct qn__adapter_part *part)
{
    if (a->n_parts == a->capacity) {
        const uint32_t room = a->capacity ? 2 * a->capacity : 64;
        struct qn__adapter_part *grown = realloc(a->parts, room * sizeof *grown);
        if (!grown)
            return qn__fail(QN_E_MEMORY, "no memory for %u matrices", room);
        a->parts = grown;
        a->capacity = room;
    }
    a->parts[a->n_parts++] = *part;
    return QN_OK;
}

/* The pair for a tensor of the model, "blk.0.attn_q.weight". */
static qn_status add_pair(struct qn_adapter *a, const char *name, const struct qn__tensor *ta,
                          const struct qn__tensor *tb)
{
    const struct qn__config *c = &a->model->config;
    struct qn__adapter_part part = {.a = ta, .b = tb};
    uint32_t first, last;
    uint64_t n_rows = 0;
    QN_TRY(find_places(&first, &last, a->model, name));
    for (uint32_t place = first; place <= last; place++)
        n_rows += qn__place_matrix(&a->model->plan, c, place)->rows;
    const struct qn__matrix *m = qn__place_matrix(&a->model->plan, c, first);
    const bool is_embedding = first == qn__place_of_embedding(c);
    const bool by_token = is_embedding && !a->is_peft; /* (n_vocab, rank): a row for each token */
    const uint64_t n_in = is_embedding ? m->rows : m->n, n_out = is_embedding ? m->n : n_rows;
    const uint64_t rank = tb->shape[0];
    if (ta->n_dims > 2 || ta->shape[by_token ? 1 : 0] != n_in)
        return by_token ? wrong_shape(ta, n_in, 0, "") : wrong_shape(ta, 0, n_in, "");
    if (tb->n_dims > 2 || tb->shape[1] != n_out)
        return wrong_shape(tb, n_out, 0, "");
    if (ta->shape[by_token ? 0 : 1] != rank || rank > RANK_MAX)
        return qn__fail(QN_E_CORRUPT, "tensors '%.96s' and lora_b are of ranks %llu and %llu",
                        ta->name, (unsigned long long)ta->shape[by_token ? 0 : 1],
                        (unsigned long long)rank);
    part.rank = (uint32_t)rank;
    QN_TRY(read_scale(&part.scale, a, part.rank));
    a->info.rank = part.rank > a->info.rank ? part.rank : a->info.rank;
    a->info.n_matrices++;
    for (part.place = first; part.place <= last; part.place++) {
        QN_TRY(add_part(a, &part));
        part.first_row += qn__place_matrix(&a->model->plan, c, part.place)->rows;
    }
    return QN_OK;
}

/* Every tensor belongs to a pair; pairs are found by their a. */
static qn_status add_tensor(struct qn_adapter *a, const struct qn__tensor *t)
{
    static const char end_a[] = ".lora_a", end_b[] = ".lora_b";
    char name[NAME_BYTES], other[NAME_BYTES + sizeof end_a];
    const bool is_a = qn__ends_with(t->name, end_a);
    const size_t n = strlen(t->name);
    if ((!is_a && !qn__ends_with(t->name, end_b)) || n - strlen(end_a) >= sizeof name)
        return qn__fail(QN_E_UNSUPPORTED,
                        "tensor '%.96s': neither .lora_a nor .lora_b, and Quern computes nothing "
                        "else of an adapter",
                        t->name);
    snprintf(name, sizeof name, "%.*s", (int)(n - strlen(end_a)), t->name);
    snprintf(other, sizeof other, "%s%s", name, is_a ? end_b : end_a);
    const struct qn__tensor *second = qn__model_file_find(a->file, other);
    if (!second)
        return qn__fail(QN_E_CORRUPT, "tensor '%s' is missing", other);
    return is_a ? add_pair(a, name, t, second) : QN_OK;
}

static qn_status check_family(const struct qn_adapter *a)
{
    const char *family, *wanted = a->model->config.family->name;
    if (a->is_peft)
        return QN_OK; /* it does not say */
    QN_TRY(qn__fact_text(&family, a->file, "general.architecture"));
    return strcmp(family, wanted) == 0
               ? QN_OK
               : qn__fail(QN_E_UNSUPPORTED, "made for a model of the family '%.32s', this is %s",
                          family, wanted);
}

static qn_status open_parts(struct qn_adapter *a, const char *path)
{
    const struct qn__fact *name;
    QN_TRY(qn__adapter_file_open(&a->file, path, a->model->config.family->name));
    QN_TRY(qn__adapter_facts_check(a->file));
    a->is_peft = qn__fact_find(a->file, "adapter.quern.is_peft") != NULL;
    QN_TRY(check_family(a));
    name = qn__fact_find(a->file, "general.name");
    a->info.path = qn__model_file_path(a->file);
    a->info.name = name && name->kind == QN__FACT_TEXT ? name->value.text.bytes : "";
    QN_TRY(qn__fact_f32(&a->info.alpha, a->file, "adapter.lora.alpha"));
    for (uint32_t i = 0; i < qn__model_file_n_tensors(a->file); i++)
        QN_TRY(add_tensor(a, qn__model_file_tensor(a->file, i)));
    return a->n_parts ? QN_OK : qn__fail(QN_E_CORRUPT, "the adapter has no tensors");
}

qn_status qn_adapter_open(qn_adapter **out, const qn_model *m, const char *path)
{
    *out = NULL;
    qn_adapter *a = qn__alloc(1, sizeof *a);
    if (!a)
        return qn__fail(QN_E_MEMORY, "no memory for an adapter");
    a->model = m;
    const qn_status s = open_parts(a, path);
    if (s != QN_OK) {
        struct qn__message kept;
        qn__message_save(&kept);
        qn_adapter_close(a);
        qn__message_restore(&kept);
        return qn__starts_with(qn_message(), path) ? s : qn__fail_prefix(s, "%s", path);
    }
    *out = a;
    return QN_OK;
}

void qn_adapter_close(qn_adapter *a)
{
    if (!a)
        return;
    qn__model_file_close(a->file);
    free(a->parts);
    free(a);
}

const qn_adapter_info *qn_adapter_get_info(const qn_adapter *a)
{
    return &a->info;
}

uint32_t qn_adapter_count_warnings(const qn_adapter *a)
{
    return qn__model_file_n_warnings(a->file);
}

const char *qn_adapter_get_warning(const qn_adapter *a, uint32_t index)
{
    return qn__model_file_warning(a->file, index);
}
