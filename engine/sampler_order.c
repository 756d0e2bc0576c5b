/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading an order of sampling steps (sampler_order.h). */
#include "engine/sampler_order.h"

#include "base/error.h"

#include <string.h>

static const struct {
    const char *name;
    enum qn__sampling_step step;
} names[] = {
    {"penalties", QN__STEP_PENALTIES},
    {"dry", QN__STEP_DRY},
    {"top_n_sigma", QN__STEP_TOP_N_SIGMA},
    {"top_k", QN__STEP_TOP_K},
    {"typ_p", QN__STEP_TYPICAL},
    {"typical_p", QN__STEP_TYPICAL},
    {"top_p", QN__STEP_TOP_P},
    {"min_p", QN__STEP_MIN_P},
    {"xtc", QN__STEP_XTC},
    {"temperature", QN__STEP_TEMPERATURE},
    {"temp", QN__STEP_TEMPERATURE},
};

/* "top-k" is "top_k". */
static bool is_name(const char *name, const char *word, size_t n)
{
    if (strlen(name) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (name[i] != word[i] && !(name[i] == '_' && word[i] == '-'))
            return false;
    return true;
}

static qn_status find(enum qn__sampling_step *out, const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_name(names[i].name, word, n)) {
            *out = names[i].step;
            return QN_OK;
        }
    return qn__fail(QN_E_INVALID, "samplers: '%.*s' is not one of %s", (int)n, word,
                    QN_SAMPLER_ORDER);
}

qn_status qn__sampling_order_read(enum qn__sampling_step out[QN__N_SAMPLING_STEPS], uint32_t *n,
                                  const char *order)
{
    bool seen[QN__N_SAMPLING_STEPS] = {false};
    *n = 0;
    while (*order) {
        const size_t length = strcspn(order, ";");
        enum qn__sampling_step step = QN__N_SAMPLING_STEPS;
        QN_TRY(find(&step, order, length));
        if (seen[step])
            return qn__fail(QN_E_INVALID, "samplers: '%.*s' stands there twice", (int)length,
                            order);
        seen[step] = true;
        out[(*n)++] = step;
        order += length + (order[length] == ';');
    }
    return QN_OK;
}
