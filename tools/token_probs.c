/* SPDX-License-Identifier: Apache-2.0
 *
 * Probabilities of tokens (token_probs.h). */
#include "tools/token_probs.h"

#include "tools/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A token may be a part of a character, which JSON has no string for: its bytes are there besides.
 */
static json_t *one_token(const qn_model *m, int32_t id, double logprob)
{
    char *text;
    size_t n;
    const qn_status s = qn_model_token_text(&text, &n, m, id);
    if (s != QN_OK && s != QN_E_INVALID) /* a row of the matrix without a token has no text */
        return NULL;
    json_t *bytes = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(bytes, json_integer((unsigned char)text[i]));
    json_t *string = json_stringn(text ? text : "", n);
    free(text);
    return json_pack("{s:i, s:o, s:o, s:o}", "id", (int)id, "token",
                     string ? string : json_string("\xef\xbf\xbd"), "bytes", bytes, "logprob",
                     qn__json_number(logprob));
}

static double log_of_sum(const float *logits, uint32_t n)
{
    float most = -INFINITY;
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        most = fmaxf(most, logits[i]);
    for (uint32_t i = 0; i < n; i++)
        if (logits[i] > -INFINITY)
            sum += exp((double)logits[i] - (double)most);
    return (double)most + log(sum);
}

/* The k likeliest, likeliest first, of equal ones the lower number. */
static uint32_t find_likeliest(int32_t *out, uint32_t k, const float *logits, uint32_t n)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!(logits[i] > -INFINITY) || (m == k && logits[i] <= logits[out[k - 1]]))
            continue;
        uint32_t at = m < k ? m++ : k - 1;
        for (; at > 0 && logits[out[at - 1]] < logits[i]; at--)
            out[at] = out[at - 1];
        out[at] = (int32_t)i;
    }
    return m;
}

json_t *qn__token_probs(const qn_model *m, const float *logits, int32_t id, uint32_t n_top)
{
    int32_t top[QN__PROBS_MAX];
    const uint32_t n = qn_model_get_info(m)->n_vocab;
    const double sum = log_of_sum(logits, n);
    const uint32_t n_found = n_top ? find_likeliest(top, n_top, logits, n) : 0;
    json_t *token = one_token(m, id, (double)logits[id] - sum);
    json_t *others = json_array();
    bool good = token && others;
    for (uint32_t i = 0; good && i < n_found; i++)
        good =
            json_array_append_new(others, one_token(m, top[i], (double)logits[top[i]] - sum)) == 0;
    if (good && json_object_set_new(token, "top_logprobs", others) == 0)
        return token;
    if (!good)
        json_decref(others);
    json_decref(token);
    return NULL;
}
