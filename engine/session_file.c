/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving and loading what a prompt left in the cache (session_file.h). */
#include "engine/session_file.h"

#include "base/file.h"
#include "engine/session.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = "QNPROMP1";
enum { SAMPLE_BYTES = 4096 };

uint64_t qn__session_file_bytes(const struct qn__session_head *h)
{
    return sizeof *h + h->n_tokens * sizeof(int32_t) +
           2ull * h->n_layers * h->n_kv_heads * h->n_tokens * h->row_bytes + QN__CHECKSUM_BYTES;
}

uint64_t qn__session_file_cache_at(const struct qn__session_head *h)
{
    return sizeof *h + h->n_tokens * sizeof(int32_t);
}

void qn__session_file_seal(void *bytes, const struct qn__session_head *head, const int32_t *ids)
{
    struct qn__session_head whole = *head;
    unsigned char *p = bytes;
    const uint64_t n = qn__session_file_bytes(head) - QN__CHECKSUM_BYTES;
    memcpy(whole.magic, magic, sizeof magic);
    memcpy(p, &whole, sizeof whole);
    memcpy(p + sizeof whole, ids, head->n_tokens * sizeof *ids);
    qn__checksum_of(p + n, whole.identity, p, n);
}

qn_status qn__session_file_check(struct qn__session_head *head, const void *bytes, size_t n,
                                 const struct qn__session_head *want, uint32_t n_vocab)
{
    unsigned char sum[QN__CHECKSUM_BYTES];
    const char *p = bytes;
    if (n < sizeof *head)
        return qn__fail(QN_E_CORRUPT, "no prompt that was saved: %zu bytes", n);
    memcpy(head, p, sizeof *head);
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return qn__fail(QN_E_CORRUPT, "no prompt that was saved: it begins otherwise");
    if (memcmp(head->identity, want->identity, sizeof head->identity) != 0 ||
        head->n_layers != want->n_layers || head->n_kv_heads != want->n_kv_heads ||
        head->row_bytes != want->row_bytes)
        return qn__fail(QN_E_UNSUPPORTED,
                        "made with another model, type of the cache, adapters, or --exact");
    if (head->n_tokens > want->n_tokens)
        return qn__fail(QN_E_LIMIT, "%u tokens, and the context has room for %u", head->n_tokens,
                        want->n_tokens);
    if (!head->n_tokens || n != qn__session_file_bytes(head))
        return qn__fail(QN_E_CORRUPT, "%zu bytes for %u tokens: it was cut short", n,
                        head->n_tokens);
    qn__checksum_of(sum, head->identity, p, n - sizeof sum);
    if (memcmp(sum, p + n - sizeof sum, sizeof sum) != 0)
        return qn__fail(QN_E_CORRUPT, "damaged: the checksum is another one");
    for (uint32_t i = 0; i < head->n_tokens; i++) {
        int32_t id;
        memcpy(&id, p + sizeof *head + i * sizeof id, sizeof id);
        if (id < 0 || (uint32_t)id >= n_vocab)
            return qn__fail(QN_E_CORRUPT, "token %d: the vocabulary has %u", id, n_vocab);
    }
    return QN_OK;
}

/* -- what it was made from -- */

static void add_bytes(struct qn__hash *h, const void *bytes, uint64_t n)
{
    qn__hash_add(h, &n, sizeof n);
    qn__hash_add(h, bytes, n);
}

/* Name, shape, format, and the first, the middle and the last bytes. */
static void add_tensor(struct qn__hash *h, const struct qn__tensor *t)
{
    const uint64_t n = t->bytes < SAMPLE_BYTES ? t->bytes : SAMPLE_BYTES;
    const char *data = t->data;
    add_bytes(h, t->name, strlen(t->name));
    add_bytes(h, t->format->name, strlen(t->format->name));
    add_bytes(h, t->shape, sizeof t->shape);
    add_bytes(h, data, n);
    add_bytes(h, data + (t->bytes - n) / 2, n);
    add_bytes(h, data + (t->bytes - n), n);
}

static void identify(struct qn__session_head *head, const qn_session *s)
{
    const struct qn__config *c = &s->model->config;
    const struct qn__model_file *f = s->model->file;
    const uint32_t counts[] = {c->n_layers,
                               c->dim,
                               c->n_heads,
                               c->n_kv_heads,
                               c->head_dim,
                               c->n_ffn,
                               c->n_used,
                               c->n_shared,
                               c->n_dense,
                               c->n_dense_ffn,
                               c->latent.kv_rank,
                               c->latent.n_value,
                               c->window,
                               c->n_rot,
                               c->expert_weights_sum,
                               (uint32_t)c->pairs,
                               (uint32_t)c->scaling,
                               c->yarn_truncated,
                               c->scaling_context};
    const float numbers[] = {
        c->norm_eps,        c->head_norm_eps,   c->attention_scale,   c->attention_softcap,
        c->final_softcap,   c->embedding_scale, c->logit_scale,       c->rope_base,
        c->local_rope_base, c->scaling_factor,  c->scaling_attention, c->scaling_low,
        c->scaling_high,    c->yarn_fast,       c->yarn_slow,         c->yarn_attention,
        c->yarn_share,      c->angle_scale,     c->expert_scale};
    /* which of two tables of angles a session has may follow from its context */
    const uint32_t is_long =
        c->scaling == QN__SCALING_LONGROPE && s->info.plan.context > c->scaling_context;
    const uint32_t how[] = {(uint32_t)s->cache_type, is_long,
                            s->weights.layers[0].q.is_in_dot_tiles};
    static const unsigned char no_adapters[sizeof s->adapters_identity];
    struct qn__hash h;
    qn__hash_init(&h);
    if (memcmp(s->adapters_identity, no_adapters, sizeof no_adapters) != 0)
        add_bytes(&h, s->adapters_identity, sizeof s->adapters_identity);
    add_bytes(&h, c->family->name, strlen(c->family->name));
    add_bytes(&h, counts, sizeof counts);
    add_bytes(&h, numbers, sizeof numbers);
    add_bytes(&h, how, sizeof how);
    add_bytes(&h, c->is_local, sizeof c->is_local);
    add_bytes(&h, c->is_turned, sizeof c->is_turned);
    for (uint32_t i = 0; i < qn__model_file_n_tensors(f); i++)
        add_tensor(&h, qn__model_file_tensor(f, i));
    memset(head, 0, sizeof *head);
    qn__hash_finish(&h, head->identity);
    head->n_layers = c->n_layers;
    head->n_kv_heads = c->n_kv_heads;
    head->row_bytes = (uint32_t)(s->cache.position_bytes / (2ull * c->n_kv_heads * c->n_layers));
}

/* -- the cache -- */

/* Between the file's bytes and the device, a head of a layer at a time. */
static qn_status copy_cache(qn_session *s, const struct qn__session_head *h, char *bytes, bool load)
{
    const uint64_t n = (uint64_t)h->n_tokens * h->row_bytes;
    for (uint32_t i = 0; i < 2 * h->n_layers; i++) {
        const struct qn__cache_layer *layer = &s->cache_layers[i / 2];
        const qn_addr side = i % 2 ? layer->v : layer->k;
        for (uint32_t head = 0; head < h->n_kv_heads; head++, bytes += n) {
            const qn_addr at = side + (uint64_t)head * layer->context * h->row_bytes;
            QN_TRY(load ? qn_memory_upload(s->dev, at, bytes, n, s->stream)
                        : qn_memory_download(s->dev, bytes, at, n, s->stream));
        }
    }
    return qn_stream_sync(s->stream);
}

qn_status qn_session_save(qn_session *s, const char *path, const int32_t *ids, uint32_t n)
{
    struct qn__session_head head;
    if (n == 0 || n > s->info.n_past)
        return qn__fail(QN_E_INVALID, "%u positions to save, and %u there are", n, s->info.n_past);
    identify(&head, s);
    head.n_tokens = n;
    const uint64_t size = qn__session_file_bytes(&head);
    char *bytes = qn__alloc(size, 1);
    if (!bytes)
        return qn__fail(QN_E_MEMORY, "no memory for a file of %llu bytes",
                        (unsigned long long)size);
    qn_status status = copy_cache(s, &head, bytes + qn__session_file_cache_at(&head), false);
    if (status == QN_OK) {
        qn__session_file_seal(bytes, &head, ids);
        status = qn__file_write_atomic(path, bytes, size, 0600);
    }
    free(bytes);
    return status;
}

static qn_status load(qn_tokens *out, qn_session *s, char *bytes, size_t n)
{
    struct qn__session_head head, want;
    identify(&want, s);
    want.n_tokens = s->info.plan.context;
    QN_TRY(qn__session_file_check(&head, bytes, n, &want, s->model->config.n_vocab));
    const size_t id_bytes = head.n_tokens * sizeof *out->ids;
    out->ids = qn__alloc(head.n_tokens, sizeof *out->ids);
    if (!out->ids)
        return qn__fail(QN_E_MEMORY, "no memory for %u tokens", head.n_tokens);
    memcpy(out->ids, bytes + sizeof head, id_bytes);
    QN_TRY(qn_session_rewind(s, 0));
    QN_TRY(copy_cache(s, &head, bytes + qn__session_file_cache_at(&head), true));
    out->n = s->info.n_past = head.n_tokens;
    return QN_OK;
}

qn_status qn_session_load(qn_tokens *out, qn_session *s, const char *path)
{
    char *bytes;
    size_t n;
    *out = (qn_tokens){0};
    QN_TRY(qn__file_read(&bytes, &n, path, SIZE_MAX / 2));
    const qn_status status = load(out, s, bytes, n);
    free(bytes);
    if (status == QN_OK)
        return QN_OK;
    free(out->ids);
    *out = (qn_tokens){0};
    return qn__fail_prefix(status, "%s", path);
}
