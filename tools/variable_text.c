/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables for people: see variable_text.h. */
#include "tools/variable_text.h"

#include "base/configuration.h"
#include "base/environment.h"

#include <stdio.h>
#include <string.h>

void qn__variable_show(struct qn__str *out, const char *name, const char *value)
{
    if (!strcmp(name, "QUERN_REMOTE"))
        qn__str_add_url(out, value);
    else if (!strcmp(name, "QUERN_REMOTE_LOGIN") || !strcmp(name, "QUERN_REMOTE_PUT_LOGIN"))
        qn__str_add(out, "(not shown)"); /* a file's name, or by mistake the login itself */
    else
        qn__str_add_plain(out, value, strlen(value));
}

const char *qn__variable_place(char out[QN__VARIABLE_PLACE_BYTES], const char *name)
{
    const struct qn__conf *c = qn__configuration();
    const struct qn__conf_entry *e = qn__conf_find(c, name);
    if (qn__is_in_environment(name))
        snprintf(out, QN__VARIABLE_PLACE_BYTES, "environment");
    else if (e)
        snprintf(out, QN__VARIABLE_PLACE_BYTES, "%s:%u", c->files[e->file], e->line);
    else
        snprintf(out, QN__VARIABLE_PLACE_BYTES, "default");
    return out;
}
