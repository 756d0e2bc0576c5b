/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of GGUF's keys, and what a file says against it (model_keys.h). */
#include "engine/model_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct qn__model_key facts[] = {
#define QN__FACT(families_, key_, use_, only_, absent_, says_)                                     \
    {.families = families_,                                                                        \
     .key = key_,                                                                                  \
     .use = QN__KEY_##use_,                                                                        \
     .only = only_,                                                                                \
     .absent = absent_,                                                                            \
     .says = says_},
#include "engine/model_keys.def"
};

static const struct {
    const char *family, *key;
    float value;
} defaults[] = {
#define QN__FACT_DEFAULT(family_, key_, value_) {family_, key_, value_},
#include "engine/model_keys.def"
};

/* Is the word one of the list, "qwen2moe qwen3moe"? */
static bool is_listed(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0)
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

const struct qn__model_key *qn__model_key_find(const struct qn__model_key *rows, size_t n,
                                               const char *family, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(rows[i].key, key) &&
            (!rows[i].families[0] || is_listed(rows[i].families, family)))
            return &rows[i];
    return NULL;
}

const struct qn__model_key *qn__fact_key(const char *family, const char *key)
{
    return qn__model_key_find(facts, sizeof facts / sizeof facts[0], family, key);
}

bool qn__model_key_allows_number(const struct qn__model_key *row, double value)
{
    for (const char *at = row->only; *at;) {
        char *end;
        const double allowed = strtod(at, &end);
        if (end > at && allowed == value)
            return true;
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return false;
}

bool qn__model_key_allows_word(const struct qn__model_key *row, const char *word)
{
    return is_listed(row->only, word);
}

bool qn__fact_default(float *out, const char *family, const char *key)
{
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        if (!strcmp(defaults[i].family, family) && !strcmp(defaults[i].key, key)) {
            *out = defaults[i].value;
            return true;
        }
    return false;
}

static bool allows(const struct qn__model_key *row, const struct qn__fact *fact)
{
    switch (fact->kind) {
    case QN__FACT_U64: return qn__model_key_allows_number(row, (double)fact->value.u64);
    case QN__FACT_I64: return qn__model_key_allows_number(row, (double)fact->value.i64);
    case QN__FACT_F64: return qn__model_key_allows_number(row, fact->value.f64);
    case QN__FACT_BOOL: return qn__model_key_allows_number(row, fact->value.boolean);
    case QN__FACT_TEXT: return qn__model_key_allows_word(row, fact->value.text.bytes);
    case QN__FACT_ARRAY: break; /* by its elements */
    }
    return false;
}

static qn_status check(const struct qn__model_file *f, const struct qn__model_key *row,
                       const struct qn__fact *fact)
{
    bool is_fine = row->use == QN__KEY_READ || row->use == QN__KEY_NOTE;
    if (row->use == QN__KEY_ONLY && fact->kind == QN__FACT_ARRAY) {
        is_fine = true;
        for (uint64_t i = 0; is_fine && i < fact->value.array.n; i++) {
            const struct qn__fact element = qn__fact_element(f, fact, i);
            is_fine = allows(row, &element);
        }
    } else if (row->use == QN__KEY_ONLY) {
        is_fine = allows(row, fact);
    }
    if (is_fine)
        return QN_OK;
    return qn__fail(QN_E_UNSUPPORTED, "fact '%s' (%s): Quern does not compute it%s%s", fact->key,
                    row->says, row->only[0] ? "; only where it is " : "", row->only);
}

/* Files of adapters, projectors and vocabularies carry the names of families, too. */
static qn_status check_type(const struct qn__model_file *f)
{
    const char *type;
    if (!qn__fact_find(f, "general.type"))
        return QN_OK;
    QN_TRY(qn__fact_text(&type, f, "general.type"));
    if (strcmp(type, "adapter") == 0)
        return qn__fail(QN_E_UNSUPPORTED, "fact 'general.type' is 'adapter': the file is no model; "
                                          "--lora adds it to the model it was made for");
    if (strcmp(type, "model") != 0)
        return qn__fail(QN_E_UNSUPPORTED, "fact 'general.type' is '%.32s': the file is no model",
                        type);
    return QN_OK;
}

static qn_status check_all(struct qn__model_file *f, const char *family)
{
    const size_t n = strlen(family);
    for (uint32_t i = 0; i < f->n_facts; i++) {
        const struct qn__fact *fact = &f->facts[i].fact;
        if (strncmp(fact->key, family, n) != 0 || fact->key[n] != '.')
            continue;
        const struct qn__model_key *row = qn__fact_key(family, fact->key + n + 1);
        if (row)
            QN_TRY(check(f, row, fact));
        else
            qn__model_file_warn(f, "fact '%.96s' is not known: nothing is computed with it",
                                fact->key);
    }
    return QN_OK;
}

qn_status qn__facts_check(struct qn__model_file *f)
{
    const char *family;
    QN_TRY(check_type(f));
    QN_TRY(qn__fact_text(&family, f, "general.architecture"));
    return check_all(f, family);
}

qn_status qn__adapter_facts_check(struct qn__model_file *f)
{
    const char *type = "model", *kind = "";
    if (qn__fact_find(f, "general.type"))
        QN_TRY(qn__fact_text(&type, f, "general.type"));
    if (strcmp(type, "adapter") != 0)
        return qn__fail(QN_E_UNSUPPORTED, "fact 'general.type' is '%.32s': the file is no adapter",
                        type);
    QN_TRY(qn__fact_text(&kind, f, "adapter.type"));
    if (strcmp(kind, "lora") != 0)
        return qn__fail(QN_E_UNSUPPORTED, "fact 'adapter.type' is '%.32s': Quern has lora", kind);
    return check_all(f, "adapter");
}
