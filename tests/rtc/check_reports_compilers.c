/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong for others with their run-time compilers, tried on ours. Each test names the
 * public reports it repeats (project#number); docs/reliability.md lists them all. */
#include "tests/rtc_fixture.h"

#include <pthread.h>

static const struct {
    const char *target, *compiler;
} compilers[] = {{"cuda:sm_90", "nvrtc"},
                 {"hip:gfx90a", "hiprtc"},
                 {"hip:gfx1100", "clang"},
                 {"opencl:portable", "translator"}};
enum { N_COMPILERS = sizeof compilers / sizeof compilers[0] };

/* hashcat#279, hashcat#3186, john#2222, RGA#19: blanks in the include path split the options. */
START_TEST(odd_characters_in_paths_and_macros_compile)
{
    const char *path = write_text("a b/100% $HOME/it's \"k\".cu",
                                  "#include \"x y/h;\\$.h\"\n#include <other h.h>\n"
                                  "extern \"C\" __global__ void k(float *p, char *q)\n"
                                  "{\n    *p = VALUE OTHER;\n    *q = TEXT[1];\n}\n");
    write_text("a b/100% $HOME/x y/h;\\$.h", "#define OTHER +1\n");
    write_text("in c %s/other h.h", "");
    const char *const dirs[] = {in_scratch("in c %s")};
    const char *const defines[] = {"VALUE=(1 + 2) * 3", "TEXT=\"a 'b' %s $HOME\""};
    const qn_source src = {.path = path,
                           .include_dirs = dirs,
                           .n_include_dirs = 1,
                           .defines = defines,
                           .n_defines = 2};
    const qn_compile_options options = {.compiler = compilers[_i].compiler};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &src, compilers[_i].target, &options, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", compilers[_i].compiler, qn_message(), log.text);
    qn_image_release(image);
    qn_log_release(&log);
}
END_TEST

/* jitify#56, jitify#116, cuda-python#844, TornadoVM#910: no cuda_fp16.h at run time. */
START_TEST(halves_and_fixed_width_integers_are_there)
{
    const qn_source src = {
        .text = "#include <stdint.h>\n#include <cuda_fp16.h>\n"
                "extern \"C\" __global__ void k(__half *p, uint32_t n)\n{\n"
                "    if (threadIdx.x < n)\n"
                "        p[threadIdx.x] = __float2half(2 * __half2float(p[threadIdx.x]));\n}\n"};
    const qn_compile_options options = {.compiler = compilers[_i].compiler};
    qn_image *image;
    qn_log log;
    const qn_status s = qn_compile(&image, &src, compilers[_i].target, &options, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", compilers[_i].compiler, qn_message(), log.text);
    qn_image_release(image);
    qn_log_release(&log);
}
END_TEST

/* Fuser#4694: a cache inside the compiler swallows what it says the second time. */
START_TEST(a_compiler_says_the_same_every_time)
{
    const char *const options[] = {"-Wall"};
    const qn_source src = {
        .text = "extern \"C\" __global__ void k(int *p)\n{\n    int unused = 3;\n    *p = 1;\n}\n",
        .options = options,
        .n_options = 1};
    const qn_compile_options o = {
        .compiler = compilers[_i].compiler, .bypass_cache = true, .verbose = true};
    char first[4096] = "";
    for (int round = 0; round < 2; round++) {
        qn_image *image;
        qn_log log;
        must(qn_compile(&image, &src, compilers[_i].target, &o, &log));
        if (round == 0)
            snprintf(first, sizeof first, "%s", log.text);
        says(log.text, "warning: ");
        ck_assert_str_eq(log.text, first);
        qn_image_release(image);
        qn_log_release(&log);
    }
}
END_TEST

/* A helper compiler each, so that they would all run at once if nothing held them back. */
static void *compile_one_of_many(void *number)
{
    char define[32];
    const char *const defines[] = {define};
    const qn_source src = {.text = "extern \"C\" __global__ void k(int *p) { *p = N; }\n",
                           .defines = defines,
                           .n_defines = 1};
    const qn_compile_options options = {.compiler = compilers[3].compiler};
    qn_image *image;
    snprintf(define, sizeof define, "N=%d", (int)(intptr_t)number);
    const qn_status s = qn_compile(&image, &src, compilers[3].target, &options, NULL);
    qn_image_release(image);
    return s == QN_OK ? number : NULL;
}

/* tt-metal#55009: every rank starts a compiler per core, and the job is killed for its memory. */
START_TEST(no_more_helpers_run_than_there_are_processors)
{
    enum { THREADS = 16 };
    pthread_t threads[THREADS];
    qn_cache_counters c;
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, compile_one_of_many, (void *)(intptr_t)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) {
        void *worked;
        ck_assert_int_eq(pthread_join(threads[i], &worked), 0);
        ck_assert(worked != NULL);
    }
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, THREADS);
    ck_assert_int_le((long)c.helpers_started, sysconf(_SC_NPROCESSORS_ONLN));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reports_compilers");
    TCase *t = tcase_create("compilers");
    bool failed = false;
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_set_timeout(t, 300);
    for (int i = 0; i < N_COMPILERS; i++) {
        if (!have_compiler(compilers[i].compiler, &failed))
            continue;
        tcase_add_loop_test(t, odd_characters_in_paths_and_macros_compile, i, i + 1);
        tcase_add_loop_test(t, a_compiler_says_the_same_every_time, i, i + 1);
        if (strcmp(compilers[i].compiler, "clang") != 0) /* has no halves for AMD yet */
            tcase_add_loop_test(t, halves_and_fixed_width_integers_are_there, i, i + 1);
        if (strcmp(compilers[i].compiler, "translator") == 0)
            tcase_add_test(t, no_more_helpers_run_than_there_are_processors);
    }
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
