/* SPDX-License-Identifier: Apache-2.0
 *
 * Chat templates: the part of Jinja that models' templates use, run by Quern itself.
 *
 * A template comes with a model, so it is a stranger's program. It can read the values it is given
 * and write text, and nothing else: no file, no environment, no attribute that is no data. A run
 * ends after 20 million steps, 128 MiB or 300 levels with an error. What Jinja has and this lacks
 * is refused with the line and the name, never passed over. White space and values are as Jinja
 * treats them with trim_blocks, lstrip_blocks and break and continue, which is how transformers
 * runs templates.
 *
 * A parsed template is immutable: any thread. */
#ifndef QN_ENGINE_TEMPLATE_H
#define QN_ENGINE_TEMPLATE_H

#include "engine/template_value.h"

struct qn__template;

/* Every error says "chat template, line N: ...".
 * QN_E_INVALID, QN_E_UNSUPPORTED, QN_E_LIMIT, QN_E_MEMORY */
qn_status qn__template_parse(struct qn__template **out, const char *text, size_t n);
void qn__template_destroy(struct qn__template *t); /* NULL is fine */

/* Run it with these names; the text lies in the run's memory. */
qn_status qn__template_render(struct qn__template_text *out, struct qn__template_run *run,
                              const struct qn__template *t, const struct qn__value_dict *names);

/* A value of JSON, in the run's memory. Texts are foreign where the caller says so. */
struct json_t;
qn_status qn__template_json(struct qn__value *out, struct qn__template_run *run,
                            const struct json_t *json, bool foreign);

#endif
