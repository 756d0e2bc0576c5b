/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop that byte-level BPE and SentencePiece share: symbols in a row, and of all neighbours
 * that may be joined the best pair is, again and again.
 *
 * A heap holds the pairs that were seen, those that became stale among them; so n symbols take
 * n log n steps however long the text. Equal pairs are joined from the left. */
#ifndef QN_ENGINE_MERGE_H
#define QN_ENGINE_MERGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qn__symbol {
    uint32_t start, n_bytes; /* in the text; n_bytes 0: joined to its left neighbour */
    int32_t id;              /* its token, or -1 */
    int32_t previous, next;  /* symbols, or -1 */
};

struct qn__merge_pair {
    uint32_t priority; /* the least is joined first */
    int32_t left, right;
    uint32_t n_bytes; /* of both; another sum says that one of them was joined since */
    int32_t id;       /* of the joined symbol */
};

/* May these two be joined? Then *priority and *id say how soon and to what. */
typedef bool qn__merge_rule(uint32_t *priority, int32_t *id, const void *context, const char *text,
                            const struct qn__symbol *a, const struct qn__symbol *b);

/* Memory that one encode uses for all its pieces; zero-initialise, release at the end. */
struct qn__merge_space {
    struct qn__symbol *symbols;
    size_t n_symbols, symbols_capacity;
    struct qn__merge_pair *heap;
    size_t n_heap, heap_capacity;
};

/* QN_E_MEMORY */
qn_status qn__merge_add_symbol(struct qn__merge_space *m, uint32_t start, uint32_t n_bytes,
                               int32_t id);
qn_status qn__merge_run(struct qn__merge_space *m, qn__merge_rule *rule, const void *context,
                        const char *text);
void qn__merge_release(struct qn__merge_space *m);

#endif
