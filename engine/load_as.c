/* SPDX-License-Identifier: Apache-2.0
 *
 * The converted model lies in a file and not in memory, so that the system may put its pages aside
 * like those of any model that is mapped. */
#include "engine/load_as.h"

#include "base/file.h"
#include "engine/convert_model.h"
#include "engine/model_build.h"
#include "engine/model_open.h"

#include <stdlib.h>

static qn_status open_converted(struct qn__model_file **out, const char *path, const char *folder,
                                const qn_model_options *o)
{
    char *const made = qn__path_join(folder, "model.gguf");
    if (!made)
        return qn__fail(QN_E_MEMORY, "no memory for a model file");
    qn_status s =
        qn__model_convert(made, path, o->load_as, o->load_threads, o->load_progress, o->payload);
    if (s == QN_OK)
        s = qn__model_file_open(out, made);
    if (s == QN_E_IO)
        s = qn__fail_prefix(s, "as %s (the folder is TMPDIR's)", o->load_as);
    free(made);
    return s;
}

qn_status qn__model_file_open_as(struct qn__model_file **out, const char *path,
                                 const qn_model_options *options)
{
    char *folder;
    *out = NULL;
    QN_TRY(qn__temp_dir_create(&folder));
    qn_status s = open_converted(out, path, folder, options);
    struct qn__message message = {0};
    qn__message_save(&message);
    qn__temp_dir_remove(folder);
    free(folder);
    qn__message_restore(&message);
    if (s == QN_OK && !((*out)->path = qn__arena_strdup(&(*out)->arena, path))) {
        qn__model_file_close(*out);
        *out = NULL;
        s = qn__fail(QN_E_MEMORY, "no memory for a model file");
    }
    return s;
}
