/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left of a whole program for compilers that take only its device half. No compiler is
 * asked here: what one would say is given as text.
 *
 * covers: rtc/helper/device_half rtc/helper/device_items rtc/helper/device_headers
 * rtc/helper/gnu_forms base/cxx_text */
#include "base/file.h"
#include "base/str.h"
#include "rtc/helper/device_half.h"
#include "rtc/helper/gnu_forms.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct qn__arena arena;
static struct qn__device_half *half;
static struct qn__job part;

static const char *toolkit; /* its folder of headers, or NULL */

static void begin(const char *text, const char *option)
{
    static struct qn__source_file file;
    static const char *options[1];
    static struct qn__job job;
    file = (struct qn__source_file){"a.cu", text, strlen(text)};
    options[0] = option;
    job = (struct qn__job){
        .files = &file, .n_files = 1, .options = options, .n_options = option != NULL};
    qn__device_half_release(half);
    ck_assert_int_eq(qn__device_half_create(&half, &arena, &job, toolkit), QN_OK);
}

/* What is left, behind the line that says where the program begins. */
static const char *left(void)
{
    static const char mark[] = "#line 1 \"a.cu\"\n";
    ck_assert_ptr_nonnull(half);
    ck_assert_int_eq(qn__device_half_part(&part, half), QN_OK);
    const char *const at = strstr(part.files[0].text, mark);
    ck_assert_ptr_nonnull(at);
    return at + sizeof mark - 1;
}

static void is_left(const char *text)
{
    ck_assert_msg(strstr(left(), text) != NULL, "'%s' is not in:\n%s", text, left());
}

static void is_gone(const char *text)
{
    ck_assert_msg(strstr(left(), text) == NULL, "'%s' is still in:\n%s", text, left());
}

static const char program[] =
    "#include <vector>\n"
    "#define HD __host__ __device__\n"
    "#define CHECK(x) do { if (x) exit(1); } while (0)\n"
    "const int N = 4;\n"
    "static std::vector<int> numbers;\n"
    "struct box { int v; box(int a) : v{a} {} HD int get() const { return v; } void print() { "
    "printf(\"}\"); } };\n"
    "template <class T> T host_add(T a, T b) { return a + b; }\n"
    "HD inline int twice(int a) { return 2 * a; }\n"
    "namespace app {\n"
    "template <class T> __global__ void k(T *p) { p[0] = twice(N); } // {\n"
    "void launch(int *p) { k<int><<<1, 1>>>(p); }\n"
    "}\n"
    "extern \"C\" { __constant__ float c[4]; float *host_pointer; }\n"
    "#ifdef X\n"
    "int main()\n"
    "{\n"
    "#include \"other.h\"\n"
    "#define LATE 1\n"
    "}\n"
    "#endif\n";

START_TEST(the_host_half_is_blank_and_lines_stay)
{
    static const char *const kept[] = {
        "const int N = 4;",    "struct box { int v;", "HD int get() const { return v; }",
        "HD inline int twice", "__global__ void k(",  "__constant__ float c[4];",
        "namespace app {",     "#define CHECK",       "#define LATE 1",
        "#ifdef X\n"};
    static const char *const gone[] = {"#include", "numbers",    "print()",
                                       "host_add", "launch(int", "host_pointer",
                                       "int main", "other.h",    "box(int a)"};
    begin(program, NULL);
    ck_assert(qn__device_half_is_program(half));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        is_left(kept[i]);
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        is_gone(gone[i]);
    size_t lines = 0, wanted = 0;
    for (const char *p = left(); *p; p++)
        lines += *p == '\n';
    for (const char *p = program; *p; p++)
        wanted += *p == '\n';
    ck_assert_uint_eq(lines, wanted);
    const char *const k = strstr(left(), "template <class T> __global__");
    ck_assert_ptr_nonnull(k);
    ck_assert_int_eq(k[-1], '\n'); /* columns stay, too */
}
END_TEST

START_TEST(a_source_of_kernels_is_no_program)
{
    begin("__device__ int f(int a) { return a; }\n__global__ void k(int *p) { *p = f(1); }\n",
          NULL);
    ck_assert_ptr_null(half);
    begin("int f(int a) { return a; }\n__global__ void k(int *p) { *p = f(1); }\n", NULL);
    ck_assert_ptr_nonnull(half);
    ck_assert(!qn__device_half_is_program(half));
}
END_TEST

static const char mixed[] = "int main() { }\n"
                            "struct host { file f; };\n"
                            "__device__ int f(int a) { return nosuch(a); }\n"
                            "__device__ S::S(int a) : v(a) { nosuch(a); }\n"
                            "__global__ void k(int *p) { *p = other(); }\n";

START_TEST(what_the_compiler_cannot_read_goes)
{
    begin(mixed, NULL);
    ck_assert(qn__device_half_leave_out(half, "a.cu:2:15: error: identifier \"file\"\n"));
    is_gone("struct host");
    ck_assert(qn__device_half_leave_out(half, "a.cu:3:35: error: identifier \"nosuch\"\n"
                                              "a.cu:4:33: error: identifier \"nosuch\"\n"));
    is_left("__device__ int f(int a) ;"); /* a call is an error of the linker */
    is_left("__device__ S::S(int a) ;");
    is_gone("nosuch");
    ck_assert(!qn__device_half_leave_out(half, "a.cu:5:34: error: identifier \"other\"\n"));
    is_left("*p = other();");
    struct qn__str text = {0};
    qn__device_half_say(&text, half, true);
    ck_assert_msg(strstr(text.text, "a.cu:3:35: error"), "%s", text.text);
    qn__str_release(&text);
}
END_TEST

START_TEST(with_keep_going_a_kernel_goes_too)
{
    begin(mixed, "-keep-going");
    ck_assert(qn__device_half_leave_out(half, "a.cu:5:34: error: identifier \"other\"\n"));
    is_gone("__global__");
}
END_TEST

START_TEST(a_file_whose_braces_do_not_match_stays)
{
    begin("#include <vector>\nvoid f() { }\n} int x;\n", NULL);
    is_left("void f() { }");
}
END_TEST

static const struct {
    const char *before, *after;
} forms[] = {
    {"a = (float2){1, 2};", "a =  float2 {1, 2};"},
    {"return (T) { x };", "return  T  { x };"},
    {"#define ONE (T2){ 1, -1 }\n", "#define ONE  T2 { 1, -1 }\n"},
    {"#define F(x) f(x){ }\n", "#define F(x) f(x){ }\n"},
    {"if (x) { y; }", "if (x) { y; }"},
    {"void f(int) { }", "void f(int) { }"},
    {"for (;;) { }", "for (;;) { }"},
    {"m = ({ int a = 1; a; });", "m = ([&]{ int a = 1; return a; }());"},
    {"#define M(x) ({ int a_ = (x); a_ < 0 ? \\\n 0 : a_; })",
     "#define M(x) ([&]{ int a_ = (x); return a_ < 0 ? \\\n 0 : a_; }())"},
    {"f({1, 2});", "f({1, 2});"},
};

START_TEST(forms_of_gnu_c_are_written_as_cxx)
{
    struct qn__str out = {0};
    const bool any = qn__gnu_forms_add(&out, forms[_i].before);
    ck_assert_str_eq(out.text, forms[_i].after);
    ck_assert_int_eq(any, strcmp(forms[_i].before, forms[_i].after) != 0);
    qn__str_release(&out);
}
END_TEST

/* CUB and Thrust launch kernels of their own from the host: of their headers stay those for
 * kernels.
 */
START_TEST(of_cub_and_thrust_stays_what_kernels_use)
{
    static const char *const files[] = {"cuda/std/cstdint",
                                        "cub/cub.cuh",
                                        "cub/device/x.cuh",
                                        "cub/util_type.cuh",
                                        "cub/thread/thread_operators.cuh",
                                        "cub/block/block_radix_sort.cuh",
                                        "cub/warp/warp_scan.cuh",
                                        "thrust/sort.h",
                                        "thrust/tuple.h"};
    char *folder;
    ck_assert_int_eq(qn__temp_dir_create(&folder), QN_OK);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct qn__str path = {0};
        qn__str_printf(&path, "%s/cccl/%s", folder, files[i]);
        char *const name = strrchr(path.text, '/');
        *name = 0;
        ck_assert_int_eq(qn__file_make_dirs(path.text, 0700), QN_OK);
        *name = '/';
        ck_assert_int_eq(qn__file_write_atomic(path.text, "", 0, 0600), QN_OK);
        qn__str_release(&path);
    }
    toolkit = folder;
    begin("#include <cub/cub.cuh>\n#include <cub/device/x.cuh>\n#include <thrust/sort.h>\n"
          "#include <thrust/tuple.h>\n"
          "__global__ void k(int *p) { cub::BlockRadixSort<int, 32, 1> s; s.Sort(p[0]); }\n",
          NULL);
    is_left("#include <thrust/tuple.h>");
    is_gone("cub/cub.cuh");
    is_gone("cub/device/x.cuh");
    is_gone("thrust/sort.h");
    const char *const before = part.files[0].text;
    ck_assert_ptr_nonnull(strstr(before, "#include <cub/block/block_radix_sort.cuh>\n"));
    ck_assert_ptr_nonnull(strstr(before, "#include <cub/thread/thread_operators.cuh>\n"));
    ck_assert_ptr_null(strstr(before, "warp_scan"));
    struct qn__str text = {0};
    qn__device_half_say(&text, half, false);
    ck_assert_msg(strstr(text.text, "not there: cub/device/x.cuh, thrust/sort.h\n"), "%s",
                  text.text);
    qn__str_release(&text);
    toolkit = NULL;
    qn__temp_dir_remove(folder);
    free(folder);
}
END_TEST

static void release(void)
{
    qn__device_half_release(half);
    half = NULL;
    qn__arena_release(&arena);
}

int main(void)
{
    Suite *const s = suite_create("device_half");
    TCase *const t = tcase_create("device_half");
    tcase_add_checked_fixture(t, NULL, release);
    tcase_add_test(t, the_host_half_is_blank_and_lines_stay);
    tcase_add_test(t, a_source_of_kernels_is_no_program);
    tcase_add_test(t, what_the_compiler_cannot_read_goes);
    tcase_add_test(t, with_keep_going_a_kernel_goes_too);
    tcase_add_test(t, a_file_whose_braces_do_not_match_stays);
    tcase_add_test(t, of_cub_and_thrust_stays_what_kernels_use);
    tcase_add_loop_test(t, forms_of_gnu_c_are_written_as_cxx, 0,
                        (int)(sizeof forms / sizeof *forms));
    suite_add_tcase(s, t);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
