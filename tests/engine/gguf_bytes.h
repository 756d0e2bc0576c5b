/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: GGUF files put together byte by byte, so that they can also be wrong. */
#ifndef QN_TESTS_GGUF_BYTES_H
#define QN_TESTS_GGUF_BYTES_H

#include "base/str.h"

#include <stdint.h>
#include <string.h>

enum { GGUF_U8 = 0, GGUF_U32 = 4, GGUF_I32 = 5, GGUF_F32 = 6, GGUF_BOOL = 7, GGUF_TEXT = 8 };
enum { GGUF_ARRAY = 9, GGUF_U64 = 10 };

static inline void gguf_number(struct qn__str *w, uint64_t value, uint32_t n_bytes)
{
    for (uint32_t i = 0; i < n_bytes; i++)
        qn__str_add_char(w, (char)(value >> (8 * i) & 0xff));
}

static inline void gguf_text(struct qn__str *w, const char *text)
{
    gguf_number(w, strlen(text), 8);
    qn__str_add(w, text);
}

static inline void gguf_head(struct qn__str *w, uint32_t version, uint64_t n_tensors,
                             uint64_t n_facts)
{
    qn__str_add(w, "GGUF");
    gguf_number(w, version, 4);
    gguf_number(w, n_tensors, 8);
    gguf_number(w, n_facts, 8);
}

static inline void gguf_fact_number(struct qn__str *w, const char *key, uint32_t type,
                                    uint64_t value, uint32_t n_bytes)
{
    gguf_text(w, key);
    gguf_number(w, type, 4);
    gguf_number(w, value, n_bytes);
}

static inline void gguf_fact_text(struct qn__str *w, const char *key, const char *value)
{
    gguf_text(w, key);
    gguf_number(w, GGUF_TEXT, 4);
    gguf_text(w, value);
}

/* The head of an array; its n elements come behind it. */
static inline void gguf_fact_array(struct qn__str *w, const char *key, uint32_t type, uint64_t n)
{
    gguf_text(w, key);
    gguf_number(w, GGUF_ARRAY, 4);
    gguf_number(w, type, 4);
    gguf_number(w, n, 8);
}

static inline void gguf_tensor(struct qn__str *w, const char *name, uint64_t columns, uint64_t rows,
                               uint32_t format, uint64_t offset)
{
    gguf_text(w, name);
    gguf_number(w, 2, 4);
    gguf_number(w, columns, 8);
    gguf_number(w, rows, 8);
    gguf_number(w, format, 4);
    gguf_number(w, offset, 8);
}

static inline void gguf_pad(struct qn__str *w, size_t alignment)
{
    qn__str_add_repeat(w, '\0', (alignment - w->len % alignment) % alignment);
}

#endif
