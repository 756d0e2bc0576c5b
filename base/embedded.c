/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking up a file that travels inside the program. */
#include "base/embedded.h"

#include <string.h>

const struct qn__embedded *qn__embedded_find(const struct qn__embedded *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

const struct qn__embedded *qn__embedded_at(const struct qn__embedded *table, const char *text)
{
    for (; table->name; table++)
        if (table->text == text)
            return table;
    return NULL;
}
