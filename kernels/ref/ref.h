/* SPDX-License-Identifier: Apache-2.0
 *
 * References: each op as the formula says it, with double accumulation and obvious loops.
 *
 * Inputs are float (f16 inputs widened, which is exact), results double. Where a result is a sum,
 * `scale` gets the sum of the terms' absolute values: the contract's tolerance is a fraction of it.
 */
#ifndef QN_KERNELS_REF_H
#define QN_KERNELS_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The three 16-bit conversions, portable: round to nearest even, subnormals, infinities, NaN. */
uint16_t qn__half_of_float(float x);
float qn__float_of_half(uint16_t bits);
uint16_t qn__bf16_of_float(float x);
float qn__float_of_bf16(uint16_t bits);

void qn__ref_vector_add(double *out, const float *a, const float *b, size_t n);
void qn__ref_silu(double *out, const float *x, size_t n);
void qn__ref_silu_mul(double *out, const float *gate, const float *up, size_t n);
void qn__ref_gelu(double *out, const float *x, size_t n);
void qn__ref_gelu_mul(double *out, const float *gate, const float *up, size_t n);
void qn__ref_softcap(double *out, const float *x, size_t n, float cap);

void qn__ref_rmsnorm(double *out, const float *x, const float *weight, size_t rows, size_t n,
                     float eps);
void qn__ref_softmax(double *out, const float *x, size_t rows, size_t n);

enum qn__rope_pairs { QN__ROPE_NEOX, QN__ROPE_NORMAL };
struct qn__rope_shape {
    size_t tokens, heads, head_dim, n_rot;
    enum qn__rope_pairs pairs;
    float factor;
};
void qn__ref_rope(double *out, double *scale, const float *x, const int32_t *pos,
                  const float *inv_freq, const struct qn__rope_shape *shape);

void qn__ref_weighted_sum(double *out, double *scale, const float *x, const float *weight,
                          size_t rows, size_t experts, size_t n);

/* out (rows, n) = a + b * sigmoid(gate (rows)); scale: the terms' sizes */
void qn__ref_gated_add(double *out, double *scale, const float *a, const float *b,
                       const float *gate, size_t rows, size_t n);

/* The activation of kernels/clamped_swiglu.cu, of one expert's biases (n), which may be NULL;
 * scale: what its rounding errors follow. */
struct qn__clamped_swiglu {
    const float *gate, *up, *gate_bias, *up_bias;
    float alpha, limit;
};
void qn__ref_clamped_swiglu(double *out, double *scale, const struct qn__clamped_swiglu *s,
                            size_t rows, size_t n);

/* out (rows, n) = x + sum over k of weight (rows, k) * bias (experts, n) of row ids (rows, k);
 * scale: the terms' sizes */
void qn__ref_expert_bias(double *out, double *scale, const float *x, const float *bias,
                         const int32_t *ids, const float *weight, size_t rows, size_t k, size_t n);

/* y (tokens, rows) = x (tokens, n) W^T + bias + before; `bias` and `before` may be NULL. `size` is
 * per weight the magnitude its rounding errors follow. */
struct qn__matmul {
    const float *w, *size, *x, *bias, *before;
    size_t rows, n, tokens;
};
void qn__ref_matmul(double *y, double *scale, const struct qn__matmul *m);
void qn__ref_embed(double *out, const float *table, const int32_t *ids, float scale, size_t tokens,
                   size_t n, size_t table_rows);

/* Query head h reads key-value head h / (heads / kv_heads); a token at pos sees [max(0, pos -
 * window
 * + 1), pos]. `scale` is per result the sum of its terms' magnitudes. */
struct qn__attention {
    const float *q, *k, *v; /* (tokens, heads, head_dim), twice (kv_heads, ctx, head_dim) */
    const int32_t *pos;
    size_t tokens, heads, kv_heads, head_dim, ctx, window;
    float scale, softcap;
    const float *sinks; /* (heads): one score more each, of the first piece; or NULL */
};
void qn__ref_attention(double *out, double *scale, const struct qn__attention *a);
/* Of tokens = 1: part, scale (heads, splits, head_dim); ms, ms_scale (heads, splits, 2) */
void qn__ref_attention_parts(double *part, double *scale, double *ms, double *ms_scale,
                             const struct qn__attention *a, size_t splits);
void qn__ref_attention_combine(double *out, double *scale, const float *part, const float *ms,
                               size_t heads, size_t splits, size_t head_dim);

void qn__ref_moe_route(double *ids, double *weight, const float *logits, size_t tokens,
                       size_t experts, size_t k, bool normalise, double scale);

/* out (tokens, heads, out_dim) from x (tokens, x_row); NaN where nothing is written. */
struct qn__head_part {
    size_t tokens, heads, n, copied, out_dim, out_at, x_row, x_head, x_at;
};
void qn__ref_head_part(double *out, const float *x, const struct qn__head_part *p);

/* NaN in `out` where nothing is written. */
void qn__ref_repeat_penalty(double *out, const float *x, const int32_t *ids, size_t n_ids, size_t n,
                            float shrink, float grow);
/* The order is the contract's: falling, equal ones by rising index, NaN last. k <= n */
void qn__ref_top_k_groups(double *best, const float *x, size_t n, size_t group);
void qn__ref_top_k(double *ids, double *value, const float *x, size_t n, size_t k);

void qn__ref_argmax(double *out, const float *x, size_t rows, size_t n);
void qn__ref_row_sum(double *out, const uint32_t *x, size_t rows, size_t n); /* modulo 2^32 */

#endif
