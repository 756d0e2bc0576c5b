/* SPDX-License-Identifier: Apache-2.0
 *
 * A model opened with its weights in another format: the same weights as those of the converted
 * file, which is nowhere afterwards.
 *
 * covers: engine/load_as engine/convert_model */
#include "base/file.h"
#include "base/str.h"
#include "engine/opened_model.h"
#include "tests/runtime_fixture.h"

#include <dirent.h>
#include <quern/model_data.h>

static char *scratch, *temp;

static void make_folders(void)
{
    must(qn__temp_dir_create(&scratch));
    temp = qn__path_join(scratch, "temp");
    must(qn__file_make_dirs(temp, 0700));
    ck_assert_int_eq(setenv("TMPDIR", temp, 1), 0);
}

static void remove_folders(void)
{
    unsetenv("TMPDIR");
    qn__temp_dir_remove(scratch);
    free(scratch);
    free(temp);
}

static char *make_model(const char *type)
{
    struct qn__str name = {0};
    qn__str_printf(&name, "%s/%s.gguf", scratch, type);
    must(qn_model_random(name.text, &(qn_model_random_options){.family = "llama",
                                                               .dim = 256,
                                                               .head_dim = 32,
                                                               .n_heads = 8,
                                                               .n_kv_heads = 4,
                                                               .n_layers = 2,
                                                               .n_ffn = 512,
                                                               .n_vocab = 512,
                                                               .context = 64,
                                                               .type = type}));
    return qn__str_take(&name);
}

static uint32_t count_files(const char *folder)
{
    DIR *const d = opendir(folder);
    uint32_t n = 0;
    ck_assert_ptr_nonnull(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

struct told {
    uint64_t done, total;
    uint32_t times;
};

static void tell(uint64_t done, uint64_t total, void *payload)
{
    struct told *const t = payload;
    ck_assert(t->times == 0 || (done > t->done && total == t->total));
    *t = (struct told){done, total, t->times + 1};
    ck_assert_uint_lt(done, total);
}

START_TEST(weights_are_those_of_the_converted_file)
{
    static const char *const types[] = {"q8_0", "q4_k_m", "bf16"};
    const char *const type = types[_i];
    char *const path = make_model("f16"), *const converted =
                                              qn__path_join(scratch, "converted.gguf");
    struct told told = {0};
    qn_model *as, *m;
    must(qn_model_convert(converted, path, type, 1));
    must(qn_model_open(&m, converted));
    must(qn_model_open_with(
        &as, path,
        &(qn_model_options){
            .load_as = type, .load_threads = 1, .load_progress = tell, .payload = &told}));
    ck_assert_uint_gt(told.times, 1);
    ck_assert_uint_eq(count_files(temp), 0);
    ck_assert_str_eq(qn__model_file_path(as->file), path);
    ck_assert_uint_eq(qn__model_file_n_tensors(as->file), qn__model_file_n_tensors(m->file));
    for (uint32_t i = 0; i < qn__model_file_n_tensors(m->file); i++) {
        const struct qn__tensor *const a = qn__model_file_tensor(as->file, i),
                                       *const b = qn__model_file_tensor(m->file, i);
        ck_assert_str_eq(a->name, b->name);
        ck_assert_ptr_eq(a->format, b->format);
        ck_assert_uint_eq(a->bytes, b->bytes);
        ck_assert_int_eq(memcmp(a->data, b->data, a->bytes), 0);
    }
    must(qn__model_file_check_unchanged(as->file));
    qn_model_close(as);
    qn_model_close(m);
    free(converted);
    free(path);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    char *const f16 = make_model("f16"), *const q8_0 = make_model("q8_0");
    qn_model *m = NULL;
    must_not(QN_E_UNSUPPORTED,
             qn_model_open_with(&m, q8_0, &(qn_model_options){.load_as = "q4_0"}));
    ck_assert_ptr_nonnull(strstr(qn_message(), "is q8_0 already"));
    must_not(QN_E_INVALID, qn_model_open_with(&m, f16, &(qn_model_options){.load_as = "q9_0"}));
    ck_assert_uint_eq(count_files(temp), 0);
    ck_assert_int_eq(setenv("TMPDIR", f16, 1), 0); /* no folder */
    must_not(QN_E_IO, qn_model_open_with(&m, f16, &(qn_model_options){.load_as = "q8_0"}));
    ck_assert_int_eq(setenv("TMPDIR", temp, 1), 0);
    ck_assert_ptr_null(m);
    free(f16);
    free(q8_0);
}
END_TEST

int main(void)
{
    Suite *const s = suite_create("load_as");
    TCase *const t = tcase_create("load_as");
    tcase_add_checked_fixture(t, make_folders, remove_folders);
    tcase_add_loop_test(t, weights_are_those_of_the_converted_file, 0, 3);
    tcase_add_test(t, what_cannot_be_is_refused);
    suite_add_tcase(s, t);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
