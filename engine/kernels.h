/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels a model needs, built for one device.
 *
 * Which ones follows from the model: the formats its matrices have, its family's norms and rope,
 * the type of its cache. Kernels of one file are one module, and the modules are built side by side
 * through the cache; what is not needed is not compiled. */
#ifndef QN_ENGINE_KERNELS_H
#define QN_ENGINE_KERNELS_H

#include "engine/model_weights.h"
#include "kernels/op_choice.h"

#include <quern/module.h>

enum qn__cache_type { QN__CACHE_F16, QN__CACHE_Q8_0 };

struct qn__kernel {
    const qn_kernel *kernel;
    const struct qn__op_row *row; /* of kernels.def */
    struct qn__op_choices tuned;  /* by `quern tune`; owned */
};

/* Block and grid for that work: as tuned, else the launch plan's. */
qn_dims qn__kernel_dims(const struct qn__kernel *k, const struct qn__work *work,
                        const qn_device_info *dev);

struct qn__kernels {
    /* by format, where the model has matrices of it */
    struct qn__kernel matvec[QN__N_FORMATS], matmul[QN__N_FORMATS], embed[QN__N_FORMATS];
    struct qn__kernel unpack[QN__N_FORMATS]; /* to f16, for a library's products */
    struct qn__kernel dots[QN__N_FORMATS];   /* of matrices in tiles */
    struct qn__kernel quantise;
    struct qn__kernel fused[QN__N_FORMATS], tile[QN__N_FORMATS], untile[QN__N_FORMATS],
        unpack_tiles[QN__N_FORMATS];
    struct qn__kernel phase[QN__N_FORMATS], prepare;  /* of one token, begun early */
    struct qn__kernel phases;                         /* of q4_k and q6_k in one launch */
    struct qn__kernel product[QN__N_FORMATS], inputs; /* of many tokens, on tensor cores */
    struct qn__kernel attend_tensor;
    struct qn__kernel norm, head_norm; /* of rows of dim, of head_dim */
    struct qn__kernel rope;
    struct qn__kernel head_part; /* of latent attention */
    struct qn__kernel kv_store, attend_one, attend_combine, attend_prompt;
    struct qn__kernel attend_token; /* where q, k and v come from one launch */
    struct qn__kernel activate;     /* silu(gate) * up, or another */
    struct qn__kernel add;
    struct qn__kernel route, weighted_sum, gated_add, expert_bias; /* experts */
    struct qn__kernel softcap;
    struct qn__kernel choose;
    struct qn__kernel penalise, top_k_groups, top_k_heads, top_k; /* for a shortlist */

    struct qn__kernel **all; /* (n_all) those above that are needed; owned is the list */
    uint32_t n_all;
    qn_module_item *modules; /* (n_modules), owned */
    uint32_t n_modules;
    uint32_t n_compiled; /* of them, those not found in a cache */
};

/* with_unpack: a library does products; with_shortlist: kernels find the likeliest tokens;
 * with_tensor: attention of several tokens is for tensor cores. progress
 * may be NULL. The caller releases *out in every
 * case. QN_E_UNSUPPORTED  no kernel for something: it is named. And the errors of
 * qn_module_build(). */
qn_status qn__kernels_build(struct qn__kernels *out, qn_device *dev, const struct qn__config *c,
                            const struct qn__weights *w, enum qn__cache_type cache,
                            bool with_unpack, bool with_shortlist, bool with_tensor,
                            qn_module_progress progress, void *payload);
/* Is there a kernel that reads the two, of different formats, in one launch? */
bool qn__kernels_pair(const struct qn__matrix *first, const struct qn__matrix *second);

void qn__kernels_release(struct qn__kernels *ks);

#endif
