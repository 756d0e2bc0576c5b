/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a model: what its family says, and what its file says.
 *
 * A family is a row of families.def: the few facts that are not in the file. Everything else is
 * read, and checked so that no later code has to: products fit, heads divide, sizes are positive.
 */
#ifndef QN_ENGINE_MODEL_SHAPE_H
#define QN_ENGINE_MODEL_SHAPE_H

#include "engine/model_file.h"

enum qn__rope_pairs { QN__ROPE_NORMAL, QN__ROPE_NEOX };
enum qn__activation { QN__SILU, QN__GELU, QN__CLAMPED_SWIGLU };

struct qn__family {
    const char *name; /* general.architecture */
    enum qn__rope_pairs pairs;
    enum qn__activation activation;
    bool scaled_embedding; /* embeddings times sqrt(dim) */
    bool has_multipliers;  /* the file says what multiplies embeddings, blocks and logits */
    bool norms_only_after; /* none in front of attention and feed-forward */
    bool whole_norms;      /* norms of queries and keys: over all heads at once */
    bool expert_width;     /* experts have a width of their own */
    bool expert_weights_as_they_are; /* weights of the chosen experts do not sum to 1 */
    bool is_latent;                  /* keys and values are made of a short vector (qn__latent) */
    bool biased_experts;             /* experts and their router have biases */
    bool has_sinks;                  /* a score for each head that stands for no value */
    bool yarn_untruncated;           /* yarn's bounds are no whole pairs */
    const char *ffn_norm;     /* tensor in front of the feed-forward; NULL: "ffn_norm.weight" */
    uint32_t local_period;    /* every local_period-th layer looks at all positions, the others
                                 through the window; 0: every layer has the file's window, if there
                                 is one */
    float local_rope_base;    /* of the layers with a window; 0: the same */
    bool local_unstretched;   /* layers with a window keep the angles that others stretch */
    uint32_t unturned_period; /* queries and keys of every such layer do not know their positions */
};

/* QN_E_UNSUPPORTED  the family is not known; the message lists ours */
qn_status qn__family_find(const struct qn__family **out, const char *name);
/* Does this layer look through the window, where the model has one and says nothing else? */
bool qn__family_is_local(const struct qn__family *family, uint32_t layer);
/* Are this layer's queries and keys turned by their positions, where the file says nothing else? */
bool qn__family_is_turned(const struct qn__family *family, uint32_t layer);

enum qn__rope_scaling {
    QN__SCALING_NONE,
    QN__SCALING_LINEAR,
    QN__SCALING_YARN,
    QN__SCALING_LLAMA3,
    QN__SCALING_LONGROPE,
};

enum { QN__LAYERS_MAX = 4096 };

/* Attention whose keys and values come from one short vector for each position (DeepSeek). Here
 * they are made of it for all heads, n_kv_heads = n_heads, and stored like others'. */
struct qn__latent {
    uint32_t kv_rank; /* elements of that vector; 0: the model has none */
    uint32_t q_rank;  /* of the vector that queries come from; 0: from the stream itself */
    uint32_t n_plain; /* elements of a head of queries and keys that are not turned by positions */
    uint32_t n_value; /* elements of a head of values; the rest up to head_dim are 0 */
};

struct qn__config {
    const struct qn__family *family;
    uint32_t n_layers, dim, n_heads, n_kv_heads, head_dim, n_ffn, n_vocab;
    uint32_t n_experts, n_used; /* experts in all, per token; 0: dense. n_ffn is their width */
    uint32_t n_dense;           /* layers in front without experts, where there are experts; */
    uint32_t n_dense_ffn;       /* their width */
    float expert_scale;         /* multiplies the chosen experts' weights */
    uint32_t n_shared;          /* width of the expert that every token goes through; 0: none */
    bool expert_weights_sum;    /* the chosen experts' weights sum to 1 */
    uint32_t context_trained;
    float norm_eps;      /* of the stream, as it is scaled (embedding_scale) */
    float head_norm_eps; /* of queries and keys */
    float attention_scale;
    float attention_softcap, final_softcap; /* 0: none */
    float embedding_scale; /* where blocks are multiplied, the whole stream is divided by that */
    float logit_scale;     /* the final norm is multiplied by it */
    uint32_t window;       /* positions a layer with a window sees; 0: none has one */

    struct qn__latent latent;

    enum qn__rope_pairs pairs;
    uint32_t n_rot;
    float rope_base;
    float local_rope_base; /* of the layers with a window; 0: the same, scaling and all */
    enum qn__rope_scaling scaling;
    float scaling_factor, scaling_attention, scaling_low, scaling_high;
    float yarn_fast, yarn_slow, yarn_attention;
    float yarn_share;         /* of it in the angles: 1 */
    float angle_scale;        /* on top of all that: 1 */
    bool yarn_truncated;      /* the bounds of what is stretched are whole pairs */
    uint32_t scaling_context; /* the context before scaling */

    bool is_local[QN__LAYERS_MAX];  /* through the window */
    bool is_turned[QN__LAYERS_MAX]; /* by positions */
};

/* QN_E_UNSUPPORTED  the family is not known (the message lists ours), or needs what we do not have
 * QN_E_CORRUPT      a key is missing, of the wrong kind or impossible; it is named */
qn_status qn__config_read(struct qn__config *out, const struct qn__model_file *f);

/* Does this layer look through the window? */
bool qn__config_is_local(const struct qn__config *c, uint32_t layer);
/* Has this layer experts? */
bool qn__config_has_experts(const struct qn__config *c, uint32_t layer);
/* The width of the feed-forward block of a layer without them; the largest of all layers'. */
uint32_t qn__config_dense_ffn(const struct qn__config *c);
uint32_t qn__config_widest_ffn(const struct qn__config *c);

/* Angles per position of the n_rot / 2 pairs, for layers with or without a window. `factors` (n_rot
 * / 2, or NULL) divides them: models bring it as a tensor. `attention_factor` multiplies cosine and
 * sine. */
void qn__rope_table(float *out, float *attention_factor, const struct qn__config *c, bool is_local,
                    const float *factors);

#endif
