/* SPDX-License-Identifier: Apache-2.0
 *
 * Names are compared without their blanks, so that 'sum<float>' and 'sum< float >' are the same. */
#include "tools/kernel_words.h"

#include "tools/commands.h"
#include "tools/launch_args.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

static bool same_but_blanks(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

const json_t *qn__kernel_of_reflection(const json_t *kernels, const char *command,
                                       const char *wanted)
{
    size_t i;
    const json_t *k;
    json_array_foreach(kernels, i, k)
    {
        const char *name = json_string_value(json_object_get(k, "name"));
        const char *expression = json_string_value(json_object_get(k, "expression"));
        if (same_but_blanks(name, wanted) || same_but_blanks(expression, wanted))
            return k;
    }
    qn__complain(0, "%s: no kernel %s; there are:", command, wanted);
    json_array_foreach(kernels, i, k)
        fprintf(stderr, "  %s\n", json_string_value(json_object_get(k, "expression")));
    return NULL;
}

bool qn__kernel_takes(const json_t *kernel, const char *command, const char *name,
                      const struct qn__option_list *args)
{
    const json_t *parameters = json_object_get(kernel, "arguments");
    if (json_array_size(parameters) != args->n) {
        qn__complain(0, "%s: %s takes %zu arguments, %u are given", command, name,
                     json_array_size(parameters), args->n);
        return false;
    }
    for (uint32_t i = 0; i < args->n; i++) {
        const json_t *p = json_array_get(parameters, i);
        struct qn__launch_arg arg;
        const qn_arg_info info = {
            .name = json_string_value(json_object_get(p, "name")),
            .type = json_string_value(json_object_get(p, "type")),
            .kind = !strcmp(json_string_value(json_object_get(p, "kind")), "pointer")
                        ? QN_ARG_POINTER
                        : QN_ARG_VALUE,
            .size_bytes = (uint32_t)json_integer_value(json_object_get(p, "size")),
        };
        if (qn__launch_arg_parse(&arg, args->items[i]) != QN_OK ||
            qn__launch_arg_check(&arg, &info, i) != QN_OK) {
            qn__complain_status("%s: %s", command, name);
            return false;
        }
    }
    return true;
}
