/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of config.json's keys, and what a file says against it (hf_keys.h). */
#include "engine/hf_keys.h"

#include <string.h>

static const struct qn__model_key keys[] = {
#define QN__CONFIG(types_, key_, use_, only_, absent_, says_)                                      \
    {.families = types_,                                                                           \
     .key = key_,                                                                                  \
     .use = QN__KEY_##use_,                                                                        \
     .only = only_,                                                                                \
     .absent = absent_,                                                                            \
     .says = says_},
#include "engine/model_keys.def"
};

static const struct {
    const char *type, *key, *json;
} defaults[] = {
#define QN__CONFIG_DEFAULT(type_, key_, json_) {type_, key_, json_},
#include "engine/model_keys.def"
};

const struct qn__model_key *qn__config_key(const char *type, const char *key)
{
    return qn__model_key_find(keys, sizeof keys / sizeof keys[0], type, key);
}

json_t *qn__hf_config_complete(const json_t *config, const char *type)
{
    json_t *whole = json_copy((json_t *)(uintptr_t)config);
    for (size_t i = 0; whole && i < sizeof defaults / sizeof defaults[0]; i++) {
        if (strcmp(defaults[i].type, type) != 0 || json_object_get(whole, defaults[i].key))
            continue;
        json_t *value = json_loads(defaults[i].json, JSON_DECODE_ANY, NULL);
        if (json_object_set_new(whole, defaults[i].key, value) != 0) {
            json_decref(whole);
            return NULL;
        }
    }
    return whole;
}

static bool allows(const struct qn__model_key *row, const json_t *value)
{
    size_t i;
    const json_t *element;
    switch (json_typeof(value)) {
    case JSON_TRUE: return qn__model_key_allows_number(row, 1);
    case JSON_FALSE: return qn__model_key_allows_number(row, 0);
    case JSON_INTEGER:
    case JSON_REAL: return qn__model_key_allows_number(row, json_number_value(value));
    case JSON_STRING: return qn__model_key_allows_word(row, json_string_value(value));
    case JSON_OBJECT: return json_object_size(value) == 0;
    case JSON_NULL: return true;
    case JSON_ARRAY: break;
    }
    json_array_foreach((json_t *)(uintptr_t)value, i, element)
    {
        if (json_is_array(element) || !allows(row, element))
            return false;
    }
    return true;
}

qn_status qn__hf_keys_check(struct qn__model_file *f, const json_t *config, const char *type,
                            const char *name)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)config, key, value)
    {
        const struct qn__model_key *row = qn__config_key(type, key);
        if (!row) {
            qn__model_file_warn(f, "%s: '%.96s' is not known: nothing is computed with it", name,
                                key);
        } else if (!json_is_null(value) && (row->use == QN__KEY_NEVER ||
                                            (row->use == QN__KEY_ONLY && !allows(row, value)))) {
            return qn__fail(QN_E_UNSUPPORTED, "%s: %s (%s): Quern does not compute it", name, key,
                            row->says);
        }
    }
    return QN_OK;
}
