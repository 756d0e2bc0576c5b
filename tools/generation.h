/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern run` and `quern chat` share: their options, a model opened on a device with progress
 * shown, and the loop that makes text, token by token. */
#ifndef QN_TOOLS_GENERATION_H
#define QN_TOOLS_GENERATION_H

#include "tools/adapters.h"
#include "tools/draft.h"
#include "tools/rope_options.h"
#include "tools/sampling.h"

#include <quern/model.h>

struct qn__generation_options {
    const char *model, *model_too, *device, *cache, *draft_model, *device_memory, *load_as;
    struct qn__sampling_options p;
    struct qn__adapter_options adapters;
    struct qn__rope_options rope;
    uint64_t context, batch, threads, n_tokens, keep, n_drafts;
    uint64_t layers; /* that may stay on the device; UINT64_MAX: all */
    uint32_t rows;   /* results of one feed, where a command wants more than the last */
    bool from_file;  /* streamed layers */
    bool no_graph, no_fused, no_library, library, exact, quiet, stats, shifts, no_shift, looks_up;
};

/* Rows for a command whose values have a struct qn__generation_options called `g`: the model and
 * how it is computed. */
#define QN__MODEL_ROWS(type)                                                                       \
    QN__OPERAND_OPTIONAL(type, g.model, "MODEL",                                                   \
                         "a GGUF file, a safetensors file, or a model's folder"),                  \
        QN__TEXT(type, g.model_too, 'm', "model", "FILE", "the same, as an option"),               \
        QN__ADAPTER_ROWS(type, g.adapters),                                                        \
        QN__TEXT(type, g.device, 'd', "device", "DEVICE",                                          \
                 "device to use: cuda:0, hip:1, opencl, ...; default the preferred one"),          \
        QN__NUMBER(type, g.context, 'c', "ctx", 0, INT32_MAX, 0,                                   \
                   "positions to keep; 0: as many as the model was trained for, at most 4096",     \
                   .also = "ctx-size"),                                                            \
        QN__NUMBER(type, g.batch, 'b', "batch", 0, INT32_MAX, 0,                                   \
                   "prompt tokens computed at once; 0: 512, large GPUs 2048, cpu:0 256",           \
                   .also = "batch-size"),                                                          \
        QN__CHOICE(type, g.cache, 0, "cache", "f16|q8_0", "type of the key/value cache"),          \
        QN__TEXT(type, g.device_memory, 0, "vram", "SIZE",                                         \
                 "most memory of the device to use, such as 6G; layers that have no room are "     \
                 "streamed from the host's"),                                                      \
        QN__NUMBER(type, g.layers, 0, "gpu-layers", 0, UINT32_MAX, UINT64_MAX,                     \
                   "layers that stay on the device, at most; the others are streamed; -1: all",    \
                   .also = "n-gpu-layers|-ngl", .minus_one = true),                                \
        QN__FLAG(type, g.from_file, 0, "stream-from-file",                                         \
                 "read layers that are streamed from the file each time, also where the host has " \
                 "room to keep them"),                                                             \
        QN__TEXT(type, g.load_as, 0, "load-as", "FORMAT",                                          \
                 "quantise f32, f16 or bf16 weights while they are loaded: q8_0, q4_k_m, ...; "    \
                 "TMPDIR must have room for them"),                                                \
        QN__ROPE_ROWS(type, g.rope),                                                               \
        QN__NUMBER(type, g.threads, 't', "threads", 0, 4096, 0,                                    \
                   "processor threads, where the device is the CPU; 0: all"),                      \
        QN__FLAG(type, g.no_library, 0, "no-library",                                              \
                 "Quern's own kernels for prompts, also those that are slow where there is "       \
                 "cuBLAS"),                                                                        \
        QN__FLAG(type, g.library, 0, "library", "cuBLAS for a prompt's products of f16 weights"),  \
        QN__FLAG(type, g.exact, 0, "exact",                                                        \
                 "on a CPU: products in f32, where else activations become 8-bit integers"),       \
        QN__FLAG(type, g.quiet, 'q', "quiet", "only the results: no progress, no summary")

/* And how text is made. */
#define QN__GENERATION_ROWS(type)                                                                  \
    QN__MODEL_ROWS(type),                                                                          \
        QN__NUMBER(type, g.n_tokens, 'n', "tokens", 0, UINT32_MAX, 0,                              \
                   "most tokens to write; 0, -1: until the model ends or the context is full",     \
                   .also = "predict|n-predict", .minus_one = true),                                \
        QN__SAMPLING_ROWS(type, g.p),                                                              \
        QN__FLAG(type, g.shifts, 0, "context-shift",                                               \
                 "a full context does not end the text: half of what comes after --keep is "       \
                 "forgotten, the rest read again"),                                                \
        QN__FLAG(type, g.no_shift, 0, "no-context-shift", "it does, as by default"),               \
        QN__NUMBER(type, g.keep, 0, "keep", 0, INT32_MAX, 0,                                       \
                   "tokens of the prompt that are never forgotten; -1: all", .minus_one = true),   \
        QN__FLAG(type, g.looks_up, 0, "lookup",                                                    \
                 "guess what comes from the text so far, and look at several tokens at once: the " \
                 "same text, on a GPU up to rounding, faster where it repeats itself"),            \
        QN__TEXT(type, g.draft_model, 0, "draft-model", "FILE",                                    \
                 "a smaller model with the same vocabulary guesses it", .also = "model-draft"),    \
        QN__NUMBER(type, g.n_drafts, 0, "draft", 1, 64, 8, "guesses at once",                      \
                   .also = "draft-max|draft-n"),                                                   \
        QN__FLAG(type, g.no_graph, 0, "no-graph", "queue every launch by itself"),                 \
        QN__FLAG(type, g.no_fused, 0, "no-fused",                                                  \
                 "a token by one launch for each formula, also where fused kernels are faster"),   \
        QN__FLAG(type, g.stats, 0, "stats", "a longer summary: memory, kernels, every time")

enum qn__finish {
    QN__FINISH_END,     /* the model ended its text */
    QN__FINISH_LENGTH,  /* as many tokens as were asked for */
    QN__FINISH_CONTEXT, /* the context is full */
    QN__FINISH_STOP,    /* a stop came about */
    QN__FINISH_CANCEL,  /* Ctrl-C */
    QN__FINISH_OUTPUT,  /* stdout was closed */
};
const char *qn__finish_text(enum qn__finish finish); /* "end", "length", ..., "output" */

struct qn__generation {
    const struct qn__generation_options *options;
    struct qn__sampling sampling;
    qn_model *model;
    struct qn__adapters_opened adapters;
    qn_device *dev;
    qn_session *session;
    qn_sampler *sampler;
    uint64_t device_bytes; /* of --vram; 0: no limit */
    double start_ms;       /* clock, when this object was made, or what is answered was asked */

    struct qn__draft_model draft;

    /* told of each token before it is written, with the logits it was chosen from; NULL: nobody */
    qn_status (*watch)(struct qn__generation *g, int32_t id, const float *logits, void *payload);
    void *watch_payload;

    int32_t *history; /* tokens of the positions that are filled, as many as there are */
    uint32_t history_room;
    uint32_t n_first; /* tokens of the prompt that --keep counts among: the first one ever fed */

    /* of the last qn__generate() (write_text.h) */
    uint32_t n_prompt, n_generated;
    double prompt_ms, generated_ms, first_token_ms; /* the last one since start_ms */
    uint64_t read_bytes;                            /* that generating had to read */
    uint32_t n_guessed, n_guessed_right;            /* tokens */
    uint32_t n_shifts;                              /* of the context */
    enum qn__finish finish;
    const char *stop; /* that ended it, the options' */
};

/* Fill sampling from the options, open the model. Returns false after a complaint, with *status the
 * exit status. The caller closes it in every case. */
bool qn__generation_init(struct qn__generation *g, const struct qn__generation_options *options,
                         float default_temperature, int *status);
/* Open the device and make the session, showing progress. As above. */
bool qn__generation_load(struct qn__generation *g, int *status);
void qn__generation_close(struct qn__generation *g);

qn_session_options qn__generation_session_options(const struct qn__generation *g);

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
