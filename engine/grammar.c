/* SPDX-License-Identifier: Apache-2.0
 *
 * The network of a grammar (grammar.h): its memory, and the search for rules that begin with
 * themselves. */
#include "engine/grammar.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

uint32_t qn__grammar_add(struct qn__grammar *g, struct qn__grammar_node node)
{
    if (g->n_nodes == QN__GRAMMAR_NODES_MAX) {
        (void)!qn__fail(QN_E_LIMIT, "too large: more than %d nodes", QN__GRAMMAR_NODES_MAX);
        return UINT32_MAX;
    }
    if (g->n_nodes == g->nodes_room) {
        const uint32_t room = g->nodes_room ? 2 * g->nodes_room : 256;
        struct qn__grammar_node *grown = realloc(g->nodes, room * sizeof *grown);
        if (!grown) {
            (void)!qn__fail(QN_E_MEMORY, "no memory for a grammar of %u nodes", room);
            return UINT32_MAX;
        }
        g->nodes = grown;
        g->nodes_room = room;
    }
    g->nodes[g->n_nodes] = node;
    return g->n_nodes++;
}

uint32_t qn__grammar_add_rule(struct qn__grammar *g)
{
    if (g->n_rules == g->rules_room) {
        const uint32_t room = g->rules_room ? 2 * g->rules_room : 64;
        uint32_t *grown = realloc(g->starts, room * sizeof *grown);
        if (!grown) {
            (void)!qn__fail(QN_E_MEMORY, "no memory for a grammar of %u rules", room);
            return UINT32_MAX;
        }
        g->starts = grown;
        g->rules_room = room;
    }
    g->starts[g->n_rules] = UINT32_MAX;
    return g->n_rules++;
}

void qn__grammar_release(struct qn__grammar *g)
{
    free(g->nodes);
    free(g->starts);
    memset(g, 0, sizeof *g);
}

/* -- rules that begin with themselves -- */

struct search {
    const struct qn__grammar *g;
    uint8_t *nullable;   /* (n_rules) may be left without a byte */
    uint8_t *seen;       /* (n_nodes) in the walk of one rule */
    uint32_t *stack;     /* (n_nodes + 1) */
    uint8_t *colour;     /* (n_rules) 0: new, 1: being looked at, 2: done */
    uint32_t *path;      /* (n_rules) rules being looked at */
    uint32_t *next_edge; /* (n_rules) */
    uint32_t *edges;     /* rules that a rule may begin with */
    uint32_t *first;     /* (n_rules + 1) where a rule's are */
};

/* Nodes of the rule that are reached without a byte. Returns whether its end is. `edges`, if not
 * NULL, gets the rules that are entered on the way: *n more. */
static bool walk(struct search *s, uint32_t rule, uint32_t *edges, uint32_t *n)
{
    const struct qn__grammar *g = s->g;
    uint32_t depth = 0;
    bool ends = false;
    memset(s->seen, 0, g->n_nodes);
    s->stack[depth++] = g->starts[rule];
    s->seen[g->starts[rule]] = 1;
    while (depth) {
        const struct qn__grammar_node *node = &g->nodes[s->stack[--depth]];
        uint32_t to[2], n_to = 0;
        if (node->kind == QN__NODE_LEAVE)
            ends = true;
        if (node->kind == QN__NODE_SPLIT) {
            to[n_to++] = node->to;
            to[n_to++] = node->other;
        }
        if (node->kind == QN__NODE_CALL) {
            if (edges)
                edges[(*n)++] = node->other;
            if (s->nullable[node->other])
                to[n_to++] = node->to;
        }
        for (uint32_t i = 0; i < n_to; i++)
            if (!s->seen[to[i]]) {
                s->seen[to[i]] = 1;
                s->stack[depth++] = to[i];
            }
    }
    return ends;
}

static bool find_cycle(struct search *s, uint32_t rule, uint32_t *found)
{
    uint32_t depth = 0;
    s->path[depth++] = rule;
    s->colour[rule] = 1;
    s->next_edge[rule] = s->first[rule];
    while (depth) {
        const uint32_t at = s->path[depth - 1];
        if (s->next_edge[at] == s->first[at + 1]) {
            s->colour[at] = 2;
            depth--;
            continue;
        }
        const uint32_t to = s->edges[s->next_edge[at]++];
        if (s->colour[to] == 1) {
            *found = to;
            return true;
        }
        if (s->colour[to] == 0) {
            s->colour[to] = 1;
            s->next_edge[to] = s->first[to];
            s->path[depth++] = to;
        }
    }
    return false;
}

static bool find_self(struct search *s, uint32_t *found)
{
    const struct qn__grammar *g = s->g;
    uint32_t n = 0;
    for (bool changed = true; changed;) { /* to the least fixed point */
        changed = false;
        for (uint32_t r = 0; r < g->n_rules; r++)
            if (!s->nullable[r] && walk(s, r, NULL, NULL))
                s->nullable[r] = 1, changed = true;
    }
    for (uint32_t r = 0; r < g->n_rules; r++) {
        s->first[r] = n;
        walk(s, r, s->edges, &n);
    }
    s->first[g->n_rules] = n;
    for (uint32_t r = 0; r < g->n_rules; r++)
        if (s->colour[r] == 0 && find_cycle(s, r, found))
            return true;
    return false;
}

qn_status qn__grammar_check(const struct qn__grammar *g, uint32_t *rule)
{
    struct search s = {.g = g,
                       .nullable = calloc(g->n_rules, 1),
                       .seen = calloc(g->n_nodes, 1),
                       .stack = qn__alloc(g->n_nodes + 1, sizeof *s.stack),
                       .colour = calloc(g->n_rules, 1),
                       .path = qn__alloc(g->n_rules, sizeof *s.path),
                       .next_edge = qn__alloc(g->n_rules, sizeof *s.next_edge),
                       .edges = qn__alloc(g->n_nodes, sizeof *s.edges),
                       .first = qn__alloc(g->n_rules + 1, sizeof *s.first)};
    qn_status status = QN_OK;
    *rule = 0;
    if (!s.nullable || !s.seen || !s.stack || !s.colour || !s.path || !s.next_edge || !s.edges ||
        !s.first)
        status = qn__fail(QN_E_MEMORY, "no memory for a grammar of %u nodes", g->n_nodes);
    else if (find_self(&s, rule))
        status = qn__fail(QN_E_INVALID, "rule %u begins with itself", *rule);
    free(s.nullable);
    free(s.seen);
    free(s.stack);
    free(s.colour);
    free(s.path);
    free(s.next_edge);
    free(s.edges);
    free(s.first);
    return status;
}
