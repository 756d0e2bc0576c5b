/* SPDX-License-Identifier: Apache-2.0
 *
 * References of attention: kernels/quern_attention.cuh has the contract. A position that is not
 * seen is left out of every loop. */
#include "kernels/ref/ref.h"

#include <math.h>

/* s of one query and one row of keys; *size: what its rounding errors follow. */
static double score(double *size, const struct qn__attention *a, const float *q, const float *k)
{
    double sum = 0, magnitude = 0;
    for (size_t d = 0; d < a->head_dim; d++) {
        sum += (double)q[d] * (double)k[d];
        magnitude += fabs((double)q[d] * (double)k[d]);
    }
    *size = fmax(*size, (double)a->scale * magnitude);
    sum *= (double)a->scale;
    return a->softcap > 0 ? (double)a->softcap * tanh(sum / (double)a->softcap) : sum;
}

/* One query over the positions [begin, end): out = sum of exp(s - most) v, and its terms'
 * magnitudes; ms = most and the sum of exp(s - most), that of the sink (or NULL) with it. */
static void attend(double *out, double *out_scale, double *ms, double *size,
                   const struct qn__attention *a, size_t query, size_t begin, size_t end,
                   const float *sink)
{
    const size_t kv_head = query % a->heads / (a->heads / a->kv_heads), n = a->head_dim;
    const float *q = a->q + query * n;
    ms[0] = (double)-3.0e38f;
    ms[1] = *size = 0;
    for (size_t d = 0; d < n; d++)
        out[d] = out_scale[d] = 0;
    for (size_t p = begin; p < end; p++)
        ms[0] = fmax(ms[0], score(size, a, q, a->k + (kv_head * a->ctx + p) * n));
    if (sink) {
        ms[0] = fmax(ms[0], (double)*sink);
        *size = fmax(*size, fabs((double)*sink));
        ms[1] = exp((double)*sink - ms[0]);
    }
    for (size_t p = begin; p < end; p++) {
        const size_t row = (kv_head * a->ctx + p) * n;
        const double e = exp(score(size, a, q, a->k + row) - ms[0]);
        ms[1] += e;
        for (size_t d = 0; d < n; d++) {
            out[d] += e * (double)a->v[row + d];
            out_scale[d] += fabs(e * (double)a->v[row + d]);
        }
    }
}

static size_t first_seen(const struct qn__attention *a, size_t token)
{
    const size_t pos = (size_t)a->pos[token];
    return a->window && pos >= a->window ? pos - a->window + 1 : 0;
}

void qn__ref_attention(double *out, double *scale, const struct qn__attention *a)
{
    for (size_t query = 0; query < a->tokens * a->heads; query++) {
        const size_t token = query / a->heads, at = query * a->head_dim;
        double ms[2], size;
        attend(out + at, scale + at, ms, &size, a, query, first_seen(a, token),
               (size_t)a->pos[token] + 1, a->sinks ? a->sinks + query % a->heads : NULL);
        for (size_t d = 0; d < a->head_dim; d++) {
            out[at + d] /= ms[1];
            scale[at + d] /= ms[1];
        }
    }
}

void qn__ref_attention_parts(double *part, double *scale, double *ms, double *ms_scale,
                             const struct qn__attention *a, size_t splits)
{
    const size_t low = first_seen(a, 0), high = (size_t)a->pos[0] + 1;
    const size_t piece = (high - low + splits - 1) / splits;
    for (size_t i = 0; i < a->heads * splits; i++) {
        const size_t from = low + i % splits * piece, to = from + piece;
        const size_t begin = from < high ? from : high, end = to < high ? to : high;
        double size;
        attend(part + i * a->head_dim, scale + i * a->head_dim, ms + 2 * i, &size, a, i / splits,
               begin, end, a->sinks && i % splits == 0 ? a->sinks + i / splits : NULL);
        ms_scale[2 * i] = size;
        ms_scale[2 * i + 1] = ms[2 * i + 1];
    }
}

void qn__ref_attention_combine(double *out, double *scale, const float *part, const float *ms,
                               size_t heads, size_t splits, size_t head_dim)
{
    for (size_t i = 0; i < heads * head_dim; i++) {
        const size_t head = i / head_dim;
        double most = -INFINITY, sum = 0, size = 0, weight = 0;
        for (size_t s = head * splits; s < (head + 1) * splits; s++)
            most = fmax(most, (double)ms[2 * s]);
        for (size_t s = head * splits; s < (head + 1) * splits; s++) {
            const double e = exp((double)ms[2 * s] - most);
            const double term = e * (double)part[s * head_dim + i % head_dim];
            sum += term;
            size += fabs(term);
            weight += e * (double)ms[2 * s + 1];
        }
        out[i] = sum / weight;
        scale[i] = size / weight;
    }
}
