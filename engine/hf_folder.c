/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON files of a model's folder, and its chat template. */
#include "engine/hf_folder.h"

#include "base/file.h"

#include <stdlib.h>

enum { JSON_BYTES_MAX = 256 << 20 };

qn_status qn__hf_load(json_t **out, const char *folder, const char *name, size_t flags)
{
    char *bytes = NULL, *path = qn__path_join(folder, name);
    size_t n;
    json_error_t error;
    *out = NULL;
    if (!path)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    qn_status s = QN_OK;
    if (!qn__file_exists(path))
        s = qn__fail(QN_E_NOT_FOUND, "%s: there is no such file", path);
    if (s == QN_OK)
        s = qn__file_read(&bytes, &n, path, JSON_BYTES_MAX);
    if (s == QN_OK && !(*out = json_loadb(bytes, n, JSON_REJECT_DUPLICATES | flags, &error)))
        s = qn__fail(QN_E_CORRUPT, "%s:%d: %s", path, error.line, error.text);
    if (s == QN_OK && !json_is_object(*out))
        s = qn__fail(QN_E_CORRUPT, "%s: no JSON object", path);
    if (s != QN_OK) {
        json_decref(*out);
        *out = NULL;
    }
    free(bytes);
    free(path);
    return s;
}

qn_status qn__hf_load_template(json_t **settings, const char *folder)
{
    char *text = NULL, *path = qn__path_join(folder, "chat_template.jinja");
    size_t n;
    if (!path)
        return qn__fail(QN_E_MEMORY, "no memory for a path");
    qn_status s = QN_OK;
    if (!qn__file_exists(path))
        goto out;
    s = qn__file_read(&text, &n, path, JSON_BYTES_MAX);
    if (s != QN_OK)
        goto out;
    if (!*settings)
        *settings = json_object();
    /* a text without zero bytes, which end it everywhere else */
    if (json_object_set_new(*settings, "chat_template", json_string(text)) != 0)
        s = qn__fail(QN_E_CORRUPT, "%s: no UTF-8", path);
out:
    free(text);
    free(path);
    return s;
}
