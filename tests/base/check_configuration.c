/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration files: which lines are taken, which are refused and how, and who wins.
 *
 * covers: base/configuration base/settings */
#include "base/configuration.h"
#include "base/environment.h"
#include "base/settings.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/quern-configuration-XXXXXX";

static struct qn__conf parse(const char *text)
{
    struct qn__conf c = {.files = {strdup("FILE")}, .n_files = 1};
    qn__conf_parse(&c, 0, text, strlen(text), "/home/me");
    return c;
}

static const struct {
    const char *name, *text, *variable, *value;
    uint32_t line;
} good[] = {
    {"a key", "device = cpu", "QUERN_DEVICE", "cpu", 1},
    {"a key of several words", "cache-max-bytes=4G\n", "QUERN_CACHE_MAX_BYTES", "4G", 1},
    {"underscores", "cache_dir = /x", "QUERN_CACHE_DIR", "/x", 1},
    {"a variable's name", "QUERN_THREADS = 3", "QUERN_THREADS", "3", 1},
    {"a carriage return", "threads = 3\r\n", "QUERN_THREADS", "3", 1},
    {"comments and empty lines", "# a = b\n\n  # c\n\tthreads =\t3 ", "QUERN_THREADS", "3", 4},
    {"the last line wins", "threads = 1\nthreads = 2", "QUERN_THREADS", "2", 2},
    {"nothing is a value", "device =", "QUERN_DEVICE", "", 1},
    {"a sign of equality in a value", "remote = http://h/?a=b", "QUERN_REMOTE", "http://h/?a=b", 1},
    {"a # in a value", "cache-dir = /a#b", "QUERN_CACHE_DIR", "/a#b", 1},
    {"the home folder", "cache-dir = ~/k", "QUERN_CACHE_DIR", "/home/me/k", 1},
};

START_TEST(lines_are_read)
{
    struct qn__conf c = parse(good[_i].text);
    const struct qn__conf_entry *e = qn__conf_find(&c, good[_i].variable);
    ck_assert_msg(c.n_errors == 0, "%s: %s", good[_i].name, c.errors.text);
    ck_assert_msg(e && !strcmp(e->value, good[_i].value) && e->line == good[_i].line, "%s: %s",
                  good[_i].name, e ? e->value : "not there");
    qn__conf_release(&c);
}
END_TEST

static const struct {
    const char *name, *text, *error;
} bad[] = {
    {"an unknown key", "\ncache-dri = x",
     "FILE:2: 'cache-dri' is no key; did you mean 'cache-dir'? ('quern config' lists them)\n"},
    {"a key far from all", "colour = x",
     "FILE:1: 'colour' is no key ('quern config' lists them)\n"},
    {"another's variable", "PATH = x", "FILE:1: 'PATH' is no key ('quern config' lists them)\n"},
    {"the file itself", "config = x", "FILE:1: 'config' is no key ('quern config' lists them)\n"},
    {"no value", "threads", "FILE:1: 'threads': expected `key = value`\n"},
    {"no key", "= 3", "FILE:1: '=': expected `key = value`\n"},
    {"a section", "[cache]", "FILE:1: '[cache]': expected `key = value`\n"},
};

START_TEST(what_is_no_line_is_an_error_with_its_place)
{
    struct qn__conf c = parse(bad[_i].text);
    ck_assert_uint_eq(c.n_errors, 1);
    ck_assert_uint_eq(c.n_entries, 0);
    ck_assert_str_eq(c.errors.text, bad[_i].error);
    qn__conf_release(&c);
}
END_TEST

START_TEST(a_zero_byte_and_a_missing_home_are_errors)
{
    struct qn__conf c = {.files = {strdup("FILE")}, .n_files = 1};
    qn__conf_parse(&c, 0, "threads = 1\0002", 13, NULL);
    qn__conf_parse(&c, 0, "cache-dir = ~/x", 15, NULL);
    ck_assert_str_eq(c.errors.text, "FILE:1: a zero byte\nFILE:1: ~/x: HOME is not set\n");
    ck_assert_uint_eq(c.n_entries, 0);
    qn__conf_release(&c);
}
END_TEST

START_TEST(more_lines_than_there_is_room_for_are_errors)
{
    struct qn__str text = {0};
    for (int i = 0; i < QN__CONF_ENTRIES + 2; i++)
        qn__str_printf(&text, "threads = %d\n", i + 1);
    struct qn__conf c = parse(text.text);
    ck_assert_uint_eq(c.n_entries, QN__CONF_ENTRIES);
    ck_assert_uint_eq(c.n_errors, 2);
    qn__str_release(&text);
    qn__conf_release(&c);
}
END_TEST

/* ---- files ---- */

static void put(const char *name, const char *text, mode_t mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    chmod(path, mode);
}

START_TEST(a_file_is_found_in_the_configuration_folder)
{
    struct qn__conf c;
    char path[256];
    snprintf(path, sizeof path, "%s/quern", folder);
    mkdir(path, 0755);
    put("quern/config", "threads = 3\n", 0644);
    qn__conf_read(&c, NULL, folder, "/none");
    const struct qn__conf_entry *e = qn__conf_find(&c, "QUERN_THREADS");
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->value, "3");
    ck_assert(c.is_read[1] && strstr(c.files[1], "/quern/config"));
    qn__conf_release(&c);
    qn__conf_read(&c, "none", folder, "/none");
    ck_assert_uint_eq(c.n_files + c.n_entries + c.n_errors, 0);
    qn__conf_release(&c);
    put("quern/config", "threads = 3\n", 0666);
    qn__conf_read(&c, NULL, folder, "/none");
    ck_assert_uint_eq(c.n_entries, 0);
    ck_assert_ptr_nonnull(strstr(c.errors.text, "others may write it"));
    qn__conf_release(&c);
    snprintf(path, sizeof path, "%s/quern/config", folder);
    qn__conf_read(&c, path, NULL, NULL); /* who names it has looked at it */
    ck_assert_uint_eq(c.n_errors, 0);
    ck_assert_uint_eq(c.n_entries, 1);
    qn__conf_release(&c);
}
END_TEST

START_TEST(a_named_file_that_cannot_be_read_is_an_error)
{
    struct qn__conf c;
    char path[256];
    snprintf(path, sizeof path, "%s/none", folder);
    qn__conf_read(&c, path, NULL, NULL);
    ck_assert_ptr_nonnull(strstr(c.errors.text, "No such file or directory"));
    qn__conf_release(&c);
    qn__conf_read(&c, folder, NULL, NULL);
    ck_assert_ptr_nonnull(strstr(c.errors.text, "not a regular file"));
    qn__conf_release(&c);
    put("large", "", 0644);
    snprintf(path, sizeof path, "%s/large", folder);
    ck_assert_int_eq(truncate(path, QN__CONF_BYTES_MAX + 1), 0);
    qn__conf_read(&c, path, NULL, NULL);
    ck_assert_ptr_nonnull(strstr(c.errors.text, "larger than 65536 bytes"));
    qn__conf_release(&c);
}
END_TEST

/* The only test that asks for variables: the files are read once a process. */
START_TEST(a_variable_wins_over_a_file_and_that_over_the_default)
{
    char path[256], where[QN__WHERE_BYTES];
    put("own", "threads = 3\ncompile-timeout = 7\nwatchdog = never\n", 0644);
    snprintf(path, sizeof path, "%s/own", folder);
    setenv("QUERN_CONFIG", path, 1);
    setenv("QUERN_THREADS", "5", 1);
    unsetenv("QUERN_COMPILE_TIMEOUT");
    unsetenv("QUERN_WATCHDOG");
    unsetenv("QUERN_CACHE_MAX_ENTRIES");
    ck_assert_uint_eq(qn__setting(QN__SETTING_THREADS), 5);
    ck_assert_uint_eq(qn__setting(QN__SETTING_COMPILE_SECONDS), 7);
    ck_assert_uint_eq(qn__setting(QN__SETTING_CACHE_ENTRIES), 50000);
    ck_assert_uint_eq(qn__setting(QN__SETTING_WATCHDOG), 0);
    ck_assert_str_eq(qn__getenv("QUERN_WATCHDOG"), "never");
    ck_assert_int_eq(qn__setting_check("QUERN_WATCHDOG", "never"), QN_E_INVALID);
    ck_assert_ptr_nonnull(strstr(qn__setting_where(where, "QUERN_WATCHDOG"), "/own:3: QUERN_W"));
    ck_assert_str_eq(qn__setting_where(where, "QUERN_THREADS"), "QUERN_THREADS");
    setenv("QUERN_COMPILE_TIMEOUT", "", 1); /* set to nothing: the default, not the file's */
    ck_assert_uint_eq(qn__setting(QN__SETTING_COMPILE_SECONDS), 120);
    ck_assert_uint_ne(qn__environment_of_search(), 0);
}
END_TEST

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    Suite *s = suite_create("configuration");
    TCase *t = tcase_create("configuration");
    tcase_add_loop_test(t, lines_are_read, 0, sizeof good / sizeof *good);
    tcase_add_loop_test(t, what_is_no_line_is_an_error_with_its_place, 0, sizeof bad / sizeof *bad);
    tcase_add_test(t, a_zero_byte_and_a_missing_home_are_errors);
    tcase_add_test(t, more_lines_than_there_is_room_for_are_errors);
    tcase_add_test(t, a_file_is_found_in_the_configuration_folder);
    tcase_add_test(t, a_named_file_that_cannot_be_read_is_an_error);
    tcase_add_test(t, a_variable_wins_over_a_file_and_that_over_the_default);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || failed ? 1 : 0;
}
