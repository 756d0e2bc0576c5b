/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of configuration files. What was taken has a variable and a value from inside the text.
 *
 * covers: base/configuration */
#include "base/configuration.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__conf c = {.files = {strdup("config")}, .n_files = 1};
    qn__conf_parse(&c, 0, (const char *)data, n, "/home");
    for (uint32_t i = 0; i < c.n_entries; i++) {
        const struct qn__conf_entry *e = &c.entries[i];
        const struct qn__conf_entry *found = qn__conf_find(&c, e->variable->name);
        if (!found || found < e || strlen(e->value) > n + strlen("/home"))
            __builtin_trap();
    }
    if ((c.n_errors > 0) != (c.errors.len > 0) && !c.errors.failed)
        __builtin_trap();
    qn__conf_release(&c);
    return 0;
}
