/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON for --json: see json_text.h. */
#include "tools/json_text.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool was_printed;

bool qn__json_was_printed(void)
{
    return was_printed;
}

void qn__json_is_printed(void)
{
    was_printed = true;
}

int qn__json_print(json_t *value)
{
    char *text = value ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(value);
    if (!text)
        return qn__complain(QN__EXIT_FAILED, "out of memory for JSON");
    puts(text);
    was_printed = true;
    free(text);
    return QN__EXIT_GOOD;
}

bool qn__json_write(const char *path, const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    struct qn__str lines = {0};
    qn__str_printf(&lines, "%s\n", text ? text : "");
    const bool good = text && !lines.failed ? qn__write_file(path, lines.text, lines.len)
                                            : qn__complain(false, "out of memory for JSON");
    qn__str_release(&lines);
    free(text);
    return good;
}

json_t *qn__json_string(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *ascii = strdup(text);
    for (char *p = ascii; p && *p; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    value = ascii ? json_string(ascii) : NULL;
    free(ascii);
    return value;
}

json_t *qn__json_number(double value)
{
    if (isnan(value))
        return json_string("nan");
    if (isinf(value))
        return json_string(value < 0 ? "-inf" : "inf");
    return json_real(value);
}

static json_t *arguments(const qn_kernel_info *kernel)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < kernel->n_args; i++) {
        const qn_arg_info *a = &kernel->args[i];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:s, s:i, s:i}", "name", qn__json_string(a->name), "type",
                            qn__json_string(a->type), "kind",
                            a->kind == QN_ARG_POINTER ? "pointer" : "value", "size_bytes",
                            (int)a->size_bytes, "align_bytes", (int)a->align_bytes));
    }
    return list;
}

json_t *qn__json_kernels(const qn_image_info *info)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < info->n_kernels; i++) {
        const qn_kernel_info *k = &info->kernels[i];
        json_t *row = json_pack("{s:o, s:o, s:I, s:i}", "name", qn__json_string(k->name),
                                "expression", qn__json_string(k->expression), "static_shared_bytes",
                                (json_int_t)k->static_shared_bytes, "block_threads_max",
                                (int)k->block_threads_max);
        json_object_set_new(row, "args", k->args_known ? arguments(k) : json_null());
        json_array_append_new(list, row);
    }
    return list;
}
