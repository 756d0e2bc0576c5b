/* SPDX-License-Identifier: Apache-2.0
 *
 * Schemas from hostile bytes. What is taken becomes a grammar that can be read, unless it is too
 * large or a schema is nothing but itself. */
#include "engine/grammar_parse.h"
#include "engine/json_schema.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__str text = {0};
    struct qn__grammar g;
    if (n <= 4096 && qn__json_schema_grammar(&text, (const char *)data, n) == QN_OK) {
        const qn_status s = qn__grammar_parse(&g, text.text, text.len, "root");
        if (s != QN_OK && s != QN_E_LIMIT && !strstr(qn_message(), "begins with"))
            __builtin_trap();
        if (s == QN_OK)
            qn__grammar_release(&g);
    }
    qn__str_release(&text);
    return 0;
}
