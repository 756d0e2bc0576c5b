/* SPDX-License-Identifier: Apache-2.0
 *
 * A model file, opened and checked: its facts and its tensors, whatever the container.
 *
 * GGUF (v2, v3) and safetensors (one file, several with an index, or a folder with config.json and
 * tokenizer.json) both come out in GGUF's vocabulary: keys as "llama.block_count", tensors as
 * "blk.0.attn_q.weight". Translating the other container's names is this module's business, so that
 * no caller asks where a model came from.
 *
 * Files are mapped read-only and are the enemy: every count, offset, size and string is checked
 * against the file before use; overlapping or unaligned tensors, duplicate names and overflowing
 * products are errors that name the tensor and the field. After open() every tensor's bytes lie
 * inside the mapping. (A file that is cut short while mapped kills the process: as with any mapped
 * file; docs say so.)
 *
 * Everything returned belongs to the file and lives until close(). Immutable after open(): any
 * thread. */
#ifndef QN_ENGINE_MODEL_FILE_H
#define QN_ENGINE_MODEL_FILE_H

#include "base/error.h"
#include "kernels/formats.h"

#include <stddef.h>

struct qn__model_file;

struct qn__tensor {
    const char *name;
    const struct qn__format *format;
    uint32_t n_dims;
    uint64_t shape[4]; /* elements per axis, the contiguous one first; unused ones are 1 */
    const void *data;
    uint64_t bytes;
    bool plus_one; /* a norm weight stored as w - 1 (Gemma in safetensors): add 1 when loading */
};

void qn__model_file_close(struct qn__model_file *f); /* NULL is fine */

const char *qn__model_file_path(const struct qn__model_file *f);
uint64_t qn__model_file_bytes(const struct qn__model_file *f); /* of all its files */
uint32_t qn__model_file_n_tensors(const struct qn__model_file *f);
const struct qn__tensor *qn__model_file_tensor(const struct qn__model_file *f, uint32_t index);
const struct qn__tensor *qn__model_file_find(const struct qn__model_file *f,
                                             const char *name); /* or NULL */

/* What the file says that is not computed with, a sentence each. */
uint32_t qn__model_file_n_warnings(const struct qn__model_file *f);
const char *qn__model_file_warning(const struct qn__model_file *f, uint32_t index);

/* Are the files' bytes still those that were mapped?  QN_E_IO */
qn_status qn__model_file_check_unchanged(const struct qn__model_file *f);

/* -- facts -- */

enum qn__fact_kind {
    QN__FACT_U64,
    QN__FACT_I64,
    QN__FACT_F64,
    QN__FACT_BOOL,
    QN__FACT_TEXT,
    QN__FACT_ARRAY
};

struct qn__fact {
    const char *key;
    enum qn__fact_kind kind;
    union {
        uint64_t u64;
        int64_t i64;
        double f64;
        bool boolean;
        struct {
            const char *bytes; /* 0-terminated besides */
            size_t n;
        } text;
        struct {
            enum qn__fact_kind kind; /* of the elements; never ARRAY */
            uint64_t n;
        } array;
    } value;
};

uint32_t qn__model_file_n_facts(const struct qn__model_file *f);
const struct qn__fact *qn__model_file_fact(const struct qn__model_file *f, uint32_t index);
const struct qn__fact *qn__fact_find(const struct qn__model_file *f, const char *key); /* or NULL */

/* Element of an array fact as a fact of its own (by value; text belongs to the file).
 * index < value.array.n */
struct qn__fact qn__fact_element(const struct qn__model_file *f, const struct qn__fact *array,
                                 uint64_t index);

/* Typed reads; integers of any width and sign convert when the value fits.
 * QN_E_NOT_FOUND  no such key    QN_E_CORRUPT  another kind, or it does not fit; the message names
 * the key */
qn_status qn__fact_u32(uint32_t *out, const struct qn__model_file *f, const char *key);
qn_status qn__fact_f32(float *out, const struct qn__model_file *f, const char *key);
qn_status qn__fact_bool(bool *out, const struct qn__model_file *f, const char *key);
qn_status qn__fact_text(const char **out, const struct qn__model_file *f, const char *key);

#endif
