/* SPDX-License-Identifier: Apache-2.0
 *
 * A model file that is open: its tensors and facts, found by name and read by type. Opening is in
 * model_open.c, putting together in model_build.c. */
#include "engine/model_file.h"

#include "engine/model_build.h"
#include "engine/stored_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void qn__model_file_close(struct qn__model_file *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->n_mappings; i++)
        if (f->mappings[i].is_mapped) {
            munmap((void *)(uintptr_t)f->mappings[i].bytes, f->mappings[i].n);
            close(f->mappings[i].fd);
        }
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

qn_status qn__model_file_check_unchanged(const struct qn__model_file *f)
{
    for (uint32_t i = 0; i < f->n_mappings; i++) {
        const struct qn__mapping *m = &f->mappings[i];
        struct stat st;
        if (!m->is_mapped)
            continue;
        if (fstat(m->fd, &st) != 0)
            return qn__fail_errno("%s", f->path);
        if ((uint64_t)st.st_size != m->n || qn__model_file_time(&st) != m->changed_ns)
            return qn__fail(QN_E_IO, "%s: the file was changed while it was in use", f->path);
    }
    return QN_OK;
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

uint32_t qn__model_file_n_warnings(const struct qn__model_file *f)
{
    return f->n_warnings;
}

const char *qn__model_file_warning(const struct qn__model_file *f, uint32_t index)
{
    assert(index < f->n_warnings);
    return f->warnings[index];
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
