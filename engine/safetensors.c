/* SPDX-License-Identifier: Apache-2.0
 *
 * safetensors:
 *
 *     u64 n, little endian
 *     n bytes of JSON: {"name": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}, ...}
 *     the data; offsets count from here
 *
 * A model is one such file, or several that an index names, in a folder with config.json and
 * tokenizer.json (hf_folder.h). Shapes are written the contiguous axis last, GGUF's first. */
#include "engine/safetensors.h"

#include "base/file.h"
#include "base/wire.h"
#include "engine/hf_config.h"
#include "engine/hf_folder.h"
#include "engine/hf_mxfp4.h"
#include "engine/hf_tokenizer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES_MAX = 100 << 20, PARTS_MAX = 4000 };

struct reader {
    struct qn__model_file *f;
    struct qn__hf_model model;
    const char *folder;
    bool is_adapter;
    const struct qn__hf_part **parts; /* of experts, the last one found; NULL: there can be none */
};

static const struct {
    const char *dtype;
    enum qn__format_id format;
    uint32_t elem_bytes;
} dtypes[] = {{"F32", QN__FORMAT_f32, 4}, {"F16", QN__FORMAT_f16, 2}, {"BF16", QN__FORMAT_bf16, 2}};

/* -- one tensor -- */

/* An array of n whole numbers >= 0. */
static bool read_numbers(uint64_t *out, size_t n, const json_t *array)
{
    if (!json_is_array(array) || json_array_size(array) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            return false;
        out[i] = (uint64_t)json_integer_value(number);
    }
    return true;
}

static qn_status read_shape(struct qn__tensor *t, const json_t *shape)
{
    uint64_t theirs[4];
    const size_t n = json_array_size(shape);
    if (n < 1 || n > 4 || !read_numbers(theirs, n, shape))
        return qn__fail(QN_E_CORRUPT, "tensor '%s': shape is no array of 1 to 4 numbers", t->name);
    t->n_dims = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        t->shape[i] = theirs[n - 1 - i];
    return QN_OK;
}

/* A part of experts, which are made when all have been found. */
static qn_status keep_part(const struct reader *r, struct qn__tensor *t, const char *ours)
{
    struct qn__hf_part *part = qn__arena_alloc(&r->f->arena, 1, sizeof *part);
    t->name = qn__arena_strdup(&r->f->arena, ours);
    if (!part || !t->name)
        return qn__fail(QN_E_MEMORY, "no memory for tensor '%s'", ours);
    for (const struct qn__hf_part *p = *r->parts; p; p = p->before)
        if (!strcmp(p->t.name, ours))
            return qn__fail(QN_E_CORRUPT, "tensor '%s' is there twice", ours);
    *part = (struct qn__hf_part){.t = *t, .before = *r->parts};
    *r->parts = part;
    return QN_OK;
}

/* Bytes, which are no format's. */
static qn_status measure_bytes(struct qn__tensor *t)
{
    t->bytes = 1;
    for (uint32_t i = 0; i < 4; i++) {
        t->shape[i] = i < t->n_dims ? t->shape[i] : 1;
        if (t->shape[i] == 0 || t->bytes > UINT64_MAX / t->shape[i])
            return qn__fail(QN_E_CORRUPT, "tensor '%s': a shape that has no size", t->name);
        t->bytes *= t->shape[i];
    }
    return QN_OK;
}

static qn_status read_tensor(const struct reader *r, const char *theirs, const json_t *fields,
                             const unsigned char *data, size_t data_bytes)
{
    struct qn__hf_name name;
    struct qn__tensor t = {0};
    uint64_t ends[2];
    QN_TRY(qn__model_name_check(theirs, strlen(theirs), "tensor", r->f->n_tensors));
    QN_TRY(r->is_adapter ? qn__hf_adapter_name_map(&name, r->model.family, theirs)
                         : qn__hf_name_map(&name, r->model.family, r->model.tied_head, theirs));
    const char *dtype = json_string_value(json_object_get(fields, "dtype"));
    if (!dtype)
        return qn__fail(QN_E_CORRUPT, "tensor '%s': dtype is missing", theirs);
    if (!read_numbers(ends, 2, json_object_get(fields, "data_offsets")) || ends[0] > ends[1] ||
        ends[1] > data_bytes)
        return qn__fail(QN_E_CORRUPT,
                        "tensor '%s': data_offsets are no two numbers up to the data's %zu bytes",
                        theirs, data_bytes);
    if (name.is_ignored && r->is_adapter)
        qn__model_file_warn(r->f, "tensor '%.96s' is not read: the model's own is computed with",
                            theirs);
    if (name.is_ignored)
        return QN_OK;
    uint32_t elem_bytes = 0;
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (strcmp(dtypes[i].dtype, dtype) != 0)
            continue;
        t.format = qn__format_get(dtypes[i].format);
        elem_bytes = dtypes[i].elem_bytes;
    }
    const bool is_bytes = name.is_part && !strcmp(dtype, "U8");
    if (name.is_part && is_bytes == qn__ends_with(name.ours, ".bias"))
        return qn__fail(QN_E_UNSUPPORTED, "tensor '%s': dtype '%.16s': blocks and scales are U8",
                        theirs, dtype);
    if (!t.format && !is_bytes)
        return qn__fail(QN_E_UNSUPPORTED,
                        "tensor '%s': dtype '%.16s'; Quern reads F32, F16 and BF16", theirs, dtype);
    t.name = theirs; /* in messages */
    QN_TRY(read_shape(&t, json_object_get(fields, "shape")));
    QN_TRY(is_bytes ? measure_bytes(&t) : qn__tensor_measure(&t));
    if (t.bytes != ends[1] - ends[0])
        return qn__fail(QN_E_CORRUPT,
                        "tensor '%s': data_offsets leave %" PRIu64
                        " bytes, its shape needs %" PRIu64,
                        theirs, ends[1] - ends[0], t.bytes);
    t.data = data + ends[0];
    t.plus_one = name.plus_one;
    if (!is_bytes && (uintptr_t)t.data % elem_bytes != 0)
        return qn__fail(QN_E_UNSUPPORTED,
                        "tensor '%s': its data begins at an odd address; write the file again with "
                        "a current version of the safetensors package",
                        theirs);
    if (name.is_part)
        return keep_part(r, &t, name.ours);
    t.name = qn__arena_strdup(&r->f->arena, name.ours);
    if (!t.name)
        return qn__fail(QN_E_MEMORY, "no memory for tensor '%s'", theirs);
    return qn__model_file_add_tensor(r->f, &t);
}

/* -- one file -- */

static qn_status read_bytes(const struct reader *r, struct qn__mapping m)
{
    const uint64_t n = m.n >= 8 ? qn__get_u64(m.bytes) : 0;
    if (m.n < 8 || n < 2 || n > HEADER_BYTES_MAX || n > m.n - 8)
        return qn__fail(QN_E_CORRUPT,
                        "not a safetensors file: a header of %" PRIu64 " bytes in a file of %zu", n,
                        m.n);
    json_error_t error;
    json_t *header =
        json_loadb((const char *)m.bytes + 8, (size_t)n, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(header)) {
        json_decref(header);
        return qn__fail(QN_E_CORRUPT, "the header is no JSON object: %s",
                        header ? "it is another value" : error.text);
    }
    qn_status s = QN_OK;
    const char *name;
    json_t *fields;
    json_object_foreach(header, name, fields)
    {
        if (s == QN_OK && strcmp(name, "__metadata__") != 0)
            s = read_tensor(r, name, fields, m.bytes + 8 + n, m.n - 8 - (size_t)n);
    }
    json_decref(header);
    return s;
}

static qn_status read_file(const struct reader *r, const char *name)
{
    struct qn__mapping m;
    char *path = qn__path_join(r->folder, name);
    if (!path)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    qn_status s = qn__model_file_map(&m, r->f, path);
    if (s == QN_OK)
        s = read_bytes(r, m);
    if (s != QN_OK && !qn__starts_with(qn_message(), path))
        qn__fail_prefix(s, "%s", path);
    free(path);
    return s;
}

/* -- several files -- */

/* The index says which file has which tensor; each file is read once. */
static qn_status read_index(const struct reader *r, const char *index_name)
{
    json_t *index, *files = json_object(); /* as a set */
    const char *name;
    json_t *file;
    qn_status s = qn__hf_load(&index, r->folder, index_name, 0);
    const json_t *map = json_object_get(index, "weight_map");
    if (s == QN_OK && !json_is_object(map))
        s = qn__fail(QN_E_CORRUPT, "%s: weight_map is missing", index_name);
    json_object_foreach((json_t *)(uintptr_t)map, name, file)
    {
        const char *text = json_string_value(file);
        if (s == QN_OK && (!text || strchr(text, '/') || !qn__ends_with(text, ".safetensors")))
            s = qn__fail(QN_E_CORRUPT,
                         "%s: tensor '%.128s' is not in a .safetensors file of the same folder",
                         index_name, name);
        if (s == QN_OK && json_object_set_new(files, text, json_true()) != 0)
            s = qn__fail(QN_E_MEMORY, "%s: no memory", index_name);
    }
    if (s == QN_OK && json_object_size(files) > PARTS_MAX)
        s = qn__fail(QN_E_LIMIT, "%s: more than %d files", index_name, PARTS_MAX);
    json_object_foreach(files, name, file)
    {
        if (s == QN_OK)
            s = read_file(r, name);
    }
    json_decref(files);
    json_decref(index);
    return s;
}

/* -- the folder -- */

static bool is_in(const char *folder, const char *name)
{
    char *path = qn__path_join(folder, name);
    const bool is_there = path && qn__file_exists(path);
    free(path);
    return is_there;
}

static qn_status read_folder(struct reader *r, const char *weights)
{
    static const char one[] = "model.safetensors", many[] = "model.safetensors.index.json";
    json_t *config;
    const struct qn__hf_part *parts = NULL;
    r->parts = &parts;
    if (!weights)
        weights = is_in(r->folder, many) ? many : one;
    QN_TRY(qn__hf_load(&config, r->folder, "config.json", 0));
    qn_status s = qn__hf_config_read(&r->model, r->f, config, r->folder);
    if (s == QN_OK)
        s = qn__ends_with(weights, ".json") ? read_index(r, weights) : read_file(r, weights);
    if (s == QN_OK)
        s = qn__hf_mxfp4_unite(r->f, parts);
    if (s == QN_OK) /* last: the embedding says how many tokens there can be */
        s = qn__hf_tokenizer_read(r->f, config, r->folder);
    json_decref(config);
    return s;
}

qn_status qn__safetensors_read(struct qn__model_file *f, const char *path)
{
    const bool is_folder = qn__file_is_dir(path);
    char *folder = is_folder ? NULL : qn__path_dir(path);
    if (!is_folder && !folder)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    struct reader r = {.f = f, .folder = is_folder ? path : folder};
    const qn_status s = read_folder(&r, is_folder ? NULL : qn__path_base(path));
    free(folder);
    return s;
}

qn_status qn__safetensors_read_adapter(struct qn__model_file *f, const char *path,
                                       enum qn__hf_family family)
{
    char *folder = qn__path_dir(path);
    if (!folder)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    const struct reader r = {
        .f = f, .model = {.family = family}, .folder = folder, .is_adapter = true};
    const qn_status s = read_file(&r, qn__path_base(path));
    free(folder);
    return s;
}

qn_status qn__safetensors_read_bytes(struct qn__model_file *f, struct qn__mapping bytes,
                                     bool is_adapter)
{
    const struct qn__hf_part *parts = NULL;
    const struct reader r = {.f = f,
                             .model = {.family = is_adapter ? QN__HF_LLAMA : QN__HF_GPT_OSS},
                             .folder = ".",
                             .is_adapter = is_adapter,
                             .parts = &parts};
    QN_TRY(read_bytes(&r, bytes));
    return qn__hf_mxfp4_unite(f, parts);
}
