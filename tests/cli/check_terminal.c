/* SPDX-License-Identifier: Apache-2.0
 *
 * The line that shows progress, in terminals of every width. */
#include "tools/terminal.h"

#include <check.h>

static const struct {
    uint32_t width, done, total;
    const char *what, *want;
} rows[] = {
    {79, 3, 6, "kernels: built rope.cu", "[############............] 3/6 kernels: built rope.cu"},
    {79, 6, 6, "x", "[########################] 6/6 x"},
    {79, 0, 0, "prompt: 12 tokens", "prompt: 12 tokens"},
    {40, 3, 6, "kernels: built rope.cu", "[#####......] 3/6 kernels: built rope.cu"},
    {30, 3, 6, "kernels: built rope.cu", "3/6 kernels: built rope.cu"},
    {20, 3, 6, "kernels: built rope.cu", "3/6 kernels: built r"},
    {6, 3, 6, "kernels", "3/6 ke"},
    {2, 30, 60, "kernels", "30"},
    {8, 0, 0, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
     "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"},
    {13, 9, 3, "", "[######] 9/3 "},
};

START_TEST(progress_fits_any_width)
{
    struct qn__str line = {0};
    qn__progress_line(&line, rows[_i].width, rows[_i].done, rows[_i].total, rows[_i].what);
    ck_assert_str_eq(line.text, rows[_i].want);
    qn__str_release(&line);
    for (uint32_t width = 1; width < 100; width++) {
        uint32_t n = 0;
        qn__progress_line(&line, width, rows[_i].done, rows[_i].total, rows[_i].what);
        for (size_t i = 0; i < line.len; i++)
            n += ((unsigned char)line.text[i] & 0xc0) != 0x80;
        ck_assert_msg(n <= width, "width %u: %u columns: '%s'", width, n, line.text);
        qn__str_release(&line);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terminal");
    TCase *tc = tcase_create("terminal");
    tcase_add_loop_test(tc, progress_fits_any_width, 0, sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
