/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in headers, the table of device functions and the library of OpenCL C functions agree
 * with each other, sources parse with these headers alone, and no other is ever read.
 *
 * covers: compiler/model/builtins compiler/model/type_lookup compiler/lang/library
 * compiler/lang/form compiler/frontend/frontend base/embedded */
#include "base/error.h"
#include "base/file.h"
#include "compiler/frontend/clang.h"
#include "compiler/lang/library.h"
#include "compiler/model/builtins.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sources[] = {"bare", "program",  "narrow", "groups",
                                      "hip",  "standard", "vendor"};
enum { N_SOURCES = sizeof sources / sizeof *sources, OUTPUT = 4 << 20 };

static struct qn__arena arena;
static const char *clang, *root;
static char output[OUTPUT];

/* Run clang with the stand-in headers on a file of the tests; true on success, `output` is what it
 * printed. */
static bool run_clang(const char *options, const char *file)
{
    char command[4096];
    snprintf(command, sizeof command,
             "'%s' -x cuda --cuda-device-only -nocudainc -nocudalib -std=c++17 "
             "--cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version -O1 -Xclang -disable-llvm-passes "
             "--cuda-path=/nonexistent -Xclang -fcuda-allow-variadic-functions "
             "-nostdlibinc -include quern_prelude.h -isystem '%s/compiler/frontend/include' "
             "-isystem '%s/compiler/frontend/include/std' %s '%s/%s' 2>&1",
             clang, root, root, options, root, file);
    FILE *const pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    const size_t n = fread(output, 1, OUTPUT - 1, pipe);
    output[n] = 0;
    return pclose(pipe) == 0;
}

START_TEST(sources_parse_with_no_headers_but_ours)
{
    char file[256];
    snprintf(file, sizeof file, "tests/compiler/headers/%s.cu", sources[_i]);
    ck_assert_msg(run_clang("-S -emit-llvm -o /dev/null", file), "%s: %s", file, output);
    ck_assert_msg(output[0] == 0, "%s: %s", file, output);
}
END_TEST

/* An SDK's header, as far as it matters: it says whose it is, and no good comes of reading it. */
#define POISON "/* Copyright NVIDIA Corporation. cooperative_groups */\n#error this is the SDK's\n"

static void put(const char *folder, const char *name)
{
    char *const path = qn__path_join(folder, name);
    char *const parent = qn__path_dir(path);
    ck_assert_msg(qn__file_make_dirs(parent, 0700) == QN_OK, "%s", qn_message());
    ck_assert_msg(qn__file_write_atomic(path, POISON, sizeof POISON - 1, 0600) == QN_OK, "%s",
                  qn_message());
    free(parent);
    free(path);
}

static const char sdk_user[] = "#include <cooperative_groups.h>\n"
                               "#include <cooperative_groups/reduce.h>\n"
                               "#include <cublas_v2.h>\n"
                               "#include <cuda_fp16.h>\n"
                               "#include <cuda_runtime.h>\n"
                               "#include <vector>\n"
                               "extern \"C\" __global__ void k(half *x, float4 v)\n"
                               "{ x[threadIdx.x] = __float2half(v.x); }\n"
                               "int main() { std::vector<float> a(3); return cudaFree(0); }\n";

START_TEST(headers_installed_on_the_machine_are_never_read)
{
    static const char *const names[] = {"cooperative_groups.h",
                                        "cooperative_groups/reduce.h",
                                        "cublas_v2.h",
                                        "cuda_fp16.h",
                                        "cuda_runtime.h",
                                        "driver_types.h",
                                        "stdio.h",
                                        "vector"};
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    char *folder = NULL;
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", sdk_user, sizeof sdk_user - 1};
    const struct qn__translate_request request = {.files = &file, .n_files = 1, .clang = clang};
    ck_assert_msg(qn__temp_dir_create(&folder) == QN_OK, "%s", qn_message());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(folder, names[i]);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i], folder, 1);
    const qn_status s = qn__translate(&r, &arena, &request);
    qn__temp_dir_remove(folder);
    free(folder);
    ck_assert_msg(s == QN_OK, "%s: %s", qn_message(), r.diagnostics);
}
END_TEST

START_TEST(headers_of_an_sdk_that_an_option_led_to_give_way_to_the_stand_ins)
{
    static const char source[] = "#include \"cuda_fp16.h\"\n"
                                 "#include \"2-reduce.h\"\n"
                                 "#include \"reduce.h\"\n"
                                 "#include \"cutlass/arch/mma.h\"\n"
                                 "__global__ void k(half *x) { x[0] = mine(one); }\n";
    static const char of_a_library[] = "/* Copyright (c) NVIDIA CORPORATION. Redistribution and "
                                       "use in source and binary forms */\n"
                                       "static const float one = 1.0f;\n";
    static const char own[] = "__device__ half mine(float f) { return __float2half(f); }\n";
    struct qn__translate_result r;
    const struct qn__source_file files[] = {
        {"a.cu", source, sizeof source - 1},
        {"cuda_fp16.h", POISON, sizeof POISON - 1},
        {"2-reduce.h", POISON, sizeof POISON - 1},
        {"reduce.h", own, sizeof own - 1},
        {"cutlass/arch/mma.h", of_a_library, sizeof of_a_library - 1}};
    const struct qn__translate_request request = {.files = files, .n_files = 5, .clang = clang};
    ck_assert_msg(qn__translate(&r, &arena, &request) == QN_OK, "%s: %s", qn_message(),
                  r.diagnostics);
}
END_TEST

static bool has_row(const char *name, size_t n)
{
    size_t n_rows;
    const struct qn__builtin *const rows = qn__builtin_rows(&n_rows);
    for (size_t i = 0; i < n_rows; i++)
        if (strlen(rows[i].name) == n && strncmp(rows[i].name, name, n) == 0)
            return true;
    return false;
}

/* "__asm__("name")" is how the headers name a builtin. */
static const char *next_builtin(const char *from, size_t *n)
{
    static const char mark[] = "__asm__(\"";
    const char *const p = strstr(from, mark);
    if (!p)
        return NULL;
    *n = strcspn(p + sizeof mark - 1, "\"");
    return p + sizeof mark - 1;
}

START_TEST(every_builtin_of_the_headers_has_a_row)
{
    ck_assert_msg(run_clang("-nostdinc++ -nostdlibinc -E -P", "tests/compiler/headers/all.cu"),
                  "%s", output);
    unsigned seen = 0;
    size_t n;
    for (const char *p = next_builtin(output, &n); p; p = next_builtin(p, &n), seen++)
        ck_assert_msg(has_row(p, n), "%.*s is declared and has no row in builtins.def", (int)n, p);
    ck_assert_uint_gt(seen, 500);
}
END_TEST

/* Refused with a reason, called by a pass of ours alone, or by C++ (new, delete) or clang itself.
 */
static bool needs_no_header(const char *name)
{
    return strcmp(name, "cudaDeviceSynchronize") == 0 || strcmp(name, "__qn_mma_quads") == 0 ||
           strncmp(name, "__qn_opaque_", 12) == 0 || strncmp(name, "scalbln", 7) == 0 ||
           strncmp(name, "_Zn", 3) == 0 || strncmp(name, "_Zd", 3) == 0;
}

START_TEST(every_row_is_declared_by_the_headers)
{
    ck_assert_msg(run_clang("-nostdinc++ -nostdlibinc -E -P", "tests/compiler/headers/all.cu"),
                  "%s", output);
    size_t n_rows, n;
    const struct qn__builtin *const rows = qn__builtin_rows(&n_rows);
    bool *const declared = calloc(n_rows, sizeof *declared);
    ck_assert_ptr_nonnull(declared);
    for (const char *p = next_builtin(output, &n); p; p = next_builtin(p, &n))
        for (size_t i = 0; i < n_rows; i++)
            declared[i] |= strncmp(rows[i].name, p, n) == 0 && rows[i].name[n] == 0;
    for (size_t i = 0; i < n_rows; i++)
        ck_assert_msg(declared[i] || needs_no_header(rows[i].name) ||
                          qn__starts_with(rows[i].name, "__qn_ir_"),
                      "%s: neither a header declares it nor a pass makes it", rows[i].name);
    free(declared);
}
END_TEST

START_TEST(rows_are_complete)
{
    size_t n_rows;
    const struct qn__builtin *const rows = qn__builtin_rows(&n_rows);
    ck_assert_uint_lt(n_rows, QN__BUILTIN_SLOTS / 2);
    for (size_t i = 0; i < n_rows; i++) {
        const struct qn__builtin *const r = &rows[i];
        ck_assert_msg(strchr(r->signature, '(') && strchr(r->signature, ')'), "%s: no signature",
                      r->name);
        if (r->status == QN__REFUSED)
            ck_assert_msg(*r->note, "%s is refused without a reason", r->name);
        else
            ck_assert_msg(*r->form, "%s has no form", r->name);
    }
}
END_TEST

START_TEST(what_goes_through_local_memory_is_for_the_whole_group)
{
    size_t n_rows;
    const struct qn__builtin *const rows = qn__builtin_rows(&n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const bool local = strstr(rows[i].form, "SCRATCH") != NULL ||
                           strstr(rows[i].form, "barrier(") != NULL ||
                           strchr(rows[i].form, '@') != NULL;
        const bool whole_group = rows[i].traits == QN__BARRIER || rows[i].traits == QN__WARP_LOCAL;
        if (local)
            ck_assert_msg(whole_group, "%s: %s", rows[i].name, rows[i].form);
        else
            ck_assert_msg(rows[i].traits != QN__WARP_LOCAL, "%s: %s", rows[i].name, rows[i].form);
    }
}
END_TEST

START_TEST(library_functions_of_the_forms_exist)
{
    size_t n_rows;
    const struct qn__builtin *const rows = qn__builtin_rows(&n_rows);
    for (size_t i = 0; i < n_rows; i++)
        for (const char *p = rows[i].form;
             !qn__equal(rows[i].needs, "loops") &&
             (p = strstr(p, "qn_")) != NULL;) { /* C's: check_compiler_c */
            size_t n = 0;
            while (isalnum((unsigned char)p[n]) || p[n] == '_')
                n++;
            ck_assert_msg(qn__library_has(p, n), "%s: library.cl has no %.*s", rows[i].name, (int)n,
                          p);
            p += n;
        }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("compiler_builtins");
    TCase *t = tcase_create("tables");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, sources_parse_with_no_headers_but_ours, 0, N_SOURCES);
    tcase_add_test(t, headers_installed_on_the_machine_are_never_read);
    tcase_add_test(t, headers_of_an_sdk_that_an_option_led_to_give_way_to_the_stand_ins);
    tcase_add_test(t, every_builtin_of_the_headers_has_a_row);
    tcase_add_test(t, every_row_is_declared_by_the_headers);
    tcase_add_test(t, rows_are_complete);
    tcase_add_test(t, what_goes_through_local_memory_is_for_the_whole_group);
    tcase_add_test(t, library_functions_of_the_forms_exist);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    root = getenv("QN_SOURCE") ? getenv("QN_SOURCE") : ".";
    if (qn__clang_find(&clang, &arena, NULL) != QN_OK) {
        printf("skip: %s\n", qn_message());
        return 0;
    }
    SRunner *r = srunner_create(suite());
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    qn__arena_release(&arena);
    return failed != 0;
}
