/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/model_data.h: read model files, and make them.
 *
 *     qn_model_file *f;
 *     if (qn_model_file_open(&f, "stories.gguf") == QN_OK) {
 *         for (uint32_t i = 0; i < qn_model_file_count_tensors(f); i++)
 *             puts(qn_model_file_get_tensor(f, i).name);
 *         qn_model_file_close(f);
 *     }
 *
 * Facts and tensors have GGUF's names, whatever the container. Files are mapped: one that is cut
 * short while it is open ends the process, as with any mapped file. In the library quern-engine.
 *
 * Threads: an open file is immutable, any thread. */
#ifndef QUERN_MODEL_DATA_H
#define QUERN_MODEL_DATA_H

#include <quern/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_model_file qn_model_file;

/* A .gguf file (the first of a split one), a .safetensors file, its index, or a folder with
 * config.json. Everything is checked before use.
 * QN_E_IO; QN_E_CORRUPT, the message names tensor or fact and what is wrong with it;
 * QN_E_UNSUPPORTED */
QN_CHECKED qn_status qn_model_file_open(qn_model_file **out, const char *path);
QN_API void qn_model_file_close(qn_model_file *f);               /* NULL is fine */
QN_API uint64_t qn_model_file_get_bytes(const qn_model_file *f); /* of all its files */

/* What the file says that is not known, and so is lost where it becomes another file: a sentence
 * each, of the file's. index < count */
QN_API uint32_t qn_model_file_count_warnings(const qn_model_file *f);
QN_API const char *qn_model_file_get_warning(const qn_model_file *f, uint32_t index);

/* -- tensors -- */

typedef struct qn_model_tensor {
    const char *name;
    const char *format; /* "q4_0" */
    uint32_t n_dims;
    uint64_t shape[4]; /* elements per axis, the contiguous one first; unused ones are 1 */
    uint64_t size_bytes;
    const void *data; /* may be at any address */
} qn_model_tensor;

QN_API uint32_t qn_model_file_count_tensors(const qn_model_file *f);
QN_API qn_model_tensor qn_model_file_get_tensor(const qn_model_file *f, uint32_t index);

/* -- facts -- */

typedef enum qn_model_fact_kind {
    QN_MODEL_FACT_U64,
    QN_MODEL_FACT_I64,
    QN_MODEL_FACT_F64,
    QN_MODEL_FACT_BOOL,
    QN_MODEL_FACT_TEXT,
    QN_MODEL_FACT_ARRAY
} qn_model_fact_kind;

typedef struct qn_model_fact {
    const char *key; /* "llama.block_count" */
    qn_model_fact_kind kind;
    uint64_t u64;
    int64_t i64;
    double f64;
    bool boolean;
    const char *text; /* text_bytes of it, and a 0 */
    size_t text_bytes;
    uint64_t n; /* of an array's elements */
} qn_model_fact;

QN_API uint32_t qn_model_file_count_facts(const qn_model_file *f);
QN_API qn_model_fact qn_model_file_get_fact(const qn_model_file *f, uint32_t index);
/* Element of an array; element < n. Arrays hold no arrays. */
QN_API qn_model_fact qn_model_file_get_element(const qn_model_file *f, uint32_t index,
                                               uint64_t element);

/* -- making -- */

/* Shape of a model. Zero: the preset's, and without a preset a small one's. */
typedef struct qn_model_random_options {
    const char *preset;     /* "134m", "1.1b", "7b"; NULL: none */
    const char *family;     /* "llama" (NULL), "qwen2", "qwen3", "gemma2", "gemma3", "phi3" */
    const char *type;       /* format of the matrices, or "q4_k_m"; NULL: "f16" */
    const char *vocabulary; /* model file whose vocabulary is taken; NULL: one is made up */
    uint64_t seed;
    uint32_t dim, n_layers, n_heads, n_kv_heads, head_dim, n_ffn, n_vocab, context, window;
    uint32_t n_experts, n_experts_used; /* llama only: a mixture of experts */
    bool tied_head;                     /* the embeddings are the head (gemma: always) */
    uint32_t n_threads;                 /* 0: one per processor */
} qn_model_random_options;

/* Write a GGUF file with random weights: normals with a deviation of 1 / sqrt(columns), so that
 * activations keep their size; norms around 1. The same options make the same file.
 * QN_E_INVALID  the shape cannot be; QN_E_IO */
QN_CHECKED qn_status qn_model_random(const char *path, const qn_model_random_options *options);

/* Write the model as a GGUF file with its matrices in another format ("q8_0", "q4_k_m", ...). The
 * weights must be f32, f16 or bf16 now: what was quantised once is not quantised again.
 * n_threads 0: one per processor.
 * QN_E_UNSUPPORTED  the weights are quantised, or Quern only reads that format */
QN_CHECKED qn_status qn_model_convert(const char *out_path, const char *in_path, const char *type,
                                      uint32_t n_threads);

#ifdef __cplusplus
}
#endif
#endif
