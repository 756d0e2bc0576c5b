/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose code may be run: files as different users could have put them there, looked at by one rule.
 * Rows with another owner need root and are skipped with that reason elsewhere.
 *
 * covers: base/trust */
#define _GNU_SOURCE
#include "base/file.h"
#include "base/trust.h"
#include "tests/rtc_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { OTHER = 12345 };

static const struct trust_case {
    const char *name;
    unsigned file_mode, folder_mode, above_mode;
    uid_t file_owner, folder_owner, above_owner; /* 0: ours */
    gid_t file_group, folder_group;              /* 0: ours */
    const char *says;                            /* NULL: it passes */
} cases[] = {
    {"ours alone", 0755, 0755, 0755, 0, 0, 0, 0, 0, NULL},
    {"a sticky folder further up", 0755, 0755, 01777, 0, 0, 0, 0, 0, NULL},
    {"in a sticky folder", 0755, 01777, 0755, 0, 0, 0, 0, 0, "its folder may be written by others"},
    {"in a folder of everybody", 0755, 0777, 0755, 0, 0, 0, 0, 0, "may be written by others"},
    {"below a folder of everybody", 0755, 0755, 0777, 0, 0, 0, 0, 0, "may be written by others"},
    {"everybody may write it", 0757, 0755, 0755, 0, 0, 0, 0, 0, "it may be written by others"},
    {"another group may write it", 0775, 0755, 0755, 0, 0, 0, OTHER, 0, "mode 775"},
    {"another group may write its folder", 0755, 0775, 0755, 0, 0, 0, 0, OTHER, "group 12345"},
    {"another group may read it", 0755, 0755, 0755, 0, 0, 0, OTHER, OTHER, NULL},
    {"another user's", 0755, 0755, 0755, OTHER, 0, 0, 0, 0, "it belongs to another user"},
    {"in another user's folder", 0755, 0755, 0755, 0, OTHER, 0, 0, 0, "owner 12345"},
    {"below another user's folder", 0755, 0755, 0755, 0, 0, OTHER, 0, 0, "owner 12345"},
};

static void make(const struct trust_case *c, const char *file)
{
    const char *folder = in_scratch("above/folder"), *above = in_scratch("above");
    if (c->file_owner || c->file_group)
        ck_assert_int_eq(chown(file, c->file_owner, c->file_group), 0);
    if (c->folder_owner || c->folder_group)
        ck_assert_int_eq(chown(folder, c->folder_owner, c->folder_group), 0);
    if (c->above_owner)
        ck_assert_int_eq(chown(above, c->above_owner, 0), 0);
    ck_assert_int_eq(chmod(file, c->file_mode), 0);
    ck_assert_int_eq(chmod(folder, c->folder_mode), 0);
    ck_assert_int_eq(chmod(above, c->above_mode), 0);
}

START_TEST(what_somebody_else_could_have_put_there_is_refused)
{
    const struct trust_case *c = &cases[_i];
    const char *file = write_text("above/folder/code", "code");
    if (geteuid() != 0 &&
        (c->file_owner || c->folder_owner || c->above_owner || c->file_group || c->folder_group)) {
        printf("skip: trust, %s: only root may give files away\n", c->name);
        return;
    }
    make(c, file);
    const qn_status s = qn__trust_check(file, "name it with VARIABLE");
    ck_assert_msg((s == QN_OK) == !c->says, "%s: %s", c->name,
                  s == QN_OK ? "passes" : qn_message());
    if (!c->says)
        return;
    ck_assert_int_eq(s, QN_E_IO);
    says(qn_message(), c->says);
    says(qn_message(), file);
    says(qn_message(), "to use it all the same, name it with VARIABLE");
}
END_TEST

START_TEST(links_lead_only_to_what_is_trusted_itself)
{
    const char *safe = write_text("safe/code", "code"), *open = write_text("open/code", "code");
    ck_assert_int_eq(chmod(in_scratch("open"), 0777), 0);
    ck_assert_int_eq(mkdir(in_scratch("bin"), 0755), 0);
    ck_assert_int_eq(symlink(safe, in_scratch("bin/good")), 0);
    ck_assert_int_eq(symlink("../safe/./code", in_scratch("bin/relative")), 0);
    ck_assert_int_eq(symlink(open, in_scratch("bin/bad")), 0);
    ck_assert_int_eq(symlink("good", in_scratch("bin/twice")), 0);
    ck_assert_int_eq(symlink(in_scratch("safe"), in_scratch("open/way")), 0);
    ck_assert_int_eq(symlink("circle", in_scratch("bin/circle")), 0);
    must(qn__trust_check(in_scratch("bin/good"), ""));
    must(qn__trust_check(in_scratch("bin/relative"), ""));
    must(qn__trust_check(in_scratch("bin/twice"), ""));
    must(qn__trust_check(in_scratch("bin/../safe/code"), ""));
    must_not(QN_E_IO, qn__trust_check(in_scratch("bin/bad"), ""));
    must_not(QN_E_IO, qn__trust_check(in_scratch("open/way/code"), ""));
    must_not(QN_E_IO, qn__trust_check(in_scratch("bin/circle"), ""));
    says(qn_message(), "too many symbolic links");
    must_not(QN_E_IO, qn__trust_check(in_scratch("bin"), ""));
    says(qn_message(), "not a regular file");
}
END_TEST

static uint32_t n_warnings;
static void count_warnings(qn_log_level level, const char *line, void *payload)
{
    (void)payload;
    if (level == QN_LOG_WARNING && strstr(line, "left out: "))
        n_warnings++;
}

START_TEST(a_refusal_is_said_once_for_each_file_and_absence_never)
{
    const char *one = write_text("open/one", "code"), *two = write_text("open/two", "code");
    ck_assert_int_eq(chmod(in_scratch("open"), 0777), 0);
    qn_log_set_callback(count_warnings, NULL);
    for (int i = 0; i < 3; i++) {
        ck_assert(!qn__trust_found(one, ""));
        ck_assert(!qn__trust_found(two, ""));
        ck_assert(!qn__trust_found(in_scratch("open/none"), ""));
    }
    ck_assert_uint_eq(n_warnings, 2);
}
END_TEST

START_TEST(the_descriptor_stays_with_the_file_that_was_looked_at)
{
    const char *file = write_text("code", "looked at");
    char text[32] = "";
    int fd;
    must(qn__trust_open(&fd, file, O_RDONLY, ""));
    write_text("code", "put in its place");
    ck_assert_int_eq(read(fd, text, sizeof text - 1), 9);
    ck_assert_str_eq(text, "looked at");
    close(fd);
}
END_TEST

START_TEST(programs_in_folders_of_everybody_are_not_found_in_path)
{
    char path[4096];
    const char *bad = write_text("open/quern-tool", "#!/bin/sh\n");
    const char *good = write_text("own/quern-tool", "#!/bin/sh\n");
    ck_assert_int_eq(chmod(bad, 0755) | chmod(good, 0755) | chmod(in_scratch("open"), 0777), 0);
    snprintf(path, sizeof path, "%s:%s", in_scratch("open"), in_scratch("own"));
    setenv("PATH", path, 1);
    qn_log_set_callback(count_warnings, NULL);
    char *found = qn__find_program("quern-tool", "");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found, good);
    ck_assert_uint_eq(n_warnings, 1);
    free(found);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("trust");
    TCase *t = tcase_create("trust");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_add_loop_test(t, what_somebody_else_could_have_put_there_is_refused, 0,
                        sizeof cases / sizeof cases[0]);
    tcase_add_test(t, links_lead_only_to_what_is_trusted_itself);
    tcase_add_test(t, a_refusal_is_said_once_for_each_file_and_absence_never);
    tcase_add_test(t, the_descriptor_stays_with_the_file_that_was_looked_at);
    tcase_add_test(t, programs_in_folders_of_everybody_are_not_found_in_path);
    suite_add_tcase(s, t);
    return run_suite(s);
}
