/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking a grammar (grammar_state.h).
 *
 * What a place will return to is a list whose elements are shared and numbered: entering a rule
 * adds one in front, unless nothing comes behind the call (then lists and strings of any length
 * need no depth). A rule within itself more than DEPTH_MAX times is a dead end. */
#include "engine/grammar_state.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 2000, PLACES_MAX = 1 << 12, STATES_MAX = 1 << 17, RETURNS_MAX = 1 << 20 };

struct place {
    uint32_t node, returns; /* of `returns`; 0: to nowhere, the text may end */
};

struct returns {
    uint32_t node, rest, depth;
};

struct state {
    uint32_t first, n; /* of the pool of places */
    bool may_end;
};

/* Open hash table from a key to a number that is not 0. */
struct table {
    uint64_t *keys;
    uint32_t *values;
    uint32_t n, mask;
};

struct qn__grammar_states {
    const struct qn__grammar *g;
    struct returns *returns;
    uint32_t n_returns, returns_room;
    struct place *places;
    uint32_t n_places, places_room;
    struct state *states;
    uint32_t n_states, states_room;
    struct table by_return; /* (node, rest) */
    struct table by_places; /* hash of the places; the next state with that hash, `same` */
    uint32_t *same;         /* (states_room) */
    struct table steps;     /* (state, byte): the next state + 1 */

    /* of one closure */
    struct place *found, *work;
    uint32_t n_found, n_work, room;
    struct table seen;
};

/* -- hash tables -- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint32_t *table_find(const struct table *t, uint64_t key)
{
    if (!t->keys)
        return NULL;
    for (uint64_t i = mix(key);; i++) {
        uint32_t *value = &t->values[i & t->mask];
        if (!*value)
            return NULL;
        if (t->keys[i & t->mask] == key)
            return value;
    }
}

static qn_status table_grow(struct table *t)
{
    const uint32_t size = t->keys ? 2 * (t->mask + 1) : 256;
    struct table bigger = {.keys = qn__alloc(size, sizeof *bigger.keys),
                           .values = qn__alloc(size, sizeof *bigger.values),
                           .n = t->n,
                           .mask = size - 1};
    if (!bigger.keys || !bigger.values) {
        free(bigger.keys);
        free(bigger.values);
        return qn__fail(QN_E_MEMORY, "no memory for a grammar's states");
    }
    for (uint32_t i = 0; t->keys && i <= t->mask; i++)
        if (t->values[i]) {
            uint64_t at = mix(t->keys[i]);
            while (bigger.values[at & bigger.mask])
                at++;
            bigger.keys[at & bigger.mask] = t->keys[i];
            bigger.values[at & bigger.mask] = t->values[i];
        }
    free(t->keys);
    free(t->values);
    *t = bigger;
    return QN_OK;
}

/* The key is not there yet. */
static qn_status table_add(struct table *t, uint64_t key, uint32_t value)
{
    if (!t->keys || t->n >= t->mask / 2)
        QN_TRY(table_grow(t));
    uint64_t at = mix(key);
    while (t->values[at & t->mask])
        at++;
    t->keys[at & t->mask] = key;
    t->values[at & t->mask] = value;
    t->n++;
    return QN_OK;
}

static void table_clear(struct table *t)
{
    if (t->keys)
        memset(t->values, 0, (t->mask + 1) * sizeof *t->values);
    t->n = 0;
}

static void table_release(struct table *t)
{
    free(t->keys);
    free(t->values);
    *t = (struct table){0};
}

static qn_status grow(void **items, uint32_t *room, uint32_t n, size_t size)
{
    if (n < *room)
        return QN_OK;
    const uint32_t more = *room ? 2 * *room : 256;
    void *grown = realloc(*items, more * size);
    if (!grown)
        return qn__fail(QN_E_MEMORY, "no memory for a grammar's states");
    *items = grown;
    *room = more;
    return QN_OK;
}

/* -- what is reached without a byte -- */

/* *out: UINT32_MAX where that would be too deep. */
static qn_status find_returns(uint32_t *out, struct qn__grammar_states *s, uint32_t node,
                              uint32_t rest)
{
    const uint64_t key = (uint64_t)node << 32 | rest;
    const uint32_t *known = table_find(&s->by_return, key);
    *out = UINT32_MAX;
    if (known) {
        *out = *known;
        return QN_OK;
    }
    if (s->returns[rest].depth >= DEPTH_MAX)
        return QN_OK;
    if (s->n_returns >= RETURNS_MAX)
        return qn__fail(QN_E_LIMIT, "the grammar is too ambiguous: more than %d ways at once",
                        RETURNS_MAX);
    void *room = s->returns;
    QN_TRY(grow(&room, &s->returns_room, s->n_returns, sizeof *s->returns));
    s->returns = room;
    s->returns[s->n_returns] =
        (struct returns){.node = node, .rest = rest, .depth = s->returns[rest].depth + 1};
    QN_TRY(table_add(&s->by_return, key, s->n_returns));
    *out = s->n_returns++;
    return QN_OK;
}

static qn_status push(struct qn__grammar_states *s, uint32_t node, uint32_t returns)
{
    const uint64_t key = (uint64_t)node << 32 | returns;
    if (table_find(&s->seen, key))
        return QN_OK;
    QN_TRY(table_add(&s->seen, key, 1));
    if (s->n_work >= PLACES_MAX || s->seen.n > 8 * PLACES_MAX)
        return qn__fail(QN_E_LIMIT, "the grammar is too ambiguous: more than %d places at once",
                        PLACES_MAX);
    s->work[s->n_work++] = (struct place){node, returns};
    return QN_OK;
}

static qn_status enter(struct qn__grammar_states *s, const struct qn__grammar_node *call,
                       uint32_t returns)
{
    uint32_t inner = returns;
    if (s->g->nodes[call->to].kind != QN__NODE_LEAVE)
        QN_TRY(find_returns(&inner, s, call->to, returns));
    return inner == UINT32_MAX ? QN_OK : push(s, s->g->starts[call->other], inner);
}

/* Everything in `work`, down to places that take a byte: `found`. */
static qn_status close_over(bool *may_end, struct qn__grammar_states *s)
{
    *may_end = false;
    s->n_found = 0;
    while (s->n_work) {
        const struct place at = s->work[--s->n_work];
        const struct qn__grammar_node *node = &s->g->nodes[at.node];
        switch (node->kind) {
        case QN__NODE_BYTE:
            if (s->n_found >= PLACES_MAX)
                return qn__fail(QN_E_LIMIT,
                                "the grammar is too ambiguous: more than %d places at "
                                "once",
                                PLACES_MAX);
            s->found[s->n_found++] = at;
            break;
        case QN__NODE_SPLIT:
            QN_TRY(push(s, node->other, at.returns));
            QN_TRY(push(s, node->to, at.returns));
            break;
        case QN__NODE_CALL: QN_TRY(enter(s, node, at.returns)); break;
        case QN__NODE_LEAVE:
            if (at.returns)
                QN_TRY(push(s, s->returns[at.returns].node, s->returns[at.returns].rest));
            else
                *may_end = true;
            break;
        }
    }
    return QN_OK;
}

/* -- states -- */

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->returns < y->returns ? -1 : x->returns > y->returns;
}

static bool is_same(const struct qn__grammar_states *s, uint32_t state, bool may_end)
{
    const struct state *t = &s->states[state];
    return t->n == s->n_found && t->may_end == may_end &&
           memcmp(s->places + t->first, s->found, s->n_found * sizeof *s->found) == 0;
}

/* The state of what was found. */
static qn_status intern(uint32_t *out, struct qn__grammar_states *s, bool may_end)
{
    uint64_t hash = may_end;
    *out = QN__STATE_NONE;
    if (!s->n_found && !may_end)
        return QN_OK;
    qsort(s->found, s->n_found, sizeof *s->found, compare_places);
    for (uint32_t i = 0; i < s->n_found; i++)
        hash = mix(hash ^ ((uint64_t)s->found[i].node << 32 | s->found[i].returns));
    uint32_t *known = table_find(&s->by_places, hash);
    for (uint32_t at = known ? *known : 0; at; at = s->same[at])
        if (is_same(s, at, may_end)) {
            *out = at;
            return QN_OK;
        }
    if (s->n_states == s->states_room) {
        const uint32_t room = 2 * s->states_room;
        struct state *states = realloc(s->states, room * sizeof *states);
        s->states = states ? states : s->states;
        uint32_t *same = states ? realloc(s->same, room * sizeof *same) : NULL;
        if (!same)
            return qn__fail(QN_E_MEMORY, "no memory for %u states of a grammar", room);
        s->same = same;
        s->states_room = room;
    }
    for (uint32_t i = 0; i < s->n_found; i++) {
        void *room = s->places;
        QN_TRY(grow(&room, &s->places_room, s->n_places, sizeof *s->places));
        s->places = room;
        s->places[s->n_places++] = s->found[i];
    }
    const uint32_t now = s->n_states;
    s->states[now] = (struct state){s->n_places - s->n_found, s->n_found, may_end};
    s->same[now] = known ? *known : 0;
    if (known)
        *known = now;
    else
        QN_TRY(table_add(&s->by_places, hash, now));
    s->n_states++;
    *out = now;
    return QN_OK;
}

static void clear(struct qn__grammar_states *s)
{
    table_clear(&s->by_return);
    table_clear(&s->by_places);
    table_clear(&s->steps);
    s->n_returns = 1;
    s->n_places = 0;
    s->n_states = 1;
}

qn_status qn__grammar_begin(uint32_t *start, struct qn__grammar_states *s)
{
    bool may_end;
    table_clear(&s->seen);
    s->n_work = 0;
    QN_TRY(push(s, s->g->starts[0], 0));
    QN_TRY(close_over(&may_end, s));
    return intern(start, s, may_end);
}

qn_status qn__grammar_states_create(struct qn__grammar_states **out, const struct qn__grammar *g,
                                    uint32_t *start)
{
    enum { ROOM = 256 };
    *out = NULL;
    struct qn__grammar_states *s = qn__alloc(1, sizeof *s);
    if (!s)
        return qn__fail(QN_E_MEMORY, "no memory for a grammar's states");
    *s = (struct qn__grammar_states){.g = g, .returns_room = ROOM, .states_room = ROOM};
    s->returns = qn__alloc(ROOM, sizeof *s->returns);
    s->states = qn__alloc(ROOM, sizeof *s->states);
    s->same = qn__alloc(ROOM, sizeof *s->same);
    s->found = qn__alloc(PLACES_MAX + 1, sizeof *s->found);
    s->work = qn__alloc(PLACES_MAX + 1, sizeof *s->work);
    qn_status status = QN_OK;
    if (!s->returns || !s->states || !s->same || !s->found || !s->work)
        status = qn__fail(QN_E_MEMORY, "no memory for a grammar's states");
    if (status == QN_OK) {
        s->returns[0] = (struct returns){0};
        clear(s);
        status = qn__grammar_begin(start, s);
    }
    if (status != QN_OK) {
        struct qn__message kept;
        qn__message_save(&kept);
        qn__grammar_states_destroy(s);
        qn__message_restore(&kept);
        return status;
    }
    *out = s;
    return QN_OK;
}

void qn__grammar_states_destroy(struct qn__grammar_states *s)
{
    if (!s)
        return;
    free(s->returns);
    free(s->places);
    free(s->states);
    free(s->same);
    free(s->found);
    free(s->work);
    table_release(&s->by_return);
    table_release(&s->by_places);
    table_release(&s->steps);
    table_release(&s->seen);
    free(s);
}

qn_status qn__grammar_step(uint32_t *out, struct qn__grammar_states *s, uint32_t state,
                           uint8_t byte)
{
    const uint64_t key = (uint64_t)state << 8 | byte;
    const uint32_t *known = table_find(&s->steps, key);
    bool may_end;
    if (known) {
        *out = *known - 1;
        return QN_OK;
    }
    *out = QN__STATE_NONE;
    table_clear(&s->seen);
    s->n_work = 0;
    for (uint32_t i = 0; i < s->states[state].n; i++) {
        const struct place at = s->places[s->states[state].first + i];
        const struct qn__grammar_node *node = &s->g->nodes[at.node];
        if (node->low <= byte && byte <= node->high)
            QN_TRY(push(s, node->to, at.returns));
    }
    QN_TRY(close_over(&may_end, s));
    QN_TRY(intern(out, s, may_end));
    return table_add(&s->steps, key, *out + 1);
}

bool qn__grammar_may_end(const struct qn__grammar_states *s, uint32_t state)
{
    return s->states[state].may_end;
}

/* A list of returns in the tables that were cleared, from what is kept of it. */
static qn_status again(uint32_t *out, struct qn__grammar_states *s, const struct returns *old,
                       uint32_t returns)
{
    uint32_t chain[DEPTH_MAX + 1], n = 0;
    for (; returns; returns = old[returns].rest)
        chain[n++] = old[returns].node;
    *out = 0;
    while (n-- > 0)
        QN_TRY(find_returns(out, s, chain[n], *out));
    return QN_OK;
}

qn_status qn__grammar_tidy(struct qn__grammar_states *s, uint32_t *state, bool *changed)
{
    *changed = s->n_states > STATES_MAX || s->n_returns > RETURNS_MAX / 2;
    if (!*changed)
        return QN_OK;
    const struct state kept = s->states[*state];
    struct returns *old = qn__alloc(s->n_returns, sizeof *old);
    if (!old)
        return qn__fail(QN_E_MEMORY, "no memory for a grammar's states");
    memcpy(old, s->returns, s->n_returns * sizeof *old);
    memcpy(s->found, s->places + kept.first, kept.n * sizeof *s->found);
    s->n_found = kept.n;
    clear(s);
    qn_status status = QN_OK;
    for (uint32_t i = 0; i < kept.n && status == QN_OK; i++)
        status = again(&s->found[i].returns, s, old, s->found[i].returns);
    free(old);
    QN_TRY(status);
    return intern(state, s, kept.may_end);
}
