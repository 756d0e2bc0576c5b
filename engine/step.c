/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a step (step.h): arguments in the kernel's own order, block and grid from the launch
 * plan. */
#include "engine/step_prompt.h"

#include "kernels/dot_tiles.h"
#include "kernels/phase.h"

static qn_status launch(struct qn__step *s, const struct qn__kernel *k, uint64_t rows, uint64_t n,
                        void *const *args)
{
    const struct qn__work work = {.kind = k->row->launch, .rows = rows, .n = n};
    const qn_dims dims = qn__kernel_dims(k, &work, s->device);
    s->n_launches++;
    s->quantised_from = 0;
    s->inputs.x = 0;
    s->ready.x = 0;
    return qn_stream_launch(s->stream, k->kernel, &dims, args);
}

qn_status qn__step_embed(struct qn__step *s, qn_addr out, const struct qn__matrix *table,
                         qn_addr ids, float scale)
{
    qn_addr w = table->addr;
    uint32_t tokens = s->n_tokens, n = table->n, rows = table->rows;
    void *args[] = {&out, &w, &ids, &tokens, &n, &rows, &scale};
    return launch(s, &s->kernels->embed[table->format->id], tokens, n, args);
}

qn_status qn__step_norm(struct qn__step *s, qn_addr out, qn_addr x, qn_addr weight, uint32_t rows,
                        uint32_t n)
{
    float eps = s->config->norm_eps;
    void *args[] = {&out, &x, &weight, &rows, &n, &eps};
    return launch(s, &s->kernels->norm, rows, n, args);
}

qn_status qn__step_head_norm(struct qn__step *s, qn_addr x, qn_addr weight, uint32_t rows,
                             uint32_t n)
{
    float eps = s->config->head_norm_eps;
    void *args[] = {&x, &x, &weight, &rows, &n, &eps};
    return launch(s, &s->kernels->head_norm, rows, n, args);
}

static qn_status matvec(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                        qn_addr bias, qn_addr pick, bool add)
{
    qn_addr w = m->addr;
    uint32_t rows = m->rows, n = m->n, adds = add;
    void *args[] = {&y, &w, &x, &bias, &pick, &rows, &n, &adds};
    return launch(s, &s->kernels->matvec[m->format->id], rows, n, args);
}

/* Several tokens whose row a block's shared memory has no room for. */
static qn_status phase_of_each(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                               qn_addr norm, qn_addr bias, enum qn__then then)
{
    const struct qn__next nowhere = {.is_phase = false};
    const uint64_t y_bytes = m->rows / (then >= QN__THEN_SILU ? 2 : 1) * sizeof(float);
    for (uint32_t t = 0; t < s->n_tokens; t++)
        QN_TRY(qn__step_phase(s, y + t * y_bytes, m, x + (uint64_t)t * m->n * sizeof(float), norm,
                              bias, then, nowhere));
    return QN_OK;
}

qn_status qn__step_fused(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                         qn_addr norm, qn_addr bias, enum qn__then then)
{
    struct qn__work work = {.kind = QN__LAUNCH_STRIPS,
                            .tiles = {.format = m->format,
                                      .rows = m->rows,
                                      .n = m->n,
                                      .tokens = s->n_tokens,
                                      .pairs = then >= QN__THEN_SILU}};
    work.tiles.tokens = qn__tiles_at_once(&work.tiles, s->device);
    if (!work.tiles.tokens && m->has_phase)
        return phase_of_each(s, y, m, x, norm, bias, then);
    if (!work.tiles.tokens)
        return qn__fail(QN_E_LIMIT, "a row of %u needs more shared memory than a block has", m->n);
    qn_addr w = m->addr;
    uint32_t rows = m->rows, n = m->n, tokens = s->n_tokens, at_once = work.tiles.tokens;
    uint32_t what = then;
    float eps = s->config->norm_eps;
    void *args[] = {&y, &w, &x, &norm, &bias, &rows, &n, &tokens, &at_once, &eps, &what};
    const qn_dims dims = qn__launch_plan(&work, s->device, 0);
    s->n_launches++;
    s->ready.x = 0;
    return qn_stream_launch(s->stream, s->kernels->fused[m->format->id].kernel, &dims, args);
}

/* x times norm, unless it is there. */
static qn_status make_ready(struct qn__step *s, qn_addr x, qn_addr norm, uint32_t n)
{
    if (s->ready.x == x && s->ready.norm == norm)
        return QN_OK;
    const struct qn__kernel *k = &s->kernels->prepare;
    qn_addr codes = s->ready_rooms[s->ready.at].codes;
    qn_addr numbers = s->ready_rooms[s->ready.at].numbers;
    void *args[] = {&codes, &numbers, &x, &norm, &n};
    const struct qn__work work = {.kind = k->row->launch, .rows = n / 256, .n = 256};
    const qn_dims dims = qn__launch_plan(&work, s->device, 0);
    s->n_launches++;
    s->ready.x = x;
    s->ready.norm = norm;
    return qn_stream_launch_early(s->stream, k->kernel, &dims, args);
}

/* Where y is to be left for what comes next; 0 and 0: nowhere. */
static struct qn__ready_room next_room(const struct qn__step *s, struct qn__next next)
{
    return next.is_phase ? s->ready_rooms[!s->ready.at] : (struct qn__ready_room){0, 0};
}

/* y was written: what was ready of it before is not, and may be now. */
static void wrote(struct qn__step *s, qn_addr y, struct qn__next next)
{
    if (next.is_phase)
        s->ready = (struct qn__ready){.at = !s->ready.at, .x = y, .norm = next.norm};
    else if (s->ready.x == y)
        s->ready.x = 0;
}

qn_status qn__step_phase(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                         qn_addr norm, qn_addr bias, enum qn__then then, struct qn__next next)
{
    const struct qn__work work = {.kind = QN__LAUNCH_PHASE,
                                  .tiles = {.format = m->format,
                                            .rows = m->rows,
                                            .n = m->n,
                                            .tokens = 1,
                                            .pairs = then >= QN__THEN_SILU}};
    uint32_t depth = qn__phase_depth(&work.tiles, s->device);
    if (!depth) /* of more rows than one matrix has */
        return qn__step_fused(s, y, m, x, norm, bias, then);
    QN_TRY(make_ready(s, x, norm, m->n));
    const struct qn__ready_room *in = &s->ready_rooms[s->ready.at];
    const struct qn__ready_room out = next_room(s, next);
    qn_addr w = m->addr, x_codes = in->codes, x_numbers = in->numbers, y_codes = out.codes;
    qn_addr y_numbers = out.numbers, y_norm = next.norm;
    uint32_t rows = m->rows, n = m->n, is_normed = norm != 0, what = then;
    float eps = s->config->norm_eps;
    void *args[] = {&y,    &y_codes, &y_numbers, &w,         &x_codes, &x_numbers, &y_norm,
                    &bias, &rows,    &n,         &is_normed, &depth,   &eps,       &what};
    const qn_dims dims = qn__launch_plan(&work, s->device, 0);
    s->n_launches++;
    wrote(s, y, next);
    return qn_stream_launch_early(s->stream, s->kernels->phase[m->format->id].kernel, &dims, args);
}

qn_status qn__step_phases(struct qn__step *s, qn_addr y, const struct qn__matrix *const m[2],
                          qn_addr x, qn_addr norm, qn_addr bias)
{
    struct qn__work work = {.kind = QN__LAUNCH_PHASE};
    struct qn__tile_work *const parts[2] = {&work.tiles, &work.second};
    for (int i = 0; i < 2; i++)
        *parts[i] = (struct qn__tile_work){
            .format = m[i]->format, .rows = m[i]->rows, .n = m[i]->n, .tokens = 1};
    uint32_t depth = qn__phases_depth(&work.tiles, &work.second, s->device);
    if (!depth) {
        const struct qn__next none = {.is_phase = false};
        const uint64_t bytes = m[0]->rows * sizeof(float);
        QN_TRY(qn__step_phase(s, y, m[0], x, norm, bias, QN__THEN_STORE, none));
        return qn__step_phase(s, y + bytes, m[1], x, norm, bias ? bias + bytes : 0, QN__THEN_STORE,
                              none);
    }
    QN_TRY(make_ready(s, x, norm, m[0]->n));
    const struct qn__ready_room *in = &s->ready_rooms[s->ready.at];
    qn_addr w = m[0]->addr, w2 = m[1]->addr, codes = in->codes, numbers = in->numbers;
    uint32_t rows = m[0]->rows, rows2 = m[1]->rows, n = m[0]->n, is_normed = norm != 0;
    float eps = s->config->norm_eps;
    void *args[] = {&y,    &w,     &w2, &codes,     &numbers, &bias,
                    &rows, &rows2, &n,  &is_normed, &depth,   &eps};
    const qn_dims dims = qn__launch_plan(&work, s->device, 0);
    s->n_launches++;
    wrote(s, y, (struct qn__next){.is_phase = false});
    return qn_stream_launch_early(s->stream, s->kernels->phases.kernel, &dims, args);
}

/* A matrix in another order or type, tile by tile. */
static qn_status turn(struct qn__step *s, const struct qn__kernel *k, qn_addr out, qn_addr in,
                      const struct qn__matrix *m)
{
    uint32_t rows = m->rows, n = m->n;
    void *args[] = {&out, &in, &rows, &n};
    const uint64_t tiles = (uint64_t)rows / QN__TILE_ROWS * (n / QN__TILE_WIDTH);
    return launch(s, k, tiles, QN__TILE_WIDTH, args);
}

qn_status qn__step_tile(struct qn__step *s, qn_addr out, const struct qn__matrix *m, qn_addr in)
{
    return turn(s, &s->kernels->tile[m->format->id], out, in, m);
}

/* From this many tokens on the library is worth its detour through f16. */
enum { LIBRARY_TOKENS = 16 };

/* f32 weights are asked to be exact, and a bias is our kernels' own. */
static bool goes_to_library(const struct qn__step *s, const struct qn__matrix *m, qn_addr bias)
{
    return s->products->blas && s->n_tokens >= LIBRARY_TOKENS && !bias &&
           m->format->id != QN__FORMAT_f32;
}

static qn_status to_half(struct qn__step *s, qn_addr out, const struct qn__format *format,
                         qn_addr in, uint64_t n)
{
    void *args[] = {&out, &in, &n};
    return launch(s, &s->kernels->unpack[format->id], 1, n, args);
}

static qn_status library_matmul(struct qn__step *s, qn_addr y, const struct qn__matrix *m,
                                qn_addr x, bool add)
{
    const struct qn__products *p = s->products;
    const uint64_t n_weights = (uint64_t)m->rows * m->n, n_inputs = (uint64_t)s->n_tokens * m->n;
    qn_addr w = m->addr;
    if (m->is_tiled) {
        QN_TRY(turn(s, &s->kernels->unpack_tiles[m->format->id], p->weights, m->addr, m));
        w = p->weights;
    } else if (m->format->id != QN__FORMAT_f16) {
        QN_TRY(to_half(s, p->weights, m->format, m->addr, n_weights));
        w = p->weights;
    }
    QN_TRY(to_half(s, p->inputs, qn__format_get(QN__FORMAT_f32), x, n_inputs));
    s->n_launches++;
    return qn__blas_matmul(p->blas, y, w, p->inputs, m->rows, m->n, s->n_tokens, add);
}

/* Activations become bytes once for all matrices that follow one another and read them. */
static qn_status tiled_matmul(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                              qn_addr bias, bool add)
{
    const struct qn__tiling *t = qn__tiling(m->format);
    const struct qn__quantised *to = s->quantised;
    qn_addr codes = to->codes, scales = to->scales, sums = to->sums, w = m->addr;
    uint64_t n_x = (uint64_t)s->n_tokens * m->n;
    uint32_t rows = m->rows, n = m->n, tokens = s->n_tokens, zero = t->zero, adds = add;
    if (s->quantised_from != x) {
        void *args[] = {&codes, &scales, &sums, &x, &n_x};
        QN_TRY(launch(s, &s->kernels->quantise, 1, n_x, args));
    }
    void *args[] = {&y, &w, &codes, &scales, &sums, &bias, &rows, &n, &tokens, &zero, &adds};
    QN_TRY(launch(s, &s->kernels->dots[m->format->id], rows, (uint64_t)n * tokens, args));
    s->quantised_from = y == x ? 0 : x;
    return QN_OK;
}

/* By our own kernels, from the bytes as the format has them. */
static qn_status own_matmul(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                            qn_addr bias, bool add)
{
    qn_addr w = m->addr;
    uint32_t rows = m->rows, n = m->n, tokens = s->n_tokens, adds = add;
    void *args[] = {&y, &w, &x, &bias, &rows, &n, &tokens, &adds};
    const struct qn__kernel *k = &s->kernels->matmul[m->format->id];
    return launch(s, k, rows, tokens, args);
}

static qn_status product(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                         qn_addr bias, bool add)
{
    if (m->is_in_dot_tiles)
        return tiled_matmul(s, y, m, x, bias, add);
    struct qn__matrix stored = *m;
    if (m->has_phase && s->n_tokens == 1)
        return qn__step_phase(s, y, m, x, 0, bias, add ? QN__THEN_ADD : QN__THEN_STORE,
                              (struct qn__next){.is_phase = false});
    if (m->is_fused && !qn__step_is_prompt(s))
        return qn__step_fused(s, y, m, x, 0, bias, add ? QN__THEN_ADD : QN__THEN_STORE);
    if (m->has_product) {
        const struct qn__joined j = {.matrix = *m, .y = {y}, .rows = {m->rows}};
        return qn__step_product(s, &j, x, 0, bias, add ? QN__THEN_ADD : QN__THEN_STORE);
    }
    if (s->n_tokens == 1)
        return matvec(s, y, m, x, bias, 0, add);
    if (goes_to_library(s, m, bias))
        return library_matmul(s, y, m, x, add);
    if (m->is_tiled) {
        stored.addr = s->products->stored;
        stored.is_fused = stored.is_tiled = false;
        QN_TRY(turn(s, &s->kernels->untile[m->format->id], stored.addr, m->addr, m));
        m = &stored;
    }
    return own_matmul(s, y, m, x, bias, add);
}

/* y (n_tokens, rows) (+)= x (n_tokens, n) times f32 numbers */
static qn_status f32_matmul(struct qn__step *s, qn_addr y, qn_addr at, uint32_t rows, uint32_t n,
                            qn_addr x, bool add)
{
    const struct qn__matrix m = {
        .addr = at, .format = qn__format_get(QN__FORMAT_f32), .rows = rows, .n = n};
    if (s->n_tokens > 1 && !s->one_by_one)
        return own_matmul(s, y, &m, x, 0, add);
    for (uint32_t t = 0; t < s->n_tokens; t++)
        QN_TRY(matvec(s, y + (uint64_t)t * rows * sizeof(float), &m,
                      x + (uint64_t)t * n * sizeof(float), 0, 0, add));
    return QN_OK;
}

qn_status qn__step_embed_low_rank(struct qn__step *s, qn_addr out, const struct qn__matrix *table,
                                  qn_addr ids)
{
    const struct qn__low_rank *l = &table->low_rank;
    const struct qn__matrix rows = {
        .addr = l->a, .format = qn__format_get(QN__FORMAT_f32), .rows = table->rows, .n = l->rank};
    if (!l->rank)
        return QN_OK;
    QN_TRY(qn__step_embed(s, s->low_rank_room, &rows, ids, 1.0f));
    return f32_matmul(s, out, l->b, table->n, l->rank, s->low_rank_room, true);
}

/* Kernels for many tokens add up in another order than those for one. */
static qn_status matmul_one_by_one(struct qn__step *s, qn_addr y, const struct qn__matrix *m,
                                   qn_addr x, qn_addr bias, bool add)
{
    struct qn__step one = *s;
    one.n_tokens = 1;
    for (uint32_t t = 0; t < s->n_tokens; t++)
        QN_TRY(qn__step_matmul(&one, y + (uint64_t)t * m->rows * sizeof(float), m,
                               x + (uint64_t)t * m->n * sizeof(float), bias, add));
    one.n_tokens = s->n_tokens;
    *s = one;
    return QN_OK;
}

qn_status qn__step_matmul(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                          qn_addr bias, bool add)
{
    const struct qn__low_rank *l = &m->low_rank;
    /* the sums of dot tiles are in one order for any number of tokens */
    if (s->one_by_one && s->n_tokens > 1 && (!m->is_in_dot_tiles || l->rank))
        return matmul_one_by_one(s, y, m, x, bias, add);
    QN_TRY(product(s, y, m, x, bias, add));
    if (!l->rank)
        return QN_OK;
    const qn_addr quantised_from = s->quantised_from; /* x is what it was */
    QN_TRY(f32_matmul(s, s->low_rank_room, l->a, l->rank, m->n, x, false));
    QN_TRY(f32_matmul(s, y, l->b, m->rows, l->rank, s->low_rank_room, true));
    s->quantised_from = quantised_from;
    return QN_OK;
}

qn_status qn__step_expert(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                          qn_addr pick)
{
    return matvec(s, y, m, x, 0, pick, false);
}

qn_status qn__step_rope(struct qn__step *s, qn_addr x, qn_addr pos, const struct qn__angles *a,
                        uint32_t heads)
{
    qn_addr speeds = a->speeds;
    uint32_t tokens = s->n_tokens, head_dim = s->config->head_dim, n_rot = s->config->n_rot;
    float factor = a->attention_factor;
    void *args[] = {&x, &x, &pos, &speeds, &tokens, &heads, &head_dim, &n_rot, &factor};
    return launch(s, &s->kernels->rope, (uint64_t)tokens * heads, head_dim, args);
}

qn_status qn__step_move_heads(struct qn__step *s, qn_addr to, qn_addr x,
                              const struct qn__head_move *move)
{
    struct qn__head_move m = *move;
    uint32_t tokens = s->n_tokens;
    void *args[] = {&to,       &x,       &tokens,  &m.heads,  &m.n,   &m.copied,
                    &m.to_dim, &m.to_at, &m.x_row, &m.x_head, &m.x_at};
    return launch(s, &s->kernels->head_part, 1, (uint64_t)tokens * m.heads * m.n, args);
}

qn_status qn__step_store(struct qn__step *s, const struct qn__cache_layer *cache, qn_addr k,
                         qn_addr v, qn_addr pos)
{
    qn_addr k_cache = cache->k, v_cache = cache->v;
    uint32_t tokens = s->n_tokens, heads = s->config->n_kv_heads, head_dim = s->config->head_dim;
    uint32_t context = cache->context;
    void *args[] = {&k_cache, &v_cache, &k, &v, &pos, &tokens, &heads, &head_dim, &context};
    return launch(s, &s->kernels->kv_store, (uint64_t)tokens * heads, head_dim, args);
}

static qn_status attend_one(struct qn__step *s, qn_addr out, qn_addr q,
                            const struct qn__cache_layer *cache, qn_addr pos,
                            const struct qn__attention_scratch *scratch, qn_addr sinks)
{
    const struct qn__config *c = s->config;
    qn_addr k = cache->k, v = cache->v, part = scratch->part, part_ms = scratch->part_ms;
    uint32_t heads = c->n_heads, kv_heads = c->n_kv_heads, head_dim = c->head_dim;
    uint32_t context = cache->context, window = cache->window, splits = scratch->splits;
    float scale = c->attention_scale, cap = c->attention_softcap;
    void *pieces[] = {&part,     &part_ms,  &q,       &k,      &v,      &pos,   &heads,
                      &kv_heads, &head_dim, &context, &window, &splits, &scale, &cap};
    void *with_sinks[] = {&part,     &part_ms,  &q,       &k,      &v,      &pos,   &sinks, &heads,
                          &kv_heads, &head_dim, &context, &window, &splits, &scale, &cap};
    const uint64_t keys = (uint64_t)(context / splits) * head_dim; /* at most, that a piece reads */
    QN_TRY(launch(s, &s->kernels->attend_one, (uint64_t)heads * splits, keys,
                  sinks ? with_sinks : pieces));
    void *together[] = {&out, &part, &part_ms, &heads, &splits, &head_dim};
    return launch(s, &s->kernels->attend_combine, (uint64_t)heads * head_dim / 8, splits, together);
}

qn_status qn__step_attend(struct qn__step *s, qn_addr out, qn_addr q,
                          const struct qn__cache_layer *cache, qn_addr pos,
                          const struct qn__attention_scratch *scratch, qn_addr sinks,
                          const struct qn__matrix *next)
{
    if (s->n_tokens == 1)
        return attend_one(s, out, q, cache, pos, scratch, sinks);
    if (s->one_by_one) { /* a token sees no position behind its own */
        const uint64_t bytes = (uint64_t)s->config->n_heads * s->config->head_dim * sizeof(float);
        for (uint32_t t = 0; t < s->n_tokens; t++)
            QN_TRY(attend_one(s, out + t * bytes, q + t * bytes, cache, pos + t * sizeof(int32_t),
                              scratch, sinks));
        return QN_OK;
    }
    if (s->kernels->attend_tensor.row)
        return qn__step_attend_tensor(s, out, q, cache, pos, next);
    const struct qn__config *c = s->config;
    qn_addr k = cache->k, v = cache->v;
    uint32_t tokens = s->n_tokens, heads = c->n_heads, kv_heads = c->n_kv_heads;
    uint32_t head_dim = c->head_dim, context = cache->context, window = cache->window;
    float scale = c->attention_scale, cap = c->attention_softcap;
    void *args[] = {&out,      &q,        &k,       &v,      &pos,   &tokens, &heads,
                    &kv_heads, &head_dim, &context, &window, &scale, &cap};
    void *with_sinks[] = {&out,   &q,        &k,        &v,       &pos,    &sinks, &tokens,
                          &heads, &kv_heads, &head_dim, &context, &window, &scale, &cap};
    return launch(s, &s->kernels->attend_prompt, (uint64_t)tokens * heads, head_dim,
                  sinks ? with_sinks : args);
}

/* Pieces for which blocks fill the device, of the `splits` there is room for. */
static uint32_t token_splits(const struct qn__step *s, const struct qn__attention_scratch *scratch)
{
    const uint32_t kv_heads = s->config->n_kv_heads, units = s->device->compute_units;
    const uint32_t filling = units > kv_heads ? units / kv_heads : 1;
    return filling < scratch->splits ? filling : scratch->splits;
}

qn_status qn__step_attend_token(struct qn__step *s, qn_addr out, qn_addr qkv, qn_addr q_norm,
                                qn_addr k_norm, const struct qn__cache_layer *cache, qn_addr pos,
                                const struct qn__angles *a,
                                const struct qn__attention_scratch *scratch, struct qn__next next)
{
    const struct qn__config *c = s->config;
    const uint32_t group = c->n_heads / c->n_kv_heads;
    next.is_phase &= group * c->head_dim % QN__READY == 0; /* a sixteen is one block's */
    const struct qn__ready_room room = next_room(s, next);
    qn_addr codes = room.codes, numbers = room.numbers;
    qn_addr k = cache->k, v = cache->v, part = scratch->part, part_ms = scratch->part_ms;
    qn_addr tickets = scratch->tickets, speeds = a->speeds;
    uint32_t heads = c->n_heads, kv_heads = c->n_kv_heads, head_dim = c->head_dim;
    uint32_t n_rot = c->n_rot, neox = c->pairs == QN__ROPE_NEOX, context = cache->context;
    uint32_t window = cache->window, splits = token_splits(s, scratch);
    float scale = c->attention_scale, cap = c->attention_softcap, factor = a->attention_factor;
    float eps = c->head_norm_eps;
    uint32_t rows = qn__token_attention_positions(group, head_dim, splits, s->device);
    void *args[] = {&out,      &codes,    &numbers, &part,   &part_ms, &tickets, &k,
                    &v,        &qkv,      &q_norm,  &k_norm, &pos,     &speeds,  &heads,
                    &kv_heads, &head_dim, &n_rot,   &neox,   &context, &window,  &splits,
                    &rows,     &scale,    &cap,     &factor, &eps};
    const struct qn__work work = {.kind = QN__LAUNCH_PIECES,
                                  .rows = (uint64_t)kv_heads * splits,
                                  .shared_bytes =
                                      qn__token_attention_bytes(group, head_dim, splits, rows),
                                  .is_alone = next.is_phase};
    const bool is_f16 = s->kernels->attend_token.row->op == QN__OP_attention_token_f16;
    const uint32_t threads =
        is_f16 ? qn__token_attention_threads(group, head_dim, rows, s->device) : 0;
    const qn_dims dims = qn__launch_plan(&work, s->device, threads);
    s->n_launches++;
    wrote(s, out, next);
    return qn_stream_launch_early(s->stream, s->kernels->attend_token.kernel, &dims, args);
}

qn_status qn__step_activate(struct qn__step *s, qn_addr out, qn_addr gate, qn_addr up, uint64_t n)
{
    void *args[] = {&out, &gate, &up, &n};
    return launch(s, &s->kernels->activate, 1, n, args);
}

qn_status qn__step_clamped_swiglu(struct qn__step *s, qn_addr out, qn_addr gate, qn_addr up,
                                  const struct qn__expert_biases *biases, uint32_t rows, uint32_t n)
{
    qn_addr gate_bias = biases->gate, up_bias = biases->up, pick = biases->pick;
    float alpha = 1.702f, limit = 7.0f; /* no file says others */
    void *args[] = {&out, &gate, &up, &gate_bias, &up_bias, &pick, &rows, &n, &alpha, &limit};
    return launch(s, &s->kernels->activate, 1, (uint64_t)rows * n, args);
}

qn_status qn__step_expert_bias(struct qn__step *s, qn_addr x, qn_addr bias, qn_addr ids,
                               qn_addr weights, uint32_t n)
{
    uint32_t rows = s->n_tokens, k = s->config->n_used;
    void *args[] = {&x, &x, &bias, &ids, &weights, &rows, &k, &n};
    return launch(s, &s->kernels->expert_bias, 1, (uint64_t)rows * n, args);
}

qn_status qn__step_add(struct qn__step *s, qn_addr out, qn_addr a, qn_addr b, uint64_t n)
{
    void *args[] = {&out, &a, &b, &n};
    return launch(s, &s->kernels->add, 1, n, args);
}

qn_status qn__step_softcap(struct qn__step *s, qn_addr x, uint64_t n, float cap)
{
    void *args[] = {&x, &x, &n, &cap};
    return launch(s, &s->kernels->softcap, 1, n, args);
}

qn_status qn__step_route(struct qn__step *s, qn_addr ids, qn_addr weights, qn_addr logits)
{
    uint32_t tokens = s->n_tokens, experts = s->config->n_experts, k = s->config->n_used;
    uint32_t normalise = s->config->expert_weights_sum;
    float scale = s->config->expert_scale;
    void *args[] = {&ids, &weights, &logits, &tokens, &experts, &k, &normalise, &scale};
    return launch(s, &s->kernels->route, tokens, experts, args);
}

qn_status qn__step_weighted_sum(struct qn__step *s, qn_addr out, qn_addr x, qn_addr weights,
                                uint32_t n)
{
    uint32_t rows = s->n_tokens, experts = s->config->n_used;
    void *args[] = {&out, &x, &weights, &rows, &experts, &n};
    return launch(s, &s->kernels->weighted_sum, 1, (uint64_t)rows * n, args);
}

qn_status qn__step_gated_add(struct qn__step *s, qn_addr out, qn_addr a, qn_addr b, qn_addr gate,
                             uint32_t n)
{
    uint32_t rows = s->n_tokens;
    void *args[] = {&out, &a, &b, &gate, &rows, &n};
    return launch(s, &s->kernels->gated_add, 1, (uint64_t)rows * n, args);
}

qn_status qn__step_choose(struct qn__step *s, qn_addr out, qn_addr x, uint32_t n)
{
    const struct qn__kernel *k = &s->kernels->choose;
    void *args[] = {&out, &x, &n};
    const struct qn__work work = {.kind = k->row->launch, .rows = 1, .n = n};
    const qn_dims dims = qn__kernel_dims(k, &work, s->device);
    s->n_launches++;
    return qn_stream_launch_early(s->stream, k->kernel, &dims, args);
}

qn_status qn__step_penalise(struct qn__step *s, qn_addr out, qn_addr x, qn_addr ids, uint32_t n_ids,
                            uint32_t n, float shrink, float grow)
{
    void *args[] = {&out, &x, &ids, &n_ids, &n, &shrink, &grow};
    return launch(s, &s->kernels->penalise, 1, n_ids, args);
}

qn_status qn__step_top_k(struct qn__step *s, qn_addr found, qn_addr best, qn_addr heads, qn_addr x,
                         uint32_t n, uint32_t group, uint32_t k)
{
    uint32_t n_groups = (n + group - 1) / group, n_heads = k < n_groups ? k : n_groups;
    qn_addr values = found + (uint64_t)k * 4;
    void *of_groups[] = {&best, &x, &n, &group};
    void *of_heads[] = {&heads, &x, &best, &n_groups, &k};
    void *of_all[] = {&found, &values, &x, &heads, &n, &group, &k};
    QN_TRY(launch(s, &s->kernels->top_k_groups, n_groups, group, of_groups));
    QN_TRY(launch(s, &s->kernels->top_k_heads, n_groups, n_groups, of_heads));
    return launch(s, &s->kernels->top_k, n_heads, (uint64_t)n_heads * group, of_all);
}
