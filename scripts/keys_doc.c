/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints docs/keys.md from engine/model_keys.def: every key of GGUF files and of config.json,
 * what Quern does with it, and what its absence means. */
#include <stdio.h>
#include <string.h>

struct row {
    const char *families, *key, *use, *only, *absent, *says;
};

static const struct row facts[] = {
#define QN__FACT(families, key, use, only, absent, says) {families, key, #use, only, absent, says},
#include "engine/model_keys.def"
};
static const struct row keys[] = {
#define QN__CONFIG(types, key, use, only, absent, says) {types, key, #use, only, absent, says},
#include "engine/model_keys.def"
};
static const struct {
    const char *family, *key, *value;
} fact_defaults[] = {
#define QN__FACT_DEFAULT(family, key, value) {family, key, #value},
#include "engine/model_keys.def"
};
static const struct {
    const char *family, *key, *value;
} config_defaults[] = {
#define QN__CONFIG_DEFAULT(type, key, json) {type, key, json},
#include "engine/model_keys.def"
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const char *use_text(const struct row *r)
{
    return strcmp(r->use, "READ") == 0    ? "computed with"
           : strcmp(r->use, "NOTE") == 0  ? "changes nothing"
           : strcmp(r->use, "NEVER") == 0 ? "refused"
                                          : NULL;
}

static void print_rows(const struct row *rows, size_t n)
{
    puts("| key | families | what it says | Quern | absent means |\n| --- | --- | --- | --- | --- "
         "|");
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        const char *use = use_text(r);
        if (strcmp(r->use, "NOTE") == 0 && !r->absent[0])
            continue;
        printf("| `%s` | %s | %s | ", r->key, r->families[0] ? r->families : "", r->says);
        if (use)
            fputs(use, stdout);
        else
            printf("only %s, else refused", r->only[0] ? r->only : "empty");
        printf(" | %s |\n", r->absent);
    }
    printf("\nAlso known, and without effect:");
    const char *comma = "";
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].use, "NOTE") == 0 && !rows[i].absent[0]) {
            printf("%s `%s`", comma, rows[i].key);
            comma = ",";
        }
    puts(".");
}

int main(void)
{
    puts("# Keys of model files\n\n"
         "What is printed here is `engine/model_keys.def`, which also the checks, warnings and "
         "defaults "
         "come from\n(`make docs`). Sources: the converters and loaders of llama.cpp, the "
         "configuration classes of transformers.\n\n"
         "A key that is there and changes numbers in a way Quern does not compute is refused by "
         "name. "
         "One that is in\nno row is warned of when the model is opened "
         "(`qn_model_get_warning()`; `quern run`, `chat` and `model` print it).\nIn `config.json` "
         "`null` means none, and not the published value.\n\n"
         "## GGUF\n\nBehind `<family>.`, such as `llama.block_count`. Without families: all that "
         "no row above names.\n");
    print_rows(facts, COUNT(facts));
    puts("\nPublished values, where the family's files leave a key out:\n\n| family | key | value "
         "|\n"
         "| --- | --- | --- |");
    for (size_t i = 0; i < COUNT(fact_defaults); i++)
        printf("| %s | `%s` | %s |\n", fact_defaults[i].family, fact_defaults[i].key,
               fact_defaults[i].value);
    puts("\n## config.json\n\nOf a folder of safetensors; of a model of pictures too, its "
         "`text_config`.\n");
    print_rows(keys, COUNT(keys));
    puts("\nWhat transformers takes for a key that is not there:\n\n| model_type | values |\n| --- "
         "| "
         "--- |");
    for (size_t i = 0; i < COUNT(config_defaults); i++) {
        const char *type = config_defaults[i].family;
        const int is_first = i == 0 || strcmp(config_defaults[i - 1].family, type) != 0;
        const int is_last =
            i + 1 == COUNT(config_defaults) || strcmp(config_defaults[i + 1].family, type) != 0;
        if (is_first)
            printf("| %s | ", type);
        printf("`%s` %s%s", config_defaults[i].key, config_defaults[i].value,
               is_last ? " |\n" : ", ");
    }
    return 0;
}
