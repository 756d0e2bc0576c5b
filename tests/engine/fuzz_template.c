/* SPDX-License-Identifier: Apache-2.0
 *
 * Hostile chat templates: the first bytes are the template, run with a small conversation that has
 * something of every kind of value. What is written must be as long as it says, and no byte of a
 * text that the template wrote itself may count as foreign.
 * covers: engine/template engine/template_lexer engine/template_reader engine/template_expression
 * engine/template_statement */
#include "engine/template.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char names[] =
    "{\"messages\": [{\"role\": \"system\", \"content\": \"Be brief.\"}, {\"role\": \"user\", "
    "\"content\": \" Gr\\u00f6\\u00dfe <b>\\n \"}, {\"role\": \"assistant\", \"content\": null, "
    "\"tool_calls\": [{\"function\": {\"name\": \"f\", \"arguments\": {\"x\": [1, 2.5, "
    "true]}}}]}], "
    "\"tools\": null, \"add_generation_prompt\": true, \"bos_token\": \"<s>\", \"n\": -7, "
    "\"list\": [3, 1, 2], \"words\": [\"b\", \"A\"]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__template *t;
    struct qn__template_run run;
    struct qn__template_text out;
    struct qn__value given;
    json_error_t error;
    if (qn__template_parse(&t, (const char *)data, n) != QN_OK)
        return 0;
    json_t *json = json_loads(names, 0, &error);
    qn__template_run_init(&run);
    run.steps_left = 200000;
    run.memory_left = 8 << 20;
    if (!json || qn__template_json(&given, &run, json, true) != QN_OK)
        abort();
    json_decref(json);
    if (qn__template_render(&out, &run, t, given.as.dict) == QN_OK) {
        volatile size_t foreign = 0;
        for (size_t i = 0; i < out.n; i++)
            foreign += (out.foreign ? out.foreign[i] : 0) + (out.bytes[i] == 0);
    }
    qn__template_run_release(&run);
    qn__template_destroy(t);
    return 0;
}
