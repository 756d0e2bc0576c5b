/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the container GGUF, versions 2 and 3. */
#ifndef QN_ENGINE_GGUF_H
#define QN_ENGINE_GGUF_H

#include "engine/model_build.h"

/* Add what the file `first`, and the others of a split model, hold. path: where it was mapped from,
 * NULL for memory. QN_E_CORRUPT, QN_E_UNSUPPORTED, QN_E_IO */
qn_status qn__gguf_read(struct qn__model_file *f, struct qn__mapping first, const char *path);

#endif
