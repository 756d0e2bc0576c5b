/* SPDX-License-Identifier: Apache-2.0
 *
 * quern config: what is set, by which variable or which line of a configuration file. */
#include "base/configuration.h"
#include "base/environment.h"
#include "base/settings.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"
#include "tools/variable_text.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *key;
    bool all, json;
};

static const struct qn__option options[] = {
    QN__OPERAND_OPTIONAL(struct values, key, "KEY",
                         "print the value of this one alone, as `cache-dir`; exit status 1 when "
                         "it is not set"),
    QN__FLAG(struct values, all, 'a', "all", "keys that are not set, too, and what each means"),
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
};

/* ---- errors ---- */

/* One for each set value that makes no sense, after those of the files' lines. */
static json_t *all_errors(void)
{
    const struct qn__conf *c = qn__configuration();
    json_t *list = json_array();
    for (const char *line = c->errors.text; line && *line;) {
        char one[1024];
        const size_t n = strcspn(line, "\n");
        snprintf(one, sizeof one, "%.*s", (int)n, line);
        json_array_append_new(list, qn__json_string(one));
        line += n + (line[n] == '\n');
    }
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        const char *name = qn__environment[i].name, *value = qn__getenv(name);
        char where[QN__WHERE_BYTES], one[QN__WHERE_BYTES + 512];
        if (!value || !*value || qn__setting_check(name, value) == QN_OK)
            continue;
        qn__setting_where(where, name);
        const bool is_of_file = strcmp(where, name) != 0;
        snprintf(one, sizeof one, "%.*s%s", is_of_file ? (int)(strlen(where) - strlen(name)) : 0,
                 where, qn_message());
        json_array_append_new(list, qn__json_string(one));
    }
    return list;
}

/* ---- rows ---- */

static bool is_of_files(const struct qn__variable *v)
{
    char meant[QN__MEANT_BYTES];
    return qn__conf_variable(v->name, meant) == v;
}

static void print_files(void)
{
    const struct qn__conf *c = qn__configuration();
    for (uint32_t i = 0; i < c->n_files; i++)
        printf("%-24s %s\n", c->is_read[i] ? "file" : "file (not there)", c->files[i]);
    if (!c->n_files)
        printf("no file is read: QUERN_CONFIG=none\n");
}

static void print_row(const struct qn__variable *v, const char *value, bool with_help)
{
    char key[QN__CONF_KEY_BYTES], place[QN__VARIABLE_PLACE_BYTES];
    struct qn__str shown = {0};
    qn__conf_key(key, v->name);
    if (value)
        qn__variable_show(&shown, v->name, value);
    printf("%-24s %s%s%s  (%s)\n", key, qn__style_on(stdout, QN__STYLE_BOLD),
           shown.text ? shown.text : "-", qn__style_off(stdout),
           qn__plain(qn__variable_place(place, v->name)));
    qn__str_release(&shown);
    if (with_help)
        qn__print_field("", v->help);
}

static void print_text(const struct values *v, const json_t *errors)
{
    uint32_t n = 0;
    print_files();
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        const struct qn__variable *variable = &qn__environment[i];
        const char *value = qn__getenv(variable->name);
        if (!is_of_files(variable) || (!value && !v->all))
            continue;
        print_row(variable, value, v->all);
        n++;
    }
    if (!n)
        printf("nothing is set ('quern config --all' lists the keys)\n");
    for (size_t i = 0; i < json_array_size(errors); i++)
        qn__complain(0, "config: %s", json_string_value(json_array_get(errors, i)));
}

static int print_json(json_t *errors)
{
    const struct qn__conf *c = qn__configuration();
    json_t *files = json_array(), *rows = json_array();
    for (uint32_t i = 0; i < c->n_files; i++)
        json_array_append_new(files, json_pack("{s:o, s:b}", "path", qn__json_string(c->files[i]),
                                               "read", c->is_read[i]));
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        const struct qn__variable *v = &qn__environment[i];
        const char *value = qn__getenv(v->name);
        char key[QN__CONF_KEY_BYTES], place[QN__VARIABLE_PLACE_BYTES];
        struct qn__str shown = {0};
        if (!is_of_files(v))
            continue;
        qn__conf_key(key, v->name);
        if (value)
            qn__variable_show(&shown, v->name, value);
        json_array_append_new(
            rows,
            json_pack("{s:s, s:s, s:o, s:o, s:s}", "key", key, "variable", v->name, "value",
                      value ? qn__json_string(shown.text ? shown.text : "") : json_null(), "from",
                      qn__json_string(qn__variable_place(place, v->name)), "help", v->help));
        qn__str_release(&shown);
    }
    return qn__json_print(
        json_pack("{s:o, s:o, s:O}", "files", files, "keys", rows, "errors", errors));
}

/* One key: its value alone, for scripts. */
static int print_one(const struct values *v)
{
    char meant[QN__MEANT_BYTES], place[QN__VARIABLE_PLACE_BYTES];
    const struct qn__variable *variable = qn__conf_variable(v->key, meant);
    if (!variable)
        return qn__complain(QN__EXIT_USAGE,
                            "config: '%s' is no key%s ('quern config --all' lists "
                            "them)",
                            v->key, meant);
    const char *value = qn__getenv(variable->name);
    struct qn__str shown = {0};
    if (!value)
        return qn__complain(QN__EXIT_FAILED, "config: %s is not set", v->key);
    qn__variable_show(&shown, variable->name, value);
    int status = QN__EXIT_GOOD;
    if (v->json)
        status =
            qn__json_print(json_pack("{s:s, s:o, s:o}", "variable", variable->name, "value",
                                     qn__json_string(shown.text ? shown.text : ""), "from",
                                     qn__json_string(qn__variable_place(place, variable->name))));
    else
        puts(shown.text ? shown.text : "");
    qn__str_release(&shown);
    return status;
}

static int run(const void *values)
{
    const struct values *v = values;
    if (v->key)
        return print_one(v);
    json_t *errors = all_errors();
    int status = json_array_size(errors) ? QN__EXIT_FAILED : QN__EXIT_GOOD;
    if (!v->json)
        print_text(v, errors);
    else if (print_json(errors) != QN__EXIT_GOOD)
        status = QN__EXIT_FAILED;
    json_decref(errors);
    return status;
}

const struct qn__command qn__cmd_config = {
    .name = "config",
    .brief = "what is configured, and by which variable or line of which file",
    .about =
        "Print every setting that is not at its default, and where it comes from. An option on the "
        "command line wins over an environment variable, that over the user's file "
        "($XDG_CONFIG_HOME/quern/config, else ~/.config/quern/config), that over "
        "/etc/quern/config. QUERN_CONFIG=FILE is read in place of both files, QUERN_CONFIG=none "
        "reads none.\n"
        "\n"
        "A file has lines `key = value`; a key is a variable's name without QUERN_, as "
        "`cache-max-bytes = 4G` for QUERN_CACHE_MAX_BYTES. # begins a comment line, ~/ in front of "
        "a value is the home folder. A line that is not understood is a warning wherever Quern is "
        "used, and an error here (exit status 1). Programs that use the library read the same "
        "files; set-user-ID programs read none.",
    .sample = "config\nconfig --all\nconfig cache-dir\nconfig --json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
