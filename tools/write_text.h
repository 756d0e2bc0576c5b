/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop that makes text, and what of it is in the cache. */
#ifndef QN_TOOLS_WRITE_TEXT_H
#define QN_TOOLS_WRITE_TEXT_H

#include "tools/generation.h"

/* Feed the prompt, then write up to options->n_tokens tokens. `write` gets whole characters, in
 * pieces; bytes that are no UTF-8 arrive as U+FFFD. False from it ends the text, with
 * QN__FINISH_OUTPUT; Ctrl-C ends it with QN__FINISH_CANCEL, within the prompt too: g->n_prompt is
 * then less than n, and so much of it is in the cache. */
typedef bool (*qn__text_sink)(const char *text, size_t n_bytes, void *payload);
qn_status qn__generate(struct qn__generation *g, const int32_t *ids, uint32_t n,
                       qn__text_sink write, void *payload);

/* Go back to what the cache has in common with these tokens, at least one of which must be fed:
 * *n_common of them are there. */
qn_status qn__generation_rewind(uint32_t *n_common, struct qn__generation *g, const int32_t *ids,
                                uint32_t n);

/* The same from a saved prompt (qn_session_load()), as far as these tokens begin like it. */
qn_status qn__generation_resume(uint32_t *n_common, struct qn__generation *g, const char *path,
                                const int32_t *ids, uint32_t n);

#endif
