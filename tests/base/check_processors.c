/* SPDX-License-Identifier: Apache-2.0
 *
 * How many processors a process may use: by its affinity, and by quotas as control groups of both
 * kinds have them, in folders made for the test.
 *
 * covers: base/processors base/control_groups */
#define _GNU_SOURCE
#include "base/processors.h"
#include "tests/rtc_fixture.h"

#include <sched.h>

static const struct quota_case {
    const char *name, *groups;
    const char *files[3][2]; /* name, text */
    uint32_t want;
} cases[] = {
    {"no group", "", {{NULL, NULL}}, UINT32_MAX},
    {"no limit", "0::/a\n", {{"a/cpu.max", "max 100000\n"}}, UINT32_MAX},
    {"two and a half", "0::/a\n", {{"a/cpu.max", "250000 100000\n"}}, 3},
    {"a tenth of one", "0::/a\n", {{"a/cpu.max", "10000 100000\n"}}, 1},
    {"of a group above",
     "0::/a/b/c\n",
     {{"a/cpu.max", "200000 100000\n"}, {"a/b/c/cpu.max", "800000 100000\n"}},
     2},
    {"of the root, as inside a container",
     "0::/docker/1234\n",
     {{"cpu.max", "400000 100000\n"}},
     4},
    {"the older kind",
     "5:memory:/x\n4:cpu,cpuacct:/a\n",
     {{"cpu/a/cpu.cfs_quota_us", "300000\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"}},
     3},
    {"the older kind without a limit",
     "4:cpu,cpuacct:/a\n",
     {{"cpu/a/cpu.cfs_quota_us", "-1\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"}},
     UINT32_MAX},
    {"cpuset is no quota", "4:cpuset:/a\n", {{"cpu/a/cpu.cfs_quota_us", "1\n"}}, UINT32_MAX},
    {"nonsense", "::\nx\n0:\n", {{"cpu.max", "many few\n"}}, UINT32_MAX},
};

START_TEST(the_smallest_quota_counts)
{
    for (int i = 0; i < 3 && cases[_i].files[i][0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "cgroup/%s", cases[_i].files[i][0]);
        write_text(name, cases[_i].files[i][1]);
    }
    const uint32_t got = qn__processors_of_quota(cases[_i].groups, in_scratch("cgroup"));
    ck_assert_msg(got == cases[_i].want, "%s: %u", cases[_i].name, got);
}
END_TEST

START_TEST(the_affinity_counts)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_uint_ge(qn__processors(), 1);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_uint_eq(qn__processors(), 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("processors");
    TCase *t = tcase_create("processors");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_add_loop_test(t, the_smallest_quota_counts, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(t, the_affinity_counts);
    suite_add_tcase(s, t);
    return run_suite(s);
}
