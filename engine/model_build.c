/* SPDX-License-Identifier: Apache-2.0
 *
 * Putting a model file together: mapping its files, adding facts and tensors, and sealing, which
 * sorts the names and checks what needs all of them. */
#include "engine/model_build.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES_MAX = 255, MAPPINGS_MAX = 4096 };

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
                (struct qn__mapping){bytes, (size_t)st.st_size, true, fd, qn__model_file_time(&st)};
    }
    if (s != QN_OK)
        close(fd);
    return s;
}

/* -- adding -- */

/* Room for one more element after n of them. */
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

/* -- warnings -- */

void qn__model_file_warn(struct qn__model_file *f, const char *format, ...)
{
    char text[256];
    va_list args;
    if (f->n_warnings == QN__WARNINGS_MAX)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    const bool is_last = f->n_warnings == QN__WARNINGS_MAX - 1;
    const char *kept = is_last ? "and more that is not known" : qn__arena_strdup(&f->arena, text);
    if (kept)
        f->warnings[f->n_warnings++] = kept;
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
