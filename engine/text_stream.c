/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as it is written (qn_text in quern/model.h).
 *
 * Bytes go through two small waiting rooms: `character`, until a character is whole, and `held`,
 * as long as the end of it may become a stop. */
#include "base/str.h"
#include "engine/opened_model.h"

#include <stdlib.h>
#include <string.h>

struct qn_text {
    const qn_model *model;
    char **stops;
    uint32_t n_stops;
    const char *stop; /* that has come about */
    bool continues;
    char character[4];
    uint32_t n_character;
    struct qn__str held, piece;
};

static qn_status copy_stops(qn_text *t, const char *const *stops, uint32_t n)
{
    t->stops = qn__alloc(n ? n : 1, sizeof *t->stops);
    for (uint32_t i = 0; t->stops && i < n; i++) {
        if (!*stops[i])
            return qn__fail(QN_E_INVALID, "stop %u is empty", i + 1);
        const size_t bytes = strlen(stops[i]) + 1;
        if (!(t->stops[i] = qn__alloc(bytes, 1)))
            break;
        memcpy(t->stops[i], stops[i], bytes);
        t->n_stops++;
    }
    return t->n_stops == n && t->stops ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for %u stops", n);
}

qn_status qn_text_create(qn_text **out, const qn_model *m, bool continues, const char *const *stops,
                         uint32_t n)
{
    *out = NULL;
    qn_text *t = qn__alloc(1, sizeof *t);
    if (!t)
        return qn__fail(QN_E_MEMORY, "no memory for a text");
    memset(t, 0, sizeof *t);
    t->model = m;
    t->continues = continues;
    const qn_status s = copy_stops(t, stops, n);
    if (s != QN_OK) {
        qn_text_destroy(t);
        return s;
    }
    *out = t;
    return QN_OK;
}

void qn_text_destroy(qn_text *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->n_stops; i++)
        free(t->stops[i]);
    free(t->stops);
    qn__str_release(&t->held);
    qn__str_release(&t->piece);
    free(t);
}

const char *qn_text_get_stop(const qn_text *t)
{
    return t->stop;
}

/* -- whole characters -- */

/* Length of the character that begins with this byte; 0: none does. */
static uint32_t character_bytes(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static bool goes_on(const qn_text *t, unsigned char c)
{
    const unsigned char first = (unsigned char)t->character[0];
    if ((c & 0xc0) != 0x80)
        return false;
    if (t->n_character > 1)
        return true;
    return !(first == 0xe0 && c < 0xa0) && !(first == 0xed && c >= 0xa0) &&
           !(first == 0xf0 && c < 0x90) && !(first == 0xf4 && c >= 0x90);
}

static void hold_replacement(qn_text *t)
{
    qn__str_add(&t->held, "\xef\xbf\xbd");
    t->n_character = 0;
}

static void push(qn_text *t, char byte)
{
    const unsigned char c = (unsigned char)byte;
    if (t->n_character && !goes_on(t, c))
        hold_replacement(t);
    if (!t->n_character && !character_bytes(c)) {
        hold_replacement(t);
        return;
    }
    t->character[t->n_character++] = byte;
    if (t->n_character == character_bytes((unsigned char)t->character[0])) {
        qn__str_add_bytes(&t->held, t->character, t->n_character);
        t->n_character = 0;
    }
}

/* -- stops -- */

/* The first place in `held` where a stop stands whole, or its length. */
static size_t find_stop(qn_text *t)
{
    for (size_t at = 0; at < t->held.len; at++)
        for (uint32_t i = 0; i < t->n_stops; i++) {
            const size_t n = strlen(t->stops[i]);
            if (n <= t->held.len - at && memcmp(t->held.text + at, t->stops[i], n) == 0) {
                t->stop = t->stops[i];
                return at;
            }
        }
    return t->held.len;
}

/* How many bytes at the end of `held` are the beginning of a stop. */
static size_t beginning_bytes(const qn_text *t)
{
    size_t most = 0;
    for (uint32_t i = 0; i < t->n_stops; i++) {
        const size_t n = strlen(t->stops[i]) - 1;
        for (size_t k = n < t->held.len ? n : t->held.len; k > most; k--)
            if (memcmp(t->held.text + t->held.len - k, t->stops[i], k) == 0)
                most = k;
    }
    return most;
}

/* Move what nothing can come of any more. */
static qn_status let_go(qn_text *t, bool all, const char **piece, size_t *n_bytes)
{
    const size_t n_before = find_stop(t);
    const size_t n = t->stop || all ? n_before : t->held.len - beginning_bytes(t);
    qn__str_clear(&t->piece);
    qn__str_add_bytes(&t->piece, t->held.len ? t->held.text : "", n);
    if (t->held.len) {
        const size_t rest = t->stop ? 0 : t->held.len - n;
        memmove(t->held.text, t->held.text + n, rest);
        t->held.len = rest;
        t->held.text[rest] = 0;
    }
    QN_TRY(qn__str_check(&t->held));
    QN_TRY(qn__str_check(&t->piece));
    *piece = t->piece.text ? t->piece.text : "";
    *n_bytes = t->piece.len;
    return QN_OK;
}

qn_status qn_text_add(qn_text *t, int32_t id, const char **piece, size_t *n_bytes)
{
    *piece = "";
    *n_bytes = 0;
    if (t->stop)
        return QN_OK;
    qn__str_clear(&t->piece);
    QN_TRY(qn__tokenizer_decode(&t->piece, t->model->tokenizer, id, !t->continues, false));
    t->continues = t->continues || id != qn__tokenizer_facts(t->model->tokenizer)->bos;
    for (size_t i = 0; i < t->piece.len; i++)
        push(t, t->piece.text[i]);
    return let_go(t, false, piece, n_bytes);
}

qn_status qn_text_end(qn_text *t, const char **piece, size_t *n_bytes)
{
    *piece = "";
    *n_bytes = 0;
    if (t->stop)
        return QN_OK;
    if (t->n_character)
        hold_replacement(t);
    return let_go(t, true, piece, n_bytes);
}
