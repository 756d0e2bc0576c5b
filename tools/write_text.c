/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop that makes text, token by token (write_text.h).
 *
 * What the cache holds is also kept here, as g->history: a conversation goes back to what it has in
 * common with it, and a full context that is to be shifted is read again from it. */
#include "tools/write_text.h"

#include "base/file.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

/* Of one text. */
struct writer {
    qn_text *text;
    qn__text_sink write;
    void *payload;
    bool is_lost; /* the sink said false */

    /* guesses that are in the cache, behind `base` positions and the token they follow */
    int32_t guesses[QN__DRAFT_MAX];
    uint32_t n_guesses, base;
    uint32_t row;  /* the next token comes from it; so many guesses were right */
    bool has_rows; /* it does */
};

static void write_out(struct writer *w, const char *piece, size_t n_bytes)
{
    if (n_bytes && !w->is_lost)
        w->is_lost = !w->write(piece, n_bytes, w->payload);
}

/* Room for all tokens that fit into the cache. */
static qn_status remember(struct qn__generation *g, uint32_t context)
{
    if (g->history_room >= context)
        return QN_OK;
    int32_t *grown = realloc(g->history, context * sizeof *grown);
    if (!grown)
        return qn__fail(QN_E_MEMORY, "no memory for %u tokens", context);
    g->history = grown;
    g->history_room = context;
    return QN_OK;
}

/* Feed, and remember. */
static qn_status feed(struct qn__generation *g, const int32_t *ids, uint32_t n)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    const uint32_t n_before = info->n_past;
    QN_TRY(remember(g, info->plan.context));
    const qn_status s = qn_session_feed(g->session, ids, n);
    memcpy(g->history + n_before, ids, (info->n_past - n_before) * sizeof *ids);
    return s;
}

qn_status qn__generation_rewind(uint32_t *n_common, struct qn__generation *g, const int32_t *ids,
                                uint32_t n)
{
    const uint32_t past = qn_session_get_info(g->session)->n_past;
    uint32_t same = 0;
    while (same < past && same + 1 < n && g->history[same] == ids[same])
        same++;
    *n_common = same;
    return qn_session_rewind(g->session, same);
}

qn_status qn__generation_resume(uint32_t *n_common, struct qn__generation *g, const char *path,
                                const int32_t *ids, uint32_t n)
{
    qn_tokens saved;
    const uint32_t context = qn_session_get_info(g->session)->plan.context;
    *n_common = 0;
    QN_TRY(qn_session_load(&saved, g->session, path));
    qn_status s = remember(g, context);
    if (s == QN_OK) {
        memcpy(g->history, saved.ids, saved.n * sizeof *saved.ids);
        s = qn__generation_rewind(n_common, g, ids, n);
    }
    free(saved.ids);
    QN_TRY(s);
    qn_sampler_accept(g->sampler, ids, *n_common); /* as if they had been read now */
    return QN_OK;
}

/* *goes_on: it was read to its end. */
static qn_status feed_prompt(bool *goes_on, struct qn__generation *g, const int32_t *ids,
                             uint32_t n)
{
    const double start = qn__now_ms();
    const qn_session_info *info = qn_session_get_info(g->session);
    const uint32_t n_before = info->n_past;
    const float *logits;
    if (!g->options->quiet)
        qn__progress(0, 0, "prompt: %u tokens", n);
    qn_status s = feed(g, ids, n);
    *goes_on = s == QN_OK;
    if (*goes_on)
        s = qn_session_logits(g->session, &logits); /* waits, so that the times are right */
    qn__progress_clear();
    if (s != QN_OK && !(s == QN_E_NOT_READY && qn__interrupted()))
        return s;
    g->finish = QN__FINISH_CANCEL;
    g->n_prompt = info->n_past - n_before;
    if (!g->n_first)
        g->n_first = info->n_past;
    qn_sampler_accept(g->sampler, ids, g->n_prompt);
    g->prompt_ms = qn__now_ms() - start;
    return QN_OK;
}

/* Tokens that may come after `id`, which is not fed yet. */
static qn_status guess(struct writer *w, struct qn__generation *g, int32_t id)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    const uint32_t past = info->n_past, room = info->plan.context - past - 1;
    uint32_t most = (uint32_t)g->options->n_drafts;
    most = most < room ? most : room;
    most = most < info->plan.batch - 1 ? most : info->plan.batch - 1;
    w->n_guesses = 0;
    if (!most || !(g->options->looks_up || g->draft.model))
        return QN_OK;
    g->history[past] = id;
    if (g->draft.model)
        return qn__draft_by_model(w->guesses, &w->n_guesses, most, &g->draft, g->history, past + 1);
    w->n_guesses = qn__draft_look_up(w->guesses, most, g->history, past + 1);
    return QN_OK;
}

/* Feed it and the guesses, all at once. */
static qn_status feed_guesses(struct writer *w, struct qn__generation *g, int32_t id)
{
    int32_t ids[QN__DRAFT_MAX + 1] = {id};
    const uint32_t n = w->n_guesses + 1;
    const qn_batch_item item = {.ids = ids, .n = n, .n_rows = n};
    w->base = qn_session_get_info(g->session)->n_past;
    w->row = 0;
    memcpy(ids + 1, w->guesses, w->n_guesses * sizeof *ids);
    memcpy(g->history + w->base, ids, n * sizeof *ids);
    QN_TRY(qn_session_feed_batch(g->session, &item, 1, QN_ROWS_LOGITS));
    w->has_rows = true;
    g->n_guessed += w->n_guesses;
    return QN_OK;
}

/* Guesses that were wrong, or are not needed any more, leave the cache. */
static qn_status drop_guesses(struct writer *w, struct qn__generation *g)
{
    const uint32_t n = w->base + 1 + w->row;
    const bool all_right = !w->has_rows || qn_session_get_info(g->session)->n_past == n;
    w->has_rows = false;
    return all_right ? QN_OK : qn_session_rewind(g->session, n);
}

/* Make room in a full context: the first `keep` tokens stay, half of the others goes, and those
 * behind are computed once more where they now are. */
static qn_status shift(struct qn__generation *g)
{
    const uint32_t past = qn_session_get_info(g->session)->n_past;
    uint32_t keep = g->options->keep < g->n_first ? (uint32_t)g->options->keep : g->n_first;
    if (keep > past - 2)
        keep = past - 2;
    const uint32_t gone = (past - keep + 1) / 2, n = past - keep - gone;
    int32_t *rest = malloc(n * sizeof *rest);
    if (!rest)
        return qn__fail(QN_E_MEMORY, "no memory for %u tokens", n);
    memcpy(rest, g->history + keep + gone, n * sizeof *rest);
    qn_status s = qn_session_rewind(g->session, keep);
    if (s == QN_OK)
        s = feed(g, rest, n);
    free(rest);
    g->n_shifts++;
    return s;
}

/* The token that was chosen, where there is room for it, or can be. */
static qn_status feed_next(bool *goes_on, struct writer *w, struct qn__generation *g, int32_t id)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    if (info->n_past >= info->plan.context) {
        g->finish = QN__FINISH_CONTEXT;
        if (!g->options->shifts || info->plan.context < 8)
            return QN_OK;
        const qn_status s = shift(g);
        g->finish = QN__FINISH_CANCEL;
        if (s == QN_E_NOT_READY && qn__interrupted())
            return QN_OK;
        QN_TRY(s);
    }
    QN_TRY(guess(w, g, id));
    QN_TRY(w->n_guesses ? feed_guesses(w, g, id) : feed(g, &id, 1));
    g->read_bytes +=
        info->plan.token_weights_bytes + info->plan.position_cache_bytes * info->n_past;
    *goes_on = true;
    return QN_OK;
}

/* Whoever wants to know what the token was chosen from. */
static qn_status tell(struct qn__generation *g, const struct writer *w, int32_t id)
{
    const float *logits;
    if (!g->watch)
        return QN_OK;
    QN_TRY(w->has_rows ? qn_session_row(g->session, w->row, &logits)
                       : qn_session_logits(g->session, &logits));
    return g->watch(g, id, logits, g->watch_payload);
}

/* One more token: false when the text is over, with g->finish set. */
static qn_status next_token(bool *goes_on, struct qn__generation *g, struct writer *w)
{
    const char *piece;
    size_t n_bytes;
    int32_t id;
    *goes_on = false;
    const qn_status sampled = w->has_rows
                                  ? qn_session_sample_row(&id, g->session, w->row, g->sampler)
                                  : qn_session_sample(&id, g->session, g->sampler);
    g->finish = QN__FINISH_END;
    if (sampled == QN_E_NOT_FOUND && qn_grammar_is_complete(g->sampling.grammar))
        return QN_OK; /* of a model without an end token, or with --ignore-eos */
    QN_TRY(sampled);
    if (g->n_generated == 0)
        g->first_token_ms = qn__now_ms() - g->start_ms;
    if (qn_model_is_end(g->model, id))
        return QN_OK;
    QN_TRY(tell(g, w, id));
    QN_TRY(qn_text_add(w->text, id, &piece, &n_bytes));
    write_out(w, piece, n_bytes);
    g->n_generated++;
    g->finish = QN__FINISH_STOP;
    g->stop = qn_text_get_stop(w->text);
    if (g->stop)
        return QN_OK;
    g->finish = QN__FINISH_OUTPUT;
    if (w->is_lost)
        return QN_OK;
    g->finish = QN__FINISH_LENGTH;
    if (g->options->n_tokens && g->n_generated >= g->options->n_tokens)
        return QN_OK;
    g->finish = QN__FINISH_CANCEL;
    if (qn__interrupted())
        return QN_OK;
    if (w->has_rows && w->row < w->n_guesses && w->guesses[w->row] == id) {
        w->row++; /* it is in the cache, and what comes after it computed */
        g->n_guessed_right++;
        *goes_on = true;
        return QN_OK;
    }
    QN_TRY(drop_guesses(w, g));
    return feed_next(goes_on, w, g, id);
}

/* The stop as the options have it: the text's own ends with the text. */
static const char *own_stop(const struct qn__generation *g)
{
    const struct qn__option_list *stops = &g->options->p.stops;
    for (uint32_t i = 0; g->stop && i < stops->n; i++)
        if (strcmp(stops->items[i], g->stop) == 0)
            return stops->items[i];
    return NULL;
}

qn_status qn__generate(struct qn__generation *g, const int32_t *ids, uint32_t n,
                       qn__text_sink write, void *payload)
{
    struct writer w = {.write = write, .payload = payload};
    const struct qn__option_list *stops = &g->options->p.stops;
    const char *piece;
    size_t n_bytes;
    bool goes_on;
    g->n_generated = 0;
    g->read_bytes = 0;
    g->n_shifts = g->n_guessed = g->n_guessed_right = 0;
    g->stop = NULL;
    if (g->sampling.grammar)
        qn_grammar_reset(g->sampling.grammar);
    const bool continues = n > 1 || qn_session_get_info(g->session)->n_past > 0;
    QN_TRY(qn_text_create(&w.text, g->model, continues, stops->items, stops->n));
    qn_status s = feed_prompt(&goes_on, g, ids, n);
    const double start = qn__now_ms();
    while (s == QN_OK && goes_on)
        s = next_token(&goes_on, g, &w);
    if (s == QN_OK)
        s = drop_guesses(&w, g);
    g->generated_ms = qn__now_ms() - start;
    if (s == QN_OK && (s = qn_text_end(w.text, &piece, &n_bytes)) == QN_OK)
        write_out(&w, piece, n_bytes);
    g->stop = own_stop(g);
    qn_text_destroy(w.text);
    return s;
}
