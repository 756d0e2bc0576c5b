/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of findings and the list of those that were made: see findings.h. */
#include "doctor/findings.h"

#include "doctor/user_language.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct qn__finding_info qn__finding_infos[QN__FINDINGS] = {
#define QN_FINDING(name, id_, mark_, area_, title_, why_)                                          \
    [QN__FINDING_##name] = {                                                                       \
        .id = id_, .area = area_, .title = title_, .why = why_, .mark = QN__MARK_##mark_},
#define QN_FIX(name, where, text)
#define QN_SOURCE(name, where, address)
#include "doctor/findings.def"
};

static const struct {
    enum qn__finding which;
    enum qn__family where;
    const char *text;
} fixes[] = {
#define QN_FINDING(name, id, mark, area, title, why)
#define QN_FIX(name, where, text) {QN__FINDING_##name, QN__FAMILY_##where, text},
#define QN_SOURCE(name, where, address)
#include "doctor/findings.def"
};

static const struct {
    enum qn__finding which;
    enum qn__family where;
} sources[] = {
#define QN_FINDING(name, id, mark, area, title, why)
#define QN_FIX(name, where, text)
#define QN_SOURCE(name, where, address) {QN__FINDING_##name, QN__FAMILY_##where},
#include "doctor/findings.def"
};

const char *const qn__family_titles[] = {"", "Debian, Ubuntu", "Fedora, RHEL", "SLES, openSUSE",
                                         "Arch"}; /* names, the same in all languages */

enum qn__family qn__family_of(const char *name)
{
    static const char *const names[] = {"", "debian", "fedora", "sles", "arch"};
    for (int i = QN__FAMILY_DEBIAN; i <= QN__FAMILY_ARCH; i++)
        if (strcmp(names[i], name) == 0)
            return (enum qn__family)i;
    return QN__FAMILY_ANY;
}

bool qn__finding_fix(const char **text, enum qn__family *where, enum qn__finding which, unsigned n)
{
    for (size_t i = 0; i < sizeof fixes / sizeof fixes[0]; i++) {
        if (fixes[i].which != which || n-- > 0)
            continue;
        *text = fixes[i].text;
        *where = fixes[i].where;
        return true;
    }
    return false;
}

bool qn__finding_is_confirmed(enum qn__finding which, enum qn__family where)
{
    bool has_source = where == QN__FAMILY_ANY;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        has_source |= sources[i].which == which && sources[i].where == where;
    return has_source;
}

void qn__report_add(struct qn__report *r, enum qn__finding which, const char *fmt, ...)
{
    struct qn__str text = {0};
    va_list ap;
    va_start(ap, fmt);
    qn__str_vprintf(&text, qn__tr(fmt), ap);
    va_end(ap);
    struct qn__seen *grown = realloc(r->items, (r->n + 1) * sizeof *grown);
    char *kept = qn__str_take(&text);
    if (!grown || !kept) { /* without memory the report ends here */
        free(kept);
        r->items = grown ? grown : r->items;
        return;
    }
    r->items = grown;
    r->items[r->n++] = (struct qn__seen){which, kept};
}

bool qn__report_has(const struct qn__report *r, enum qn__finding which)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].which == which)
            return true;
    return false;
}

size_t qn__report_count(const struct qn__report *r, enum qn__mark mark)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += qn__finding_infos[r->items[i].which].mark == mark;
    return n;
}

void qn__report_release(struct qn__report *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->items[i].text);
    free(r->items);
    *r = (struct qn__report){0};
}

bool qn__has_gpu(const json_t *facts, const char *maker)
{
    const json_t *list = qn__facts_part(facts, "gpus");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(qn__facts_text(json_array_get(list, i), "maker"), maker) == 0)
            return true;
    return false;
}

const char *qn__facts_variable(const json_t *facts, const char *name)
{
    return json_string_value(json_object_get(qn__facts_part(facts, "environment"), name));
}
