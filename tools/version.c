/* SPDX-License-Identifier: Apache-2.0
 *
 * quern --version, and the list of compilers that `quern devices` also ends with. */
#include "tools/version.h"

#include "tools/commands.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>

int qn__print_compilers(void)
{
    const qn_compiler_info *rows;
    uint32_t n;
    if (qn_compilers(&rows, &n) != QN_OK)
        return qn__complain_status("compilers");
    for (uint32_t i = 0; i < n; i++) {
        const qn_compiler_info *c = &rows[i];
        struct qn__str text = {0};
        if (c->found)
            qn__str_printf(&text, "%s  (%s)", c->version, c->where);
        else
            qn__str_printf(&text, "not found: %s", c->where);
        qn__print_field(c->name, text.text ? text.text : "");
        qn__str_release(&text);
    }
    free((void *)(uintptr_t)rows);
    return QN__EXIT_GOOD;
}

int qn__print_version(void)
{
    printf("quern %s\n", qn_version());
    return qn__print_compilers();
}
