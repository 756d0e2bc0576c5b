/* SPDX-License-Identifier: Apache-2.0
 *
 * Queries, keys and values of latent attention (latent.h). Matrices give a head's elements in
 * another order than the cache has them, with the elements that positions turn last. */
#include "engine/latent.h"

static qn_status queries(const struct qn__forward *f, struct qn__step *s, const struct qn__layer *l,
                         qn_addr in)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const uint32_t plain = c->latent.n_plain, row = c->n_heads * c->head_dim;
    const struct qn__head_move turned = {.heads = c->n_heads,
                                         .n = c->n_rot,
                                         .copied = c->n_rot,
                                         .to_dim = c->head_dim,
                                         .x_row = row,
                                         .x_head = c->head_dim,
                                         .x_at = plain};
    const struct qn__head_move rest = {.heads = c->n_heads,
                                       .n = plain,
                                       .copied = plain,
                                       .to_dim = c->head_dim,
                                       .to_at = c->n_rot,
                                       .x_row = row,
                                       .x_head = c->head_dim};
    if (c->latent.q_rank) {
        QN_TRY(qn__step_matmul(s, a->latent.made, &l->q_short, in, 0, false));
        QN_TRY(
            qn__step_head_norm(s, a->latent.made, l->q_short_norm, s->n_tokens, c->latent.q_rank));
        in = a->latent.made;
    }
    QN_TRY(qn__step_matmul(s, a->latent.heads, &l->q, in, 0, false));
    QN_TRY(qn__step_move_heads(s, a->q, a->latent.heads, &turned));
    return qn__step_move_heads(s, a->q, a->latent.heads, &rest);
}

/* n elements of each head's `stride`, from `x_at` on, behind `to_at` of the head they become. */
static qn_status from_heads(const struct qn__forward *f, struct qn__step *s, qn_addr to,
                            uint32_t to_at, uint32_t n, uint32_t stride, uint32_t x_at)
{
    const struct qn__config *c = f->config;
    const struct qn__head_move move = {.heads = c->n_heads,
                                       .n = c->head_dim - to_at,
                                       .copied = n,
                                       .to_dim = c->head_dim,
                                       .to_at = to_at,
                                       .x_row = c->n_heads * stride,
                                       .x_head = stride,
                                       .x_at = x_at};
    return qn__step_move_heads(s, to, f->activations->latent.heads, &move);
}

static qn_status keys_and_values(const struct qn__forward *f, struct qn__step *s,
                                 const struct qn__layer *l, qn_addr in)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const struct qn__latent *z = &c->latent;
    const uint32_t row = z->kv_rank + c->n_rot, both = z->n_plain + z->n_value;
    const struct qn__head_move normed = {
        .heads = 1, .n = z->kv_rank, .copied = z->kv_rank, .to_dim = z->kv_rank, .x_row = row};
    const struct qn__head_move turned = {.heads = c->n_heads, /* the same for all */
                                         .n = c->n_rot,
                                         .copied = c->n_rot,
                                         .to_dim = c->head_dim,
                                         .x_row = row,
                                         .x_at = z->kv_rank};
    QN_TRY(qn__step_matmul(s, a->latent.made, &l->kv_short, in, 0, false));
    QN_TRY(qn__step_move_heads(s, a->latent.normed, a->latent.made, &normed));
    QN_TRY(qn__step_head_norm(s, a->latent.normed, l->kv_short_norm, s->n_tokens, z->kv_rank));
    QN_TRY(qn__step_move_heads(s, a->k, a->latent.made, &turned));
    QN_TRY(qn__step_matmul(s, a->latent.heads, &l->k, a->latent.normed, 0, false));
    if (!l->v.addr) {
        QN_TRY(from_heads(f, s, a->k, c->n_rot, z->n_plain, both, 0));
        return from_heads(f, s, a->v, 0, z->n_value, both, z->n_plain);
    }
    QN_TRY(from_heads(f, s, a->k, c->n_rot, z->n_plain, z->n_plain, 0));
    QN_TRY(qn__step_matmul(s, a->latent.heads, &l->v, a->latent.normed, 0, false));
    return from_heads(f, s, a->v, 0, z->n_value, z->n_value, 0);
}

qn_status qn__latent_qkv(const struct qn__forward *f, struct qn__step *s, const struct qn__layer *l,
                         qn_addr in)
{
    QN_TRY(queries(f, s, l, in));
    return keys_and_values(f, s, l, in);
}

qn_status qn__latent_values(const struct qn__forward *f, struct qn__step *s)
{
    const struct qn__config *c = f->config;
    const struct qn__head_move move = {.heads = c->n_heads,
                                       .n = c->latent.n_value,
                                       .copied = c->latent.n_value,
                                       .to_dim = c->latent.n_value,
                                       .x_row = c->n_heads * c->head_dim,
                                       .x_head = c->head_dim};
    return qn__step_move_heads(s, f->activations->latent.heads, f->activations->attended, &move);
}
