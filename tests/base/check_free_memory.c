/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a process may still take: by control groups of both kinds, in folders made for
 * the test, and by its own limits.
 *
 * covers: base/free_memory base/control_groups */
#include "base/free_memory.h"
#include "tests/rtc_fixture.h"

#include <sys/resource.h>

/* Of a machine of 1000 bytes, 900 of them available. */
static const struct group_case {
    const char *name, *groups;
    const char *files[6][2]; /* name, text */
    uint64_t free_bytes, total_bytes;
} cases[] = {
    {"no group", "", {{NULL, NULL}}, 900, 1000},
    {"no limit", "0::/a\n", {{"a/memory.max", "max\n"}, {"a/memory.current", "10\n"}}, 900, 1000},
    {"a limit", "0::/a\n", {{"a/memory.max", "500\n"}, {"a/memory.current", "100\n"}}, 400, 500},
    {"files that are given up first",
     "0::/a\n",
     {{"a/memory.max", "500\n"},
      {"a/memory.current", "400\n"},
      {"a/memory.stat", "anon 90\ninactive_file_x 7\ninactive_file 250\nactive_file 60\n"}},
     350,
     500},
    {"where it is slowed down",
     "0::/a\n",
     {{"a/memory.max", "800\n"}, {"a/memory.high", "300\n"}, {"a/memory.current", "50\n"}},
     250,
     300},
    {"more used than allowed",
     "0::/a\n",
     {{"a/memory.max", "500\n"}, {"a/memory.current", "600\n"}},
     0,
     500},
    {"of a group above",
     "0::/a/b\n",
     {{"a/memory.max", "500\n"},
      {"a/memory.current", "450\n"},
      {"a/b/memory.max", "700\n"},
      {"a/b/memory.current", "10\n"}},
     50,
     500},
    {"of the root, as inside a container",
     "0::/docker/1234\n",
     {{"memory.max", "600\n"}, {"memory.current", "100\n"}},
     500,
     600},
    {"the older kind",
     "5:memory:/x\n4:cpu,cpuacct:/a\n",
     {{"memory/x/memory.limit_in_bytes", "700\n"},
      {"memory/x/memory.usage_in_bytes", "300\n"},
      {"memory/x/memory.stat", "inactive_file 5\ntotal_inactive_file 100\n"}},
     500,
     700},
    {"the older kind without a limit",
     "5:memory:/x\n",
     {{"memory/x/memory.limit_in_bytes", "9223372036854771712\n"},
      {"memory/x/memory.usage_in_bytes", "300\n"}},
     900,
     1000},
    {"nonsense", "::\nx\n0:\n", {{"memory.max", "many\n"}}, 900, 1000},
};

START_TEST(the_tightest_group_counts)
{
    const struct group_case *c = &cases[_i];
    for (int i = 0; i < 6 && c->files[i][0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "cgroup/%s", c->files[i][0]);
        write_text(name, c->files[i][1]);
    }
    const struct qn__free_memory machine = {.free_bytes = 900, .total_bytes = 1000};
    const struct qn__free_memory got =
        qn__free_memory_of_groups(machine, c->groups, in_scratch("cgroup"));
    ck_assert_msg(got.free_bytes == c->free_bytes && got.total_bytes == c->total_bytes,
                  "%s: %llu of %llu", c->name, (unsigned long long)got.free_bytes,
                  (unsigned long long)got.total_bytes);
}
END_TEST

START_TEST(some_memory_is_free_and_not_all)
{
    const struct qn__free_memory m = qn__free_memory();
    ck_assert_uint_gt(m.free_bytes, 0);
    ck_assert_uint_lt(m.free_bytes, m.total_bytes);
}
END_TEST

START_TEST(the_limits_of_the_process_count)
{
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
    const struct qn__free_memory before = qn__free_memory();
    struct rlimit first, l;
    const rlim_t allowed = (rlim_t)(before.free_bytes / 4);
    ck_assert_int_eq(getrlimit(limits[_i], &first), 0);
    l = first;
    l.rlim_cur = allowed;
    ck_assert_int_eq(setrlimit(limits[_i], &l), 0);
    const struct qn__free_memory after = qn__free_memory();
    /* a sanitizer maps memory at the process's end */
    ck_assert_int_eq(setrlimit(limits[_i], &first), 0);
    ck_assert_uint_le(after.total_bytes, allowed);
    ck_assert_uint_lt(after.free_bytes, allowed); /* some of it is taken already */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("free_memory");
    TCase *t = tcase_create("free_memory");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_add_loop_test(t, the_tightest_group_counts, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(t, some_memory_is_free_and_not_all);
    tcase_add_loop_test(t, the_limits_of_the_process_count, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
