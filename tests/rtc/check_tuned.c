/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuned values: kept, found again by text, driver and size, used by a build, and stale ones left
 * out.
 *
 * covers: rtc/tuned rtc/tuned_file */
#include "rtc/tuned_file.h"
#include "tests/rtc_fixture.h"

#include <quern/quern.h>

static const char text[] = "#ifndef N\n#define N 1\n#endif\n"
                           "extern \"C\" __global__ void k(int *p) { *p = N; }\n";
static const char *const values[] = {"N=7", "UNUSED=-3"};
static const qn_source src = {.text = text, .path = "folder/k.cu"};

static qn_tuned_info info_of(uint32_t n)
{
    return (qn_tuned_info){.defines = values,
                           .n_defines = n,
                           .block = {64, 1, 1},
                           .block_items = 128,
                           .ms = 0.5,
                           .first_ms = 1};
}

static qn_device *open_device(void)
{
    qn_device *dev = NULL;
    setenv("QUERN_TUNED", in_scratch("tuned"), 1);
    remove(in_scratch("tuned"));
    ck_assert_msg(qn_device_open(&dev, "cpu:0") == QN_OK, "%s", qn_message());
    return dev;
}

START_TEST(values_are_kept_and_found)
{
    qn_device *dev = open_device();
    qn_tuned *t;
    qn_tuned_info info = info_of(2);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "k", 1000), QN_E_NOT_FOUND);
    ck_assert_ptr_null(t);
    ck_assert_msg(qn_tuned_keep(dev, &src, "k", 1000, &info) == QN_OK, "%s", qn_message());
    info.block_items = 256;
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "k", 1 << 20, &info), QN_OK);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "k", 900), QN_OK);
    const qn_tuned_info *got = qn_tuned_get_info(t);
    ck_assert_uint_eq(got->n_defines, 2);
    ck_assert_str_eq(got->defines[0], "N=7");
    ck_assert_str_eq(got->defines[1], "UNUSED=-3");
    ck_assert_uint_eq(got->block[0], 64);
    ck_assert_uint_eq(got->block_items, 128);
    ck_assert_uint_eq(got->size_class, 10);
    qn_tuned_release(t);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "k", 1 << 18), QN_OK); /* the nearest class */
    ck_assert_uint_eq(qn_tuned_get_info(t)->block_items, 256);
    qn_tuned_release(t);
    const qn_source moved = {.text = text, .path = "elsewhere/k.cu"};
    ck_assert_int_eq(qn_tuned_find(&t, dev, &moved, "k", 900), QN_OK);
    qn_tuned_release(t);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "other", 900), QN_E_NOT_FOUND);
    qn_tuned_release(NULL);
    qn_device_close(dev);
}
END_TEST

START_TEST(a_build_has_the_values)
{
    qn_device *dev = open_device();
    qn_tuned *t;
    qn_module *module;
    const qn_kernel *kernel;
    qn_stream *stream;
    qn_addr p;
    int got = 0;
    const qn_tuned_info info = info_of(1);
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "k", 1, &info), QN_OK);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "k", 1), QN_OK);
    const qn_compile_options how = {.tuned = t};
    ck_assert_msg(qn_module_build(&module, dev, &src, &how, NULL) == QN_OK, "%s", qn_message());
    qn_tuned_release(t);
    ck_assert_int_eq(qn_kernel_find(&kernel, module, "k"), QN_OK);
    ck_assert_int_eq(qn_memory_alloc(&p, dev, sizeof got), QN_OK);
    ck_assert_int_eq(qn_stream_create(&stream, dev, NULL), QN_OK);
    ck_assert_int_eq(
        qn_stream_launch(stream, kernel, &(qn_dims){{1, 1, 1}, {1, 1, 1}, 0}, (void *[]){&p}),
        QN_OK);
    ck_assert_int_eq(qn_stream_sync(stream), QN_OK);
    ck_assert_int_eq(qn_memory_download(dev, &got, p, sizeof got, NULL), QN_OK);
    ck_assert_int_eq(got, 7);
    qn_stream_destroy(stream);
    qn_memory_free(dev, p);
    qn_module_close(module);
    qn_device_close(dev);
}
END_TEST

static uint32_t n_warnings;
static char warning[512];

static void note(qn_log_level level, const char *line, void *payload)
{
    (void)payload;
    if (level < QN_LOG_WARNING)
        return;
    n_warnings++;
    snprintf(warning, sizeof warning, "%s", line);
}

START_TEST(stale_values_are_left_out_with_a_word)
{
    qn_device *dev = open_device();
    qn_tuned *t;
    const qn_tuned_info info = info_of(1);
    const char *const defines[] = {"M=1"};
    const qn_source changed = {.text = "__global__ void k(int *p) { *p = N + 1; }", .path = "k.cu"};
    const qn_source defined = {.text = text, .path = "k.cu", .defines = defines, .n_defines = 1};
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "k", 1, &info), QN_OK);
    qn_log_set_callback(note, NULL);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &changed, "k", 1), QN_E_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(qn_message(), "when its source was another"));
    ck_assert_uint_eq(n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(warning, "k.cu:k was tuned"));
    ck_assert_int_eq(qn_tuned_find(&t, dev, &defined, "k", 1), QN_E_NOT_FOUND);
    ck_assert_uint_eq(n_warnings, 1); /* said once */
    qn_log_set_callback(NULL, NULL);
    ck_assert_int_eq(qn_tuned_keep(dev, &changed, "k", 1, &info), QN_OK); /* in place of it */
    ck_assert_int_eq(qn_tuned_find(&t, dev, &changed, "k", 1), QN_OK);
    qn_tuned_release(t);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "k", 1), QN_E_NOT_FOUND);
    qn_device_close(dev);
}
END_TEST

START_TEST(values_that_are_none_are_refused)
{
    static const char *const bad[] = {"N",    "N=",  "=1",        "1N=1",
                                      "N=1x", "N=-", "N=1 -DX=2", "N=1000000000000000000000"};
    qn_device *dev = open_device();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const list[] = {bad[i]};
        qn_tuned_info info = info_of(1);
        info.defines = list;
        ck_assert_msg(qn_tuned_keep(dev, &src, "k", 1, &info) == QN_E_INVALID, "%s", bad[i]);
    }
    qn_tuned_info info = info_of(0);
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "k", 1, &info), QN_E_INVALID);
    info = info_of(1);
    info.block[0] = 0;
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "k", 1, &info), QN_E_INVALID);
    info = info_of(1);
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "a\tb", 1, &info), QN_E_INVALID);
    qn_device_close(dev);
}
END_TEST

#define HEAD "quern tuned 1\n"
#define HEX  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
static const struct {
    const char *name, *text, *error; /* NULL: it is read */
} files[] = {
    {"a good line", HEAD HEX "\tk\td\tv\t3\tA=1 B=2\t1,2,3\t4\t0.5\t1\n", NULL},
    {"comments and empty lines", HEAD "# a comment\n\n", NULL},
    {"no head", "A\n", "line 1: not what `quern tune` writes"},
    {"nothing", "", "line 1: not what"},
    {"too few fields", HEAD HEX "\tk\n", "line 2: not 10 fields"},
    {"too many fields", HEAD HEX "\tk\td\tv\t3\tA=1\t1,2,3\t4\t1\t1\t1\n", "line 2: more than 10"},
    {"no digest", HEAD "abc\tk\td\tv\t3\tA=1\t1,2,3\t4\t1\t1\n", "64 hex digits"},
    {"no class", HEAD HEX "\tk\td\tv\t65\tA=1\t1,2,3\t4\t1\t1\n", "size class"},
    {"no values", HEAD HEX "\tk\td\tv\t3\t\t1,2,3\t4\t1\t1\n", "NAME=INTEGER"},
    {"an option for a value", HEAD HEX "\tk\td\tv\t3\tA=1 -x\t1,2,3\t4\t1\t1\n", "NAME=INTEGER"},
    {"two sides", HEAD HEX "\tk\td\tv\t3\tA=1\t1,2\t4\t1\t1\n", "the block is not three numbers"},
    {"a side of 0", HEAD HEX "\tk\td\tv\t3\tA=1\t1,2,0\t4\t1\t1\n", "the block is not three"},
    {"no items", HEAD HEX "\tk\td\tv\t3\tA=1\t1,2,3\t0\t1\t1\n", "items of a block"},
    {"no time", HEAD HEX "\tk\td\tv\t3\tA=1\t1,2,3\t4\t1\tnan\n", "times are no numbers"},
};

START_TEST(a_file_is_read_or_refused_with_its_line)
{
    struct qn__arena arena = {0};
    struct qn__tuned_lines lines;
    const qn_status s = qn__tuned_parse(&lines, &arena, files[_i].text, strlen(files[_i].text));
    if (files[_i].error)
        ck_assert_msg(s == QN_E_CORRUPT && strstr(qn_message(), files[_i].error), "%s: %s",
                      files[_i].name, qn_message());
    else
        ck_assert_msg(s == QN_OK, "%s: %s", files[_i].name, qn_message());
    qn__arena_release(&arena);
}
END_TEST

START_TEST(a_damaged_file_is_named)
{
    qn_device *dev = open_device();
    qn_tuned *t;
    FILE *f = fopen(in_scratch("tuned"), "w");
    fputs("nonsense\n", f);
    fclose(f);
    ck_assert_int_eq(qn_tuned_find(&t, dev, &src, "k", 1), QN_E_CORRUPT);
    ck_assert_ptr_nonnull(strstr(qn_message(), "tuned: line 1"));
    const qn_tuned_info info = info_of(1);
    ck_assert_int_eq(qn_tuned_keep(dev, &src, "k", 1, &info), QN_E_CORRUPT); /* not written over */
    qn_device_close(dev);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tuned");
    TCase *t = tcase_create("tuned");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, values_are_kept_and_found);
    tcase_add_test(t, a_build_has_the_values);
    tcase_add_test(t, stale_values_are_left_out_with_a_word);
    tcase_add_test(t, values_that_are_none_are_refused);
    tcase_add_loop_test(t, a_file_is_read_or_refused_with_its_line, 0,
                        sizeof files / sizeof *files);
    tcase_add_test(t, a_damaged_file_is_named);
    suite_add_tcase(s, t);
    return run_suite(s);
}
