/* SPDX-License-Identifier: Apache-2.0
 *
 * GGUF files: what is in them comes out, and every wrong number is refused by name.
 *
 * covers: engine/gguf engine/model_file engine/model_open engine/stored_number */
#include "engine/model_open.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/rtc_fixture.h"

#include <sys/stat.h>

/* Places of the sample file that hostile cases overwrite. */
enum place {
    AT_MAGIC,
    AT_VERSION,
    AT_N_TENSORS,
    AT_N_FACTS,
    AT_KEY_BYTES,
    AT_KEY,
    AT_TYPE,
    AT_ALIGNMENT,
    AT_BOOL,
    AT_TEXT_BYTES,
    AT_ARRAY_TYPE,
    AT_ARRAY_N,
    AT_WORD_BYTES,
    AT_TENSOR_NAME_BYTES,
    AT_TENSOR_NAME,
    AT_N_DIMS,
    AT_SHAPE_0,
    AT_SHAPE_1,
    AT_FORMAT,
    AT_OFFSET,
    AT_DATA,
    N_PLACES,
};
static size_t place[N_PLACES];

/* Two tensors (one f32 (3, 2), one q8_0 (1, 64)), facts of every kind. */
static struct qn__str sample(void)
{
    struct qn__str w = {0};
    gguf_head(&w, 3, 2, 7);
    place[AT_MAGIC] = 0;
    place[AT_VERSION] = 4;
    place[AT_N_TENSORS] = 8;
    place[AT_N_FACTS] = 16;
    place[AT_KEY_BYTES] = w.len;
    place[AT_KEY] = w.len + 8;
    gguf_fact_number(&w, "general.alignment", GGUF_U32, 64, 4);
    place[AT_ALIGNMENT] = w.len - 4;
    place[AT_TYPE] = w.len - 8;
    gguf_fact_number(&w, "test.yes", GGUF_BOOL, 1, 1);
    place[AT_BOOL] = w.len - 1;
    gguf_text(&w, "test.text");
    gguf_number(&w, GGUF_TEXT, 4);
    place[AT_TEXT_BYTES] = w.len;
    gguf_text(&w, "ein Text");
    gguf_fact_number(&w, "test.small", GGUF_I32, (uint32_t)-7, 4);
    gguf_fact_number(&w, "test.half", GGUF_F32, 0x3f000000, 4);
    gguf_fact_array(&w, "test.words", GGUF_TEXT, 3);
    place[AT_ARRAY_TYPE] = w.len - 12;
    place[AT_ARRAY_N] = w.len - 8;
    place[AT_WORD_BYTES] = w.len;
    gguf_text(&w, "one");
    gguf_text(&w, "");
    gguf_text(&w, "three");
    gguf_fact_array(&w, "test.numbers", GGUF_I32, 3);
    for (uint32_t i = 0; i < 3; i++)
        gguf_number(&w, (uint32_t)-1 + i, 4);
    place[AT_TENSOR_NAME_BYTES] = w.len;
    place[AT_TENSOR_NAME] = w.len + 8;
    gguf_tensor(&w, "a.weight", 3, 2, 0, 0);
    place[AT_OFFSET] = w.len - 8;
    place[AT_FORMAT] = w.len - 12;
    place[AT_SHAPE_1] = w.len - 20;
    place[AT_SHAPE_0] = w.len - 28;
    place[AT_N_DIMS] = w.len - 32;
    gguf_tensor(&w, "b.weight", 64, 1, 8, 64);
    gguf_pad(&w, 64);
    place[AT_DATA] = w.len;
    for (uint32_t i = 0; i < 6; i++)
        gguf_number(&w, 0x3f800000 + (i << 20), 4);
    gguf_pad(&w, 64);
    qn__str_add_repeat(&w, '\1', 68);
    ck_assert(!w.failed);
    return w;
}

START_TEST(facts_and_tensors_come_out)
{
    struct qn__model_file *f;
    struct qn__str w = sample();
    uint32_t u;
    float x;
    bool yes;
    const char *text;
    must(qn__model_file_open_bytes(&f, w.text, w.len));
    ck_assert_uint_eq(qn__model_file_n_facts(f), 7);
    must(qn__fact_u32(&u, f, "general.alignment"));
    ck_assert_uint_eq(u, 64);
    must(qn__fact_bool(&yes, f, "test.yes"));
    ck_assert(yes);
    must(qn__fact_text(&text, f, "test.text"));
    ck_assert_str_eq(text, "ein Text");
    must(qn__fact_f32(&x, f, "test.half"));
    ck_assert(x == 0.5f);
    must(qn__fact_f32(&x, f, "test.small"));
    ck_assert(x == -7.0f);

    const struct qn__fact *words = qn__fact_find(f, "test.words");
    ck_assert_ptr_nonnull(words);
    ck_assert_uint_eq(words->value.array.n, 3);
    ck_assert_str_eq(qn__fact_element(f, words, 0).value.text.bytes, "one");
    ck_assert_str_eq(qn__fact_element(f, words, 1).value.text.bytes, "");
    ck_assert_uint_eq(qn__fact_element(f, words, 2).value.text.n, 5);
    const struct qn__fact *numbers = qn__fact_find(f, "test.numbers");
    ck_assert_ptr_nonnull(numbers);
    ck_assert_int_eq(qn__fact_element(f, numbers, 0).value.i64, -1);
    ck_assert_int_eq(qn__fact_element(f, numbers, 2).value.i64, 1);

    ck_assert_uint_eq(qn__model_file_n_tensors(f), 2);
    const struct qn__tensor *a = qn__model_file_find(f, "a.weight"),
                            *b = qn__model_file_find(f, "b.weight");
    ck_assert(a == qn__model_file_tensor(f, 0));
    ck_assert(a->shape[0] == 3 && a->shape[1] == 2 && a->shape[2] == 1 && a->n_dims == 2);
    ck_assert_uint_eq(a->bytes, 24);
    ck_assert_str_eq(b->format->name, "q8_0");
    ck_assert_uint_eq(b->bytes, 68);
    ck_assert(a->data == w.text + place[AT_DATA] && b->data == w.text + place[AT_DATA] + 64);
    ck_assert_ptr_null(qn__model_file_find(f, "c.weight"));
    qn__model_file_close(f);
    qn__str_release(&w);
}
END_TEST

START_TEST(a_fact_of_another_kind_is_refused_by_its_key)
{
    struct qn__model_file *f;
    struct qn__str w = sample();
    uint32_t u;
    float x;
    bool yes;
    const char *text;
    must(qn__model_file_open_bytes(&f, w.text, w.len));
    must_not(QN_E_NOT_FOUND, qn__fact_u32(&u, f, "test.none"));
    says(qn_message(), "test.none");
    must_not(QN_E_CORRUPT, qn__fact_u32(&u, f, "test.small"));
    must_not(QN_E_CORRUPT, qn__fact_u32(&u, f, "test.text"));
    must_not(QN_E_CORRUPT, qn__fact_f32(&x, f, "test.yes"));
    must_not(QN_E_CORRUPT, qn__fact_bool(&yes, f, "test.small"));
    must_not(QN_E_CORRUPT, qn__fact_text(&text, f, "test.words"));
    says(qn_message(), "test.words");
    qn__model_file_close(f);
    qn__str_release(&w);
}
END_TEST

#define WIDE UINT64_C(0xffffffffffffffff)
static const struct {
    const char *name;
    enum place at;
    uint32_t offset, n_bytes; /* where, from `at`, and how many bytes are overwritten */
    uint64_t value;
    qn_status status;
    const char *says;
} hostile[] = {
    {"another magic", AT_MAGIC, 3, 1, 'A', QN_E_CORRUPT, "GGUF"},
    {"version 1", AT_VERSION, 0, 4, 1, QN_E_UNSUPPORTED, "version 1"},
    {"version 4", AT_VERSION, 0, 4, 4, QN_E_UNSUPPORTED, "version 4"},
    {"a big endian file", AT_VERSION, 0, 4, 0x03000000, QN_E_UNSUPPORTED, "big endian"},
    {"more tensors than bytes", AT_N_TENSORS, 0, 8, WIDE, QN_E_CORRUPT, "number of tensors"},
    {"one tensor more", AT_N_TENSORS, 0, 8, 3, QN_E_CORRUPT, "tensor"},
    {"more facts than bytes", AT_N_FACTS, 0, 8, WIDE, QN_E_CORRUPT, "number of facts"},
    {"one fact more", AT_N_FACTS, 0, 8, 8, QN_E_CORRUPT, "name of tensor"},
    {"a key longer than the file", AT_KEY_BYTES, 0, 8, WIDE, QN_E_CORRUPT, "key of fact"},
    {"an empty key", AT_KEY_BYTES, 0, 8, 0, QN_E_CORRUPT, "1 to 255"},
    {"a key of 300 bytes", AT_KEY_BYTES, 0, 8, 300, QN_E_CORRUPT, "1 to 255"},
    {"a line break in a key", AT_KEY, 2, 1, '\n', QN_E_CORRUPT, "control character"},
    {"a 0 in a key", AT_KEY, 2, 1, 0, QN_E_CORRUPT, "control character"},
    {"an unknown type", AT_TYPE, 0, 4, 13, QN_E_CORRUPT, "general.alignment: the unknown type 13"},
    {"alignment 0", AT_ALIGNMENT, 0, 4, 0, QN_E_CORRUPT, "general.alignment: 0"},
    {"alignment 48", AT_ALIGNMENT, 0, 4, 48, QN_E_CORRUPT, "power of two"},
    {"alignment 2^31", AT_ALIGNMENT, 0, 4, 0x80000000, QN_E_CORRUPT, "general.alignment"},
    {"a larger alignment than the offsets have", AT_ALIGNMENT, 0, 4, 128, QN_E_CORRUPT,
     "'b.weight': offset 64"},
    {"true is 2", AT_BOOL, 0, 1, 2, QN_E_CORRUPT, "test.yes: 2"},
    {"a text longer than the file", AT_TEXT_BYTES, 0, 8, 1 << 20, QN_E_CORRUPT, "test.text"},
    {"a text that wraps around", AT_TEXT_BYTES, 0, 8, WIDE, QN_E_CORRUPT, "test.text"},
    {"an array of arrays", AT_ARRAY_TYPE, 0, 4, GGUF_ARRAY, QN_E_UNSUPPORTED, "test.words"},
    {"an array of an unknown type", AT_ARRAY_TYPE, 0, 4, 99, QN_E_CORRUPT, "test.words"},
    {"an array longer than the file", AT_ARRAY_N, 0, 8, 1 << 20, QN_E_CORRUPT, "test.words"},
    {"an array that wraps around", AT_ARRAY_N, 0, 8, UINT64_C(1) << 61, QN_E_CORRUPT, "test.words"},
    {"a word longer than the file", AT_WORD_BYTES, 0, 8, WIDE, QN_E_CORRUPT, "test.words"},
    {"a tensor's name longer than the file", AT_TENSOR_NAME_BYTES, 0, 8, WIDE, QN_E_CORRUPT,
     "name of tensor"},
    {"two tensors of one name", AT_TENSOR_NAME, 0, 1, 'b', QN_E_CORRUPT,
     "'b.weight' is there twice"},
    {"no axes", AT_N_DIMS, 0, 4, 0, QN_E_CORRUPT, "'a.weight': 0 axes"},
    {"five axes", AT_N_DIMS, 0, 4, 5, QN_E_CORRUPT, "'a.weight': 5 axes"},
    {"4294967295 axes", AT_N_DIMS, 0, 4, UINT32_MAX, QN_E_CORRUPT, "'a.weight': 4294967295 axes"},
    {"an axis of nothing", AT_SHAPE_1, 0, 8, 0, QN_E_CORRUPT, "'a.weight': axis 1 has 0"},
    {"an axis of 2^64 - 1", AT_SHAPE_0, 0, 8, WIDE, QN_E_CORRUPT, "'a.weight': axis 0"},
    {"a product beyond 2^63", AT_SHAPE_1, 0, 8, UINT64_C(1) << 60, QN_E_CORRUPT,
     "'a.weight': axis 1"},
    {"an unknown format", AT_FORMAT, 0, 4, 31, QN_E_UNSUPPORTED, "'a.weight': stored in format 31"},
    {"a row of part of a block", AT_FORMAT, 0, 4, 2, QN_E_CORRUPT, "whole number of q4_0 blocks"},
    {"more rows than bytes", AT_SHAPE_1, 0, 8, 1000, QN_E_CORRUPT, "'a.weight': 12000 bytes"},
    {"an offset behind the file", AT_OFFSET, 0, 8, 1 << 20, QN_E_CORRUPT, "'a.weight'"},
    {"an offset that wraps around", AT_OFFSET, 0, 8, WIDE - 63, QN_E_CORRUPT, "'a.weight'"},
    {"an odd offset", AT_OFFSET, 0, 8, 4, QN_E_CORRUPT, "'a.weight': offset 4 is no multiple"},
    {"the same bytes twice", AT_OFFSET, 0, 8, 64, QN_E_CORRUPT, "lies inside tensor"},
    {"an overlap", AT_SHAPE_1, 0, 8, 8, QN_E_CORRUPT, "'b.weight': its offset lies inside"},
};

START_TEST(a_wrong_number_is_refused_by_name)
{
    struct qn__str w = sample();
    struct qn__model_file *f;
    for (uint32_t i = 0; i < hostile[_i].n_bytes; i++)
        w.text[place[hostile[_i].at] + hostile[_i].offset + i] =
            (char)(hostile[_i].value >> (8 * i) & 0xff);
    const qn_status s = qn__model_file_open_bytes(&f, w.text, w.len);
    ck_assert_msg(s == hostile[_i].status, "%s: %s: %s", hostile[_i].name, qn_status_name(s),
                  qn_message());
    ck_assert_ptr_null(f);
    ck_assert_msg(strstr(qn_message(), hostile[_i].says) != NULL, "%s: '%s' is not in: %s",
                  hostile[_i].name, hostile[_i].says, qn_message());
    qn__str_release(&w);
}
END_TEST

START_TEST(a_file_cut_anywhere_is_refused)
{
    struct qn__str w = sample();
    for (size_t n = 0; n < w.len; n++) {
        struct qn__model_file *f;
        char *cut = malloc(n + 1); /* of exactly that size, so that a sanitizer sees the end */
        memcpy(cut, w.text, n);
        const qn_status s = qn__model_file_open_bytes(&f, cut, n);
        ck_assert_msg(s == QN_E_CORRUPT, "cut to %zu bytes: %s", n, qn_status_name(s));
        free(cut);
    }
    qn__str_release(&w);
}
END_TEST

/* -- files -- */

static const char *write_bytes(const char *name, const struct qn__str *w)
{
    const char *path = in_scratch(name);
    must(qn__file_write_atomic(path, w->text, w->len, 0600));
    return path;
}

/* File `index` of a model of three, with one tensor. */
static const char *write_part(uint32_t index, uint32_t says_index, uint32_t n_tensors)
{
    struct qn__str w = {0};
    char name[64];
    gguf_head(&w, 3, 1, 4);
    gguf_fact_number(&w, "split.no", GGUF_U32, says_index, 4);
    gguf_fact_number(&w, "split.count", GGUF_U32, 3, 4);
    gguf_fact_number(&w, "split.tensors.count", GGUF_I32, n_tensors, 4);
    gguf_fact_text(&w, "general.name", index ? "a part" : "the whole");
    snprintf(name, sizeof name, "t%u.weight", index);
    gguf_tensor(&w, name, 2, 1, 0, 0);
    gguf_pad(&w, 32);
    gguf_number(&w, index, 8);
    snprintf(name, sizeof name, "split-%05u-of-00003.gguf", index + 1);
    const char *path = write_bytes(name, &w);
    qn__str_release(&w);
    return path;
}

START_TEST(a_model_in_three_files_is_one)
{
    struct qn__model_file *f;
    const char *text;
    const char *first = write_part(0, 0, 3);
    write_part(1, 1, 3);
    write_part(2, 2, 3);
    must(qn__model_file_open(&f, first));
    ck_assert_uint_eq(qn__model_file_n_tensors(f), 3);
    must(qn__fact_text(&text, f, "general.name"));
    ck_assert_str_eq(text, "the whole");
    ck_assert_int_eq(*(const char *)qn__model_file_find(f, "t2.weight")->data, 2);
    ck_assert_str_eq(qn__model_file_path(f), first);
    struct stat st;
    ck_assert_int_eq(stat(first, &st), 0);
    ck_assert_uint_gt(qn__model_file_bytes(f), (uint64_t)st.st_size * 2);
    qn__model_file_close(f);
}
END_TEST

START_TEST(a_split_model_that_does_not_fit_together_is_refused)
{
    struct qn__model_file *f;
    const char *first = write_part(0, 0, 3);
    must_not(QN_E_IO, qn__model_file_open(&f, first)); /* the others are not there */
    says(qn_message(), "split-00002-of-00003.gguf");
    const char *second = write_part(1, 1, 3);
    write_part(2, 1, 3);
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, first));
    says(qn_message(), "split-00003-of-00003.gguf: it says it is file 2 of 3");
    must_not(QN_E_UNSUPPORTED, qn__model_file_open(&f, second));
    says(qn_message(), "open the first");
    write_part(2, 2, 3);
    first = write_part(0, 0, 4);
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, first));
    says(qn_message(), "split.tensors.count: 4");
}
END_TEST

START_TEST(what_is_no_model_file_is_refused_with_its_path)
{
    struct qn__model_file *f;
    must_not(QN_E_IO, qn__model_file_open(&f, in_scratch("none.gguf")));
    says(qn_message(), "none.gguf: No such file");
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, write_text("empty.gguf", "")));
    says(qn_message(), "empty.gguf: the file is empty");
    must_not(QN_E_CORRUPT, qn__model_file_open(&f, write_text("page.gguf", "<html>404</html>")));
    says(qn_message(), "page.gguf: not a model file");
    must_not(QN_E_IO, qn__model_file_open(&f, "/dev/zero"));
    says(qn_message(), "not a regular file");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model_file");
    TCase *host = tcase_create("host");
    tcase_add_checked_fixture(host, scratch_open, scratch_close);
    tcase_add_test(host, facts_and_tensors_come_out);
    tcase_add_test(host, a_fact_of_another_kind_is_refused_by_its_key);
    tcase_add_loop_test(host, a_wrong_number_is_refused_by_name, 0,
                        (int)(sizeof hostile / sizeof hostile[0]));
    tcase_add_test(host, a_file_cut_anywhere_is_refused);
    tcase_add_test(host, a_model_in_three_files_is_one);
    tcase_add_test(host, a_split_model_that_does_not_fit_together_is_refused);
    tcase_add_test(host, what_is_no_model_file_is_refused_with_its_path);
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
