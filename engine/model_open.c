/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a model file: which reader, by the path's ending; what a container looks like is in
 * gguf.c and safetensors.c. */
#include "engine/model_open.h"

#include "base/file.h"
#include "base/str.h"
#include "engine/gguf.h"
#include "engine/model_build.h"
#include "engine/peft.h"
#include "engine/safetensors.h"

static qn_status read_path(struct qn__model_file *f, const char *path)
{
    struct qn__mapping first;
    if (qn__file_is_dir(path) || qn__ends_with(path, ".json") ||
        qn__ends_with(path, ".safetensors"))
        return qn__safetensors_read(f, path);
    QN_TRY(qn__model_file_map(&first, f, path));
    return qn__gguf_read(f, first, path);
}

static qn_status read_adapter(struct qn__model_file *f, const char *path, const char *family)
{
    struct qn__mapping first;
    if (qn__file_is_dir(path) || qn__ends_with(path, ".json") ||
        qn__ends_with(path, ".safetensors"))
        return qn__peft_read(f, path, family);
    QN_TRY(qn__model_file_map(&first, f, path));
    return qn__gguf_read(f, first, path);
}

/* adapter_of: the family of the model that it is an adapter for; NULL: it is a model */
static qn_status open_file(struct qn__model_file **out, const char *path, struct qn__mapping bytes,
                           const char *adapter_of)
{
    *out = NULL;
    struct qn__model_file *f = qn__alloc(1, sizeof *f);
    if (!f)
        return qn__fail(QN_E_MEMORY, "no memory for a model file");
    qn_status s = QN_OK;
    f->path = qn__arena_strdup(&f->arena, path ? path : "");
    if (!f->path)
        s = qn__fail(QN_E_MEMORY, "no memory for a model file");
    if (s == QN_OK && adapter_of)
        s = read_adapter(f, path, adapter_of);
    else if (s == QN_OK)
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
    return open_file(out, path, (struct qn__mapping){0}, NULL);
}

qn_status qn__model_file_open_bytes(struct qn__model_file **out, const void *bytes,
                                    size_t size_bytes)
{
    return open_file(out, NULL, (struct qn__mapping){.bytes = bytes, .n = size_bytes}, NULL);
}

qn_status qn__adapter_file_open(struct qn__model_file **out, const char *path, const char *family)
{
    return open_file(out, path, (struct qn__mapping){0}, family);
}
