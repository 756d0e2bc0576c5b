/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters over processes, and the file systems a cache may lie on. No compiler takes part: entries
 * are made by hand, hits and misses counted as the cache does.
 *
 * covers: rtc/cache/totals rtc/cache/counters rtc/cache/network */
#define _GNU_SOURCE
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/network.h"
#include "rtc/cache/totals.h"
#include "tests/rtc/cache_fixture.h"

/* What the processes so far have written, as a process that starts now sees it. */
static qn_cache_totals totals(void)
{
    qn_cache_totals t;
    must(qn_cache_get_totals(&t));
    return t;
}

static void publish(const char *payload)
{
    struct qn__str entry = make_entry(key, payload, strlen(payload));
    qn__disk_publish(key, &entry);
    qn__str_release(&entry);
}

/* A process that counts `hits` hits on disk and ends as it should. */
static void run_process(uint64_t hits)
{
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        qn__folder_root();
        qn__count(&qn__counters.disk_hits, hits);
        exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(what_processes_counted_adds_up)
{
    ck_assert_int_eq(totals().since_s, 0);
    for (uint64_t i = 1; i <= 5; i++)
        run_process(i);
    const qn_cache_totals t = totals();
    ck_assert_uint_eq(t.processes, 5);
    ck_assert_uint_eq(t.counters.disk_hits, 15);
    ck_assert_uint_eq(t.counters.misses, 0);
    ck_assert(llabs((long long)t.since_s - (long long)time(NULL)) < 1000);
}
END_TEST

START_TEST(storing_an_entry_writes_the_numbers_down_and_a_hit_does_not)
{
    qn__count(&qn__counters.misses, 1);
    qn__count(&qn__counters.compile_us, 1500);
    publish("one");
    qn__count(&qn__counters.disk_hits, 3); /* not yet written */
    struct stat before, after;
    ck_assert_int_eq(stat(in_scratch("cache/totals"), &before), 0);
    qn_image *image;
    must(qn__disk_find(&image, NULL, NULL, key, target));
    qn_image_release(image);
    ck_assert_int_eq(stat(in_scratch("cache/totals"), &after), 0);
    ck_assert_int_eq(before.st_size, after.st_size);
    const qn_cache_totals t = totals(); /* asking does */
    ck_assert_uint_eq(t.processes, 1);
    ck_assert_uint_eq(t.counters.misses, 1);
    ck_assert_uint_eq(t.counters.disk_hits, 3);
    ck_assert_double_eq_tol(t.counters.compile_ms, 1.5, 1e-9);
}
END_TEST

START_TEST(a_forked_child_does_not_count_its_parents_numbers_again)
{
    qn__folder_root();
    qn__count(&qn__counters.disk_hits, 100);
    run_process(1);
    run_process(2);
    ck_assert_uint_eq(totals().counters.disk_hits, 103);
    ck_assert_uint_eq(totals().processes, 3);
}
END_TEST

START_TEST(a_process_that_found_nothing_to_do_writes_nothing)
{
    run_process(0);
    ck_assert(!qn__file_exists(in_scratch("cache/totals")));
}
END_TEST

START_TEST(who_may_not_write_writes_nothing)
{
    must(qn_cache_set_mode("read-only"));
    must(qn__file_make_dirs(in_scratch("cache"), 0700));
    run_process(7);
    ck_assert_uint_eq(totals().processes, 0);
    ck_assert_uint_eq(count_files("cache"), 0);
}
END_TEST

static const struct {
    const char *name, *text;
    uint64_t processes, disk_hits;
} files[] = {
    {"nothing", "", 0, 0},
    {"one line", "100 1 0 7 108\n", 1, 7}, /* of a version with fewer counters */
    {"two lines", "100 1 0 7 108\n100 2 0 3 105\n", 3, 10},
    {"half a line at the end", "100 1 0 7 108\n100 1 0 7 1", 1, 7},
    {"half a line in between", "100 1 0 100 1 0 7 108\n100 1 0 3 104\n", 1, 3},
    {"a wrong sum", "100 1 0 7 109\n", 0, 0},
    {"a minus sign", "100 1 0 -1 100\n", 0, 0},
    {"more counters than known", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 18\n", 0, 0},
    {"words", "these are not numbers\n\n \n100 1 0 7 108\n", 1, 7},
    {"too large a number", "100 1 0 99999999999999999999 108\n", 0, 0},
};

START_TEST(only_whole_lines_count)
{
    write_text("cache/totals", files[_i].text);
    const qn_cache_totals t = totals();
    ck_assert_msg(t.processes == files[_i].processes, "%s: %llu processes", files[_i].name,
                  (unsigned long long)t.processes);
    ck_assert_msg(t.counters.disk_hits == files[_i].disk_hits, "%s: %llu hits", files[_i].name,
                  (unsigned long long)t.counters.disk_hits);
}
END_TEST

START_TEST(a_long_file_becomes_one_line)
{
    struct qn__str text = {0};
    for (int i = 0; i < 5000; i++)
        qn__str_add(&text, "100 1 0 7 108\n");
    write_text("cache/totals", text.text);
    qn__str_release(&text);
    run_process(1);
    struct stat st;
    ck_assert_int_eq(stat(in_scratch("cache/totals"), &st), 0);
    ck_assert_msg(st.st_size < 200, "%lld bytes", (long long)st.st_size);
    ck_assert_uint_eq(totals().processes, 5001);
    ck_assert_uint_eq(totals().counters.disk_hits, 35001);
    ck_assert_int_eq(totals().since_s, 100);
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
}
END_TEST

START_TEST(processes_that_end_together_lose_no_line)
{
    enum { PROCESSES = 32 };
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            qn__folder_root();
            qn__count(&qn__counters.disk_hits, 1);
            exit(0);
        }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(totals().processes, PROCESSES);
    ck_assert_uint_eq(totals().counters.disk_hits, PROCESSES);
}
END_TEST

START_TEST(clearing_the_cache_starts_anew)
{
    qn_cache_report report;
    run_process(5);
    ck_assert_uint_eq(totals().counters.disk_hits, 5);
    must(qn_cache_clear(&report));
    ck_assert_uint_eq(totals().counters.disk_hits, 0);
}
END_TEST

/* -- file systems -- */

START_TEST(network_file_systems_are_known_by_their_numbers)
{
    ck_assert_str_eq(qn__network_name(0x6969), "nfs");
    ck_assert_str_eq(qn__network_name(0xff534d42), "cifs");
    ck_assert_str_eq(qn__network_name(0x0bd00bd0), "lustre");
    ck_assert_str_eq(qn__network_name(0xef53), ""); /* ext4 */
    const int fd = open("/proc", O_RDONLY | O_DIRECTORY);
    ck_assert_str_eq(qn__network_of(fd), "");
    close(fd);
    ck_assert_str_eq(qn__network_of(-1), "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("totals");
    TCase *t = tcase_create("totals");
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, what_processes_counted_adds_up);
    tcase_add_test(t, storing_an_entry_writes_the_numbers_down_and_a_hit_does_not);
    tcase_add_test(t, a_forked_child_does_not_count_its_parents_numbers_again);
    tcase_add_test(t, a_process_that_found_nothing_to_do_writes_nothing);
    tcase_add_test(t, who_may_not_write_writes_nothing);
    tcase_add_loop_test(t, only_whole_lines_count, 0, sizeof files / sizeof files[0]);
    tcase_add_test(t, a_long_file_becomes_one_line);
    tcase_add_test(t, processes_that_end_together_lose_no_line);
    tcase_add_test(t, clearing_the_cache_starts_anew);
    tcase_add_test(t, network_file_systems_are_known_by_their_numbers);
    suite_add_tcase(s, t);
    return run_suite(s);
}
