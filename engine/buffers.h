/* SPDX-License-Identifier: Apache-2.0
 *
 * The two other allocations of a session: the key/value cache and the activations. Like weights
 * they are placed by a pure function, at 0 for the plan and at the allocation's start for use.
 *
 * Activations are f32; T is the largest number of tokens of a step (the batch). */
#ifndef QN_ENGINE_BUFFERS_H
#define QN_ENGINE_BUFFERS_H

#include "engine/shortlist.h"

struct qn__cache {
    struct qn__cache_layer *layers; /* (n_layers), the caller's array */
    uint64_t n_bytes;
    uint64_t position_bytes; /* one position in all layers */
};

/* `layers` is filled and kept; it has room for c->n_layers. QN_E_LIMIT: the product overflows */
qn_status qn__cache_place(struct qn__cache *out, struct qn__cache_layer *layers,
                          const struct qn__config *c, enum qn__cache_type type, uint32_t context,
                          qn_addr base);

/* Tokens of a prompt and the experts they go through (experts.c); P = T * n_used pairs. */
struct qn__pairs {
    qn_addr tokens;   /* (P) i32: of each pair, by rising expert */
    qn_addr places;   /* (T, n_used) i32: in that order */
    qn_addr gathered; /* (P, dim) */
};
struct qn__pairs_staged { /* pinned */
    int32_t *picks;       /* (T, n_used) */
    int32_t *tokens, *places;
};

/* Latent attention. */
struct qn__latent_room {
    qn_addr made;   /* (T, kv_rank + n_rot or q_rank): what the stream gives */
    qn_addr normed; /* (T, kv_rank) */
    qn_addr heads;  /* (T, n_heads, head_dim or n_plain + n_value): as matrices give them */
};

enum { QN__TURN_BYTES = 16 << 20 }; /* scratch to turn weights into tiles */

struct qn__activations {
    qn_addr ids;      /* (T) i32: the tokens */
    qn_addr pos;      /* (T) i32: their positions */
    qn_addr single;   /* (2) i32: the number and the position of a single token, in one copy */
    qn_addr stream;   /* (T, dim): what flows through the layers */
    qn_addr normed;   /* (T, dim) */
    qn_addr qkv;      /* (n_heads + 2 n_kv_heads, head_dim) of a single token, by one launch */
    qn_addr q;        /* (T, n_heads, head_dim) */
    qn_addr k, v;     /* (T, n_kv_heads, head_dim) */
    qn_addr attended; /* (T, n_heads, head_dim) */
    struct qn__latent_room latent;
    qn_addr gate, up;     /* (T, n_ffn) */
    qn_addr branch;       /* (T, dim): a block's output where something comes before the sum; with
                             experts (P, dim) */
    qn_addr router;       /* (T, n_experts) */
    qn_addr picks;        /* (T, n_used) i32 */
    qn_addr pick_weights; /* (T, n_used) */
    qn_addr shared;       /* (T, dim): of the expert that every token goes through */
    qn_addr share;        /* (T) */
    struct qn__pairs pairs;
    qn_addr logits;     /* (n_vocab) */
    qn_addr row_tokens; /* (R) i32: which of the T tokens results are wanted for; R may be 0 */
    qn_addr row_states; /* (R, dim): their states; behind the norm in `normed` */
    qn_addr row_logits; /* (R, n_vocab) */
    qn_addr choice;     /* (1) i32: the likeliest token, and after it its logit, f32 */
    struct qn__shortlist shortlist;
    struct qn__attention_scratch attention;
    qn_addr blas_work; /* QN__BLAS_WORK_BYTES, where a library does products; else 0 */
    struct qn__products products;
    struct qn__quantised quantised;
    struct qn__ready_room ready[2];
    uint64_t n_bytes;
};

/* `splits`: pieces of the context in attention of one token. with_library: room for products by
 * one. with_tiles: for a matrix out of its tiles; in_bytes: for activations as
 * bytes. rows: R. */
void qn__activations_place(struct qn__activations *out, const struct qn__config *c, uint32_t batch,
                           uint32_t splits, bool with_library, bool with_tiles, bool in_bytes,
                           uint32_t rows, qn_addr base);

#endif
