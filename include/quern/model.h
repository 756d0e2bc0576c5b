/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/model.h: language models, run by Quern's own kernels on any device.
 *
 *     qn_model *model;
 *     qn_session *session;
 *     qn_model_open(&model, "stories.gguf");
 *     qn_session_create(&session, model, dev, NULL);
 *     qn_model_encode(&tokens, model, "Once", 4, QN_ENCODE_BOS);
 *     qn_session_feed(session, tokens.ids, tokens.n);
 *     while (qn_session_sample(session, &id, sampler) == QN_OK && !qn_model_is_end(model, id)) {
 *         qn_session_feed(session, &id, 1);
 *         ... qn_model_decode() ...
 *     }
 *
 * A model is a file, its facts and its vocabulary: no device yet. A session is a model on a device:
 * weights, key/value cache, activations, each one allocation made at creation, and none later.
 * In the library quern-engine (pkg-config quern-engine), which is libquern and this.
 *
 * Threads: a model is immutable, any thread. One thread uses a session, a sampler, a grammar or a
 * text at a time; two sessions may run at once.
 *
 * Sizes: arrays have the length that stands in brackets behind them, row by row: (rows, n) is rows
 * times n numbers. Logits and states are f32 on the host. Errors: the status, and qn_message() of
 * the same thread, which names the file, the key or the tensor. Every call may also be out of
 * memory: QN_E_MEMORY. */
#ifndef QUERN_MODEL_H
#define QUERN_MODEL_H

#include <quern/device.h>
#include <quern/module.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_model qn_model;
typedef struct qn_session qn_session;
typedef struct qn_sampler qn_sampler;

/* Strings belong to the model. */
typedef struct qn_model_info {
    const char *path;
    const char *name;    /* general.name, or "" */
    const char *family;  /* "llama", "qwen2", "gemma3", ... */
    const char *weights; /* format of most of the weight bytes: "q8_0" */
    uint64_t n_params;   /* weights counted one by one; a tied head once */
    uint64_t file_bytes;
    uint32_t n_layers, dim, n_heads, n_kv_heads, head_dim, n_ffn, n_vocab;
    uint32_t n_experts, n_experts_used; /* 0: dense */
    uint32_t context_trained;           /* positions the model was trained for */
    bool has_chat_template;
} qn_model_info;

/* Open a GGUF file, a safetensors file or index, or a folder with config.json. The caller owns
 * *out. QN_E_IO, QN_E_CORRUPT (tensor and field are named), QN_E_UNSUPPORTED (family, format,
 * tokenizer) */
QN_CHECKED qn_status qn_model_open(qn_model **out, const char *path);
QN_API void qn_model_close(qn_model *m); /* NULL is fine; sessions first */

/* Other than the file has it; 0 and NULL: as the file has it. */
typedef struct qn_model_options {
    /* Positions; the names are llama.cpp's. Layers with a window and a base of their own (gemma3)
     * keep it. */
    float rope_freq_base;     /* base of the angles */
    float rope_freq_scale;    /* multiplies them: 0.25 is four times as many positions */
    const char *rope_scaling; /* how they are stretched: "none", "linear", "yarn"; without a
                                 freq_scale by the file's factor */
    uint32_t yarn_orig_ctx;   /* positions the model was trained for before yarn */
    float yarn_ext_factor;    /* share of yarn in the angles */
    float yarn_attn_factor;   /* multiplies cosine and sine, besides what the file says */
    float yarn_beta_fast, yarn_beta_slow;

    /* Quantise f32, f16 or bf16 weights: a format as qn_model_convert() takes it ("q8_0",
     * "q4_k_m"). Room for the result is taken in TMPDIR while the model is open. */
    const char *load_as;
    uint32_t load_threads; /* 0: one per processor */
    void (*load_progress)(uint64_t done_bytes, uint64_t total_bytes, void *payload); /* or NULL */
    void *payload;
} qn_model_options;

/* As qn_model_open(); options may be NULL.
 * QN_E_INVALID      a value out of range, or one that means nothing with the others; it is named
 * QN_E_UNSUPPORTED  also: another rope_scaling for a longrope model */
QN_CHECKED qn_status qn_model_open_with(qn_model **out, const char *path,
                                        const qn_model_options *options);
QN_API const qn_model_info *qn_model_get_info(const qn_model *m);

/* What the file says that is not known here, and so not computed with: a sentence each, of the
 * model's. index < count. What is known and not computed is refused by qn_model_open(). */
QN_API uint32_t qn_model_count_warnings(const qn_model *m);
QN_API const char *qn_model_get_warning(const qn_model *m, uint32_t index);

/* -- adapters -- */

/* What a LoRA file adds to a model's matrices: W x + scale alpha / rank b (a x). */
typedef struct qn_adapter qn_adapter;

/* Strings belong to the adapter. */
typedef struct qn_adapter_info {
    const char *path;
    const char *name;    /* general.name, or "" */
    uint32_t n_matrices; /* of the model that it changes */
    uint32_t rank;       /* the largest */
    float alpha;
} qn_adapter_info;

/* Open a GGUF adapter (general.type "adapter"), or one of PEFT: a folder with adapter_config.json
 * and adapter_model.safetensors, or one of the two. The model must outlive it. The caller owns
 * *out. QN_E_IO, QN_E_NOT_FOUND, QN_E_CORRUPT (a tensor is missing or of another shape: it is
 * named) QN_E_UNSUPPORTED  made for another family; something is adapted that Quern does not adapt;
 * a key that would change what is computed */
QN_CHECKED qn_status qn_adapter_open(qn_adapter **out, const qn_model *m, const char *path);
QN_API void qn_adapter_close(qn_adapter *a); /* NULL is fine */
QN_API const qn_adapter_info *qn_adapter_get_info(const qn_adapter *a);
/* As of a model. */
QN_API uint32_t qn_adapter_count_warnings(const qn_adapter *a);
QN_API const char *qn_adapter_get_warning(const qn_adapter *a, uint32_t index);

/* -- text -- */

enum {
    QN_ENCODE_BOS = 1,     /* put the beginning-of-text token in front where the model wants it */
    QN_ENCODE_SPECIAL = 2, /* special tokens written in the text ("<|im_end|>") become tokens */
};

typedef struct qn_tokens {
    int32_t *ids; /* the caller's: free() */
    uint32_t n;
} qn_tokens;

/* Any bytes. QN_E_MEMORY, QN_E_LIMIT */
QN_CHECKED qn_status qn_model_encode(qn_tokens *out, const qn_model *m, const char *text,
                                     size_t n_bytes, unsigned flags);

/* The text of tokens, special ones left out. A single token may be a part of a character: decode
 * from the first token on, or keep an incomplete end back. The caller owns *out: free(*out).
 * QN_E_INVALID  an id outside the vocabulary */
QN_CHECKED qn_status qn_model_decode(char **out, size_t *n_bytes, const qn_model *m,
                                     const int32_t *ids, uint32_t n);

/* Bytes of one token's text, not the first of its text. As above. */
QN_CHECKED qn_status qn_model_decode_next(char **out, size_t *n_bytes, const qn_model *m,
                                          int32_t id);

/* How a token is written, special ones too ("<|im_end|>"); the space that some vocabularies put in
 * front of a text is kept. As above. */
QN_CHECKED qn_status qn_model_token_text(char **out, size_t *n_bytes, const qn_model *m,
                                         int32_t id);

/* Does this token end the text (or the speaker's turn)? */
QN_API bool qn_model_is_end(const qn_model *m, int32_t id);

typedef struct qn_chat_message {
    const char *role;   /* "system", "user", "assistant", "tool", ... */
    const char *text;   /* NULL: none */
    const char *fields; /* a JSON object with what else it has, such as "tool_calls" or
                           "reasoning_content", for the template; NULL: nothing */
} qn_chat_message;

/* All zero: the model's own template, no tools, today. */
typedef struct qn_chat_options {
    const char *template_name; /* one of Quern's own instead: chatml, llama2, llama3, gemma, phi3,
                                  mistral, zephyr */
    const char *template_text; /* Jinja instead of the model's */
    const char *tools;         /* JSON array of the tools the model may call */
    const char *variables;     /* JSON object: further names for the template, such as
                                  {"enable_thinking": false} */
    int64_t now;               /* seconds since 1970, for templates that write the date; 0: now */
    bool no_prompt;            /* end with the last message, not where the assistant speaks */
    bool special_in_messages;  /* special tokens written in messages count as such; else they are
                                  text */
} qn_chat_options;

/* A conversation as tokens: what the model's template (Jinja, run by Quern: docs/chat.md) writes,
 * up to where the assistant speaks, with the token a text begins with where the model wants one.
 * options may be NULL. *text, unless NULL, is what was written: free(*text).
 * QN_E_UNSUPPORTED  no template, no such name, or one that uses what Quern lacks
 * QN_E_INVALID      the template is wrong, or refuses the conversation; the message has the line
 * QN_E_LIMIT        the template takes too many steps or too much memory */
QN_CHECKED qn_status qn_model_encode_chat(qn_tokens *out, char **text, const qn_model *m,
                                          const qn_chat_message *messages, uint32_t n,
                                          const qn_chat_options *options);

/* -- text as it is written -- */

typedef struct qn_text qn_text;

/* Tokens, one after the other, become text in whole characters; bytes that are no UTF-8 become
 * U+FFFD. Where one of `stops` (n of them, copied; none is empty) comes about, over however many
 * tokens, the text ends in front of it; what may yet become one is held back. `continues`: text
 * came before (a prompt), so that a leading blank is one. One thread at a time; the model must
 * outlive it. The caller owns *out. QN_E_INVALID  an empty stop */
QN_CHECKED qn_status qn_text_create(qn_text **out, const qn_model *m, bool continues,
                                    const char *const *stops, uint32_t n);
QN_API void qn_text_destroy(qn_text *t); /* NULL is fine */

/* What the token adds: *piece, which ends with 0, belongs to the text until the next call and may
 * be "". After a stop nothing comes any more.
 * QN_E_INVALID  an id outside the vocabulary */
QN_CHECKED qn_status qn_text_add(qn_text *t, int32_t id, const char **piece, size_t *n_bytes);
/* No further token: what was held back. */
QN_CHECKED qn_status qn_text_end(qn_text *t, const char **piece, size_t *n_bytes);
/* The stop that has come about; NULL: none. */
QN_API const char *qn_text_get_stop(const qn_text *t);

/* -- what it takes -- */

typedef struct qn_session_adapter {
    const qn_adapter *adapter;
    float scale; /* multiplies what it adds; 1: as it was trained */
} qn_session_adapter;

typedef struct qn_session_options {
    uint32_t context;   /* positions to keep; 0: the trained context, at most 4096 */
    uint32_t batch;     /* prompt tokens computed at once; 0: by the device, docs/engine.md */
    uint32_t sequences; /* texts at once, each with its own `context` positions; 0: 1 */
    uint32_t rows;      /* positions that one qn_session_feed_batch() gives results for; 0: one for
                           each sequence, none where there is one alone */
    const char *cache;  /* type of the key/value cache: "f16" (NULL) or "q8_0" */
    uint64_t device_bytes;    /* most memory of the device to use; 0: what is free */
    uint32_t streamed_layers; /* layers that do not stay on the device, at least: they come from the
                                 host for each pass. More where there is no room */
    bool stream_from_file;    /* they are read from the file for each pass, also where the host has
                                 room to keep them */
    bool no_graph;            /* queue every launch by itself instead of replaying a graph */
    bool no_library;     /* products by Quern's own kernels, also where there are none on tensor
                            cores and there is cuBLAS */
    bool library;        /* f16 by cuBLAS, also where own kernels are on tensor cores. It is
                            QN_E_UNSUPPORTED where there is none, QN_E_INVALID with no_library */
    bool no_fused;       /* a token by one launch for each formula, weights as they are stored */
    bool fused_anywhere; /* by fused kernels also on devices where these are not the fastest */
    bool exact;          /* on a CPU: products in f32 of the weights as they are stored, where else
                            activations become 8-bit integers (docs/parity.md) */
    bool as_alone; /* on a CPU: what qn_session_feed_batch() computes is, to the last bit, what
                      qn_session_feed() of its tokens, one by one, would; else up to
                      rounding. Slower where weights are multiplied in f32 */
    bool shortlist_on_cpu; /* find the likeliest tokens by kernels on a CPU, too, where the host is
                              faster: it has the logits already */
    const qn_session_adapter *adapters; /* (n_adapters), all at once; read only in the call. A token
                                           has no fused kernels with them */
    uint32_t n_adapters;
    /* told while kernels are built and weights are loaded; both may be NULL */
    qn_module_progress kernels_progress;
    void (*weights_progress)(uint64_t done_bytes, uint64_t total_bytes, void *payload);
    /* told between the batches of a feed; false: compute no more of it. May be NULL */
    bool (*prompt_progress)(uint32_t done, uint32_t total, void *payload);
    void *payload;
} qn_session_options;

/* Bytes by class, on the device where nothing else is said. */
typedef struct qn_session_plan {
    uint32_t context, batch, sequences, rows;
    uint32_t streamed_layers; /* that do not stay on the device */
    uint64_t streamed_bytes;  /* of theirs, which each pass copies */
    bool streams_from_file;   /* the host has no room to keep them: they are read from the file */
    uint64_t weights_bytes, cache_bytes, activations_bytes;
    uint64_t adapters_bytes;      /* 0 without adapters */
    uint64_t peak_bytes;          /* the sum of the four */
    uint64_t reserve_bytes;       /* left beside them for kernels, the driver, what is staged */
    uint64_t free_bytes;          /* now, at most options.device_bytes; 0 without a device */
    uint32_t context_max;         /* largest context that fits, if need be with all layers streamed;
                                     0: none does */
    bool fits;                    /* peak and reserve are free; true without a device */
    uint64_t token_weights_bytes; /* weights one token reads */
    uint64_t position_cache_bytes; /* cache one position takes, and one token reads of it */
} qn_session_plan;

/* What a session would need. Nothing is allocated. dev and options may be NULL.
 * QN_E_INVALID      a cache of a type that there is not
 * QN_E_UNSUPPORTED  q8_0, and heads that are no multiple of 32
 * QN_E_LIMIT        sizes that 64 bits do not hold */
QN_CHECKED qn_status qn_session_plan_get(qn_session_plan *out, const qn_model *m, qn_device *dev,
                                         const qn_session_options *options);

/* -- running -- */

/* Load the weights, build the kernels. The caller owns *out. The model must outlive it; the device
 * is kept alive.
 * QN_E_DEVICE_MEMORY  does not fit: the message says by how much, and what would
 * QN_E_UNSUPPORTED    something of the model has no kernel
 * and the errors of qn_module_build() */
QN_CHECKED qn_status qn_session_create(qn_session **out, const qn_model *m, qn_device *dev,
                                       const qn_session_options *options);
QN_API void qn_session_destroy(qn_session *s); /* NULL is fine */

typedef struct qn_session_info {
    qn_session_plan plan;
    uint32_t n_past;             /* positions filled */
    uint32_t n_kernels_built;    /* compiled when the session was created */
    uint32_t n_kernel_files;     /* kernel files in all */
    double build_ms, load_ms;    /* kernels; weights */
    double warm_ms;              /* of qn_session_warm() */
    double bandwidth_gb_per_s;   /* read bandwidth of the device; 0 until measured */
    uint64_t n_allocations;      /* device allocations this session has made so far */
    uint32_t launches_per_token; /* 0 until the first token */
    bool uses_graph;             /* the driver replays a token as one graph */
    uint64_t choice_bytes;       /* that came to the host for the last choice; 0 before the first */
    const char *not_fused;       /* "", or why some matrix has no fused kernel for a single token */
    const char *library;  /* of products of many tokens: "cuBLAS 13.1", or ""; the session's */
    bool on_tensor_cores; /* those of matrices that have fused kernels, where not by the library */
    bool
        begins_early; /* a single token's fused kernels begin before the ones in front have ended */
} qn_session_info;
/* The session's own, which changes as it works. */
QN_API const qn_session_info *qn_session_get_info(const qn_session *s);

/* Compute these tokens at the positions after those already there; the logits of the last one are
 * then ready.
 * QN_E_LIMIT      they do not fit into the context: nothing was computed
 * QN_E_INVALID    no tokens, or an id outside the vocabulary
 * QN_E_NOT_READY  prompt_progress() stopped it: info.n_past says how many positions are filled; the
 *                 next call must be a feed or a rewind
 * QN_E_FAULT, QN_E_DRIVER */
QN_CHECKED qn_status qn_session_feed(qn_session *s, const int32_t *ids, uint32_t n);

/* Forget every position from n_keep on (0: all). The next call must be a feed.
 * QN_E_INVALID  more positions than there are
 * QN_E_FAULT    an earlier kernel faulted */
QN_CHECKED qn_status qn_session_rewind(qn_session *s, uint32_t n_keep);

/* The n_vocab logits after the last token fed; they belong to the session until the next feed.
 * QN_E_INVALID  nothing was fed
 * QN_E_FAULT, QN_E_DRIVER */
QN_CHECKED qn_status qn_session_logits(qn_session *s, const float **out);

/* -- a prompt that was read, for another time -- */

/* Write what the cache holds for sequence 0's first n positions, and their tokens, to a file, for
 * its owner alone. QN_E_INVALID  fewer positions are filled; QN_E_IO, QN_E_MEMORY */
QN_CHECKED qn_status qn_session_save(qn_session *s, const char *path, const int32_t *ids,
                                     uint32_t n);

/* Fill sequence 0 from such a file, in place of what it had; *out: its tokens, free(out->ids). The
 * next call must be a feed or a rewind.
 * QN_E_UNSUPPORTED  it was made with another model or cache: nothing changed
 * QN_E_CORRUPT      damaged, or no such file
 * QN_E_LIMIT        more tokens than the context has room for
 * QN_E_IO, QN_E_MEMORY */
QN_CHECKED qn_status qn_session_load(qn_tokens *out, qn_session *s, const char *path);

/* -- several texts at once, and more than the last position -- */

/* Tokens of one text. */
typedef struct qn_batch_item {
    uint32_t sequence;  /* below options.sequences */
    const int32_t *ids; /* (n), computed at the positions after those the sequence has */
    uint32_t n;
    uint32_t n_rows; /* results wanted: of the last so many of them */
} qn_batch_item;

enum {
    QN_ROWS_LOGITS, /* of the token that comes next */
    QN_ROWS_STATES, /* what the head would read: the model's state behind the last norm, for
                       embeddings; no logits are computed */
};

/* Compute tokens of several texts in one go: weights are read once for all of them. At most
 * plan.batch tokens and plan.rows results, each sequence once. Rows are numbered in the order of
 * the items. qn_session_feed() and qn_session_sample() are sequence 0's; what a feed left is gone
 * after this, and the other way round.
 * QN_E_LIMIT    too many tokens or rows, or they do not fit into the context: nothing was computed
 * QN_E_INVALID  no tokens, an id outside the vocabulary, a sequence twice or unknown
 * QN_E_FAULT, QN_E_DRIVER */
QN_CHECKED qn_status qn_session_feed_batch(qn_session *s, const qn_batch_item *items, uint32_t n,
                                           int kind);

/* A row's n_vocab logits, or dim numbers of the state; the session's until the next feed.
 * QN_E_INVALID  there is no such row
 * QN_E_FAULT, QN_E_DRIVER */
QN_CHECKED qn_status qn_session_row(qn_session *s, uint32_t row, const float **out);

/* Choose the token after a row of logits, as qn_session_sample(); also
 * QN_E_INVALID  there is no such row, or it is a state */
QN_CHECKED qn_status qn_session_sample_row(int32_t *out, qn_session *s, uint32_t row,
                                           qn_sampler *sampler);

/* Positions a sequence has; 0 for one that is unknown. */
QN_API uint32_t qn_session_get_past(const qn_session *s, uint32_t sequence);
/* Forget a sequence's positions from n_keep on. QN_E_INVALID  more than it has, or no such sequence
 */
QN_CHECKED qn_status qn_session_rewind_sequence(qn_session *s, uint32_t sequence, uint32_t n_keep);

/* Measure the device's read bandwidth (some milliseconds, once) into the info.
 * QN_E_DEVICE_MEMORY, QN_E_FAULT, QN_E_DRIVER, and the errors of qn_module_build() */
QN_CHECKED qn_status qn_session_measure(qn_session *s);

/* -- choosing the next token -- */

typedef struct qn_logit_bias {
    int32_t id;
    float bias; /* is added to the token's logit; -INFINITY: never */
} qn_logit_bias;

/* What is 0 is not done, unless a default is named. The steps' usual order is QN_SAMPLER_ORDER:
 * biases come before all of them, one draw from what is left after them. A temperature of 0 takes
 * the likeliest of what the other steps left. */
#define QN_SAMPLER_ORDER "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature"

typedef struct qn_sampler_options {
    float temperature;                       /* divides the logits; 0: greedy */
    float dynatemp_range, dynatemp_exponent; /* temperature minus range where the distribution is
                                                sharp, plus range where it is flat; exponent 0: 1 */
    uint32_t top_k;                          /* only the k likeliest; 0: all */
    float top_p;       /* the likeliest that together have this probability; 0 or 1: all */
    float min_p;       /* only those with at least this share of the likeliest's; 0: all */
    float typical_p;   /* the most typical that together have this probability; 0 or 1: all */
    float top_n_sigma; /* only logits at most so many standard deviations below the largest */
    float xtc_probability, xtc_threshold; /* so often, of several tokens with at least this
                                             probability only the least likely one stays */
    float repeat_penalty; /* divides positive logits of recent tokens, multiplies negative ones; 0
                             or 1: none */
    float presence_penalty, frequency_penalty; /* subtracted once; as often as the token occurs */
    uint32_t repeat_last;                      /* how many tokens are recent for the three; 0: 64 */
    float dry_multiplier, dry_base; /* a token that goes on with a repetition of n tokens loses
                                       multiplier * base^(n - allowed); base 0: 1.75 */
    uint32_t dry_allowed_length;    /* repetitions that are shorter lose nothing; 0: 2 */
    uint32_t dry_last;              /* how far back they are looked for; 0: 1024 tokens */
    const int32_t *dry_breakers;    /* no repetition goes across these tokens; copied */
    uint32_t n_dry_breakers;
    uint32_t mirostat; /* 1 or 2: keep the surprise near tau, in place of the truncating steps */
    float mirostat_tau, mirostat_eta; /* 0: 5 and 0.1 */
    const qn_logit_bias *biases;      /* copied */
    uint32_t n_biases;
    const char *order; /* names from QN_SAMPLER_ORDER with ";" between; those left out are not
                          done; NULL: the usual order */
    uint64_t seed;     /* the same seed gives the same text on one device */
} qn_sampler_options;

/* The caller owns *out. options NULL: greedy. QN_E_INVALID: a value out of range, named */
QN_CHECKED qn_status qn_sampler_create(qn_sampler **out, const qn_sampler_options *options);
QN_API void qn_sampler_destroy(qn_sampler *sampler); /* NULL is fine */

/* Choose from logits (n of them; not changed). The choice is remembered for the penalties.
 * QN_E_INVALID  every logit is NaN or -inf */
QN_CHECKED qn_status qn_sampler_choose(int32_t *out, qn_sampler *sampler, const float *logits,
                                       uint32_t n);
/* Tell it of tokens it did not choose (the prompt). */
QN_API void qn_sampler_accept(qn_sampler *sampler, const int32_t *ids, uint32_t n);

/* -- text of a given form -- */

typedef struct qn_grammar qn_grammar;

/* What a text may be, in GBNF (docs/writing.md), where it begins with the rule `root` (NULL:
 * "root"). The model must outlive it. The caller owns *out.
 * QN_E_INVALID (line and column are named), QN_E_UNSUPPORTED, QN_E_LIMIT, QN_E_MEMORY */
QN_CHECKED qn_status qn_grammar_create(qn_grammar **out, const qn_model *m, const char *text,
                                       size_t n_bytes, const char *root);
/* JSON that a schema allows (docs/writing.md).
 * QN_E_INVALID      no JSON, or no schema: where is named
 * QN_E_UNSUPPORTED  a keyword that would not be kept: it is named */
QN_CHECKED qn_status qn_grammar_create_json(qn_grammar **out, const qn_model *m, const char *schema,
                                            size_t n_bytes);
QN_API void qn_grammar_destroy(qn_grammar *g); /* NULL is fine; samplers that use it first */

/* Back to the beginning of a text. */
QN_API void qn_grammar_reset(qn_grammar *g);
/* May the text end here? */
QN_API bool qn_grammar_is_complete(const qn_grammar *g);
/* The text goes on with this token. QN_E_NOT_FOUND  it does not by the grammar: nothing changed */
QN_CHECKED qn_status qn_grammar_accept(qn_grammar *g, int32_t id);

/* From now on only tokens that the grammar allows are chosen, and each moves it on; end tokens
 * where the text may end. NULL: any token again. One grammar for one sampler; it stays the caller's
 * and is destroyed after the sampler, or after another one was set. A choice is then also
 * QN_E_NOT_FOUND  no token goes on: the text is complete and has no end token, or the vocabulary
 *                 has none for what would have to come
 * QN_E_LIMIT      the grammar is too ambiguous */
QN_API void qn_sampler_set_grammar(qn_sampler *sampler, qn_grammar *g);

/* Choose the token after the last one fed, as qn_sampler_choose() would from its logits. Greedily
 * without a penalty, and on a GPU with a top_k of 1 to 256 as the first step or after a
 * repeat_penalty, the device does what reads the whole vocabulary; else the logits come to the
 * host.
 * QN_E_INVALID  nothing was fed, or the sampler refuses the logits
 * QN_E_FAULT    the logits hold NaN; or an earlier kernel faulted */
QN_CHECKED qn_status qn_session_sample(int32_t *out, qn_session *s, qn_sampler *sampler);

/* Launch once every kernel that feeding, and choosing with this sampler, will launch, before
 * anything was fed; what they compute is forgotten. Some drivers (PoCL) finish a kernel when it is
 * first launched, which takes seconds where their cache is empty; else this costs about three
 * tokens. QN_E_INVALID  something was fed; and the errors of a feed */
QN_CHECKED qn_status qn_session_warm(qn_session *s, const qn_sampler *sampler);

#ifdef __cplusplus
}
#endif
#endif
