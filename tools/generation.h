/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern run` and `quern chat` share: their options, a model opened on a device with progress
 * shown, and the loop that makes text, token by token. */
#ifndef QN_TOOLS_GENERATION_H
#define QN_TOOLS_GENERATION_H

#include "base/options.h"

#include <quern/model.h>

struct qn__generation_options {
    const char *model, *device, *cache, *template_name;
    const char *temperature, *top_p, *min_p, *repeat_penalty; /* NULL: the command's default */
    uint64_t context, batch, threads, seed, top_k, repeat_last, n_tokens;
    bool no_graph, no_fused, no_library, exact, quiet, stats;
};

/* Rows for a command whose values have a struct qn__generation_options called `g`. */
#define QN__GENERATION_ROWS(type)                                                                  \
    QN__OPERAND(type, g.model, "MODEL", "a GGUF file, a safetensors file, or a model's folder"),   \
        QN__TEXT(type, g.device, 'd', "device", "DEVICE",                                          \
                 "device to use: cuda:0, hip:1, opencl, ...; default the preferred one"),          \
        QN__NUMBER(type, g.n_tokens, 'n', "tokens", 0, UINT32_MAX, 0,                              \
                   "most tokens to write; 0: until the model ends or the context is full"),        \
        QN__NUMBER(type, g.context, 'c', "ctx", 0, INT32_MAX, 0,                                   \
                   "positions to keep; 0: as many as the model was trained for, at most 4096"),    \
        QN__NUMBER(type, g.batch, 0, "batch", 0, INT32_MAX, 0,                                     \
                   "prompt tokens computed at once; 0: 512, large GPUs 2048, cpu:0 256"),          \
        QN__CHOICE(type, g.cache, 0, "cache", "f16|q8_0", "type of the key/value cache"),          \
        QN__NUMBER(type, g.threads, 't', "threads", 0, 4096, 0,                                    \
                   "processor threads, where the device is the CPU; 0: all"),                      \
        QN__TEXT(type, g.temperature, 0, "temp", "X",                                              \
                 "temperature; 0: always the likeliest token"),                                    \
        QN__NUMBER(                                                                                \
            type, g.top_k, 0, "top-k", 0, UINT32_MAX, 40,                                          \
            "draw from the k likeliest only; 0: from all. With 0, or more than 256, a GPU sends "  \
            "every logit to the host, which takes longer"),                                        \
        QN__TEXT(type, g.top_p, 0, "top-p", "X",                                                   \
                 "draw from the likeliest that together have this probability; default 0.95"),     \
        QN__TEXT(type, g.min_p, 0, "min-p", "X",                                                   \
                 "leave out what is less likely than this share of the likeliest; default 0.05"),  \
        QN__TEXT(type, g.repeat_penalty, 0, "repeat-penalty", "X",                                 \
                 "make recent tokens less likely; default 1, none"),                               \
        QN__NUMBER(type, g.repeat_last, 0, "repeat-last", 0, 65536, 64,                            \
                   "how many tokens are recent"),                                                  \
        QN__NUMBER(                                                                                \
            type, g.seed, 's', "seed", 0, INT64_MAX, 0,                                            \
            "of the draws: the same seed writes the same text on one device; 0: a new one"),       \
        QN__TEXT(type, g.template_name, 0, "template", "NAME",                                     \
                 "chat template: chatml, llama2, llama3, gemma, ...; default the model's own"),    \
        QN__FLAG(type, g.no_graph, 0, "no-graph", "queue every launch by itself"),                 \
        QN__FLAG(type, g.no_fused, 0, "no-fused",                                                  \
                 "a token by one launch for each formula, also where fused kernels are faster"),   \
        QN__FLAG(type, g.no_library, 0, "no-library",                                              \
                 "Quern's own kernels for prompts, also where there is cuBLAS"),                   \
        QN__FLAG(type, g.exact, 0, "exact",                                                        \
                 "on a CPU: products in f32, where else activations become 8-bit integers"),       \
        QN__FLAG(type, g.quiet, 'q', "quiet", "only the text: no progress, no summary"),           \
        QN__FLAG(type, g.stats, 0, "stats", "a longer summary: memory, kernels, every time")

enum qn__finish {
    QN__FINISH_END,     /* the model ended its text */
    QN__FINISH_LENGTH,  /* as many tokens as were asked for */
    QN__FINISH_CONTEXT, /* the context is full */
    QN__FINISH_CANCEL,  /* Ctrl-C */
    QN__FINISH_OUTPUT,  /* stdout was closed */
};
const char *qn__finish_text(enum qn__finish finish); /* "end", "length", ..., "output" */

struct qn__generation {
    const struct qn__generation_options *options;
    qn_sampler_options sampling;
    qn_model *model;
    qn_device *dev;
    qn_session *session;
    qn_sampler *sampler;
    double start_ms; /* clock, when this object was made */

    /* of the last qn__generate() */
    uint32_t n_prompt, n_generated;
    double prompt_ms, generated_ms, first_token_ms; /* the last one since start_ms */
    uint64_t read_bytes;                            /* that generating had to read */
    int32_t *kept; /* tokens after the prompt that are in the cache: all but the last one */
    uint32_t n_kept, kept_capacity;
    enum qn__finish finish;
};

/* Fill sampling from the options, open the model. Returns false after a complaint, with *status the
 * exit status. The caller closes it in every case. */
bool qn__generation_init(struct qn__generation *g, const struct qn__generation_options *options,
                         float default_temperature, int *status);
/* Open the device and make the session, showing progress. As above. */
bool qn__generation_load(struct qn__generation *g, int *status);
void qn__generation_close(struct qn__generation *g);

qn_session_options qn__generation_session_options(const struct qn__generation *g);

/* Feed the prompt, then write up to options->n_tokens tokens. `write` gets whole characters, in
 * pieces; bytes that are no UTF-8 arrive as U+FFFD. False from it ends the text, with
 * QN__FINISH_OUTPUT; Ctrl-C ends it with QN__FINISH_CANCEL, within the prompt too: g->n_prompt is
 * then less than n, and so much of it is in the cache. */
typedef bool (*qn__text_sink)(const char *text, size_t n_bytes, void *payload);
qn_status qn__generate(struct qn__generation *g, const int32_t *ids, uint32_t n,
                       qn__text_sink write, void *payload);

/* Catch Ctrl-C while text is made; true once it was pressed, until reset. */
void qn__interrupt_watch(void);
bool qn__interrupted(void);
void qn__interrupt_reset(void);

/* "quern: 120 tokens, 85.1 tokens/s, ..." on stderr, longer with --stats. */
void qn__generation_report(const struct qn__generation *g);

/* Tokens a second, GB a second, share of the device's measured bandwidth (0 where not measured). */
struct qn__generation_speed {
    double prompt_tokens_per_s, tokens_per_s, gb_per_s, share;
};
struct qn__generation_speed qn__generation_speed(const struct qn__generation *g);

#endif
