/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversations by a template in Jinja. */
#ifndef QN_ENGINE_CHAT_TEMPLATE_H
#define QN_ENGINE_CHAT_TEMPLATE_H

#include "engine/chat_writer.h"

qn_status qn__chat_write_template(struct qn__chat_writer *w, const char *text,
                                  const struct qn__chat_message *messages, uint32_t n,
                                  const struct qn__chat_options *options);

#endif
