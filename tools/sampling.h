/* SPDX-License-Identifier: Apache-2.0
 *
 * How tokens are chosen and where a text ends: the options of every command that writes text. */
#ifndef QN_TOOLS_SAMPLING_H
#define QN_TOOLS_SAMPLING_H

#include "base/options.h"

#include <quern/model.h>

struct qn__sampling_options {
    /* numbers with a fraction; NULL: the default */
    const char *temperature, *dynatemp_range, *dynatemp_exponent, *top_p, *min_p, *typical_p,
        *top_n_sigma, *xtc_probability, *xtc_threshold, *repeat_penalty, *presence_penalty,
        *frequency_penalty, *dry_multiplier, *dry_base, *mirostat_tau, *mirostat_eta;
    uint64_t top_k, repeat_last, dry_allowed_length, dry_last, mirostat, seed;
    struct qn__option_list dry_breakers, biases, stops;
    const char *order, *grammar, *grammar_file, *schema, *schema_file;
    bool ignores_end;
};

/* Rows for a command whose values have a struct qn__sampling_options called `p`. */
#define QN__SAMPLING_ROWS(type, p)                                                                 \
    QN__TEXT(type, p.temperature, 0, "temp", "X", "temperature; 0: always the likeliest token",    \
             .also = "temperature"),                                                               \
        QN__NUMBER(                                                                                \
            type, p.top_k, 0, "top-k", 0, UINT32_MAX, 40,                                          \
            "draw from the k likeliest only; 0: from all. With 0, or more than 256, a GPU sends "  \
            "every logit to the host, which takes longer"),                                        \
        QN__TEXT(type, p.top_p, 0, "top-p", "X",                                                   \
                 "draw from the likeliest that together have this probability; default 0.95"),     \
        QN__TEXT(type, p.min_p, 0, "min-p", "X",                                                   \
                 "leave out what is less likely than this share of the likeliest; default 0.05"),  \
        QN__TEXT(type, p.typical_p, 0, "typical", "X",                                             \
                 "draw from the most typical that together have this probability; default 1, all", \
                 .also = "typical-p"),                                                             \
        QN__TEXT(type, p.top_n_sigma, 0, "top-n-sigma", "X",                                       \
                 "leave out logits more than X standard deviations below the largest; default "    \
                 "-1, none",                                                                       \
                 .also = "top-nsigma"),                                                            \
        QN__TEXT(type, p.xtc_probability, 0, "xtc-probability", "X",                               \
                 "how often XTC takes the likeliest tokens away; default 0"),                      \
        QN__TEXT(type, p.xtc_threshold, 0, "xtc-threshold", "X",                                   \
                 "probability from which on XTC does; default 0.1, above 0.5 never"),              \
        QN__TEXT(type, p.repeat_penalty, 0, "repeat-penalty", "X",                                 \
                 "make recent tokens less likely; default 1, none"),                               \
        QN__TEXT(type, p.presence_penalty, 0, "presence-penalty", "X",                             \
                 "take this off the logits of recent tokens; default 0"),                          \
        QN__TEXT(type, p.frequency_penalty, 0, "frequency-penalty", "X",                           \
                 "and this for each time that they occur; default 0"),                             \
        QN__NUMBER(type, p.repeat_last, 0, "repeat-last-n", 0, 65536, 64,                          \
                   "how many tokens are recent; 0: none, -1: the context", .also = "repeat-last",  \
                   .minus_one = true),                                                             \
        QN__TEXT(type, p.dry_multiplier, 0, "dry-multiplier", "X",                                 \
                 "DRY: what going on with a repetition costs; default 0, nothing"),                \
        QN__TEXT(type, p.dry_base, 0, "dry-base", "X",                                             \
                 "DRY: times this for each token more; default 1.75"),                             \
        QN__NUMBER(type, p.dry_allowed_length, 0, "dry-allowed-length", 1, 65536, 2,               \
                   "DRY: shorter repetitions cost nothing"),                                       \
        QN__NUMBER(type, p.dry_last, 0, "dry-penalty-last-n", 0, 65536, UINT64_MAX,                \
                   "DRY: how many tokens back; 0: none, -1: the context", .minus_one = true),      \
        QN__LIST(type, p.dry_breakers, 0, "dry-sequence-breaker", "TEXT",                          \
                 "DRY: no repetition goes across tokens with this text; in place of line end, : "  \
                 "\" and *. 'none': none"),                                                        \
        QN__TEXT(type, p.dynatemp_range, 0, "dynatemp-range", "X",                                 \
                 "temperature minus X where the model is sure, plus X where not; default 0"),      \
        QN__TEXT(type, p.dynatemp_exponent, 0, "dynatemp-exp", "X",                                \
                 "power of the entropy's share in that; default 1"),                               \
        QN__NUMBER(type, p.mirostat, 0, "mirostat", 0, 2, 0,                                       \
                   "1, 2: keep the surprise of each token near --mirostat-ent, in place of "       \
                   "top-k, top-p, min-p, typical, XTC"),                                           \
        QN__TEXT(type, p.mirostat_tau, 0, "mirostat-ent", "X", "that surprise, bits; default 5"),  \
        QN__TEXT(type, p.mirostat_eta, 0, "mirostat-lr", "X",                                      \
                 "how fast it is corrected; default "                                              \
                 "0.1"),                                                                           \
        QN__TEXT(                                                                                  \
            type, p.order, 0, "samplers", "LIST",                                                  \
            "the steps and their order, with ; between; those left out are not done; default "     \
            "penalties dry top_n_sigma top_k typ_p top_p min_p xtc temperature"),                  \
        QN__NUMBER(type, p.seed, 's', "seed", 0, INT64_MAX, 0,                                     \
                   "of the draws: the same seed writes the same text on one device; 0, -1: a new " \
                   "one",                                                                          \
                   .minus_one = true),                                                             \
        QN__LIST(type, p.biases, 'l', "logit-bias", "ID+X",                                        \
                 "add X to the logit of a token, by number or text: 15043+1, ' Hello-2', "         \
                 "13-inf"),                                                                        \
        QN__FLAG(type, p.ignores_end, 0, "ignore-eos", "never end the text: no end token"),        \
        QN__LIST(type, p.stops, 'r', "stop", "TEXT", "end the text in front of this one",          \
                 .also = "reverse-prompt"),                                                        \
        QN__TEXT(type, p.grammar, 0, "grammar", "GBNF", "only text of this form"),                 \
        QN__TEXT(type, p.grammar_file, 0, "grammar-file", "FILE", "the same, from a file"),        \
        QN__TEXT(type, p.schema, 'j', "json-schema", "JSON",                                       \
                 "only JSON that this schema allows; {} is any"),                                  \
        QN__TEXT(type, p.schema_file, 0, "json-schema-file", "FILE", "the same, from a file")

/* What a sampler is made from; its lists are owned here. */
struct qn__sampling {
    qn_sampler_options options;
    int32_t *breakers;
    qn_logit_bias *biases;
    uint32_t n_biases_room;
    qn_grammar *grammar; /* NULL: any text */
};

/* The grammar that was asked for. False after a complaint, with *status. */
bool qn__sampling_read_grammar(struct qn__sampling *s, const struct qn__sampling_options *o,
                               const qn_model *m, int *status);
/* Check what needs no model. False after a complaint: exit status 2. */
bool qn__sampling_init(struct qn__sampling *out, const struct qn__sampling_options *o,
                       float default_temperature);
/* What needs the model's vocabulary and the context: biases, breakers, what -1 stands for. False
 * after a complaint, with *status. */
bool qn__sampling_finish(struct qn__sampling *s, const struct qn__sampling_options *o,
                         const qn_model *m, uint32_t context, int *status);
/* Put what \n, \t, \r, \", \', \\ and \xHH stand for in their place. False after a complaint about
 * another escape, or one that stands for a zero byte. */
bool qn__unescape(char *text, const char *option);
void qn__sampling_release(struct qn__sampling *s);

#endif
