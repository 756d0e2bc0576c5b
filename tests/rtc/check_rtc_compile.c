/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_compile() with the real compilers: NVRTC, hipRTC, clang. No GPU is needed; a compiler that is
 * not installed is skipped with the reason.
 *
 * covers: rtc/compile rtc/compiler_call rtc/build_log rtc/job/job rtc/job/code_object
 * rtc/helper/name_variables rtc/helper/rtc_program rtc/helper/job_nvrtc rtc/helper/job_hiprtc
 * rtc/helper/job_clang rtc/helper/loaded_files */
#include "rtc/job/code_object.h"
#include "tests/rtc_fixture.h"

static const char saxpy[] = "template <class T>\n"
                            "__global__ void saxpy(T *y, const T *x, T a, int n)\n"
                            "{\n"
                            "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n)\n"
                            "        y[i] = a * x[i] + y[i];\n"
                            "}\n"
                            "namespace ns {\n"
                            "__constant__ float scale;\n"
                            "__device__ int table[4];\n"
                            "}\n"
                            "extern \"C\" __global__ void use(float *y)\n"
                            "{\n"
                            "    y[threadIdx.x] = expf(ns::scale) + ns::table[1];\n"
                            "}\n";
static const char *const names[] = {"saxpy<float>", "&ns::scale", "ns::table"};
static const qn_source source = {.text = saxpy, .path = "saxpy.cu", .names = names, .n_names = 3};

static const qn_kernel_info *kernel(const qn_image_info *info, const char *expression)
{
    for (uint32_t i = 0; i < info->n_kernels; i++)
        if (strcmp(info->kernels[i].expression, expression) == 0)
            return &info->kernels[i];
    ck_abort_msg("%s by %s: no kernel %s", info->target, info->compiler, expression);
    return NULL;
}

/* Compile for a target and look at what the image says of itself. False: the compiler does not know
 * the target. */
static bool check_target(const char *target, const char *compiler)
{
    const qn_compile_options options = {.compiler = compiler, .bypass_cache = true};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &source, target, &options, &log);
    if (s == QN_E_UNSUPPORTED) {
        qn_log_release(&log);
        return false;
    }
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", target, qn_message(), log.text);
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_str_eq(info->target, target);
    ck_assert_msg(qn__starts_with(info->compiler, compiler), "%s: %s", target, info->compiler);
    ck_assert_uint_eq(info->n_kernels, 2);
    ck_assert_str_eq(kernel(info, "use")->name, "use");
    says(kernel(info, "saxpy<float>")->name, "saxpy");
    ck_assert_str_ne(kernel(info, "saxpy<float>")->name, "saxpy<float>");
    ck_assert_int_eq(log.origin, QN_ORIGIN_COMPILED);
    ck_assert(log.ms > 0);
    /* the bytes are for that target, whatever the strings say; cubins do not record "a" and "f" */
    struct qn__arena arena = {0};
    struct qn__code_object code;
    must(qn__code_object_read(&code, &arena, info->bytes, info->size_bytes));
    ck_assert_msg(strncmp(code.target, target, strlen(code.target)) == 0, "%s: the code is for %s",
                  target, code.target);
    qn__arena_release(&arena);
    qn_log_release(&log);
    qn_image_release(image);
    return true;
}

/* only: architectures to take, each with a blank in front and behind; NULL: all. */
static void check_all(const char *backend, const char *compiler, const char *only,
                      uint32_t at_least)
{
    const char *const *targets;
    uint32_t n, made = 0;
    must(qn_compile_targets(&targets, &n, backend));
    for (uint32_t i = 0; i < n; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", strchr(targets[i], ':') + 1);
        if (!only || strstr(only, word))
            made += check_target(targets[i], compiler);
    }
    ck_assert_msg(made >= at_least, "%s: %u of %u targets", compiler, made, n);
    free((void *)(uintptr_t)targets);
}

START_TEST(nvrtc_compiles_for_every_architecture_it_lists)
{
    check_all("cuda", "nvrtc", NULL, 20);
}
END_TEST

START_TEST(hiprtc_compiles_for_every_target_it_lists)
{
    check_all("hip", "hiprtc", NULL, 20);
}
END_TEST

START_TEST(clang_compiles_for_targets_that_hiprtc_does_not_know)
{
    const char *only = " gfx701 gfx90a gfx942 gfx1100 gfx1201 gfx11-generic ";
    check_all("hip", "clang", getenv("QN_LONG") ? NULL : only, 6);
}
END_TEST

START_TEST(target_features_reach_the_image)
{
    ck_assert(check_target("hip:gfx90a:sramecc+:xnack-", "hiprtc"));
    ck_assert(check_target("hip:gfx942:xnack+", "clang"));
}
END_TEST

START_TEST(an_unknown_architecture_is_refused_before_hiprtc_sees_it)
{
    qn_image *image;
    const qn_compile_options options = {.compiler = "hiprtc"};
    must_not(QN_E_UNSUPPORTED, qn_compile(&image, &source, "hip:gfx9999", &options, NULL));
    says(qn_message(), "does not know gfx9999");
    if (!strstr(qn_message(), "qn_compile_targets()")) /* more than are worth a line */
        says(qn_message(), "gfx90a");
    must_not(QN_E_UNSUPPORTED, qn_compile(&image, &source, "hip:gfx9999", NULL, NULL));
    must_not(QN_E_INVALID, qn_compile(&image, &source, "hip:gfx1030:xnack+", &options, NULL));
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, 0);
}
END_TEST

START_TEST(an_unknown_nvidia_architecture_names_those_there_are)
{
    qn_image *image;
    must_not(QN_E_UNSUPPORTED, qn_compile(&image, &source, "cuda:sm_20", NULL, NULL));
    says(qn_message(), "sm_90a");
    must_not(QN_E_UNSUPPORTED, qn_compile(&image, &source, "cuda:sm_75a", NULL, NULL));
    must_not(QN_E_INVALID, qn_compile(&image, &source, "cuda:90", NULL, NULL));
    const qn_compile_options clang = {.compiler = "clang"}, none = {.compiler = "gcc"};
    must_not(QN_E_INVALID, qn_compile(&image, &source, "cuda:sm_90", &clang, NULL));
    must_not(QN_E_INVALID, qn_compile(&image, &source, "cuda:sm_90", &none, NULL));
    says(qn_message(), "'gcc'");
}
END_TEST

static const struct {
    const char *target, *compiler;
} diagnosed[] = {{"cuda:sm_90", "nvrtc"}, {"hip:gfx90a", "hiprtc"}, {"hip:gfx1100", "clang"}};

/* In a header in a folder with blanks, behind a tab, and with a second error to be listed. */
START_TEST(errors_show_the_users_file_line_and_column)
{
    const char *path = write_text("my project/k.cu", "#include \"in c/h.h\"\n"
                                                     "extern \"C\" __global__ void k(int *p)\n"
                                                     "{\n"
                                                     "\tp[0] = f() + nowhere;\n"
                                                     "}\n");
    write_text("my project/in c/h.h", "static __device__ int f()\n{\n    return missing;\n}\n");
    const qn_source src = {.path = path};
    const qn_compile_options options = {.compiler = diagnosed[_i].compiler};
    qn_image *image;
    qn_log log;
    must_not(QN_E_COMPILE, qn_compile(&image, &src, diagnosed[_i].target, &options, &log));
    ck_assert(image == NULL);
    says(log.text, "/my project/in c/h.h:3:12: error: ");
    says(log.text, "\n    return missing;\n           ^\n");
    if (_i > 0) { /* NVRTC does not say it */
        says(log.text, "In file included from ");
        says(log.text, "/my project/k.cu:1:\n");
    }
    says(log.text, "/my project/k.cu:4:15: error: ");
    says(log.text, "\n\tp[0] = f() + nowhere;\n\t             ^\n");
    says(qn_message(), "/my project/in c/h.h:3:12: error: ");
    says(qn_message(), diagnosed[_i].target);
    ck_assert_uint_gt(strlen(log.raw), 0);
    ck_assert_ptr_null(strstr(log.text, "/tmp/comgr"));
    qn_log_release(&log);
}
END_TEST

START_TEST(warnings_are_quiet_unless_asked_for_also_from_the_cache)
{
    const qn_source src = {
        .text = "extern \"C\" __global__ void k(int *p)\n{\n    int unused = 3;\n    *p = 1;\n}\n",
        .path = "w.cu",
        .options = (const char *const[]){"-Wall"},
        .n_options = 1};
    static const struct {
        bool verbose, bypass_cache;
        qn_origin origin;
    } rounds[] = {{true, false, QN_ORIGIN_DISK_CACHE},
                  {false, false, QN_ORIGIN_MEMORY_CACHE},
                  {true, false, QN_ORIGIN_MEMORY_CACHE},
                  {true, true, QN_ORIGIN_COMPILED}};
    qn_compile_options options = {.compiler = diagnosed[_i].compiler};
    qn_image *image;
    qn_log log;
    int status = 1;
    const pid_t pid = fork(); /* another process has compiled it, without a word */
    if (pid == 0)
        _exit(qn_compile(&image, &src, diagnosed[_i].target, &options, &log) != QN_OK ||
              log.text[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        options.verbose = rounds[i].verbose;
        options.bypass_cache = rounds[i].bypass_cache;
        must(qn_compile(&image, &src, diagnosed[_i].target, &options, &log));
        ck_assert_int_eq(log.origin, rounds[i].origin);
        if (options.verbose) {
            says(log.text, "w.cu:3:9: warning: ");
            says(log.text, "    int unused = 3;\n        ^\n");
        } else {
            ck_assert_str_eq(log.text, "");
        }
        qn_image_release(image);
        qn_log_release(&log);
    }
}
END_TEST

START_TEST(common_headers_and_types_are_there)
{
    const qn_source src = {.text = "#include <cuda_runtime.h>\n#include <stdint.h>\n"
                                   "#include <cmath>\n#include <climits>\n#include <cstddef>\n"
                                   "#include \"quern_kernel.cuh\"\n"
                                   "extern \"C\" __global__ void k(uint64_t *p, float *q)\n{\n"
                                   "    p[threadIdx.x] = (uint64_t)UINT32_MAX + INT_MAX;\n"
                                   "    q[threadIdx.x] = INFINITY * (float)sizeof(size_t);\n}\n"};
    const qn_compile_options options = {.compiler = diagnosed[_i].compiler};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &src, diagnosed[_i].target, &options, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text);
    qn_image_release(image);
    qn_log_release(&log);
}
END_TEST

START_TEST(options_are_understood_by_every_compiler)
{
    static const char *const options[] = {
        "-std=c++20",           "-O1",          "-g",  "--use_fast_math",
        "-DWIDE=unsigned long", "--fmad=false", "-UX", "--maxrregcount=64"};
    const qn_source src = {.text = "template <class T> concept some = sizeof(T) == 8;\n"
                                   "#ifdef X\n#error X is defined\n#endif\n"
                                   "template <some T> __device__ T f(T x) { return x + 1; }\n"
                                   "extern \"C\" __global__ void k(WIDE *p) { *p = f(*p); }\n",
                           .options = options,
                           .n_options = 8,
                           .defines = (const char *const[]){"X"},
                           .n_defines = 1};
    const qn_compile_options o = {.compiler = diagnosed[_i].compiler};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &src, diagnosed[_i].target, &o, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.raw);
    qn_image_release(image);
    qn_log_release(&log);
}
END_TEST

START_TEST(a_name_that_is_not_in_the_source_is_named)
{
    const qn_source src = {.text = saxpy,
                           .path = "saxpy.cu",
                           .names = (const char *const[]){"saxpi<float>"},
                           .n_names = 1};
    const qn_compile_options o = {.compiler = diagnosed[_i].compiler};
    qn_image *image;
    qn_log log;
    must_not(QN_E_COMPILE, qn_compile(&image, &src, diagnosed[_i].target, &o, &log));
    says(log.text, "saxpi");
    qn_log_release(&log);
}
END_TEST

START_TEST(the_same_input_gives_the_same_bytes)
{
    const qn_compile_options o = {.compiler = diagnosed[_i].compiler, .bypass_cache = true};
    qn_image *a, *b;
    must(qn_compile(&a, &source, diagnosed[_i].target, &o, NULL));
    must(qn_compile(&b, &source, diagnosed[_i].target, &o, NULL));
    const qn_image_info *x = qn_image_get_info(a), *y = qn_image_get_info(b);
    ck_assert_uint_eq(x->size_bytes, y->size_bytes);
    ck_assert_mem_eq(x->bytes, y->bytes, x->size_bytes);
    qn_image_release(a);
    qn_image_release(b);
}
END_TEST

/* Each form names the overload it means, also where a template's arguments leave a choice. */
START_TEST(a_name_expression_picks_one_of_several_kernels)
{
    static const char overloads[] =
        "namespace ns { struct pair { int a, b; }; }\n"
        "__global__ void bump(float *x) { x[threadIdx.x] += 1.0f; }\n"
        "__global__ void bump(int *x) { x[threadIdx.x] += 2; }\n"
        "__global__ void bump(const ns::pair *x, int *y) { *y = x->a; }\n"
        "template <class T> __global__ void scale(T *x) { *x *= 2; }\n"
        "template <class T> __global__ void scale(T *x, int n) { *x *= n; }\n";
    static const char *const wanted[] = {"bump(int *)",
                                         "(void (*)(float *))bump",
                                         "scale<int>(int*)",
                                         "static_cast<void (*)(int *, int)>(scale<int>)",
                                         "scale<float>(float *, int)",
                                         "bump(const ns::pair *, int *)"};
    static const char *const symbols[] = {"_Z4bumpPi",        "_Z4bumpPf",
                                          "_Z5scaleIiEvPT_",  "_Z5scaleIiEvPT_i",
                                          "_Z5scaleIfEvPT_i", "_Z4bumpPKN2ns4pairEPi"};
    enum { N = sizeof wanted / sizeof *wanted };
    const qn_source src = {.text = overloads, .path = "o.cu", .names = wanted, .n_names = N};
    const qn_compile_options o = {.compiler = diagnosed[_i].compiler, .bypass_cache = true};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &src, diagnosed[_i].target, &o, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", diagnosed[_i].target, qn_message(), log.text);
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_uint_eq(info->n_kernels, N);
    for (int i = 0; i < N; i++)
        ck_assert_str_eq(kernel(info, wanted[i])->name, symbols[i]);
    qn_log_release(&log);
    qn_image_release(image);
}
END_TEST

START_TEST(lists_of_targets_and_compilers_are_whole)
{
    const char *const *targets;
    const qn_compiler_info *compilers;
    uint32_t n;
    must_not(QN_E_INVALID, qn_compile_targets(&targets, &n, "metal"));
    must(qn_compilers(&compilers, &n));
    ck_assert_uint_eq(n, 6);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_gt(strlen(compilers[i].where), 0);
        ck_assert_int_eq(compilers[i].found, compilers[i].version[0] != 0);
    }
    free((void *)(uintptr_t)compilers);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rtc_compile");
    TCase *t = tcase_create("compile");
    bool failed = false, have[3];
    for (int i = 0; i < 3; i++)
        have[i] = have_compiler(diagnosed[i].compiler, &failed);
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, lists_of_targets_and_compilers_are_whole);
    if (have[0]) {
        tcase_add_test(t, nvrtc_compiles_for_every_architecture_it_lists);
        tcase_add_test(t, an_unknown_nvidia_architecture_names_those_there_are);
    }
    if (have[1]) {
        tcase_add_test(t, hiprtc_compiles_for_every_target_it_lists);
        tcase_add_test(t, an_unknown_architecture_is_refused_before_hiprtc_sees_it);
    }
    if (have[2])
        tcase_add_test(t, clang_compiles_for_targets_that_hiprtc_does_not_know);
    if (have[1] && have[2])
        tcase_add_test(t, target_features_reach_the_image);
    for (int i = 0; i < 3; i++)
        if (have[i]) {
            tcase_add_loop_test(t, errors_show_the_users_file_line_and_column, i, i + 1);
            tcase_add_loop_test(t, warnings_are_quiet_unless_asked_for_also_from_the_cache, i,
                                i + 1);
            tcase_add_loop_test(t, common_headers_and_types_are_there, i, i + 1);
            tcase_add_loop_test(t, options_are_understood_by_every_compiler, i, i + 1);
            tcase_add_loop_test(t, a_name_that_is_not_in_the_source_is_named, i, i + 1);
            tcase_add_loop_test(t, a_name_expression_picks_one_of_several_kernels, i, i + 1);
            tcase_add_loop_test(t, the_same_input_gives_the_same_bytes, i, i + 1);
        }
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
