/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading options about positions (rope_options.h). */
#include "tools/rope_options.h"

#include "tools/terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool read_positive(float *out, const char *name, const char *text, bool may_be_minus_one)
{
    char *end;
    *out = 0.0f;
    if (!text)
        return true;
    errno = 0;
    const float value = strtof(text, &end);
    if (!*text || *end || errno || !isfinite(value))
        return qn__complain(false, "--%s '%s': not a number", name, text);
    if (may_be_minus_one && value == -1.0f)
        return true;
    if (value <= 0.0f)
        return qn__complain(false, "--%s %s: not above 0", name, text);
    *out = value;
    return true;
}

bool qn__rope_options_read(qn_model_options *out, const struct qn__rope_options *o)
{
    float scale;
    *out = (qn_model_options){.rope_scaling = o->scaling, .yarn_orig_ctx = (uint32_t)o->orig_ctx};
    if (o->scale && o->freq_scale)
        return qn__complain(false, "either --rope-scale or --rope-freq-scale");
    if (!read_positive(&out->rope_freq_base, "rope-freq-base", o->freq_base, false) ||
        !read_positive(&out->rope_freq_scale, "rope-freq-scale", o->freq_scale, false) ||
        !read_positive(&scale, "rope-scale", o->scale, false) ||
        !read_positive(&out->yarn_ext_factor, "yarn-ext-factor", o->ext_factor, true) ||
        !read_positive(&out->yarn_attn_factor, "yarn-attn-factor", o->attn_factor, true) ||
        !read_positive(&out->yarn_beta_fast, "yarn-beta-fast", o->beta_fast, true) ||
        !read_positive(&out->yarn_beta_slow, "yarn-beta-slow", o->beta_slow, true))
        return false;
    if (scale > 0.0f)
        out->rope_freq_scale = 1.0f / scale;
    return true;
}
