/* SPDX-License-Identifier: Apache-2.0
 *
 * The headers of a CUDA toolkit are read where a kernel that must be there needs what ours for CUB,
 * Thrust and libcu++ lack, or an operation of CUB's for a block or a warp, and nowhere else. The
 * toolkit is a folder with a few headers of the test's own; check_cccl.c has a real one.
 *
 * covers: compiler/frontend/toolkit compiler/core/kernel_list base/toolkit_names */
#include "base/file.h"
#include "base/str.h"
#include "compiler/translator.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct qn__arena arena;
static struct qn__translate_result result;
static char folder[] = "/tmp/quern-toolkit-XXXXXX";
static bool has_library;

/* ---- the toolkit ---- */

static const char *const headers[][2] = {
    {"cub/cub.cuh",
     "#pragma once\n#include <cub/part.cuh>\n#include <optional>\nnamespace cub {\n"
     "template <class T, int n> struct BlockReduce {\n"
     "    struct TempStorage { T all[n]; } &kept;\n"
     "    __device__ BlockReduce(TempStorage &s) : kept(s) {}\n"
     "    __device__ T Sum(T v) { kept.all[threadIdx.x] = v; __syncthreads(); T s = 0;\n"
     "        for (int i = 0; i < n; i++) s += kept.all[i]; return s; }\n"
     "};\n"
     "template <class T> __global__ void of_library(T *x) { *x = part(7); }\n"
     "struct DeviceReduce { template <class T> static void Sum(T *x) { of_library<<<1, 1>>>(x); } "
     "};"
     "\n}\n"},
    {"cub/part.cuh", "#pragma once\n__device__ inline int part(int a) { return a * 31; }\n"},
    {"cub/broken.cuh", "#pragma once\nthis is no C++\n"},
    {"cub/warp/warp_reduce.cuh", "#pragma once\n"},
    {"thrust/version.h", ""},
};

static bool write_header(const char *name, const char *text)
{
    char *const path = qn__path_join(folder, name);
    char *const parent = qn__path_dir(path);
    const bool good = qn__file_make_dirs(parent, 0700) == QN_OK &&
                      qn__file_write_atomic(path, text, strlen(text), 0600) == QN_OK;
    free(parent);
    free(path);
    return good;
}

static bool make_toolkit(void)
{
    bool good = mkdtemp(folder) != NULL;
    for (size_t i = 0; good && i < sizeof headers / sizeof *headers; i++)
        good = write_header(headers[i][0], headers[i][1]);
    return good;
}

/* ---- translating ---- */

struct how {
    bool has_toolkit;
    const char *option, *name;
};

static qn_status translate_files(const struct qn__source_file *files, uint32_t n,
                                 const char *const *below, struct how how)
{
    static const char *const known[] = {folder};
    const struct qn__translate_request request = {.files = files,
                                                  .n_files = n,
                                                  .profile = "portable",
                                                  .options = &how.option,
                                                  .n_options = how.option ? 1 : 0,
                                                  .names = &how.name,
                                                  .n_names = how.name ? 1 : 0,
                                                  .toolkit = known,
                                                  .n_toolkit = how.has_toolkit,
                                                  .below = below};
    return qn__translate(&result, &arena, &request);
}

static qn_status translate(const char *text, struct how how)
{
    const struct qn__source_file file = {"main.cu", text, strlen(text)};
    return translate_files(&file, 1, NULL, how);
}

static void release(void)
{
    qn__arena_release(&arena);
}

static void look_for_library(void)
{
    has_library = translate("#include <variant>\n__global__ void k(int *p) { std::variant<int> v; "
                            "*p = v.index(); }",
                            (struct how){0}) == QN_OK;
    release();
    if (!has_library)
        printf("skip: clang finds no C++ headers of this machine\n");
}

static void says(const char *text, const char *part)
{
    ck_assert_msg(text && strstr(text, part), "'%s' is not in:\n%s", part, text ? text : "(none)");
}

static bool was_read(const char *name)
{
    for (uint32_t i = 0; i < result.machine.n_headers; i++)
        if (qn__starts_with(result.machine.headers[i], folder) &&
            qn__ends_with(result.machine.headers[i], name))
            return true;
    return false;
}

static void expect_untouched(void)
{
    ck_assert_uint_eq(result.machine.n_toolkit, 0);
    ck_assert(!was_read(""));
    ck_assert_ptr_null(strstr(result.diagnostics, folder));
}

/* ---- tests ---- */

#define SUM                                                                                        \
    "__global__ void sum(int *x) {\n"                                                              \
    "    __shared__ cub::BlockReduce<int, 32>::TempStorage s;\n"                                   \
    "    *x = cub::BlockReduce<int, 32>(s).Sum(x[threadIdx.x]);\n}\n"
#define PLAIN "__global__ void plain(int *x) { *x = 5; }\n"

static const char sum[] = "#include <vector>\n#include <cub/cub.cuh>\n" SUM;

START_TEST(a_kernel_with_an_operation_of_a_block_is_read_with_the_toolkits)
{
    ck_assert_int_eq(translate(sum, (struct how){.has_toolkit = true}), QN_OK);
    says(result.text, "__kernel void sum(");
    says(result.text, "< 32");
    ck_assert(result.machine.asks_toolkit);
    ck_assert_uint_eq(result.machine.n_toolkit, 1);
    ck_assert_str_eq(result.machine.toolkit[0], folder);
    ck_assert(was_read("/cub/cub.cuh") && was_read("/cub/part.cuh"));
    ck_assert_str_eq(result.machine.folders[result.machine.n_folders - 1], folder);
    says(result.diagnostics, "main.cu:2:10: warning: read with the headers of CUB");
    says(result.diagnostics, "a kernel uses CUB's operations of a block or a warp");
    says(result.diagnostics, folder);
    release();
    ck_assert_int_eq(translate(sum, (struct how){.has_toolkit = true, .option = "-w"}), QN_OK);
    ck_assert_str_eq(result.diagnostics, "");
    release();
}
END_TEST

START_TEST(without_a_toolkit_ours_are_read_and_that_is_said)
{
    ck_assert_int_eq(translate(sum, (struct how){0}), QN_OK);
    says(result.text, "__kernel void sum(");
    says(result.diagnostics,
         "main.cu:2:10: note: CUB's operations of a block or a warp are Quern's");
    says(result.diagnostics, "CUDA_PATH");
    says(result.diagnostics, "[translation]");
    ck_assert(result.machine.asks_toolkit);
    expect_untouched();
    release();
    ck_assert_int_eq(translate(sum, (struct how){.option = "-w"}), QN_OK);
    ck_assert_str_eq(result.diagnostics, "");
    release();
}
END_TEST

START_TEST(a_name_that_ours_lack_is_read_with_the_toolkits)
{
    static const char text[] =
        "#include <cub/part.cuh>\n__global__ void k(int *x) { *x = part(3); }";
    ck_assert_int_eq(translate(text, (struct how){.has_toolkit = true}), QN_OK);
    says(result.text, "93");
    ck_assert(was_read("/cub/part.cuh"));
    release();
    ck_assert_int_eq(translate(text, (struct how){0}), QN_E_COMPILE);
    release();
}
END_TEST

/* Texts that depend on no toolkit, and the kernel that is asked for; NULL: all. */
static const char *const content[][2] = {
    {"#include <cub/cub.cuh>\n" PLAIN
     "int main() { int *x = 0; size_t n; cub::DeviceReduce::Sum(x, n, x, x, 1); }",
     NULL},
    {"#include <thrust/version.h>\n" PLAIN "int main() { return thrust::unknown(1); }", NULL},
    {"#include <cub/cub.cuh>\n" SUM PLAIN, "plain"},
    {"#include <cub/cub.cuh>\n__device__ int unused(int a, cub::BlockReduce<int, 32>::TempStorage "
     "&s) { return cub::BlockReduce<int, 32>(s).Sum(a); }\n" PLAIN,
     NULL},
    {PLAIN, NULL},
};

START_TEST(what_ours_suffice_for_depends_on_no_toolkit)
{
    char *texts[2];
    for (int i = 0; i < 2; i++) {
        const struct how how = {.has_toolkit = i == 1, .name = content[_i][1]};
        const qn_status s = translate(content[_i][0], how);
        ck_assert_msg(s == QN_OK, "%s\n%s", content[_i][0], result.diagnostics);
        ck_assert(!result.machine.asks_toolkit);
        expect_untouched();
        texts[i] = strdup(result.text);
        release();
    }
    says(texts[0], "__kernel void plain(");
    ck_assert_str_eq(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

START_TEST(kernels_of_the_toolkit_are_the_users_where_they_are_named)
{
    static const char text[] =
        "#include <cub/cub.cuh>\n" SUM "int main() { int *x = 0; cub::DeviceReduce::Sum(x); }";
    ck_assert_int_eq(translate(text, (struct how){.has_toolkit = true}), QN_OK);
    says(result.text, "__kernel void sum(");
    ck_assert_ptr_null(strstr(result.text, "of_library"));
    release();
    const struct how named = {.has_toolkit = true, .name = "cub::of_library<int>"};
    ck_assert_int_eq(translate(text, named), QN_OK);
    says(result.text, "of_library");
    says(result.text, "217");
    release();
}
END_TEST

START_TEST(keep_going_keeps_what_the_toolkit_makes_possible)
{
    static const char text[] =
        "#include <cub/cub.cuh>\n" SUM PLAIN "__global__ void lost(int *x) { *x = unknown(1); }";
    const struct how how = {.has_toolkit = true, .option = "-keep-going"};
    ck_assert_int_eq(translate(text, how), QN_OK);
    says(result.text, "__kernel void sum(");
    says(result.text, "__kernel void plain(");
    ck_assert_ptr_null(strstr(result.text, "lost("));
    says(result.diagnostics, "undeclared identifier 'unknown'");
    release();
}
END_TEST

START_TEST(a_toolkit_that_does_not_help_is_named)
{
    static const char text[] = "#include <cub/cub.cuh>\n#include <cub/broken.cuh>\n"
                               "__global__ void k(int *x) { *x = broken(1); }";
    ck_assert_int_eq(translate(text, (struct how){.has_toolkit = true}), QN_E_COMPILE);
    says(qn_message(), "'cub/broken.cuh' file not found");
    says(result.diagnostics, "main.cu:1:10: note: the headers of CUB");
    says(result.diagnostics, "do not help: use of undeclared identifier 'broken'");
    says(result.diagnostics, "main.cu:2:1: note: the header does not compile here");
    release();
}
END_TEST

START_TEST(ours_are_read_where_the_toolkits_do_not_compile_and_the_reason_is_said)
{
    static const char text[] = "#include <cub/warp/warp_reduce.cuh>\n"
                               "__global__ void sum(int *x) {\n"
                               "    __shared__ cub::WarpReduce<int>::TempStorage s;\n"
                               "    *x = cub::WarpReduce<int>(s).Sum(x[threadIdx.x]);\n}\n";
    ck_assert_int_eq(translate(text, (struct how){.has_toolkit = true}), QN_OK);
    says(result.text, "__kernel void sum(");
    says(result.diagnostics,
         "main.cu:1:10: note: CUB's operations of a block or a warp are Quern's own; those in ");
    says(result.diagnostics, folder);
    says(result.diagnostics, "do not compile here: use of undeclared identifier 'cub'");
    says(result.diagnostics, "[translation]");
    release();
}
END_TEST

/* As the library gives them: an -I of the caller's led there, and names are plain. */
START_TEST(files_below_the_toolkit_are_read_from_it)
{
    static const char text[] = "#include \"cub.cuh\"\n" SUM;
    static const char part[] = "#pragma once\n#error not from here\n";
    const struct qn__source_file files[] = {
        {"main.cu", text, sizeof text - 1},
        {"cub.cuh", "#include \"part.cuh\"\n", 20},
        {"part.cuh", part, sizeof part - 1},
        {"cub/part.cuh", part, sizeof part - 1},
    };
    static const char *const below[] = {NULL, "cub/cub.cuh", "cub/part.cuh", "cub/part.cuh"};
    ck_assert_msg(translate_files(files, 4, below, (struct how){.has_toolkit = true}) == QN_OK,
                  "%s", result.diagnostics);
    says(result.text, "__kernel void sum(");
    ck_assert(was_read("/cub/cub.cuh") && was_read("/cub/part.cuh"));
    release();
}
END_TEST

int main(void)
{
    if (!make_toolkit()) {
        printf("%s: %s\n", folder, qn_message());
        return EXIT_FAILURE;
    }
    look_for_library();
    Suite *const s = suite_create("toolkit");
    TCase *const c = tcase_create("headers");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, without_a_toolkit_ours_are_read_and_that_is_said);
    tcase_add_loop_test(c, what_ours_suffice_for_depends_on_no_toolkit, 0,
                        (int)(sizeof content / sizeof *content));
    if (has_library) {
        tcase_add_test(c, a_kernel_with_an_operation_of_a_block_is_read_with_the_toolkits);
        tcase_add_test(c, a_name_that_ours_lack_is_read_with_the_toolkits);
        tcase_add_test(c, kernels_of_the_toolkit_are_the_users_where_they_are_named);
        tcase_add_test(c, keep_going_keeps_what_the_toolkit_makes_possible);
        tcase_add_test(c, a_toolkit_that_does_not_help_is_named);
        tcase_add_test(c, ours_are_read_where_the_toolkits_do_not_compile_and_the_reason_is_said);
        tcase_add_test(c, files_below_the_toolkit_are_read_from_it);
    }
    suite_add_tcase(s, c);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    qn__temp_dir_remove(folder);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
