/* SPDX-License-Identifier: Apache-2.0
 *
 * A device variable's initial value may not choose among overloaded kernels, which is the host's
 * business; a constant that belongs to neither side may, and the variable takes its value. */
#include "rtc/helper/name_variables.h"

#include "rtc/job/code_object.h"

#include <stdio.h>
#include <string.h>

#define PREFIX   QN__NAME_VARIABLE
#define VARIABLE "extern \"C\" __device__ __attribute__((used)) const void *const " PREFIX
#define LINE     "\n#line 1 \"name-expression\"\n"

void qn__name_variable_add(struct qn__str *source, const struct qn__name_expression *e, uint32_t i)
{
    if (e->before[0] == '&')
        qn__str_printf(source, LINE VARIABLE "%u = (const void *)&(%s);", i, e->name);
    else
        qn__str_printf(source,
                       LINE "constexpr auto " PREFIX "chosen_%u = %s%s;\n" VARIABLE
                            "%u = (const void *)" PREFIX "chosen_%u;",
                       i, e->before, e->name, i, i);
}

const char *qn__name_variable_symbol(struct qn__arena *arena, const void *bytes, size_t n,
                                     uint32_t i)
{
    char variable[32];
    snprintf(variable, sizeof variable, PREFIX "%u", i);
    const char *const symbol = qn__code_object_pointee(arena, bytes, n, variable);
    if (symbol && qn__ends_with(symbol, ".kd")) /* the kernel's handle */
        return qn__arena_strndup(arena, symbol, strlen(symbol) - 3);
    return symbol;
}
