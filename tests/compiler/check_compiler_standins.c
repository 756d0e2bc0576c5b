/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the stand-in headers clang gets to read, and that a source which reaches them in a way
 * that reading does not find translates all the same.
 *
 * covers: compiler/frontend/header_selection */
#include "compiler/frontend/header_selection.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text, *header;
    bool reached;
} reaches[] = {
    {"a kernel of arithmetic", "__global__ void k(int *p) { *p += 1; }", "quern_atomic.h", false},
    {"an atomic", "__global__ void k(int *p) { atomicAdd(p, 1); }", "quern_atomic.h", true},
    {"an atomic with an order", "x = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);", "quern_atomic.h",
     true},
    {"a name that ends like one", "int my_atomicAdd;", "quern_atomic.h", false},
    {"an instruction on bytes", "x = __vabs4(x);", "quern_simd.h", true},
    {"no instruction on bytes", "x = abs(x);", "quern_simd.h", false},
    {"a call of the runtime", "cudaMalloc(&p, 4);", "quern_runtime.h", true},
    {"a header of CUDA", "#include <cuda_runtime.h>", "quern_runtime.h", true},
    {"what the runtime's header includes", "cudaMalloc(&p, 4);", "quern_texture.h", true},
    {"a header that mentions the runtime", "#include <hip/hip_runtime.h>", "quern_runtime.h", true},
    {"a texture", "texture<float> t;", "quern_texture.h", true},
    {"a read of a texture", "x = tex2D<float>(t, 0, 0);", "quern_texture_read.h", true},
    {"no read of a texture", "cudaTextureObject_t t;", "quern_texture_read.h", false},
    {"text", "int text, surf;", "quern_texture.h", false},
    {"what is always there", "", "quern_math.h", true},
    {"comments", "// atomicAdd, \"\n/* texture */ int a; /**/", "quern_atomic.h", false},
    {"a comment of two lines", "/* no * texture\n / here **/ int t;", "quern_texture.h", false},
    {"a name behind comments", "// it's\n/* no */ atomicAdd(p, 1);", "quern_atomic.h", true},
    {"a string", "printf(\"atomicAdd \\\" atomicAdd\");", "quern_atomic.h", false},
    {"no comment in a string", "a = \"/*\"; b = '\"'; atomicAdd(p, 1);", "quern_atomic.h", true},
    {"a name behind a number", "n = 1'000; atomicAdd(p, 1);", "quern_atomic.h", true},
    {"a name behind a division", "n = a / 2; atomicAdd(p, 1);", "quern_atomic.h", true},
    {"an include of a macro", "#define H <cmath>\n#include H", "quern_simd.h", true},
};

static bool is_reached(const char *text, const char *header, bool whole)
{
    struct qn__arena arena = {0};
    const struct qn__source_file file = {"main.cu", text, strlen(text)};
    const struct qn__translate_request request = {.files = &file, .n_files = 1};
    jmp_buf out_of_memory;
    struct qn__unit u = {.arena = &arena, .request = &request, .out_of_memory = &out_of_memory};
    if (setjmp(out_of_memory) != 0)
        ck_abort_msg("out of memory");
    const bool *const reached = qn__standins_reached(&u, qn__standin_headers, whole);
    uint32_t i = 0;
    while (qn__standin_headers[i].name && strcmp(qn__standin_headers[i].name, header) != 0)
        i++;
    ck_assert_msg(qn__standin_headers[i].name != NULL, "there is no %s", header);
    const bool answer = reached[i];
    qn__arena_release(&arena);
    return answer;
}

START_TEST(a_header_is_reached_by_a_name_that_begins_like_its_own)
{
    ck_assert_msg(is_reached(reaches[_i].text, reaches[_i].header, false) == reaches[_i].reached,
                  "%s: %s", reaches[_i].name, reaches[_i].header);
    ck_assert_msg(is_reached(reaches[_i].text, reaches[_i].header, true), "%s: the whole prelude",
                  reaches[_i].name);
}
END_TEST

START_TEST(names_that_the_preprocessor_puts_together_are_found)
{
    static const char text[] = "#define JOIN2(a, b) a##b\n"
                               "#define JOIN(a, b) JOIN2(a, b)\n"
                               "__global__ void k(int *p)\n"
                               "{\n"
                               "    JOIN(ato, micAdd)(p, JOIN(_, _vabs2)(1));\n"
                               "}\n";
    ck_assert(!is_reached(text, "quern_atomic.h", false) &&
              !is_reached(text, "quern_simd.h", false));
    struct qn__arena arena = {0};
    const struct qn__source_file file = {"main.cu", text, sizeof text - 1};
    const struct qn__translate_request request = {.files = &file, .n_files = 1, .profile = "pocl3"};
    struct qn__translate_result result;
    const qn_status s = qn__translate(&result, &arena, &request);
    ck_assert_msg(s == QN_OK, "%s", result.diagnostics);
    ck_assert_msg(strstr(result.text, "atomic_add(p, "), "%s", result.text);
    qn__arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("stand-in headers");
    TCase *const t = tcase_create("reach");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_header_is_reached_by_a_name_that_begins_like_its_own, 0,
                        sizeof reaches / sizeof *reaches);
    tcase_add_test(t, names_that_the_preprocessor_puts_together_are_found);
    suite_add_tcase(suite, t);
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
