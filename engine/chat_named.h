/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversations by the templates that have names. */
#ifndef QN_ENGINE_CHAT_NAMED_H
#define QN_ENGINE_CHAT_NAMED_H

#include "engine/chat_writer.h"

qn_status qn__chat_write_named(struct qn__chat_writer *w, const char *name,
                               const struct qn__chat_message *messages, uint32_t n);
/* The error for this name, with those there are; NULL: for a model without a template. */
qn_status qn__chat_unknown_name(const char *name);

#endif
