/* SPDX-License-Identifier: Apache-2.0
 *
 * Options about positions, by llama.cpp's names: what takes the place of what a model's file says.
 */
#ifndef QN_TOOLS_ROPE_OPTIONS_H
#define QN_TOOLS_ROPE_OPTIONS_H

#include "base/options.h"

#include <quern/model.h>

struct qn__rope_options {
    /* numbers with a fraction; NULL: the file's */
    const char *freq_base, *freq_scale, *scale, *ext_factor, *attn_factor, *beta_fast, *beta_slow;
    const char *scaling;
    uint64_t orig_ctx;
};

/* Rows for a command whose values have a struct qn__rope_options called `r`. */
#define QN__ROPE_ROWS(type, r)                                                                     \
    QN__TEXT(type, r.freq_base, 0, "rope-freq-base", "X",                                          \
             "base of RoPE's angles; default the model's"),                                        \
        QN__TEXT(type, r.freq_scale, 0, "rope-freq-scale", "X",                                    \
                 "multiply RoPE's angles: 0.25 is for four times as many positions"),              \
        QN__TEXT(type, r.scale, 0, "rope-scale", "X", "the same the other way round: 4"),          \
        QN__CHOICE(type, r.scaling, 0, "rope-scaling", "none|linear|yarn",                         \
                   "how positions are stretched; default as the model says"),                      \
        QN__NUMBER(type, r.orig_ctx, 0, "yarn-orig-ctx", 0, INT32_MAX, 0,                          \
                   "YaRN: positions the model was trained for; 0: what the model says"),           \
        QN__TEXT(type, r.ext_factor, 0, "yarn-ext-factor", "X",                                    \
                 "YaRN: its share in the angles, up to 1; default and -1: the model's, 1"),        \
        QN__TEXT(type, r.attn_factor, 0, "yarn-attn-factor", "X",                                  \
                 "multiply cosine and sine; default 1"),                                           \
        QN__TEXT(type, r.beta_slow, 0, "yarn-beta-slow", "X",                                      \
                 "YaRN: turns below which a pair is stretched; default the model's, 1"),           \
        QN__TEXT(type, r.beta_fast, 0, "yarn-beta-fast", "X",                                      \
                 "YaRN: turns from which a pair keeps its speed; default the model's, 32")

/* False after a complaint: exit status QN__EXIT_USAGE. */
bool qn__rope_options_read(qn_model_options *out, const struct qn__rope_options *o);

#endif
