/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of several files: each is compiled by itself, so that nothing of one is seen in another
 * but what C++ says.
 *
 * covers: compiler/frontend/source_program compiler/frontend/frontend
 * compiler/frontend/source_files */
#include "compiler/frontend/clang.h"
#include "compiler/translator.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct qn__arena arena;
static struct qn__translate_result result;

static void release(void)
{
    qn__arena_release(&arena);
}

static qn_status translate(const char *main, const char *a, const char *b, const char *name)
{
    const struct qn__source_file files[] = {
        {"program.cu", main, strlen(main)}, {"a.cu", a, strlen(a)}, {"b.cu", b, strlen(b)}};
    const struct qn__translate_request request = {.files = files,
                                                  .n_files = 3,
                                                  .profile = "portable",
                                                  .names = &name,
                                                  .n_names = name ? 1 : 0};
    return qn__translate(&result, &arena, &request);
}

static const char both[] = "/* a program */\n#include \"a.cu\"\n\n#include \"b.cu\"\n";
#define OTHER "__device__ int other(int);\n__global__ void k(int *o) { *o = "

/* Two files, and what the kernel of the first computes. */
static const struct {
    const char *name, *a, *b, *says;
} rows[] = {
    {"static functions", "static __device__ int f() { return 10; }\n" OTHER "f() + other(1); }",
     "static __device__ int f() { return 200; }\n__device__ int other(int a) { return a + f(); }",
     "*o = 211;"},
    {"macros", "#define WIDTH 10\n" OTHER "WIDTH + other(1); }",
     "#ifndef WIDTH\n#define WIDTH 200\n#endif\n__device__ int other(int a) { return WIDTH; }",
     "*o = 210;"},
    {"unnamed namespaces",
     "namespace { __device__ int f() { return 10; } }\n" OTHER "f() + other(1); }",
     "namespace { __device__ int f() { return 200; } }\n__device__ int other(int) { return f(); }",
     "*o = 210;"},
    {"overloads", OTHER "other(1) + 10; }\nstatic __device__ int f(int) { return 3; }",
     "static __device__ int f(float) { return 200; }\n__device__ int other(int a) { return f(a); }",
     "*o = 210;"},
    {"functions that each file has",
     "__device__ int f() { return 10; }\n" OTHER "f() + other(1); }",
     "__device__ int f() { return 200; }\n__device__ int other(int a) { return f(); }",
     "*o = 210;"},
    {"templates of one name",
     "template <class T> __device__ T f(T a) { return 10; }\n" OTHER "f(1) + other(1); }",
     "template <class T> __device__ T f(T a) { return 200; }\n"
     "__device__ int other(int a) { return f(1); }",
     "*o = 210;"},
    {"structs of one name", "struct s { int a; float b; };\n" OTHER "other(1) + s{10, 2}.a; }",
     "struct s { float b; int a; };\n__device__ int other(int a) { return s{1, 200}.a; }",
     "*o = 210;"},
    {"static variables", "static __device__ int v = 1;\n" OTHER "v + other(1); }",
     "static __device__ int v = 2;\n__device__ int other(int a) { return 2 * v; }",
     "*o = *v + 2 * *v_1;"},
    {"a variable of another file", "extern __device__ int v;\n" OTHER "v + other(1); }",
     "__device__ int v = 2;\n__device__ int other(int a) { return 2 * v; }",
     "*o = value + 2 * value;"},
};

START_TEST(nothing_of_a_file_is_seen_in_another)
{
    const qn_status s = translate(both, rows[_i].a, rows[_i].b, NULL);
    ck_assert_msg(s == QN_OK, "%s: %s", rows[_i].name, result.diagnostics);
    ck_assert_msg(strstr(result.text, rows[_i].says) != NULL, "%s: %s", rows[_i].name, result.text);
    ck_assert_str_eq(result.diagnostics, "");
    release();
}
END_TEST

START_TEST(static_kernels_of_one_name_are_two)
{
    static const char a[] = "static __global__ void k(int *o) { *o = 1; }\n"
                            "void f() { k<<<1, 1>>>(0); }",
                      b[] = "static __global__ void k(int *o) { *o = 2; }\n"
                            "void f() { k<<<1, 1>>>(0); }";
    ck_assert_msg(translate(both, a, b, NULL) == QN_OK, "%s", result.diagnostics);
    ck_assert_ptr_nonnull(strstr(result.text, "__kernel void k(__global int *o)"));
    ck_assert_ptr_nonnull(strstr(result.text, "__kernel void k_2(__global int *o)"));
    ck_assert_uint_eq(result.reflection.n_kernels, 2);
    release();
}
END_TEST

START_TEST(a_name_is_looked_for_in_its_file)
{
    ck_assert_msg(translate(both, "static int v;",
                            "template <int N> __global__ void k(int *o) { *o = N; }",
                            "k<7>") == QN_OK,
                  "%s", result.diagnostics);
    ck_assert_ptr_nonnull(strstr(result.text, "*o = 7;"));
    ck_assert_str_eq(result.reflection.kernels[0].info.expression, "k<7>");
    release();
}
END_TEST

START_TEST(a_file_that_needs_the_one_before_is_read_with_it)
{
    ck_assert_msg(translate(both, "#define N 7\n", "__global__ void k(int *o) { *o = N; }", NULL) ==
                      QN_OK,
                  "%s", result.diagnostics);
    ck_assert_ptr_nonnull(strstr(result.text, "*o = 7;"));
    ck_assert_int_eq(translate(both, "int a = b;\n", "__global__ void k(int *o) { *o = N; }", NULL),
                     QN_E_COMPILE);
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "a.cu:1:9: error: "));
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "b.cu:1:34: error: "));
    release();
}
END_TEST

START_TEST(a_kernel_of_two_files_is_refused)
{
    ck_assert_int_eq(translate(both, "__global__ void k(int *o) { *o = 1; }",
                               "__global__ void k(int *o) { *o = 2; }", NULL),
                     QN_E_COMPILE);
    ck_assert_ptr_nonnull(strstr(result.diagnostics, "b.cu:1:17: error: redefinition of 'k'"));
    release();
}
END_TEST

START_TEST(a_source_with_more_in_it_is_one_source)
{
    ck_assert_msg(translate("#define N 7\n#include \"a.cu\"\n#include \"b.cu\"\n", "static int v;",
                            "__global__ void k(int *o) { *o = N; }", NULL) == QN_OK,
                  "%s", result.diagnostics);
    ck_assert_ptr_nonnull(strstr(result.text, "*o = 7;"));
    release();
}
END_TEST

int main(void)
{
    const char *clang;
    if (qn__clang_find(&clang, &arena, NULL) != QN_OK) {
        printf("skip: %s\n", qn_message());
        return 0;
    }
    Suite *const s = suite_create("program");
    TCase *const t = tcase_create("program");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, nothing_of_a_file_is_seen_in_another, 0,
                        (int)(sizeof rows / sizeof *rows));
    tcase_add_test(t, static_kernels_of_one_name_are_two);
    tcase_add_test(t, a_name_is_looked_for_in_its_file);
    tcase_add_test(t, a_file_that_needs_the_one_before_is_read_with_it);
    tcase_add_test(t, a_kernel_of_two_files_is_refused);
    tcase_add_test(t, a_source_with_more_in_it_is_one_source);
    suite_add_tcase(s, t);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    release();
    return failed != 0;
}
