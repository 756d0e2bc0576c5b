/* SPDX-License-Identifier: Apache-2.0
 *
 * Joining neighbours, best pair first. */
#include "engine/merge.h"

#include <stdlib.h>

static qn_status grow(void **items, size_t n, size_t *capacity, size_t item_bytes)
{
    if (n < *capacity)
        return QN_OK;
    const size_t wanted = *capacity ? *capacity * 2 : 256;
    void *more = wanted <= SIZE_MAX / item_bytes ? realloc(*items, wanted * item_bytes) : NULL;
    if (!more)
        return qn__fail(QN_E_MEMORY, "no memory for a text of %zu symbols", n);
    *items = more;
    *capacity = wanted;
    return QN_OK;
}

qn_status qn__merge_add_symbol(struct qn__merge_space *m, uint32_t start, uint32_t n_bytes,
                               int32_t id)
{
    QN_TRY(grow((void **)&m->symbols, m->n_symbols, &m->symbols_capacity, sizeof *m->symbols));
    const int32_t i = (int32_t)m->n_symbols++;
    m->symbols[i] = (struct qn__symbol){start, n_bytes, id, i - 1, -1};
    if (i > 0)
        m->symbols[i - 1].next = i;
    return QN_OK;
}

static bool is_before(const struct qn__merge_pair *a, const struct qn__merge_pair *b)
{
    return a->priority != b->priority ? a->priority < b->priority : a->left < b->left;
}

static qn_status heap_push(struct qn__merge_space *m, struct qn__merge_pair pair)
{
    QN_TRY(grow((void **)&m->heap, m->n_heap, &m->heap_capacity, sizeof *m->heap));
    size_t i = m->n_heap++;
    for (; i > 0 && is_before(&pair, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = pair;
    return QN_OK;
}

static struct qn__merge_pair heap_pop(struct qn__merge_space *m)
{
    const struct qn__merge_pair top = m->heap[0], last = m->heap[--m->n_heap];
    size_t i = 0;
    for (size_t child = 1; child < m->n_heap; child = 2 * i + 1) {
        if (child + 1 < m->n_heap && is_before(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!is_before(&m->heap[child], &last))
            break;
        m->heap[i] = m->heap[child];
        i = child;
    }
    m->heap[i] = last;
    return top;
}

static qn_status look_at(struct qn__merge_space *m, int32_t left, int32_t right,
                         qn__merge_rule *rule, const void *context, const char *text)
{
    if (left < 0 || right < 0)
        return QN_OK;
    const struct qn__symbol *a = &m->symbols[left], *b = &m->symbols[right];
    struct qn__merge_pair pair = {.left = left, .right = right, .n_bytes = a->n_bytes + b->n_bytes};
    if (!rule(&pair.priority, &pair.id, context, text, a, b))
        return QN_OK;
    return heap_push(m, pair);
}

qn_status qn__merge_run(struct qn__merge_space *m, qn__merge_rule *rule, const void *context,
                        const char *text)
{
    m->n_heap = 0;
    for (size_t i = 1; i < m->n_symbols; i++)
        QN_TRY(look_at(m, (int32_t)i - 1, (int32_t)i, rule, context, text));
    while (m->n_heap) {
        const struct qn__merge_pair pair = heap_pop(m);
        struct qn__symbol *a = &m->symbols[pair.left], *b = &m->symbols[pair.right];
        if (a->n_bytes == 0 || b->n_bytes == 0 || a->n_bytes + b->n_bytes != pair.n_bytes)
            continue;
        a->n_bytes = pair.n_bytes;
        a->id = pair.id;
        a->next = b->next;
        if (b->next >= 0)
            m->symbols[b->next].previous = pair.left;
        b->n_bytes = 0;
        QN_TRY(look_at(m, a->previous, pair.left, rule, context, text));
        QN_TRY(look_at(m, pair.left, a->next, rule, context, text));
    }
    return QN_OK;
}

void qn__merge_release(struct qn__merge_space *m)
{
    free(m->symbols);
    free(m->heap);
    *m = (struct qn__merge_space){0};
}
