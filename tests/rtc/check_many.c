/* SPDX-License-Identifier: Apache-2.0
 *
 * Many compiles side by side, what a key is made of, and recording what a program asks for. Needs
 * NVRTC and the helper, no GPU.
 *
 * covers: rtc/many rtc/explain rtc/record rtc/cache/miss */
#define _GNU_SOURCE
#include "tests/rtc/cache_fixture.h"

#include <jansson.h>

enum { ITEMS = 6 };
static char texts[ITEMS][200];
static qn_source sources[ITEMS];
static qn_compile_item items[ITEMS];

static void fill_items(void)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        snprintf(texts[i], sizeof texts[i],
                 "extern \"C\" __global__ void k%u(float *p) { p[%u] = %u; }\n", i, i, i);
        sources[i] = (qn_source){.text = texts[i], .path = "k.cu"};
        items[i] = (qn_compile_item){.source = &sources[i], .target = "cuda:sm_80"};
    }
}

struct seen {
    uint32_t calls, last_done;
    uint32_t stop_after;
};

static bool note_progress(uint32_t done, uint32_t total, const qn_compile_item *last, void *payload)
{
    struct seen *s = payload;
    ck_assert_uint_eq(done, s->last_done + 1);
    ck_assert_uint_eq(total, ITEMS);
    ck_assert(last >= items && last < items + ITEMS);
    s->last_done = done;
    return ++s->calls != s->stop_after;
}

static qn_cache_counters counters(void)
{
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    return c;
}

START_TEST(many_are_compiled_in_helpers_and_then_come_from_the_cache)
{
    struct seen seen = {0};
    fill_items();
    must(qn_compile_many(items, ITEMS, 2, note_progress, &seen));
    ck_assert_uint_eq(seen.calls, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%u", i);
        ck_assert_str_eq(qn_image_get_info(items[i].image)->kernels[0].name, name);
        ck_assert_int_eq(items[i].log.origin, QN_ORIGIN_COMPILED);
        ck_assert_str_eq(qn_image_get_key(items[i].image), items[i].log.key);
    }
    ck_assert_uint_eq(counters().compiles, ITEMS);
    ck_assert_uint_ge(counters().helpers_started, 1);
    qn_compile_items_release(items, ITEMS);
    must(qn_compile_many(items, ITEMS, 0, NULL, NULL));
    ck_assert_uint_eq(counters().compiles, ITEMS);
    ck_assert_uint_eq(counters().memory_hits, ITEMS);
    qn_compile_items_release(items, ITEMS);
    must(qn_compile_many(NULL, 0, 0, NULL, NULL));
}
END_TEST

START_TEST(failures_stop_nothing_and_are_counted)
{
    fill_items();
    snprintf(texts[1], sizeof texts[1], "__global__ void k() { oops; }\n");
    items[4].target = "cuda:sm_1";
    must_not(QN_E_COMPILE, qn_compile_many(items, ITEMS, 2, NULL, NULL));
    says(qn_message(), "2 of 6 failed");
    says(qn_message(), "oops");
    ck_assert_int_eq(items[1].status, QN_E_COMPILE);
    says(items[1].log.text, "k.cu:1:");
    ck_assert_int_eq(items[4].status, QN_E_INVALID);
    says(items[4].message, "sm_1");
    for (uint32_t i = 0; i < ITEMS; i++)
        ck_assert((items[i].image != NULL) == (i != 1 && i != 4));
    qn_compile_items_release(items, ITEMS);
}
END_TEST

START_TEST(the_callback_can_stop_it)
{
    struct seen seen = {.stop_after = 2};
    fill_items();
    must_not(QN_E_NOT_READY, qn_compile_many(items, ITEMS, 1, note_progress, &seen));
    ck_assert_uint_eq(seen.calls, 2);
    ck_assert_int_eq(items[ITEMS - 1].status, QN_E_NOT_READY);
    ck_assert_ptr_null(items[ITEMS - 1].image);
    qn_compile_items_release(items, ITEMS);
}
END_TEST

START_TEST(a_key_is_explained_and_a_miss_has_its_nearest_entry)
{
    qn_explanation e;
    qn_image *image;
    const char *const o1[] = {"-O1"};
    fill_items();
    must(qn_compile_explain(&e, &sources[0], "cuda:sm_80", NULL));
    ck_assert_str_eq(e.target, "cuda:sm_80");
    ck_assert_uint_eq(strlen(e.key), 64);
    says(e.compiler, "nvrtc ");
    says(e.fields, "source: k.cu ");
    says(e.fields, "target: cuda:sm_80\n");
    ck_assert_str_eq(e.where, "");
    ck_assert_str_eq(e.nearest, "");
    must(qn_compile(&image, &sources[0], "cuda:sm_80", NULL, NULL));
    ck_assert_str_eq(qn_image_get_key(image), e.key);
    ck_assert_str_eq(qn_image_get_fields(image), e.fields);
    qn_image_release(image);
    qn_explanation_release(&e);
    must(qn_compile_explain(&e, &sources[0], "cuda:sm_80", NULL));
    says(e.where, e.key);
    qn_explanation_release(&e);
    qn_source other = sources[0];
    other.options = o1;
    other.n_options = 1;
    must(qn_compile_explain(&e, &other, "cuda:sm_80", NULL));
    ck_assert_str_eq(e.where, "");
    ck_assert_str_eq(e.difference, "- option: -O3\n+ option: -O1\n");
    ck_assert_str_eq(e.nearest, in_scratch("cache"));
    qn_explanation_release(&e);
    ck_assert_uint_eq(counters().compiles, 1);
}
END_TEST

START_TEST(two_lists_of_fields_are_compared)
{
    char *diff;
    must(qn_fields_diff(&diff, "source: a.h 12\noption: -O3\ntarget: x\n",
                        "source: a.h 34\noption: -O3\noption: -g\ntarget: x\n"));
    ck_assert_str_eq(diff, "- source: a.h 12\n+ source: a.h 34\n+ option: -g\n");
    free(diff);
    must(qn_fields_diff(&diff, "a: 1\n", "a: 1\n"));
    ck_assert_str_eq(diff, "");
    free(diff);
}
END_TEST

/* The recorded form alone gives the same source digest: it is self-contained. */
START_TEST(a_record_is_self_contained)
{
    write_text("p/sub/a.h", "#include \"b.h\"\n");
    write_text("p/sub/b.h", "// \xc3\xa9 \"quoted\" \\ \t\n#define N 3\n");
    const char *path = write_text("p/ma in.cu", "#include \"sub/a.h\"\n#include <stdint.h>\n"
                                                "#include \"quern_kernel.cuh\"\n"
                                                "template <int I> __global__ void k(int *p) "
                                                "{ *p = N + I; }\n");
    const char *const names[] = {"k<1>"}, *const options[] = {"-DX=1", "-O1"};
    const qn_source src = {
        .path = path, .names = names, .n_names = 1, .options = options, .n_options = 2};
    qn_explanation before, after;
    qn_image *image;
    setenv("QUERN_RECORD", in_scratch("log"), 1);
    must(qn_compile(&image, &src, "cuda:sm_80", NULL, NULL));
    qn_image_release(image);
    must(qn_compile(&image, &src, "cuda:sm_80", NULL, NULL)); /* written once */
    qn_image_release(image);
    must(qn_compile_explain(&before, &src, "cuda:sm_80", NULL));
    qn__temp_dir_remove(in_scratch("p"));
    json_error_t error;
    json_t *line = json_load_file(in_scratch("log"), JSON_DISABLE_EOF_CHECK, &error);
    ck_assert_msg(line != NULL, "%s", error.text);
    char *all;
    size_t n, n_lines = 0;
    must(qn__file_read(&all, &n, in_scratch("log"), 1 << 20));
    for (size_t i = 0; i < n; i++)
        n_lines += all[i] == '\n';
    ck_assert_uint_eq(n_lines, 1);
    free(all);
    const char *header_names[8], *header_texts[8], *recorded[8];
    uint32_t n_headers = 0, n_options = 0;
    const char *name;
    json_t *value;
    size_t i;
    json_object_foreach(json_object_get(line, "headers"), name, value)
    {
        header_names[n_headers] = name;
        header_texts[n_headers++] = json_string_value(value);
    }
    json_array_foreach(json_object_get(line, "options"), i, value) recorded[n_options++] =
        json_string_value(value);
    ck_assert_uint_eq(n_headers, 3);
    const qn_source again = {.path = json_string_value(json_object_get(line, "path")),
                             .text = json_string_value(json_object_get(line, "text")),
                             .names = names,
                             .n_names = 1,
                             .options = recorded,
                             .n_options = n_options,
                             .header_names = header_names,
                             .header_texts = header_texts,
                             .n_headers = n_headers};
    must(qn_compile_explain(&after, &again, "cuda:sm_80", NULL));
    ck_assert_str_eq(before.source, after.source);
    ck_assert_str_eq(before.key, after.key);
    ck_assert_str_eq(json_string_value(json_object_get(line, "source")), after.source);
    qn_explanation_release(&before);
    qn_explanation_release(&after);
    json_decref(line);
}
END_TEST

int main(void)
{
    bool failed = false;
    Suite *s = suite_create("many");
    TCase *t = tcase_create("fields");
    tcase_add_test(t, two_lists_of_fields_are_compared);
    suite_add_tcase(s, t);
    if (have_compiler("nvrtc", &failed)) {
        t = tcase_create("with NVRTC");
        tcase_set_timeout(t, 60);
        tcase_add_checked_fixture(t, open_quiet, scratch_close);
        tcase_add_test(t, many_are_compiled_in_helpers_and_then_come_from_the_cache);
        tcase_add_test(t, failures_stop_nothing_and_are_counted);
        tcase_add_test(t, the_callback_can_stop_it);
        tcase_add_test(t, a_key_is_explained_and_a_miss_has_its_nearest_entry);
        tcase_add_test(t, a_record_is_self_contained);
        suite_add_tcase(s, t);
    }
    return run_suite(s) || failed;
}
