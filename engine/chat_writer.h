/* SPDX-License-Identifier: Apache-2.0
 *
 * What writing a conversation by a named template and by the model's own have in common. */
#ifndef QN_ENGINE_CHAT_WRITER_H
#define QN_ENGINE_CHAT_WRITER_H

#include "engine/chat.h"
#include "engine/template_value.h"

struct qn__chat_writer {
    struct qn__template_run *run;
    const struct qn__model_file *file;
    struct qn__text_builder text;
};

/* How the file writes its "bos", "eos", "unknown", "padding" token; NULL: it has none. */
const char *qn__chat_writer_token(const struct qn__model_file *f, const char *name);

#endif
