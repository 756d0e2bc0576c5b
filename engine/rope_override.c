/* SPDX-License-Identifier: Apache-2.0
 *
 * Other positions than the file's (rope_override.h).
 *
 * A scale of the angles is the factor's inverse where the model is stretched linearly or by yarn,
 * or not at all; llama3 and longrope keep what they are, and the scale comes on top. */
#include "engine/rope_override.h"

#include <string.h>

static qn_status check(const char *name, float value, float least, float most)
{
    if (value == 0.0f || (value >= least && value <= most))
        return QN_OK;
    return qn__fail(QN_E_INVALID, "%s %g: not from %g to %g", name, (double)value, (double)least,
                    (double)most);
}

static qn_status check_numbers(const qn_model_options *o)
{
    QN_TRY(check("rope_freq_base", o->rope_freq_base, 1.0f, 1e12f));
    QN_TRY(check("rope_freq_scale", o->rope_freq_scale, 1e-6f, 1e3f));
    QN_TRY(check("yarn_attn_factor", o->yarn_attn_factor, 1e-3f, 1e3f));
    QN_TRY(check("yarn_beta_fast", o->yarn_beta_fast, 1e-3f, 1e4f));
    QN_TRY(check("yarn_beta_slow", o->yarn_beta_slow, 1e-3f, 1e4f));
    return check("yarn_ext_factor", o->yarn_ext_factor, 1e-3f, 1.0f);
}

static qn_status choose_scaling(struct qn__config *c, const char *name)
{
    static const struct {
        const char *name;
        enum qn__rope_scaling scaling;
    } kinds[] = {
        {"none", QN__SCALING_NONE}, {"linear", QN__SCALING_LINEAR}, {"yarn", QN__SCALING_YARN}};
    if (!name)
        return QN_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            if (c->scaling == QN__SCALING_LONGROPE)
                return qn__fail(QN_E_UNSUPPORTED,
                                "rope_scaling '%s': the model is longrope, with tensors for it",
                                name);
            c->scaling = kinds[i].scaling;
            return QN_OK;
        }
    return qn__fail(QN_E_INVALID, "rope_scaling '%.32s': none, linear or yarn", name);
}

static void scale_angles(struct qn__config *c, float scale)
{
    if (scale == 0.0f)
        return;
    if (c->scaling == QN__SCALING_LLAMA3 || c->scaling == QN__SCALING_LONGROPE) {
        c->angle_scale = scale;
        return;
    }
    c->scaling_factor = 1.0f / scale;
    if (c->scaling == QN__SCALING_NONE)
        c->scaling = QN__SCALING_LINEAR;
}

static bool is_about_yarn(const qn_model_options *o)
{
    return o->yarn_orig_ctx || o->yarn_ext_factor > 0.0f || o->yarn_beta_fast > 0.0f ||
           o->yarn_beta_slow > 0.0f;
}

qn_status qn__rope_override(struct qn__config *c, const qn_model_options *o)
{
    QN_TRY(check_numbers(o));
    QN_TRY(choose_scaling(c, o->rope_scaling));
    if (is_about_yarn(o) && c->scaling != QN__SCALING_YARN)
        return qn__fail(QN_E_INVALID, "a number of yarn's, and the model is not stretched by it: "
                                      "rope_scaling yarn is to be said as well");
    if (o->rope_scaling && c->scaling == QN__SCALING_NONE && o->rope_freq_scale > 0.0f)
        return qn__fail(QN_E_INVALID, "rope_scaling 'none' and a rope_freq_scale");
    scale_angles(c, o->rope_freq_scale);
    if (c->scaling == QN__SCALING_YARN && c->scaling_factor < 1.0f)
        return qn__fail(QN_E_INVALID, "rope_freq_scale %g: yarn stretches, by 1 at most",
                        (double)(1.0f / c->scaling_factor));
    if (o->rope_freq_base > 0.0f)
        c->rope_base = o->rope_freq_base;
    if (o->yarn_orig_ctx)
        c->scaling_context = o->yarn_orig_ctx;
    if (o->yarn_ext_factor > 0.0f)
        c->yarn_share = o->yarn_ext_factor;
    if (o->yarn_attn_factor > 0.0f)
        c->scaling_attention =
            (c->scaling_attention > 0.0f ? c->scaling_attention : 1.0f) * o->yarn_attn_factor;
    if (o->yarn_beta_fast > 0.0f)
        c->yarn_fast = o->yarn_beta_fast;
    if (o->yarn_beta_slow > 0.0f)
        c->yarn_slow = o->yarn_beta_slow;
    return QN_OK;
}
