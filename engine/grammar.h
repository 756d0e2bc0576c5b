/* SPDX-License-Identifier: Apache-2.0
 *
 * A grammar as a network of bytes: what a text that follows it may go on with.
 *
 * A rule is a small graph. A node either takes one byte, goes two ways, enters another rule, or
 * leaves its own. Characters are bytes already (utf8_ranges.h), so a token that ends within a
 * character needs no care. grammar_parse.c makes the network from GBNF, grammar_state.c walks it.
 */
#ifndef QN_ENGINE_GRAMMAR_H
#define QN_ENGINE_GRAMMAR_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qn__grammar_node_kind { QN__NODE_BYTE, QN__NODE_SPLIT, QN__NODE_CALL, QN__NODE_LEAVE };

struct qn__grammar_node {
    enum qn__grammar_node_kind kind;
    uint8_t low, high; /* BYTE: from, to */
    uint32_t to;       /* BYTE, SPLIT, CALL: what comes next */
    uint32_t other;    /* SPLIT: the other way; CALL: the rule */
};

enum { QN__GRAMMAR_NODES_MAX = 1 << 20, QN__GRAMMAR_DEPTH_MAX = 256 };

struct qn__grammar {
    struct qn__grammar_node *nodes;
    uint32_t n_nodes, nodes_room;
    uint32_t *starts; /* (n_rules): the first node of each; rule 0 is where a text begins */
    uint32_t n_rules, rules_room;
};

/* A zeroed one may be released. */
void qn__grammar_release(struct qn__grammar *g);

/* A node more: its number; UINT32_MAX after an error. */
uint32_t qn__grammar_add(struct qn__grammar *g, struct qn__grammar_node node);
/* A rule more, without nodes yet. As above. */
uint32_t qn__grammar_add_rule(struct qn__grammar *g);

/* QN_E_INVALID  a rule that begins with itself; its number in *rule */
qn_status qn__grammar_check(const struct qn__grammar *g, uint32_t *rule);

#endif
