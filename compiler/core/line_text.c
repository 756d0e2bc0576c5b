/* SPDX-License-Identifier: Apache-2.0
 *
 * #line directives, which the front end writes for clang and the printer for a driver. */
#include "compiler/core/line_text.h"

const char *qn__line_directive(struct qn__unit *u, const char *file, unsigned line)
{
    struct qn__str s = {0};
    qn__str_printf(&s, "#line %u \"", line);
    for (; *file; file++) {
        if (*file == '"' || *file == '\\')
            qn__str_add_char(&s, '\\');
        qn__str_add_char(&s, *file);
    }
    const char *const text = qn__text(u, "%s\"", s.text ? s.text : "");
    qn__str_release(&s);
    return text;
}
