/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a model with its weights in another format. */
#ifndef QN_ENGINE_LOAD_AS_H
#define QN_ENGINE_LOAD_AS_H

#include "engine/model_file.h"

#include <quern/model.h>

/* The file, quantised to options->load_as in a file of its own that has no name any more once it is
 * open; messages name `path`. QN_E_IO (also: no room in TMPDIR), QN_E_INVALID (no such format),
 * QN_E_UNSUPPORTED (the weights are quantised already) */
qn_status qn__model_file_open_as(struct qn__model_file **out, const char *path,
                                 const qn_model_options *options);

#endif
