/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of facts: see facts.h. */
#include "doctor/facts.h"

#include <stdlib.h>
#include <string.h>

json_t *qn__facts_string(const char *text)
{
    struct qn__str plain = {0};
    qn__str_add_plain(&plain, text, strlen(text));
    json_t *value = json_string(plain.text ? plain.text : "");
    for (char *p = plain.text; !value && p && *p; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    if (!value)
        value = json_string(plain.text ? plain.text : "");
    qn__str_release(&plain);
    return value;
}

void qn__facts_set_text(json_t *object, const char *name, const char *text)
{
    if (text && *text)
        json_object_set_new(object, name, qn__facts_string(text));
}

void qn__facts_set_number(json_t *object, const char *name, int64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

const json_t *qn__facts_part(const json_t *facts, const char *path)
{
    char name[64];
    while (facts && *path) {
        const size_t n = strcspn(path, ".");
        if (n >= sizeof name)
            return NULL;
        memcpy(name, path, n);
        name[n] = 0;
        facts = json_object_get(facts, name);
        path += n + (path[n] == '.');
    }
    return facts;
}

const char *qn__facts_text(const json_t *facts, const char *path)
{
    const char *text = json_string_value(qn__facts_part(facts, path));
    return text ? text : "";
}

int64_t qn__facts_number(const json_t *facts, const char *path, int64_t missing)
{
    const json_t *value = qn__facts_part(facts, path);
    return json_is_integer(value) ? (int64_t)json_integer_value(value) : missing;
}

bool qn__facts_is_true(const json_t *facts, const char *path)
{
    return json_is_true(qn__facts_part(facts, path));
}

size_t qn__facts_count(const json_t *facts, const char *path)
{
    return json_array_size(qn__facts_part(facts, path));
}

int qn__version_compare(const char *a, const char *b)
{
    while (*a || *b) {
        char *end_a, *end_b;
        const long x = strtol(a, &end_a, 10), y = strtol(b, &end_b, 10);
        if (x != y)
            return x < y ? -1 : 1;
        a = end_a + (*end_a == '.');
        b = end_b + (*end_b == '.');
        if ((*a && (*a < '0' || *a > '9')) || (*b && (*b < '0' || *b > '9')))
            break; /* "580.65-rc1": what is behind the numbers says nothing */
    }
    return 0;
}
