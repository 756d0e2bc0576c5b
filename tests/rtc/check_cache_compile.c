/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache in front of real compilers: the warm path, processes and threads that ask together,
 * damage, upgrades; and images as files of their own.
 *
 * covers: rtc/compile rtc/image_file rtc/key/compilers rtc/key/build_id rtc/cache/cache_names */
#define _GNU_SOURCE
#include "tests/rtc/cache_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

/* -- with a real compiler -- */

static const qn_source source = {.text = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n",
                                 .path = "k.cu"};

static bool maps_mention(const char *word)
{
    char line[4096];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    ck_assert(f != NULL);
    while (fgets(line, sizeof line, f))
        found = found || strstr(line, word);
    fclose(f);
    return found;
}

static int in_child(void (*run)(void))
{
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        run();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return status;
}

static const char *compile_target;

static void compile_cold(void)
{
    qn_image *image;
    qn_log log;
    if (qn_compile(&image, &source, compile_target, NULL, &log) != QN_OK ||
        log.origin != QN_ORIGIN_COMPILED)
        _exit(1);
}

static const struct {
    const char *target, *compiler;
} warm[] = {{"cuda:sm_90", "nvrtc"}, {"hip:gfx90a", "hiprtc"}, {"hip:gfx1100", "clang"}};

START_TEST(the_warm_path_loads_no_compiler_and_starts_nothing)
{
    compile_target = warm[_i].target;
    ck_assert_int_eq(in_child(compile_cold), 0);
    qn_image *image, *again;
    qn_log log;
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_DISK_CACHE);
    qn_log_release(&log);
    must(qn_compile(&again, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_MEMORY_CACHE);
    ck_assert_ptr_eq(image, again);
    qn_log_release(&log);
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.compiles, 0);
    ck_assert_uint_eq(c.misses, 0);
    ck_assert_uint_eq(c.helpers_started, 0);
    ck_assert_uint_eq(c.disk_hits, 1);
    ck_assert_uint_eq(c.memory_hits, 1);
    static const char *const libraries[] = {"nvrtc", "libLLVM", "libclang", "amdhip", "comgr"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        ck_assert_msg(!maps_mention(libraries[i]), "%s is loaded", libraries[i]);
    qn_image_release(image);
    qn_image_release(again);
}
END_TEST

START_TEST(processes_that_start_together_all_get_the_kernel)
{
    enum { PROCESSES = 8 };
    pid_t pids[PROCESSES];
    int go[2];
    compile_target = "cuda:sm_80";
    ck_assert_int_eq(pipe(go), 0);
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            char c;
            qn_image *image;
            close(go[1]);
            while (read(go[0], &c, 1) > 0)
                ;
            _exit(qn_compile(&image, &source, compile_target, NULL, NULL) == QN_OK ? 0 : 1);
        }
    }
    close(go[0]);
    close(go[1]); /* all start now */
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_int_eq(status, 0);
    }
    qn_image *image;
    qn_log log;
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_DISK_CACHE);
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
    qn_log_release(&log);
    qn_image_release(image);
}
END_TEST

START_TEST(a_damaged_entry_is_compiled_anew_once)
{
    compile_target = "cuda:sm_80";
    ck_assert_int_eq(in_child(compile_cold), 0);
    qn_log log;
    qn_image *image;
    const qn_compile_options bypass = {.bypass_cache = true};
    must(qn_compile(&image, &source, compile_target, &bypass, &log)); /* tells the key */
    qn_image_release(image);
    char name[200];
    snprintf(name, sizeof name, "cache/images/%.2s/%s", log.key, log.key);
    ck_assert_int_eq(truncate(in_scratch(name), 100), 0);
    qn_log_release(&log);
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_COMPILED);
    qn_image_release(image);
    qn_log_release(&log);
    ck_assert_uint_eq(quarantined(), 1);
    struct stat st;
    ck_assert_int_eq(stat(in_scratch(name), &st), 0);
    ck_assert_int_gt(st.st_size, 100);
}
END_TEST

START_TEST(a_damaged_record_of_a_compiler_is_made_anew)
{
    compile_target = "cuda:sm_80";
    ck_assert_int_eq(in_child(compile_cold), 0);
    const char *record = in_scratch("cache/compilers/nvrtc");
    char *before, *after;
    size_t n_before, n_after;
    must(qn__file_read(&before, &n_before, record, 1 << 20));
    must(qn__file_write_atomic(record, before, n_before - 1, 0600));
    qn_image *image;
    qn_log log;
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin,
                     QN_ORIGIN_DISK_CACHE); /* the identity, and so the key, is the same */
    must(qn__file_read(&after, &n_after, record, 1 << 20));
    ck_assert_uint_eq(n_before, n_after);
    ck_assert_mem_eq(before, after, n_before);
    qn_image_release(image);
    qn_log_release(&log);
    free(before);
    free(after);
}
END_TEST

START_TEST(another_build_of_the_compiler_is_noticed_at_once)
{
    /* clang behind a script whose bytes change, as an upgrade's would */
    char *clang = qn__find_program("clang++-19", "");
    struct qn__str script = {0}, path = {0};
    char keys[3][65];
    if (!clang) {
        printf("skip: no clang++-19 in PATH to stand behind the script\n");
        return;
    }
    qn__str_printf(&path, "%s:%s", in_scratch("bin"), getenv("PATH"));
    setenv("PATH", path.text, 1);
    for (int i = 0; i < 3; i++) {
        qn__str_clear(&script);
        qn__str_printf(&script, "#!/bin/sh\n%sexec '%s' \"$@\"\n", i == 1 ? "# newer\n" : "",
                       clang);
        ck_assert_int_eq(chmod(write_text("bin/clang++-19", script.text), 0700), 0);
        const qn_compile_options options = {.compiler = "clang"};
        qn_image *image;
        qn_log log;
        must(qn_compile(&image, &source, "hip:gfx1100", &options, &log));
        memcpy(keys[i], log.key, sizeof keys[i]);
        ck_assert_int_eq(log.origin, i == 2 ? QN_ORIGIN_MEMORY_CACHE : QN_ORIGIN_COMPILED);
        qn_image_release(image);
        qn_log_release(&log);
    }
    ck_assert_str_ne(keys[0], keys[1]);
    ck_assert_str_eq(keys[0], keys[2]);
    qn__str_release(&script);
    qn__str_release(&path);
    free(clang);
}
END_TEST

static const struct {
    const char *target, *compiler, *reason;
} hidden[] = {{"opencl:portable", "translator", "is not in PATH"},
              {"hip:gfx1100", "clang", "is not in PATH"},
              {"hip:gfx90a", "hiprtc", "helper program quern-rtc"}};

START_TEST(what_a_compiler_has_made_is_found_where_it_is_no_more)
{
    const qn_source other = {.text = "extern \"C\" __global__ void k(float *p) { *p = 2; }\n",
                             .path = "k.cu"};
    qn_image *image;
    qn_explanation e;
    qn_log log;
    compile_target = hidden[_i].target;
    ck_assert_int_eq(in_child(compile_cold), 0);
    setenv("PATH", "/nowhere", 1);
    if (strstr(hidden[_i].reason, "quern-rtc"))
        unsetenv("QUERN_RTC");
    must(qn_compile(&image, &source, compile_target, NULL, &log));
    ck_assert_int_eq(log.origin, QN_ORIGIN_DISK_CACHE);
    qn_image_release(image);
    qn_log_release(&log);
    must(qn_compile_explain(&e, &source, compile_target, NULL));
    says(e.compiler, "the cache remembers; it is not here now");
    says(e.compiler, hidden[_i].reason);
    says(e.where, "/images/");
    qn_explanation_release(&e);
    must_not(QN_E_COMPILER, qn_compile(&image, &other, compile_target, NULL, NULL));
    says(qn_message(), hidden[_i].reason);
    ck_assert_uint_eq(n_warnings, 0);
    must(qn_cache_set_mode("must-hit"));
    must_not(QN_E_CACHE_MISS, qn_compile(&image, &other, compile_target, NULL, NULL));
    says(qn_message(), "source: k.cu");
}
END_TEST

START_TEST(a_compiler_that_the_user_names_must_be_there)
{
    qn_image *image;
    compile_target = "opencl:portable";
    ck_assert_int_eq(in_child(compile_cold), 0);
    setenv("QUERN_CLANG", "/nowhere/clang", 1);
    must_not(QN_E_COMPILER, qn_compile(&image, &source, compile_target, NULL, NULL));
    says(qn_message(), "QUERN_CLANG=/nowhere/clang");
    unsetenv("QUERN_CLANG");
    setenv("QUERN_TRANSLATE", "/nowhere/quern-translate", 1);
    must_not(QN_E_COMPILER, qn_compile(&image, &source, compile_target, NULL, NULL));
    says(qn_message(), "QUERN_TRANSLATE=/nowhere/quern-translate");
}
END_TEST

enum { STRESS_THREADS = 8, STRESS_KEYS = 6 };
static void *compile_all_keys(void *failures)
{
    for (int i = 0; i < STRESS_KEYS; i++) {
        char define[] = "N=0";
        const char *const defines[] = {define};
        const qn_source src = {.text = "extern \"C\" __global__ void k(int *p) { *p = N; }\n",
                               .defines = defines,
                               .n_defines = 1};
        qn_image *image;
        define[2] = (char)('0' + i);
        if (qn_compile(&image, &src, "cuda:sm_80", NULL, NULL) == QN_OK)
            qn_image_release(image);
        else
            atomic_fetch_add((atomic_int *)failures, 1);
    }
    return NULL;
}

START_TEST(many_threads_compile_each_key_once)
{
    pthread_t threads[STRESS_THREADS];
    atomic_int failures = 0;
    for (int i = 0; i < STRESS_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, compile_all_keys, &failures), 0);
    for (int i = 0; i < STRESS_THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_int_eq(failures, 0);
    ck_assert_uint_eq(c.compiles, STRESS_KEYS);
    ck_assert_uint_eq(c.memory_hits, STRESS_KEYS * (STRESS_THREADS - 1));
}
END_TEST

/* -- images as files -- */

START_TEST(images_are_saved_and_loaded)
{
    qn_image *image = make_image("payload", 7), *got;
    const char *path = in_scratch("a.qni");
    must(qn_image_save(image, path));
    must(qn_image_load(&got, path, NULL));
    ck_assert_str_eq(qn_image_get_info(got)->kernels[0].expression, "k<float>");
    qn_image_release(got);
    must(qn_image_load(&got, path, target));
    qn_image_release(got);
    must_not(QN_E_INVALID, qn_image_load(&got, path, "cuda:sm_80"));
    ck_assert_int_eq(truncate(path, 60), 0);
    must_not(QN_E_CORRUPT, qn_image_load(&got, path, NULL));
    says(qn_message(), path);
    must_not(QN_E_IO, qn_image_load(&got, in_scratch("none"), NULL));
    must_not(QN_E_IO, qn_image_save(image, in_scratch("no/folder")));
    qn_image_release(image);
}
END_TEST

static const char ptx[] =
    "//\n// made by hand\n//\n\n.version 8.0\n.target sm_80\n.address_size 64\n\n"
    ".visible .entry first(\n.param .u64 x)\n{\nret;\n}\n"
    ".entry _Z6secondv()\n{\nret;\n}\n";
static const char cl[] = "__kernel void k(__global float *p) { *p = 1; }\n";

START_TEST(bare_files_are_recognised)
{
    qn_image *image;
    must(qn_image_load_bytes(&image, ptx, sizeof ptx - 1, NULL));
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_str_eq(info->target, "cuda:compute_80");
    ck_assert_int_eq(info->kind, QN_IMAGE_PTX);
    ck_assert_uint_eq(info->n_kernels, 2);
    ck_assert_str_eq(info->kernels[0].name, "first");
    ck_assert_str_eq(info->kernels[1].name, "_Z6secondv");
    qn_image_release(image);
    must(qn_image_load_bytes(&image, cl, sizeof cl - 1, "opencl:portable"));
    ck_assert_int_eq(qn_image_get_info(image)->kind, QN_IMAGE_OPENCL_C);
    ck_assert_str_eq(qn_image_get_info(image)->bytes, cl);
    qn_image_release(image);
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, cl, sizeof cl - 1, NULL));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, cl, sizeof cl, "opencl:portable"));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, ptx, sizeof ptx - 1, "hip:gfx90a"));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, ptx, sizeof ptx - 1, "cuda:compute_75"));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, "", 0, NULL));
    must_not(QN_E_INVALID, qn_image_load_bytes(&image, cl, sizeof cl - 1, key));
}
END_TEST

static const struct {
    const char *target, *compiler;
    qn_image_kind kind;
} bare[] = {{"cuda:sm_90", "nvrtc", QN_IMAGE_CUBIN},
            {"cuda:sm_120", "nvrtc", QN_IMAGE_CUBIN},
            {"hip:gfx90a:xnack-", "hiprtc", QN_IMAGE_HSACO},
            {"hip:gfx1201", "clang", QN_IMAGE_HSACO}};

START_TEST(bare_binaries_tell_their_target_and_kernels_and_survive_damage)
{
    qn_image *image, *got;
    const qn_compile_options options = {.compiler = bare[_i].compiler};
    must(qn_compile(&image, &source, bare[_i].target, &options, NULL));
    const qn_image_info *info = qn_image_get_info(image);
    must(qn_image_load_bytes(&got, info->bytes, info->size_bytes, NULL));
    const qn_image_info *loaded = qn_image_get_info(got);
    ck_assert_str_eq(loaded->target, bare[_i].target);
    ck_assert_int_eq(loaded->kind, bare[_i].kind);
    ck_assert_uint_eq(loaded->n_kernels, 1);
    ck_assert_str_eq(loaded->kernels[0].name, "k");
    qn_image_release(got);
    unsigned char *bytes = qn__alloc(info->size_bytes, 1); /* exact, so that ASan sees overreads */
    for (size_t n = 0; n < info->size_bytes; n += n < 512 ? 1 : 97) {
        unsigned char *cut = qn__alloc(n, 1);
        memcpy(cut, info->bytes, n);
        if (qn_image_load_bytes(&got, cut, n, NULL) == QN_OK)
            qn_image_release(got);
        free(cut);
        memcpy(bytes, info->bytes, info->size_bytes);
        bytes[n] ^= 0xff;
        if (qn_image_load_bytes(&got, bytes, info->size_bytes, NULL) == QN_OK)
            qn_image_release(got);
    }
    free(bytes);
    qn_image_release(image);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cache_compile");
    TCase *t = tcase_create("cache_compile");
    bool failed = false;
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_test(t, images_are_saved_and_loaded);
    tcase_add_test(t, bare_files_are_recognised);
    for (int i = 0; i < 3; i++)
        if (have_compiler(warm[i].compiler, &failed))
            tcase_add_loop_test(t, the_warm_path_loads_no_compiler_and_starts_nothing, i, i + 1);
    for (int i = 0; i < 4; i++)
        if (have_compiler(bare[i].compiler, &failed))
            tcase_add_loop_test(t, bare_binaries_tell_their_target_and_kernels_and_survive_damage,
                                i, i + 1);
    for (int i = 0; i < 3; i++)
        if (have_compiler(hidden[i].compiler, &failed))
            tcase_add_loop_test(t, what_a_compiler_has_made_is_found_where_it_is_no_more, i, i + 1);
    if (have_compiler("translator", &failed))
        tcase_add_test(t, a_compiler_that_the_user_names_must_be_there);
    if (have_compiler("nvrtc", &failed)) {
        tcase_add_test(t, many_threads_compile_each_key_once);
        tcase_add_test(t, processes_that_start_together_all_get_the_kernel);
        tcase_add_test(t, a_damaged_entry_is_compiled_anew_once);
        tcase_add_test(t, a_damaged_record_of_a_compiler_is_made_anew);
    }
    if (have_compiler("clang", &failed))
        tcase_add_test(t, another_build_of_the_compiler_is_noticed_at_once);
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
