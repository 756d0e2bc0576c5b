/* SPDX-License-Identifier: Apache-2.0
 *
 * GGUF, versions 2 and 3, little endian:
 *
 *     "GGUF" u32 version  u64 n_tensors  u64 n_facts
 *     n_facts   x  text key, u32 type, value      text: u64 n, bytes; array: u32 type, u64 n, items
 *     n_tensors x  text name, u32 n_dims, u64 shape[n_dims], u32 format, u64 offset
 *     padding to general.alignment, then the data; offsets count from here
 *
 * The cursor is the only way to the bytes: it never leaves the file, so no count is believed
 * before its bytes are known to be there. A model may be split over files NAME-00001-of-00003.gguf;
 * the facts are the first one's. */
#include "engine/gguf.h"

#include "base/file.h"
#include "base/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPE_TEXT = 8,
    TYPE_ARRAY = 9,
    ALIGNMENT_DEFAULT = 32,
    ALIGNMENT_MAX = 1 << 20,
    FACT_BYTES_MIN = 8 + 1 + 4 + 1,           /* a key of one letter, a type, a byte */
    TENSOR_BYTES_MIN = 8 + 1 + 4 + 8 + 4 + 8, /* one axis */
};

struct cursor {
    const unsigned char *p, *end;
};

/* What one file of a split model says of itself. */
struct part {
    uint64_t n_files, index, n_tensors_of_all;
    uint64_t alignment;
};

static size_t left(const struct cursor *c)
{
    return (size_t)(c->end - c->p);
}

static qn_status take(const unsigned char **out, struct cursor *c, uint64_t n, const char *what)
{
    *out = NULL;
    if (n > left(c))
        return qn__fail(QN_E_CORRUPT, "%s: %" PRIu64 " bytes, but the file ends after %zu", what, n,
                        left(c));
    *out = c->p;
    c->p += n;
    return QN_OK;
}

static qn_status take_u32(uint32_t *out, struct cursor *c, const char *what)
{
    const unsigned char *p;
    *out = 0;
    QN_TRY(take(&p, c, 4, what));
    *out = qn__get_u32(p);
    return QN_OK;
}

static qn_status take_u64(uint64_t *out, struct cursor *c, const char *what)
{
    const unsigned char *p;
    *out = 0;
    QN_TRY(take(&p, c, 8, what));
    *out = qn__get_u64(p);
    return QN_OK;
}

/* A name, copied and checked. */
static qn_status take_name(const char **out, struct qn__model_file *f, struct cursor *c,
                           const char *what, uint64_t index)
{
    const unsigned char *p;
    uint64_t n;
    *out = NULL;
    QN_TRY(take_u64(&n, c, what));
    QN_TRY(take(&p, c, n, what));
    QN_TRY(qn__model_name_check((const char *)p, (size_t)n, what, index));
    *out = qn__arena_strndup(&f->arena, (const char *)p, (size_t)n);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for the name of %s", what);
}

/* -- facts -- */

static enum qn__fact_kind kind_of(enum qn__number number)
{
    static const unsigned char zeros[8];
    return qn__number_read(number, zeros).kind;
}

/* The texts of an array, one after the other, each with a 0, and where they start. */
static qn_status read_texts(struct qn__stored_fact *fact, struct qn__model_file *f,
                            struct cursor *c, uint64_t n, const char *key)
{
    struct cursor look = *c;
    uint64_t total = 0;
    for (uint64_t i = 0; i < n; i++) {
        const unsigned char *p;
        uint64_t text_bytes;
        QN_TRY(take_u64(&text_bytes, &look, key));
        QN_TRY(take(&p, &look, text_bytes, key));
        total += text_bytes + 1;
    }
    char *texts = qn__arena_alloc(&f->arena, (size_t)total + 1, 1);
    uint64_t *starts = QN__ARENA_ARRAY(&f->arena, uint64_t, (size_t)n + 1);
    if (!texts || !starts)
        return qn__fail(QN_E_MEMORY, "%s: no memory for %" PRIu64 " texts", key, n);
    uint64_t at = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t text_bytes = qn__get_u64(c->p);
        memcpy(texts + at, c->p + 8, (size_t)text_bytes);
        c->p += 8 + text_bytes;
        starts[i] = at;
        at += text_bytes + 1;
    }
    starts[n] = at;
    fact->texts = texts;
    fact->starts = starts;
    return QN_OK;
}

static qn_status read_array(struct qn__stored_fact *fact, struct qn__model_file *f,
                            struct cursor *c, const char *key)
{
    uint32_t type;
    uint64_t n;
    QN_TRY(take_u32(&type, c, key));
    QN_TRY(take_u64(&n, c, key));
    fact->fact.kind = QN__FACT_ARRAY;
    fact->fact.value.array.n = n;
    if (type == TYPE_ARRAY)
        return qn__fail(QN_E_UNSUPPORTED, "%s: an array of arrays", key);
    const uint32_t item_bytes = type == TYPE_TEXT ? 8 : qn__fact_bytes((enum qn__number)type);
    if (item_bytes == 0)
        return qn__fail(QN_E_CORRUPT, "%s: elements of the unknown type %u", key, type);
    if (n > left(c) / item_bytes)
        return qn__fail(QN_E_CORRUPT, "%s: %" PRIu64 " elements, but only %zu bytes are left", key,
                        n, left(c));
    if (type == TYPE_TEXT) {
        fact->fact.value.array.kind = QN__FACT_TEXT;
        return read_texts(fact, f, c, n, key);
    }
    fact->number = (enum qn__number)type;
    fact->fact.value.array.kind = kind_of(fact->number);
    return take(&fact->elements, c, n * item_bytes, key);
}

static qn_status read_text(struct qn__stored_fact *fact, struct qn__model_file *f, struct cursor *c,
                           const char *key)
{
    const unsigned char *p;
    uint64_t n;
    QN_TRY(take_u64(&n, c, key));
    QN_TRY(take(&p, c, n, key));
    fact->fact.kind = QN__FACT_TEXT;
    fact->fact.value.text.bytes = qn__arena_strndup(&f->arena, (const char *)p, (size_t)n);
    fact->fact.value.text.n = (size_t)n;
    return fact->fact.value.text.bytes ? QN_OK : qn__fail(QN_E_MEMORY, "%s: no memory", key);
}

static qn_status read_fact(struct qn__model_file *f, struct cursor *c, uint64_t index)
{
    struct qn__stored_fact fact = {0};
    const unsigned char *p;
    const char *key;
    uint32_t type;
    QN_TRY(take_name(&key, f, c, "the key of fact", index));
    QN_TRY(take_u32(&type, c, key));
    if (type == TYPE_ARRAY) {
        QN_TRY(read_array(&fact, f, c, key));
    } else if (type == TYPE_TEXT) {
        QN_TRY(read_text(&fact, f, c, key));
    } else {
        fact.number = (enum qn__number)type;
        const uint32_t n = qn__fact_bytes(fact.number);
        if (n == 0)
            return qn__fail(QN_E_CORRUPT, "%s: the unknown type %u", key, type);
        QN_TRY(take(&p, c, n, key));
        if (fact.number == QN__NUMBER_BOOL && p[0] > 1)
            return qn__fail(QN_E_CORRUPT, "%s: %u is neither true nor false", key, p[0]);
        fact.fact = qn__number_read(fact.number, p);
    }
    return qn__model_file_add_fact(f, key, fact);
}

/* A whole number among the facts from `first` on; `fallback` where it is not there. */
static qn_status find_number(uint64_t *out, const struct qn__model_file *f, uint32_t first,
                             const char *key, uint64_t fallback)
{
    *out = fallback;
    for (uint32_t i = first; i < f->n_facts; i++) {
        const struct qn__fact *fact = &f->facts[i].fact;
        if (strcmp(fact->key, key) != 0)
            continue;
        if (fact->kind == QN__FACT_U64)
            *out = fact->value.u64;
        else if (fact->kind == QN__FACT_I64 && fact->value.i64 >= 0)
            *out = (uint64_t)fact->value.i64;
        else
            return qn__fail(QN_E_CORRUPT, "fact '%s': not a whole number", key);
        return QN_OK;
    }
    return QN_OK;
}

/* -- tensors -- */

static qn_status read_tensor(struct qn__tensor *t, uint64_t *offset, struct qn__model_file *f,
                             struct cursor *c, uint64_t index)
{
    uint32_t format;
    *t = (struct qn__tensor){0};
    QN_TRY(take_name(&t->name, f, c, "the name of tensor", index));
    QN_TRY(take_u32(&t->n_dims, c, t->name));
    if (t->n_dims > 4)
        return qn__tensor_measure(t); /* which refuses it */
    for (uint32_t i = 0; i < t->n_dims; i++)
        QN_TRY(take_u64(&t->shape[i], c, t->name));
    QN_TRY(take_u32(&format, c, t->name));
    QN_TRY(take_u64(offset, c, t->name));
    t->format = qn__format_find_gguf(format);
    if (!t->format)
        return qn__fail(
            QN_E_UNSUPPORTED,
            "tensor '%s': stored in format %u, which Quern does not read (it reads F32, "
            "F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K to Q6_K and IQ4_NL)",
            t->name, format);
    return qn__tensor_measure(t);
}

static qn_status read_tensors(struct qn__model_file *f, struct cursor *c, uint64_t n,
                              const unsigned char *file, uint64_t alignment)
{
    const uint32_t first = f->n_tensors;
    uint64_t *offsets = qn__alloc((size_t)n, sizeof *offsets);
    if (!offsets)
        return qn__fail(QN_E_MEMORY, "no memory for %" PRIu64 " tensors", n);
    qn_status s = QN_OK;
    for (uint64_t i = 0; i < n && s == QN_OK; i++) {
        struct qn__tensor t;
        s = read_tensor(&t, &offsets[i], f, c, i);
        if (s == QN_OK)
            s = qn__model_file_add_tensor(f, &t);
    }
    const uint64_t file_bytes = (uint64_t)(c->end - file), at = (uint64_t)(c->p - file);
    const uint64_t data_start = (at + alignment - 1) / alignment * alignment;
    const uint64_t data_bytes = file_bytes > data_start ? file_bytes - data_start : 0;
    for (uint64_t i = 0; i < n && s == QN_OK; i++) {
        struct qn__tensor *t = &f->tensors[first + i];
        if (offsets[i] % alignment != 0)
            s = qn__fail(QN_E_CORRUPT, "tensor '%s': offset %" PRIu64 " is no multiple of %" PRIu64,
                         t->name, offsets[i], alignment);
        else if (offsets[i] > data_bytes || t->bytes > data_bytes - offsets[i])
            s = qn__fail(QN_E_CORRUPT,
                         "tensor '%s': %" PRIu64 " bytes at offset %" PRIu64
                         " of the data, which has %" PRIu64 " bytes; the file was cut short",
                         t->name, t->bytes, offsets[i], data_bytes);
        else
            t->data = file + data_start + offsets[i];
    }
    free(offsets);
    return s;
}

/* -- files -- */

static qn_status check_version(uint32_t version)
{
    if (version == 2 || version == 3)
        return QN_OK;
    if (version == 0x02000000 || version == 0x03000000)
        return qn__fail(QN_E_UNSUPPORTED, "a big endian GGUF file; Quern reads little endian ones");
    return qn__fail(QN_E_UNSUPPORTED, "GGUF version %u; Quern reads versions 2 and 3", version);
}

/* One file: its facts and tensors are added to f's. */
static qn_status read_file(struct part *part, struct qn__model_file *f, struct qn__mapping m)
{
    struct cursor c = {m.bytes, m.bytes + m.n};
    const unsigned char *magic;
    uint64_t n_tensors, n_facts;
    uint32_t version;
    if (m.n < 4 || memcmp(m.bytes, "GGUF", 4) != 0)
        return qn__fail(QN_E_CORRUPT, "not a model file: it does not begin with \"GGUF\", nor does "
                                      "its name end in .safetensors or .json");
    QN_TRY(take(&magic, &c, 4, "the file's magic"));
    QN_TRY(take_u32(&version, &c, "the file's version"));
    QN_TRY(check_version(version));
    QN_TRY(take_u64(&n_tensors, &c, "the number of tensors"));
    QN_TRY(take_u64(&n_facts, &c, "the number of facts"));
    if (n_facts > left(&c) / FACT_BYTES_MIN)
        return qn__fail(QN_E_CORRUPT, "the number of facts: %" PRIu64 " do not fit into %zu bytes",
                        n_facts, left(&c));
    const uint32_t first_fact = f->n_facts;
    for (uint64_t i = 0; i < n_facts; i++)
        QN_TRY(read_fact(f, &c, i));
    QN_TRY(find_number(&part->alignment, f, first_fact, "general.alignment", ALIGNMENT_DEFAULT));
    QN_TRY(find_number(&part->n_files, f, first_fact, "split.count", 1));
    QN_TRY(find_number(&part->index, f, first_fact, "split.no", 0));
    QN_TRY(find_number(&part->n_tensors_of_all, f, first_fact, "split.tensors.count", 0));
    if (part->alignment == 0 || part->alignment > ALIGNMENT_MAX ||
        (part->alignment & (part->alignment - 1)) != 0)
        return qn__fail(QN_E_CORRUPT, "general.alignment: %" PRIu64 " is no power of two up to %d",
                        part->alignment, ALIGNMENT_MAX);
    if (n_tensors > left(&c) / TENSOR_BYTES_MIN)
        return qn__fail(QN_E_CORRUPT,
                        "the number of tensors: %" PRIu64 " do not fit into %zu bytes", n_tensors,
                        left(&c));
    return read_tensors(f, &c, n_tensors, m.bytes, part->alignment);
}

/* File `index` (from 0) of a split model whose first file is `path`. */
static char *part_path(const char *path, uint64_t index, uint64_t n)
{
    struct qn__str ending = {0}, out = {0};
    char *result = NULL;
    qn__str_printf(&ending, "-00001-of-%05" PRIu64 ".gguf", n);
    if (ending.text && qn__ends_with(path, ending.text)) {
        qn__str_add_bytes(&out, path, strlen(path) - ending.len);
        qn__str_printf(&out, "-%05" PRIu64 "-of-%05" PRIu64 ".gguf", index + 1, n);
        result = qn__str_take(&out);
    }
    qn__str_release(&ending);
    qn__str_release(&out);
    return result;
}

/* The tensors of one further file; its facts say only which one it is. */
static qn_status read_part(struct qn__model_file *f, const char *path, uint64_t index, uint64_t n)
{
    struct qn__mapping m;
    struct part part;
    const uint32_t n_facts = f->n_facts;
    QN_TRY(qn__model_file_map(&m, f, path));
    QN_TRY(read_file(&part, f, m));
    f->n_facts = n_facts;
    if (part.index != index || part.n_files != n)
        return qn__fail(QN_E_CORRUPT,
                        "it says it is file %" PRIu64 " of %" PRIu64 ", not %" PRIu64 " of %" PRIu64
                        " (split.no, split.count)",
                        part.index + 1, part.n_files, index + 1, n);
    return QN_OK;
}

qn_status qn__gguf_read(struct qn__model_file *f, struct qn__mapping first, const char *path)
{
    struct part part;
    QN_TRY(read_file(&part, f, first));
    if (part.n_files <= 1)
        return QN_OK;
    if (part.index != 0)
        return qn__fail(QN_E_UNSUPPORTED,
                        "this is file %" PRIu64 " of a split model; open the first (its name ends "
                        "in -00001-of-%05" PRIu64 ".gguf)",
                        part.index + 1, part.n_files);
    for (uint64_t i = 1; i < part.n_files; i++) {
        char *name = path ? part_path(path, i, part.n_files) : NULL;
        if (!name)
            return qn__fail(QN_E_UNSUPPORTED,
                            "the first of %" PRIu64 " files must be opened under a name that ends "
                            "in -00001-of-%05" PRIu64 ".gguf",
                            part.n_files, part.n_files);
        qn_status s = read_part(f, name, i, part.n_files);
        if (s != QN_OK && !qn__starts_with(qn_message(), name))
            s = qn__fail_prefix(s, "%s", name);
        free(name);
        QN_TRY(s);
    }
    if (part.n_tensors_of_all && part.n_tensors_of_all != f->n_tensors)
        return qn__fail(QN_E_CORRUPT,
                        "split.tensors.count: %" PRIu64 ", but the files have %u tensors",
                        part.n_tensors_of_all, f->n_tensors);
    return QN_OK;
}
