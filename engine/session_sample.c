/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing the next token after a feed, and going through all of it once beforehand.
 *
 * The least that will do comes from the device: the token that the forward pass has chosen itself,
 * else the likeliest few, else all logits. */
#include "engine/session_sample.h"

#include "base/file.h"
#include "engine/sampler.h"

#include <math.h>

qn_status qn_session_logits(qn_session *s, const float **out)
{
    *out = NULL;
    if (!s->has_logits)
        return qn__fail(QN_E_INVALID, "no token was fed: there are no logits");
    if (!s->logits_here) {
        QN_TRY(qn_memory_download(s->dev, s->logits, s->activations.logits,
                                  s->model->config.n_vocab * sizeof *s->logits, s->stream));
        QN_TRY(qn_stream_sync(s->stream));
        s->logits_here = true;
    }
    *out = s->logits;
    return QN_OK;
}

/* Queue the search for the k likeliest tokens and wait for it. */
static qn_status find_likeliest(qn_session *s, qn_addr logits, uint32_t k,
                                const struct qn__penalty *p)
{
    struct qn__step step = qn__session_step(s, 1);
    return qn__shortlist_find(&s->activations.shortlist, s->shortlist, &step, s->dev, logits,
                              s->model->config.n_vocab, k, p);
}

qn_status qn__session_choose_there(int32_t *out, bool *done, qn_session *s, qn_sampler *sampler,
                                   qn_addr at)
{
    const uint32_t k = qn__sampler_wanted(sampler, s->model->config.n_vocab);
    const struct qn__penalty p = qn__sampler_penalty(sampler);
    *done = s->has_shortlist && qn__shortlist_fits(k, &p);
    if (!*done)
        return QN_OK;
    QN_TRY(find_likeliest(s, at, k, &p));
    s->info.choice_bytes = 2 * sizeof(int32_t) * k;
    return qn__sampler_choose_among(out, sampler, s->shortlist->found, s->shortlist->logits, k);
}

/* The token the forward pass has chosen itself. */
static qn_status sample_plain(int32_t *out, qn_session *s, qn_sampler *sampler)
{
    QN_TRY(qn_stream_sync(s->stream));
    s->waited = true;
    s->info.choice_bytes = sizeof *s->choice;
    if (isnan(s->choice->logit))
        return qn__fail(QN_E_FAULT, "the logits hold NaN: the model computes no text");
    *out = s->choice->id;
    qn_sampler_accept(sampler, out, 1);
    return QN_OK;
}

qn_status qn_session_sample(int32_t *out, qn_session *s, qn_sampler *sampler)
{
    const uint32_t n = s->model->config.n_vocab;
    const float *logits;
    bool done;
    *out = -1;
    if (!s->has_logits)
        return qn__fail(QN_E_INVALID, "no token was fed: there is nothing to choose from");
    if (qn__sampler_is_plain(sampler))
        return sample_plain(out, s, sampler);
    QN_TRY(qn__session_choose_there(out, &done, s, sampler, s->activations.logits));
    if (done)
        return QN_OK;
    QN_TRY(qn_session_logits(s, &logits));
    s->info.choice_bytes = sizeof *logits * n;
    return qn_sampler_choose(out, sampler, logits, n);
}

/* The search that the sampler will ask for, with any token penalised where it penalises some. */
static qn_status warm_shortlist(qn_session *s, const qn_sampler *sampler)
{
    static const int32_t any[1];
    struct qn__penalty p = qn__sampler_penalty(sampler);
    const uint32_t k = qn__sampler_wanted(sampler, s->model->config.n_vocab);
    if (!s->has_shortlist || qn__sampler_is_plain(sampler) || !qn__shortlist_fits(k, &p))
        return QN_OK;
    if (p.grow > 0.0f)
        p = (struct qn__penalty){.ids = any, .n_ids = 1, .shrink = p.shrink, .grow = p.grow};
    return find_likeliest(s, s->activations.logits, k, &p);
}

enum { WARM_TOKENS = 512 };

qn_status qn_session_warm(qn_session *s, const qn_sampler *sampler)
{
    static const int32_t any[WARM_TOKENS];
    const uint32_t batch = s->info.plan.batch;
    /* a library loads its kernels by the shapes it meets; of our own each has its one */
    const uint32_t many = !s->blas ? 2 : batch < WARM_TOKENS ? batch : WARM_TOKENS;
    const double start = qn__now_ms();
    if (s->info.n_past)
        return qn__fail(QN_E_INVALID, "%u positions are filled: too late to warm up",
                        s->info.n_past);
    QN_TRY(qn_session_feed(s, any, 1));
    QN_TRY(warm_shortlist(s, sampler));
    QN_TRY(qn_session_rewind(s, 0));
    if (batch > 1) {
        QN_TRY(qn_session_feed(s, any, many));
        QN_TRY(qn_session_rewind(s, 0));
    }
    s->info.warm_ms = qn__now_ms() - start;
    return QN_OK;
}
