/* SPDX-License-Identifier: Apache-2.0
 *
 * Model files: which reader, the mapping, names, facts. What a container looks like is in gguf.c
 * and safetensors.c. */
#include "base/file.h"
#include "base/wire.h"
#include "engine/model_file_parts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES_MAX = 255, MAPPINGS_MAX = 4096 };

/* -- opening -- */

qn_status qn__model_file_map(struct qn__mapping *out, struct qn__model_file *f, const char *path)
{
    *out = (struct qn__mapping){0};
    if (f->n_mappings == MAPPINGS_MAX)
        return qn__fail(QN_E_LIMIT, "%s: a model of more than %d files", path, MAPPINGS_MAX);
    struct qn__mapping *more = realloc(f->mappings, (f->n_mappings + 1) * sizeof *more);
    if (!more)
        return qn__fail(QN_E_MEMORY, "%s: no memory", path);
    f->mappings = more;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return qn__fail_errno("%s", path);
    struct stat st;
    qn_status s = QN_OK;
    if (fstat(fd, &st) != 0)
        s = qn__fail_errno("%s", path);
    else if (!S_ISREG(st.st_mode))
        s = qn__fail(QN_E_IO, "%s: not a regular file", path);
    else if (st.st_size == 0)
        s = qn__fail(QN_E_CORRUPT, "%s: the file is empty", path);
    if (s == QN_OK) {
        void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            s = qn__fail_errno("%s: map", path);
        else
            f->mappings[f->n_mappings++] = *out =
                (struct qn__mapping){bytes, (size_t)st.st_size, true};
    }
    close(fd);
    return s;
}

static qn_status read_path(struct qn__model_file *f, const char *path)
{
    struct qn__mapping first;
    if (qn__file_is_dir(path) || qn__ends_with(path, ".json") ||
        qn__ends_with(path, ".safetensors"))
        return qn__safetensors_read(f, path);
    QN_TRY(qn__model_file_map(&first, f, path));
    return qn__gguf_read(f, first, path);
}

static qn_status open_file(struct qn__model_file **out, const char *path, struct qn__mapping bytes)
{
    *out = NULL;
    struct qn__model_file *f = qn__alloc(1, sizeof *f);
    if (!f)
        return qn__fail(QN_E_MEMORY, "no memory for a model file");
    qn_status s = QN_OK;
    f->path = qn__arena_strdup(&f->arena, path ? path : "");
    if (!f->path)
        s = qn__fail(QN_E_MEMORY, "no memory for a model file");
    if (s == QN_OK)
        s = path ? read_path(f, path) : qn__gguf_read(f, bytes, NULL);
    if (s == QN_OK)
        s = qn__model_file_seal(f);
    if (s != QN_OK) {
        if (path && !qn__starts_with(qn_message(), path))
            qn__fail_prefix(s, "%s", path);
        qn__model_file_close(f);
        return s;
    }
    *out = f;
    return QN_OK;
}

qn_status qn__model_file_open(struct qn__model_file **out, const char *path)
{
    return open_file(out, path, (struct qn__mapping){0});
}

qn_status qn__model_file_open_bytes(struct qn__model_file **out, const void *bytes,
                                    size_t size_bytes)
{
    return open_file(out, NULL, (struct qn__mapping){bytes, size_bytes, false});
}

void qn__model_file_close(struct qn__model_file *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->n_mappings; i++)
        if (f->mappings[i].is_mapped)
            munmap((void *)(uintptr_t)f->mappings[i].bytes, f->mappings[i].n);
    free(f->mappings);
    free(f->tensors);
    free(f->facts);
    free(f->tensors_by_name);
    free(f->facts_by_key);
    qn__arena_release(&f->arena);
    free(f);
}

const char *qn__model_file_path(const struct qn__model_file *f)
{
    return f->path;
}

uint64_t qn__model_file_bytes(const struct qn__model_file *f)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->n_mappings; i++)
        sum += f->mappings[i].n;
    return sum;
}

/* -- putting together -- */

/* One more element behind `*n` of them. */
static qn_status grow(void **items, uint32_t n, uint32_t *capacity, size_t item_bytes)
{
    if (n < *capacity)
        return QN_OK;
    const size_t wanted = *capacity ? (size_t)*capacity * 2 : 64;
    void *more = wanted <= UINT32_MAX / 2 ? realloc(*items, wanted * item_bytes) : NULL;
    if (!more)
        return qn__fail(QN_E_MEMORY, "no memory for %zu names", wanted);
    *items = more;
    *capacity = (uint32_t)wanted;
    return QN_OK;
}

qn_status qn__model_name_check(const char *name, size_t n, const char *what, uint64_t index)
{
    if (n == 0 || n > NAME_BYTES_MAX)
        return qn__fail(QN_E_CORRUPT, "%s %" PRIu64 ": a name of %zu bytes, 1 to %d are possible",
                        what, index, n, NAME_BYTES_MAX);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            return qn__fail(QN_E_CORRUPT, "%s %" PRIu64 ": its name has the control character %u",
                            what, index, (unsigned char)name[i]);
    return QN_OK;
}

qn_status qn__tensor_measure(struct qn__tensor *t)
{
    if (t->n_dims < 1 || t->n_dims > 4)
        return qn__fail(QN_E_CORRUPT, "tensor '%s': %u axes, 1 to 4 are possible", t->name,
                        t->n_dims);
    uint64_t elems = 1;
    for (uint32_t i = 0; i < 4; i++) {
        if (i >= t->n_dims)
            t->shape[i] = 1;
        if (t->shape[i] == 0)
            return qn__fail(QN_E_CORRUPT, "tensor '%s': axis %u has 0 elements", t->name, i);
        if (t->shape[i] > INT64_MAX / 4 / elems)
            return qn__fail(QN_E_CORRUPT, "tensor '%s': axis %u of %" PRIu64 " elements: too many",
                            t->name, i, t->shape[i]);
        elems *= t->shape[i];
    }
    if (t->shape[0] % t->format->block_elems != 0)
        return qn__fail(QN_E_CORRUPT,
                        "tensor '%s': rows of %" PRIu64
                        " elements are no whole number of %s blocks of %u",
                        t->name, t->shape[0], t->format->name, t->format->block_elems);
    t->bytes = elems / t->format->block_elems * t->format->block_bytes;
    return QN_OK;
}

qn_status qn__model_file_add_tensor(struct qn__model_file *f, const struct qn__tensor *t)
{
    QN_TRY(grow((void **)&f->tensors, f->n_tensors, &f->tensors_capacity, sizeof *t));
    f->tensors[f->n_tensors++] = *t;
    return QN_OK;
}

qn_status qn__model_file_add_fact(struct qn__model_file *f, const char *key,
                                  struct qn__stored_fact fact)
{
    QN_TRY(grow((void **)&f->facts, f->n_facts, &f->facts_capacity, sizeof fact));
    fact.fact.key = qn__arena_strdup(&f->arena, key);
    if (!fact.fact.key)
        return qn__fail(QN_E_MEMORY, "no memory for the fact '%s'", key);
    f->facts[f->n_facts++] = fact;
    return QN_OK;
}

qn_status qn__model_file_add_u64(struct qn__model_file *f, const char *key, uint64_t value)
{
    return qn__model_file_add_fact(
        f, key,
        (struct qn__stored_fact){.fact = {.kind = QN__FACT_U64, .value.u64 = value},
                                 .number = value <= UINT32_MAX ? QN__NUMBER_U32 : QN__NUMBER_U64});
}

qn_status qn__model_file_add_f64(struct qn__model_file *f, const char *key, double value)
{
    return qn__model_file_add_fact(
        f, key,
        (struct qn__stored_fact){.fact = {.kind = QN__FACT_F64, .value.f64 = value},
                                 .number = QN__NUMBER_F32});
}

qn_status qn__model_file_add_bool(struct qn__model_file *f, const char *key, bool value)
{
    return qn__model_file_add_fact(
        f, key,
        (struct qn__stored_fact){.fact = {.kind = QN__FACT_BOOL, .value.boolean = value},
                                 .number = QN__NUMBER_BOOL});
}

qn_status qn__model_file_add_text(struct qn__model_file *f, const char *key, const char *value)
{
    return qn__model_file_add_fact(
        f, key,
        (struct qn__stored_fact){
            .fact = {.kind = QN__FACT_TEXT, .value.text = {value, strlen(value)}}});
}

/* -- sealing -- */

struct named {
    const char *name;
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* Sort n names (taken from items `stride` bytes apart, at `offset`) into *order. */
static qn_status sort_names(uint32_t **order, const void *items, uint32_t n, size_t stride,
                            size_t offset, const char *what)
{
    struct named *names = qn__alloc(n, sizeof *names);
    *order = qn__alloc(n, sizeof **order);
    if (!names || !*order) {
        free(names);
        return qn__fail(QN_E_MEMORY, "no memory for %u names", n);
    }
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&names[i].name, (const char *)items + i * stride + offset, sizeof names[i].name);
        names[i].index = i;
    }
    qsort(names, n, sizeof *names, by_name);
    qn_status s = QN_OK;
    for (uint32_t i = 0; i < n && s == QN_OK; i++) {
        (*order)[i] = names[i].index;
        if (i && !strcmp(names[i - 1].name, names[i].name))
            s = qn__fail(QN_E_CORRUPT, "%s '%s' is there twice", what, names[i].name);
    }
    free(names);
    return s;
}

static int by_address(const void *a, const void *b)
{
    const struct qn__tensor *x = *(const struct qn__tensor *const *)a,
                            *y = *(const struct qn__tensor *const *)b;
    return ((uintptr_t)x->data > (uintptr_t)y->data) - ((uintptr_t)x->data < (uintptr_t)y->data);
}

static qn_status check_overlap(const struct qn__model_file *f)
{
    const struct qn__tensor **sorted = qn__alloc(f->n_tensors, sizeof *sorted);
    if (!sorted)
        return qn__fail(QN_E_MEMORY, "no memory for %u tensors", f->n_tensors);
    for (uint32_t i = 0; i < f->n_tensors; i++)
        sorted[i] = &f->tensors[i];
    qsort(sorted, f->n_tensors, sizeof *sorted, by_address);
    qn_status s = QN_OK;
    for (uint32_t i = 1; i < f->n_tensors && s == QN_OK; i++)
        if ((uintptr_t)sorted[i]->data - (uintptr_t)sorted[i - 1]->data < sorted[i - 1]->bytes)
            s = qn__fail(QN_E_CORRUPT, "tensor '%s': its offset lies inside tensor '%s'",
                         sorted[i]->name, sorted[i - 1]->name);
    free(sorted);
    return s;
}

qn_status qn__model_file_seal(struct qn__model_file *f)
{
    QN_TRY(sort_names(&f->facts_by_key, f->facts, f->n_facts, sizeof *f->facts,
                      offsetof(struct qn__stored_fact, fact.key), "fact"));
    QN_TRY(sort_names(&f->tensors_by_name, f->tensors, f->n_tensors, sizeof *f->tensors,
                      offsetof(struct qn__tensor, name), "tensor"));
    return check_overlap(f);
}

/* -- tensors -- */

uint32_t qn__model_file_n_tensors(const struct qn__model_file *f)
{
    return f->n_tensors;
}

const struct qn__tensor *qn__model_file_tensor(const struct qn__model_file *f, uint32_t index)
{
    assert(index < f->n_tensors);
    return &f->tensors[index];
}

const struct qn__tensor *qn__model_file_find(const struct qn__model_file *f, const char *name)
{
    uint32_t low = 0, high = f->n_tensors;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct qn__tensor *t = &f->tensors[f->tensors_by_name[middle]];
        const int order = strcmp(name, t->name);
        if (order == 0)
            return t;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* -- facts -- */

uint32_t qn__model_file_n_facts(const struct qn__model_file *f)
{
    return f->n_facts;
}

const struct qn__fact *qn__model_file_fact(const struct qn__model_file *f, uint32_t index)
{
    assert(index < f->n_facts);
    return &f->facts[index].fact;
}

const struct qn__fact *qn__fact_find(const struct qn__model_file *f, const char *key)
{
    uint32_t low = 0, high = f->n_facts;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct qn__fact *fact = &f->facts[f->facts_by_key[middle]].fact;
        const int order = strcmp(key, fact->key);
        if (order == 0)
            return fact;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

uint32_t qn__fact_bytes(enum qn__number number)
{
    switch (number) {
    case QN__NUMBER_U8:
    case QN__NUMBER_I8:
    case QN__NUMBER_BOOL: return 1;
    case QN__NUMBER_U16:
    case QN__NUMBER_I16: return 2;
    case QN__NUMBER_U32:
    case QN__NUMBER_I32:
    case QN__NUMBER_F32: return 4;
    case QN__NUMBER_U64:
    case QN__NUMBER_I64:
    case QN__NUMBER_F64: return 8;
    }
    return 0;
}

static struct qn__fact fact_u64(uint64_t value)
{
    return (struct qn__fact){.kind = QN__FACT_U64, .value.u64 = value};
}

static struct qn__fact fact_i64(int64_t value)
{
    return (struct qn__fact){.kind = QN__FACT_I64, .value.i64 = value};
}

struct qn__fact qn__number_read(enum qn__number number, const unsigned char *bytes)
{
    float f32;
    double f64;
    uint32_t u32;
    uint64_t u64;
    switch (number) {
    case QN__NUMBER_U8: return fact_u64(bytes[0]);
    case QN__NUMBER_I8: return fact_i64((int8_t)bytes[0]);
    case QN__NUMBER_BOOL:
        return (struct qn__fact){.kind = QN__FACT_BOOL, .value.boolean = bytes[0] != 0};
    case QN__NUMBER_U16: return fact_u64((uint16_t)(bytes[0] | bytes[1] << 8));
    case QN__NUMBER_I16: return fact_i64((int16_t)(bytes[0] | bytes[1] << 8));
    case QN__NUMBER_U32: return fact_u64(qn__get_u32(bytes));
    case QN__NUMBER_I32: return fact_i64((int32_t)qn__get_u32(bytes));
    case QN__NUMBER_F32:
        u32 = qn__get_u32(bytes);
        memcpy(&f32, &u32, sizeof f32);
        return (struct qn__fact){.kind = QN__FACT_F64, .value.f64 = f32};
    case QN__NUMBER_U64: return fact_u64(qn__get_u64(bytes));
    case QN__NUMBER_I64: return fact_i64((int64_t)qn__get_u64(bytes));
    case QN__NUMBER_F64:
        u64 = qn__get_u64(bytes);
        memcpy(&f64, &u64, sizeof f64);
        return (struct qn__fact){.kind = QN__FACT_F64, .value.f64 = f64};
    }
    return (struct qn__fact){0};
}

struct qn__fact qn__fact_element(const struct qn__model_file *f, const struct qn__fact *array,
                                 uint64_t index)
{
    (void)f;
    assert(array->kind == QN__FACT_ARRAY && index < array->value.array.n);
    const struct qn__stored_fact *stored = (const struct qn__stored_fact *)(const void *)array;
    struct qn__fact element;
    if (array->value.array.kind == QN__FACT_TEXT) {
        const uint64_t start = stored->starts[index];
        element.kind = QN__FACT_TEXT;
        element.value.text.bytes = stored->texts + start;
        element.value.text.n = (size_t)(stored->starts[index + 1] - start - 1);
    } else {
        element = qn__number_read(stored->number,
                                  stored->elements + index * qn__fact_bytes(stored->number));
    }
    element.key = array->key;
    return element;
}

static qn_status get(const struct qn__fact **out, const struct qn__model_file *f, const char *key)
{
    *out = qn__fact_find(f, key);
    return *out ? QN_OK : qn__fail(QN_E_NOT_FOUND, "the file has no fact '%s'", key);
}

qn_status qn__fact_u32(uint32_t *out, const struct qn__model_file *f, const char *key)
{
    const struct qn__fact *fact;
    *out = 0;
    QN_TRY(get(&fact, f, key));
    if (fact->kind == QN__FACT_U64 && fact->value.u64 <= UINT32_MAX)
        *out = (uint32_t)fact->value.u64;
    else if (fact->kind == QN__FACT_I64 && fact->value.i64 >= 0 && fact->value.i64 <= UINT32_MAX)
        *out = (uint32_t)fact->value.i64;
    else
        return qn__fail(QN_E_CORRUPT, "fact '%s': not a number from 0 to 4294967295", key);
    return QN_OK;
}

qn_status qn__fact_f32(float *out, const struct qn__model_file *f, const char *key)
{
    const struct qn__fact *fact;
    double value;
    *out = 0;
    QN_TRY(get(&fact, f, key));
    switch (fact->kind) {
    case QN__FACT_F64: value = fact->value.f64; break;
    case QN__FACT_U64: value = (double)fact->value.u64; break;
    case QN__FACT_I64: value = (double)fact->value.i64; break;
    default: return qn__fail(QN_E_CORRUPT, "fact '%s': not a number", key);
    }
    if (!isfinite(value) || !isfinite((float)value))
        return qn__fail(QN_E_CORRUPT, "fact '%s': not a finite number", key);
    *out = (float)value;
    return QN_OK;
}

qn_status qn__fact_bool(bool *out, const struct qn__model_file *f, const char *key)
{
    const struct qn__fact *fact;
    *out = false;
    QN_TRY(get(&fact, f, key));
    if (fact->kind != QN__FACT_BOOL)
        return qn__fail(QN_E_CORRUPT, "fact '%s': neither true nor false", key);
    *out = fact->value.boolean;
    return QN_OK;
}

qn_status qn__fact_text(const char **out, const struct qn__model_file *f, const char *key)
{
    const struct qn__fact *fact;
    *out = "";
    QN_TRY(get(&fact, f, key));
    if (fact->kind != QN__FACT_TEXT)
        return qn__fail(QN_E_CORRUPT, "fact '%s': not a text", key);
    if (strlen(fact->value.text.bytes) != fact->value.text.n)
        return qn__fail(QN_E_CORRUPT, "fact '%s': a 0 inside the text", key);
    *out = fact->value.text.bytes;
    return QN_OK;
}
