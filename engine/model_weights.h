/* SPDX-License-Identifier: Apache-2.0
 *
 * A model's weights: where each lies on the device. weight_upload.h brings them there.
 *
 * Placing is pure: from config and file it decides every address relative to `base` and checks
 * every shape, without a device. Placed at 0 it is the plan; placed at the start of the one
 * allocation it is what the forward pass reads. Matrices stay in their stored format; vectors
 * (norms, biases) and angles become f32.
 *
 * Fields end in their shape. Address 0: the model has none. */
#ifndef QN_ENGINE_MODEL_WEIGHTS_H
#define QN_ENGINE_MODEL_WEIGHTS_H

#include "base/arena.h"
#include "engine/model_shape.h"
#include "engine/residency.h"

#include <quern/memory.h>

/* What adapters add to a matrix's products: y += b (a x); rank 0: nothing. */
struct qn__low_rank {
    qn_addr a;     /* (rank, n) f32; of the embedding (n_vocab, rank), a row for each token */
    qn_addr b;     /* (rows, rank) f32; of the embedding (dim, rank) */
    uint32_t rank; /* of all adapters together */
};

struct qn__matrix {
    qn_addr addr;
    const struct qn__format *format;
    uint32_t rows, n;     /* y (rows) = matrix (rows, n) x (n) */
    uint64_t bytes;       /* of one matrix; experts lie one after the other */
    bool is_fused;        /* a fused kernel reads it (weight_tiles.h), */
    bool is_tiled;        /* and its bytes are in tiles */
    bool has_phase;       /* and one of a phase that begins early (kernels/phase.h) */
    bool has_product;     /* a kernel multiplies it with many tokens on tensor cores */
    bool is_in_dot_tiles; /* kernels/dot_tiles.h; else as the format has it */
    struct qn__low_rank low_rank;
};

/* Which of the tables of angles a layer has. */
enum { QN__ANGLES_FULL, QN__ANGLES_LOCAL, QN__ANGLES_NONE, QN__N_ANGLES };

struct qn__layer {
    qn_addr addr;     /* where all of it lies, a streamed layer's slot; */
    uint64_t n_bytes; /* so much */
    uint32_t angles;
    qn_addr attention_norm; /* (dim) */
    struct qn__matrix q;    /* (n_heads * head_dim, dim) */
    struct qn__matrix k, v; /* (n_kv_heads * head_dim, dim) */
    struct qn__matrix o;    /* (dim, n_heads * head_dim) */
    /* latent attention: q (n_heads * head_dim, q_rank or dim); k (n_heads * (n_plain + n_value),
     * kv_rank), the values' rows behind each head's keys', or where v is not 0 k (n_heads *
     * n_plain, kv_rank) and v (n_heads * n_value, kv_rank); o (dim, n_heads * n_value) */
    struct qn__matrix q_short;  /* (q_rank, dim) */
    struct qn__matrix kv_short; /* (kv_rank + n_rot, dim) */
    qn_addr q_short_norm;       /* (q_rank) */
    qn_addr kv_short_norm;      /* (kv_rank) */
    qn_addr q_bias, k_bias, v_bias, o_bias;
    qn_addr q_norm, k_norm;      /* (head_dim), or (rows of q and of k) with whole_norms */
    qn_addr attention_post_norm; /* (dim) */
    qn_addr ffn_norm;            /* (dim) */
    struct qn__matrix router;    /* (n_experts, dim) */
    struct qn__matrix gate, up;  /* (n_ffn, dim), with experts (n_experts, n_ffn, dim) */
    struct qn__matrix down;      /* (dim, n_ffn), with experts (n_experts, dim, n_ffn) */
    qn_addr sinks;               /* (n_heads) */
    qn_addr router_bias;         /* (n_experts) */
    qn_addr gate_bias, up_bias, down_bias;    /* (n_experts, n_ffn), twice, and (n_experts, dim) */
    struct qn__matrix shared_gate, shared_up; /* (n_shared, dim) */
    struct qn__matrix shared_down;            /* (dim, n_shared) */
    struct qn__matrix shared_share;           /* (1, dim): through a sigmoid */
    qn_addr ffn_post_norm;                    /* (dim) */
};

struct qn__angles {
    qn_addr speeds;         /* (n_rot / 2) */
    float attention_factor; /* multiplies cosine and sine */
};

enum { QN__STAYS = UINT32_MAX };

/* One piece of the allocation and its bytes on the host. */
struct qn__placement {
    uint32_t layer; /* the streamed layer it is of; QN__STAYS: of none */
    qn_addr addr;
    const void *bytes;
    uint64_t n_bytes;
    const struct qn__format *format; /* of rows of n that become tiles on the way; else NULL */
    uint32_t rows, n;
    const struct qn__format *turned; /* stored (copies, n, rows) in it, comes as (copies, rows, n)
                                        in turned_to; else NULL */
    const struct qn__format *turned_to;
    uint32_t copies;
};

struct qn__weights {
    struct qn__matrix embedding; /* (n_vocab, dim) */
    struct qn__matrix head;      /* (n_vocab, dim); the embedding where it is tied */
    qn_addr final_norm;          /* (dim) */
    struct qn__angles angles[QN__N_ANGLES];
    struct qn__layer *layers; /* (n_layers) */
    struct qn__placement *placements;
    uint32_t n_placements;
    struct qn__residency residency;
    qn_addr base;                         /* of the allocation: slots, then what stays */
    uint64_t n_bytes;                     /* of the allocation */
    uint64_t token_bytes;                 /* that one token reads */
    uint64_t format_bytes[QN__N_FORMATS]; /* matrices by format */
    struct qn__arena arena;               /* of all of the above */
};

/* `context` chooses between the angle tables of models that have two. in_tiles: matrices that can
 * be are packed into tiles, but those of experts and the embedding. residency: NULL: all layers
 * stay; streamed layers lie in slots, several in each.
 * QN_E_CORRUPT      a tensor is missing or of another shape; it is named
 * QN_E_UNSUPPORTED  a tensor has a form that no kernel reads */
qn_status qn__weights_place(struct qn__weights *out, const struct qn__config *c,
                            const struct qn__model_file *f, uint32_t context, bool in_tiles,
                            const struct qn__residency *residency, qn_addr base);
void qn__weights_release(struct qn__weights *w); /* NULL and zeroed ones are fine */

#endif
