/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a step of many tokens (step_prompt.h). */
#include "engine/step_prompt.h"

#include "kernels/product.h"

static qn_status launch(struct qn__step *s, const struct qn__kernel *k, const struct qn__work *work,
                        void *const *args)
{
    struct qn__work w = *work;
    w.kind = k->row->launch;
    const qn_dims dims = qn__kernel_dims(k, &w, s->device);
    s->n_launches++;
    return qn_stream_launch(s->stream, k->kernel, &dims, args);
}

bool qn__step_is_for_library(const struct qn__step *s, const struct qn__matrix *m)
{
    return s->products->blas && s->products->f16_by_library && m->format->id == QN__FORMAT_f16;
}

/* What was made unscaled is within f16 and serves both. */
static qn_status make_inputs(struct qn__step *s, qn_addr x, qn_addr norm, uint32_t n,
                             struct qn__inputs wanted)
{
    const struct qn__inputs *made = &s->inputs;
    if (made->x == x && made->norm == norm && made->in_fours == wanted.in_fours &&
        (!made->is_scaled || wanted.is_scaled))
        return QN_OK;
    qn_addr out = s->products->inputs, unscale = s->products->unscale;
    uint32_t rows = s->n_tokens, scaled = wanted.is_scaled, in_fours = wanted.in_fours;
    float eps = s->config->norm_eps;
    void *args[] = {&out, &unscale, &x, &norm, &rows, &n, &eps, &scaled, &in_fours};
    const struct qn__work work = {.rows = rows, .n = n};
    QN_TRY(launch(s, &s->kernels->inputs, &work, args));
    s->inputs = wanted;
    s->inputs.x = x;
    s->inputs.norm = norm;
    return QN_OK;
}

qn_status qn__step_product(struct qn__step *s, const struct qn__joined *j, qn_addr x, qn_addr norm,
                           qn_addr bias, enum qn__then then)
{
    const struct qn__products *p = s->products;
    const struct qn__matrix *m = &j->matrix;
    const bool by_library = qn__step_is_for_library(s, m) && !bias && then <= QN__THEN_ADD;
    const struct qn__inputs wanted = {.in_fours = qn__product_in_fours(m->format),
                                      .is_scaled = !by_library};
    QN_TRY(make_inputs(s, x, norm, m->n, wanted));
    qn_addr y0 = j->y[0], y1 = j->y[1], y2 = j->y[2], w = m->addr, inputs = p->inputs;
    qn_addr unscale = s->inputs.is_scaled ? p->unscale : 0;
    uint32_t rows = m->rows, n = m->n, tokens = s->n_tokens, what = then;
    uint32_t rows0 = j->rows[0], rows1 = j->rows[1];
    uint32_t stages = qn__product_stages(m->format, rows, tokens, s->device);
    if (y0 == x)
        s->inputs.x = 0;
    if (by_library) {
        s->n_launches++;
        return qn__blas_matmul(p->blas, y0, w, inputs, rows, n, tokens, then == QN__THEN_ADD);
    }
    void *args[] = {&y0,   &y1, &y2,     &w,    &inputs, &unscale, &bias,
                    &rows, &n,  &tokens, &what, &rows0,  &rows1,   &stages};
    const struct qn__work work = {.tiles = {.format = m->format,
                                            .rows = rows,
                                            .n = n,
                                            .tokens = tokens,
                                            .pairs = then >= QN__THEN_SILU}};
    return launch(s, &s->kernels->product[m->format->id], &work, args);
}

qn_status qn__step_attend_tensor(struct qn__step *s, qn_addr out, qn_addr q,
                                 const struct qn__cache_layer *cache, qn_addr pos,
                                 const struct qn__matrix *next)
{
    const struct qn__config *c = s->config;
    const bool as_inputs = qn__step_is_prompt(s) && next->has_product;
    const qn_addr whole = out;
    qn_addr k = cache->k, v = cache->v, halves = as_inputs ? s->products->inputs : 0;
    uint32_t tokens = s->n_tokens, heads = c->n_heads, kv_heads = c->n_kv_heads;
    uint32_t head_dim = c->head_dim, context = cache->context, window = cache->window;
    uint32_t in_fours = as_inputs && qn__product_in_fours(next->format);
    float scale = c->attention_scale, cap = c->attention_softcap;
    out = as_inputs ? 0 : out;
    void *args[] = {&out,      &halves,   &q,       &k,      &v,     &pos, &tokens,  &heads,
                    &kv_heads, &head_dim, &context, &window, &scale, &cap, &in_fours};
    const struct qn__work work = {.rows = tokens, .n = head_dim, .heads = heads};
    QN_TRY(launch(s, &s->kernels->attend_tensor, &work, args));
    s->inputs = (struct qn__inputs){.x = as_inputs ? whole : 0, .in_fours = in_fours};
    return QN_OK;
}
