/* SPDX-License-Identifier: Apache-2.0
 *
 * How a model file is put together by the readers of its containers (gguf.c, safetensors.c).
 *
 * A reader adds facts and tensors in any order; qn__model_file_seal() then sorts the names and
 * checks what no reader can see alone: names given twice, tensors that share bytes. All strings and
 * copies live in the arena. */
#ifndef QN_ENGINE_MODEL_BUILD_H
#define QN_ENGINE_MODEL_BUILD_H

#include "base/arena.h"
#include "engine/model_file.h"
#include "engine/stored_number.h"

#include <sys/stat.h>

struct qn__stored_fact {
    struct qn__fact fact;          /* first: a fact's address is its stored fact's */
    enum qn__number number;        /* what a number, or an array's elements, are stored as */
    const unsigned char *elements; /* arrays of numbers: little endian, at any address */
    const char *texts;             /* arrays of texts: one after the other, each with its 0 */
    const uint64_t *starts; /* where each text begins in `texts`, and where all end (n + 1) */
};

enum { QN__WARNINGS_MAX = 32 }; /* enough to see what kind of file it is */

struct qn__mapping {
    const unsigned char *bytes;
    size_t n;
    bool is_mapped;     /* else the bytes belong to the caller */
    int fd;             /* of what is mapped, */
    int64_t changed_ns; /* and when that was changed last */
};

struct qn__model_file {
    struct qn__arena arena;
    const char *path;
    struct qn__mapping *mappings;
    uint32_t n_mappings;
    struct qn__tensor *tensors;
    uint32_t n_tensors, tensors_capacity;
    struct qn__stored_fact *facts;
    uint32_t n_facts, facts_capacity;
    uint32_t *tensors_by_name, *facts_by_key; /* indexes, sorted; made by seal() */
    const char *warnings[QN__WARNINGS_MAX];
    uint32_t n_warnings;
};

/* When a file's bytes were changed last, in ns. */
static inline int64_t qn__model_file_time(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Map a file; it stays mapped, and open, until close().  QN_E_IO, QN_E_LIMIT (too many files),
 * QN_E_MEMORY */
qn_status qn__model_file_map(struct qn__mapping *out, struct qn__model_file *f, const char *path);

/* Names must have 1 to 255 bytes, none of them a control character: they are printed. `what` and
 * `index` name the thing in the message.  QN_E_CORRUPT */
qn_status qn__model_name_check(const char *name, size_t n, const char *what, uint64_t index);

/* t->name must live in the arena. Checks the shape (1 to 4 axes, none 0, rows of whole blocks) and
 * fills in t->bytes and the unused axes.  QN_E_CORRUPT  the message names tensor and axis */
qn_status qn__tensor_measure(struct qn__tensor *t);
qn_status qn__model_file_add_tensor(struct qn__model_file *f, const struct qn__tensor *t);

/* The key is copied, texts are not: they must live as long as the file. */
qn_status qn__model_file_add_fact(struct qn__model_file *f, const char *key,
                                  struct qn__stored_fact fact);
qn_status qn__model_file_add_u64(struct qn__model_file *f, const char *key, uint64_t value);
qn_status qn__model_file_add_f64(struct qn__model_file *f, const char *key, double value);
qn_status qn__model_file_add_bool(struct qn__model_file *f, const char *key, bool value);
qn_status qn__model_file_add_text(struct qn__model_file *f, const char *key, const char *value);

qn_status qn__model_file_seal(struct qn__model_file *f);

/* Keep a sentence for whoever uses the file: something of it is not computed. What control
 * characters it has become '?'; the last of too many says that there are more. */
void qn__model_file_warn(struct qn__model_file *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
