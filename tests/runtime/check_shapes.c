/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch shapes: which are new, and when whoever saves is told. No device is needed. */
#include "runtime/shapes.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char saved[8192];
static int n_saved, n_freed;

static void save(qn_module *mod, const char *shapes, void *payload)
{
    (void)mod;
    (void)payload;
    snprintf(saved, sizeof saved, "%s", shapes);
    n_saved++;
}

static void count_free(void *payload)
{
    (void)payload;
    n_freed++;
}

static const qn_dims small = {.grid = {16, 1, 1}, .block = {64, 1, 1}};
static const qn_dims flat = {.grid = {16, 1, 1}, .block = {8, 8, 1}};
static const qn_dims wide = {.grid = {1024, 1, 1}, .block = {64, 1, 1}};

START_TEST(a_new_shape_is_saved_once_when_the_work_is_done)
{
    struct qn__shapes *s = qn__shapes_create("", save, NULL, count_free);
    qn__shapes_note(s, "k", &small);
    ck_assert_int_eq(n_saved, 0); /* queued, not done */
    qn__shapes_settle(s, NULL);
    ck_assert_int_eq(n_saved, 1);
    ck_assert_str_eq(saved, "k 64 1 1\n");
    qn__shapes_note(s, "k", &small);
    qn__shapes_settle(s, NULL);
    ck_assert_int_eq(n_saved, 1);
    qn__shapes_note(s, "k", &flat);
    qn__shapes_note(s, "j", &small);
    qn__shapes_note(s, "k", &wide);
    qn__shapes_settle(s, NULL);
    ck_assert_int_eq(n_saved, 2);
    ck_assert_str_eq(saved, "j 64 1 1\nk 64 1 1\nk 64 1 1 wide\nk 8 8 1\n");
    qn__shapes_destroy(s);
    ck_assert_int_eq(n_freed, 1);
}
END_TEST

START_TEST(shapes_the_binary_has_already_are_not_new)
{
    struct qn__shapes *s = qn__shapes_create("k 64 1 1\nk 8 8 1\n", save, NULL, NULL);
    qn__shapes_note(s, "k", &flat);
    qn__shapes_note(s, "k", &small);
    qn__shapes_settle(s, NULL);
    ck_assert_int_eq(n_saved, 0);
    qn__shapes_note(s, "other", &small);
    qn__shapes_settle(s, NULL);
    ck_assert_str_eq(saved, "k 64 1 1\nk 8 8 1\nother 64 1 1\n");
    qn__shapes_destroy(s);
}
END_TEST

static void *note_many(void *shapes)
{
    for (uint32_t i = 1; i <= 100; i++) {
        const qn_dims d = {.grid = {1, 1, 1}, .block = {i, 1, 1}};
        qn__shapes_note(shapes, "k", &d);
    }
    return NULL;
}

START_TEST(threads_may_note_at_the_same_time)
{
    struct qn__shapes *s = qn__shapes_create("", save, NULL, NULL);
    pthread_t threads[4];
    int lines = 0;
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, note_many, s), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    qn__shapes_settle(s, NULL);
    for (const char *p = saved; *p; p++)
        lines += *p == '\n';
    ck_assert_int_eq(lines, 100);
    qn__shapes_destroy(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("shapes");
    TCase *t = tcase_create("shapes");
    tcase_add_test(t, a_new_shape_is_saved_once_when_the_work_is_done);
    tcase_add_test(t, shapes_the_binary_has_already_are_not_new);
    tcase_add_test(t, threads_may_note_at_the_same_time);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
