/* SPDX-License-Identifier: Apache-2.0
 *
 * A source in one piece: what comes out of it compiles as what went in, without the files.
 *
 * covers: rtc/source/source_pack */
#include "base/file.h"

#include <check.h>
#include <quern/compile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *folder;

static void write_text(const char *name, const char *text)
{
    char *const path = qn__path_join(folder, name);
    FILE *const f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    free(path);
}

/* Two headers of one name, one of a vendor's that stays, options and macros. */
START_TEST(a_packed_source_needs_no_file)
{
    ck_assert_int_eq(qn__temp_dir_create(&folder), QN_OK);
    char *const sub = qn__path_join(folder, "sub");
    ck_assert_int_eq(mkdir(sub, 0700), 0);
    write_text("k.cu",
               "#include <cuda_runtime.h>\n#include \"a.h\"\n#include <sub/a.h>\nint k = A + B;\n");
    write_text("a.h", "#define A 1\n");
    write_text("sub/a.h", "#define B N\n");
    char *const path = qn__path_join(folder, "k.cu");
    const char *const dirs[] = {folder}, *const defines[] = {"N=4"},
                      *const options[] = {"-std=c++17"};
    const qn_source src = {.path = path,
                           .include_dirs = dirs,
                           .n_include_dirs = 1,
                           .defines = defines,
                           .n_defines = 1,
                           .options = options,
                           .n_options = 1};
    void *bytes;
    size_t n;
    ck_assert_int_eq(qn_source_pack(&bytes, &n, &src), QN_OK);
    qn__temp_dir_remove(folder);
    qn_source *back;
    ck_assert_int_eq(qn_source_unpack(&back, bytes, n), QN_OK);
    ck_assert_str_eq(back->path, path);
    ck_assert_uint_eq(back->n_headers, 2);
    ck_assert_ptr_nonnull(strstr(back->text, "#include <cuda_runtime.h>"));
    for (uint32_t i = 0; i < 2; i++) {
        char line[64];
        snprintf(line, sizeof line, "\"%s\"", back->header_names[i]);
        ck_assert_msg(strstr(back->text, line) != NULL, "%s in %s", line, back->text);
        ck_assert_str_eq(back->header_texts[i], i ? "#define B N\n" : "#define A 1\n");
    }
    ck_assert_uint_eq(back->n_defines, 1);
    ck_assert_str_eq(back->defines[0], "N=4");
    ck_assert_uint_eq(back->n_options, 1);
    ck_assert_uint_eq(back->n_include_dirs, 0);

    /* packed again it is the same */
    void *again;
    size_t n_again;
    ck_assert_int_eq(qn_source_pack(&again, &n_again, back), QN_OK);
    ck_assert_uint_eq(n, n_again);
    ck_assert_mem_eq(bytes, again, n);
    free(again);
    qn_source_release(back);

    for (size_t cut = 0; cut < n; cut += 7)
        if (qn_source_unpack(&back, bytes, cut) == QN_OK)
            qn_source_release(back);
        else
            ck_assert_ptr_null(back);
    ck_assert_int_eq(qn_source_unpack(&back, "nonsense", 8), QN_E_CORRUPT);
    free(bytes);
    free(path);
    free(sub);
    free(folder);
}
END_TEST

START_TEST(what_cannot_be_read_is_said)
{
    void *bytes;
    size_t n;
    const qn_source missing = {.path = "/nonexistent/k.cu"};
    ck_assert_int_eq(qn_source_pack(&bytes, &n, &missing), QN_E_IO);
    ck_assert_ptr_null(bytes);
    const char *const options[] = {"--frobnicate"};
    const qn_source bad = {.text = "", .options = options, .n_options = 1};
    ck_assert_int_eq(qn_source_pack(&bytes, &n, &bad), QN_E_INVALID);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("source pack");
    TCase *const c = tcase_create("pack");
    tcase_add_test(c, a_packed_source_needs_no_file);
    tcase_add_test(c, what_cannot_be_read_is_said);
    suite_add_tcase(suite, c);
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
