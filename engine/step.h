/* SPDX-License-Identifier: Apache-2.0
 *
 * One step: some tokens go through the model. Here are its launches, one function per formula, so
 * that forward.c reads like the algorithm. Everything is queued on one stream in order. */
#ifndef QN_ENGINE_STEP_H
#define QN_ENGINE_STEP_H

#include "engine/blas.h"
#include "engine/kernels.h"

/* Products of many tokens by the vendor's library: weights and inputs go through it as f16. */
struct qn__products {
    const struct qn__blas *blas; /* NULL: our own kernels */
    bool f16_by_library;         /* also where own kernels are on tensor cores */
    qn_addr weights;             /* f16 of the largest matrix */
    qn_addr inputs;              /* (T, widest) f16 */
    qn_addr unscale;             /* (T): what their products are multiplied with (inputs.cu) */
    qn_addr stored;              /* the largest matrix out of its tiles, as it was stored */
};

/* Room for (T, widest) activations as bytes (quantise.cu). */
struct qn__quantised {
    qn_addr codes, scales, sums;
};

/* What the inputs of products were made of, and how; x 0: of nothing that is still there. */
struct qn__inputs {
    qn_addr x, norm;
    bool in_fours, is_scaled;
};

/* Room for a vector as a phase reads it (kernels/phase.h), (2 widest) f16 and (3, widest / 16). */
struct qn__ready_room {
    qn_addr codes, numbers;
};

/* What lies in room `at` of two: x times norm (0: x itself); x 0: nothing that is still there. */
struct qn__ready {
    uint32_t at;
    qn_addr x, norm;
};

struct qn__step {
    qn_stream *stream;
    const qn_device_info *device;
    const struct qn__config *config;
    const struct qn__kernels *kernels;
    const struct qn__products *products;
    const struct qn__quantised *quantised;
    qn_addr quantised_from; /* what lies there was made of this, and that has not changed; or 0 */
    struct qn__inputs inputs;
    const struct qn__ready_room *ready_rooms; /* (2) */
    struct qn__ready ready;
    qn_addr low_rank_room; /* (T, largest rank): what adapters make of x */
    uint32_t n_tokens;
    bool one_by_one;     /* several tokens get what each alone would, to the last bit */
    uint32_t n_launches; /* counted */
};

/* out (n_tokens, dim) = rows `ids` of the table, times scale */
qn_status qn__step_embed(struct qn__step *s, qn_addr out, const struct qn__matrix *table,
                         qn_addr ids, float scale);

/* out (rows, dim) = x / rms(x) * weight; out may be x */
qn_status qn__step_norm(struct qn__step *s, qn_addr out, qn_addr x, qn_addr weight, uint32_t rows,
                        uint32_t n);
/* The same of queries or keys (rows, n), in place. */
qn_status qn__step_head_norm(struct qn__step *s, qn_addr x, qn_addr weight, uint32_t rows,
                             uint32_t n);

/* What adapters add to rows `ids` of the embedding; nothing without them. */
qn_status qn__step_embed_low_rank(struct qn__step *s, qn_addr out, const struct qn__matrix *table,
                                  qn_addr ids);

/* y (n_tokens, rows) = x (n_tokens, n) times the matrix, plus bias (or 0), plus y itself if `add`,
 * plus what adapters add */
qn_status qn__step_matmul(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                          qn_addr bias, bool add);

/* What a fused phase does with its sums: quern_tiles.cuh. */
enum qn__then { QN__THEN_STORE, QN__THEN_ADD, QN__THEN_SILU, QN__THEN_GELU };

/* y = then(matrix norm(x) + bias): one launch; norm and bias may be 0. The matrix is_fused. */
qn_status qn__step_fused(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                         qn_addr norm, qn_addr bias, enum qn__then then);

/* What comes next of y, a phase that reads y times norm (or y itself: 0), or none. */
struct qn__next {
    bool is_phase;
    qn_addr norm;
};

/* The same of one token, begun before what is in front of it has ended. The matrix has_phase; x is
 * made ready for it unless the one who wrote x did so. `next` is what will read y. */
qn_status qn__step_phase(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                         qn_addr norm, qn_addr bias, enum qn__then then, struct qn__next next);

/* y = norm(x) through two matrices, one after the other in y, in one launch
 * (qn__kernels_pair()). */
qn_status qn__step_phases(struct qn__step *s, qn_addr y, const struct qn__matrix *const m[2],
                          qn_addr x, qn_addr norm, qn_addr bias);

/* out: the stored bytes at `in`, shaped as m, in tiles. */
qn_status qn__step_tile(struct qn__step *s, qn_addr out, const struct qn__matrix *m, qn_addr in);

/* The same for one row of x and the expert whose number lies at `pick`. */
qn_status qn__step_expert(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                          qn_addr pick);

/* x (n_tokens, heads, head_dim) turned by its positions, in place */
qn_status qn__step_rope(struct qn__step *s, qn_addr x, qn_addr pos, const struct qn__angles *a,
                        uint32_t heads);

/* Elements [to_at, to_at + n) of each head of `to` (n_tokens, heads, to_dim), from x (n_tokens,
 * x_row), where head h's begin at x_at + h * x_head: `copied` of them, and zeros
 * (kernels/head_part.cu) */
struct qn__head_move {
    uint32_t heads, n, copied, to_dim, to_at, x_row, x_head, x_at;
};
qn_status qn__step_move_heads(struct qn__step *s, qn_addr to, qn_addr x,
                              const struct qn__head_move *move);

struct qn__cache_layer {
    qn_addr k, v; /* (n_kv_heads, context, head_dim) */
    uint32_t context;
    uint32_t window; /* 0: sees everything */
};

qn_status qn__step_store(struct qn__step *s, const struct qn__cache_layer *cache, qn_addr k,
                         qn_addr v, qn_addr pos);

struct qn__attention_scratch {
    qn_addr tickets; /* (n_kv_heads) u32: 0 between launches */
    qn_addr part;    /* (n_heads, splits, head_dim) */
    qn_addr part_ms; /* (n_heads, splits, 2) */
    uint32_t splits;
};

/* out (n_tokens, n_heads, head_dim); one token: over the context in `splits` pieces. sinks
 * (n_heads), or 0: scores that stand for no value. `next`: the matrix that reads it (step_prompt.h)
 */
qn_status qn__step_attend(struct qn__step *s, qn_addr out, qn_addr q,
                          const struct qn__cache_layer *cache, qn_addr pos,
                          const struct qn__attention_scratch *scratch, qn_addr sinks,
                          const struct qn__matrix *next);

/* All of one token's attention between its projections, in one launch: q, k and v lie one after the
 * other at qkv; q_norm and k_norm may be 0. */
qn_status qn__step_attend_token(struct qn__step *s, qn_addr out, qn_addr qkv, qn_addr q_norm,
                                qn_addr k_norm, const struct qn__cache_layer *cache, qn_addr pos,
                                const struct qn__angles *a,
                                const struct qn__attention_scratch *scratch, struct qn__next next);

qn_status qn__step_activate(struct qn__step *s, qn_addr out, qn_addr gate, qn_addr up, uint64_t n);
/* The same of experts with biases (kernels/clamped_swiglu.cu); these and pick may be 0 */
struct qn__expert_biases {
    qn_addr gate, up, pick;
};
qn_status qn__step_clamped_swiglu(struct qn__step *s, qn_addr out, qn_addr gate, qn_addr up,
                                  const struct qn__expert_biases *biases, uint32_t rows,
                                  uint32_t n);
/* x (n_tokens, n) += sum over n_used of weight * bias of row id, in place */
qn_status qn__step_expert_bias(struct qn__step *s, qn_addr x, qn_addr bias, qn_addr ids,
                               qn_addr weights, uint32_t n);
qn_status qn__step_add(struct qn__step *s, qn_addr out, qn_addr a, qn_addr b, uint64_t n);
qn_status qn__step_softcap(struct qn__step *s, qn_addr x, uint64_t n, float cap);

/* ids, weights (n_tokens, n_used) of the experts with the largest logits (n_tokens, n_experts) */
qn_status qn__step_route(struct qn__step *s, qn_addr ids, qn_addr weights, qn_addr logits);

/* out (n_tokens, n) = sum over n_used of weight (n_tokens, n_used) * x (n_tokens, n_used, n) */
qn_status qn__step_weighted_sum(struct qn__step *s, qn_addr out, qn_addr x, qn_addr weights,
                                uint32_t n);

/* out (n_tokens, n) = a + b * sigmoid(gate (n_tokens)); out may be a */
qn_status qn__step_gated_add(struct qn__step *s, qn_addr out, qn_addr a, qn_addr b, qn_addr gate,
                             uint32_t n);

/* out: index of the largest of n */
/* out: the index of the largest of n, and its bits */
qn_status qn__step_choose(struct qn__step *s, qn_addr out, qn_addr x, uint32_t n);

/* out[id] (n) = x[id] (n) times shrink or grow, for each of the n_ids ids */
qn_status qn__step_penalise(struct qn__step *s, qn_addr out, qn_addr x, qn_addr ids, uint32_t n_ids,
                            uint32_t n, float shrink, float grow);

/* found: the indices (k) of the largest of x (n), and after them their values (k); `best` and
 * `heads` are room for a number for each group, and for k */
qn_status qn__step_top_k(struct qn__step *s, qn_addr found, qn_addr best, qn_addr heads, qn_addr x,
                         uint32_t n, uint32_t group, uint32_t k);

#endif
