/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing GGUF files (version 3): facts and tensors are declared, then the data is made by a
 * callback on several threads, piece by piece, straight to its place. A piece's content may depend
 * only on its place, so the number of threads never shows in the file. */
#ifndef QN_ENGINE_GGUF_WRITE_H
#define QN_ENGINE_GGUF_WRITE_H

#include "base/str.h"
#include "engine/model_file.h"

enum { QN__GGUF_PIECE_ELEMS = 1 << 18 }; /* a multiple of every block; the last one may be less */

struct qn__gguf_writer {
    struct qn__str facts, tensors; /* as in the file */
    uint32_t n_facts, n_tensors, tensors_capacity;
    struct qn__gguf_output *outputs;
    uint64_t data_bytes;
    /* told by the caller's thread while the data is made, or NULL */
    void (*progress)(uint64_t done_bytes, uint64_t total_bytes, void *payload);
    void *payload;
};

struct qn__gguf_output {
    const struct qn__format *format;
    uint64_t n_elems, offset;
};

/* Make elements first .. first + n of a tensor, in its format.  Called from several threads. */
typedef qn_status qn__gguf_fill(void *blocks, void *context, uint32_t tensor, uint64_t first,
                                uint64_t n);

/* Errors of memory and of tensors that cannot be are kept and come out of write(). */
void qn__gguf_add_u32(struct qn__gguf_writer *w, const char *key, uint32_t value);
void qn__gguf_add_f32(struct qn__gguf_writer *w, const char *key, float value);
void qn__gguf_add_bool(struct qn__gguf_writer *w, const char *key, bool value);
void qn__gguf_add_text(struct qn__gguf_writer *w, const char *key, const char *value);
void qn__gguf_copy_fact(struct qn__gguf_writer *w, const struct qn__model_file *f,
                        const struct qn__fact *fact);
/* The head of an array; n elements follow, by qn__gguf_put_*(). type is GGUF's number. */
void qn__gguf_begin_array(struct qn__gguf_writer *w, const char *key, uint32_t type, uint64_t n);
void qn__gguf_put_text(struct qn__gguf_writer *w, const char *text, size_t n_bytes);
void qn__gguf_put_number(struct qn__gguf_writer *w, uint64_t bits, uint32_t n_bytes);

/* Rows must be whole blocks. QN_E_MEMORY */
qn_status qn__gguf_add_tensor(struct qn__gguf_writer *w, const char *name, uint32_t n_dims,
                              const uint64_t shape[4], const struct qn__format *format);

/* Write beside `path` and rename over it; n_threads 0: one per processor.  QN_E_IO, QN_E_MEMORY,
 * and what `fill` returns */
qn_status qn__gguf_write(struct qn__gguf_writer *w, const char *path, qn__gguf_fill *fill,
                         void *context, uint32_t n_threads);
void qn__gguf_writer_release(struct qn__gguf_writer *w);

#endif
