/* SPDX-License-Identifier: Apache-2.0
 *
 * The helper program and its protocol: jobs that survive the wire, helpers that crash, hang, talk
 * nonsense or are missing, and compilers that do so inside a helper.
 *
 * covers: rtc/job/protocol rtc/client/helper_client rtc/cache/slots rtc/helper/serve
 * rtc/helper/run_program rtc/helper/quern_rtc */
#define _GNU_SOURCE
#include "rtc/cache/slots.h"
#include "rtc/job/protocol.h"
#include "tests/rtc/own_helper.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

static const char simple[] = "extern \"C\" __global__ void k(float *p) { *p = 1; }\n";
static const qn_source source = {.text = simple, .path = "simple.cu"};
static const char *real_helper; /* the built quern-rtc */

/* -- protocol -- */

START_TEST(a_job_comes_back_as_it_was)
{
    const struct qn__source_file files[] = {{"a.cu", "text\0more", 9}, {"b.h", "", 0}};
    const char *const options[] = {"-O3", "-DA=b c"}, *const names[] = {"f<int>"};
    const char *const toolkit[] = {"/opt/cuda/include"}, *const below[] = {NULL, "cub/b.h"};
    const struct qn__job job = {.kind = QN__JOB_COMPILE,
                                .compiler = "hiprtc",
                                .arch = "gfx90a",
                                .files = files,
                                .n_files = 2,
                                .options = options,
                                .n_options = 2,
                                .names = names,
                                .n_names = 1,
                                .toolkit = toolkit,
                                .n_toolkit = 1,
                                .below = below,
                                .verbose = true,
                                .memory_bytes = 8,
                                .number = 7};
    struct qn__str w = {0};
    struct qn__arena arena = {0};
    struct qn__job got;
    qn__job_encode(&w, &job);
    must(qn__job_decode(&got, &arena, w.text, w.len));
    ck_assert_int_eq(got.kind, QN__JOB_COMPILE);
    ck_assert_str_eq(got.compiler, "hiprtc");
    ck_assert_str_eq(got.arch, "gfx90a");
    ck_assert_uint_eq(got.n_files, 2);
    ck_assert_uint_eq(got.files[0].n, 9);
    ck_assert_mem_eq(got.files[0].text, "text\0more", 9);
    ck_assert_uint_eq(got.files[1].n, 0);
    ck_assert_uint_eq(got.n_options, 2);
    ck_assert_str_eq(got.options[1], "-DA=b c");
    ck_assert_str_eq(got.names[0], "f<int>");
    ck_assert_uint_eq(got.n_toolkit, 1);
    ck_assert_str_eq(got.toolkit[0], "/opt/cuda/include");
    ck_assert_ptr_null(got.below[0]);
    ck_assert_str_eq(got.below[1], "cub/b.h");
    ck_assert(got.verbose);
    ck_assert_uint_eq(got.memory_bytes, 8);
    ck_assert_uint_eq(got.number, 7);
    for (size_t n = 0; n < w.len;
         n++) { /* cut anywhere: an error or a smaller job, never a crash */
        struct qn__arena small = {0};
        const qn_status s = qn__job_decode(&got, &small, w.text, n);
        ck_assert_msg(s == QN_OK || s == QN_E_CORRUPT, "%zu bytes: %s", n, qn_message());
        qn__arena_release(&small);
    }
    qn__arena_release(&arena);
    qn__str_release(&w);
}
END_TEST

START_TEST(a_result_comes_back_as_it_was)
{
    const char *const targets[] = {"gfx90a", "gfx906"}, *const files[] = {"/lib/x.so"};
    const struct qn__job_result r = {.status = QN_E_COMPILE,
                                     .message = "m",
                                     .image_kind = QN_IMAGE_HSACO,
                                     .bytes = "\0\1\2",
                                     .n = 3,
                                     .compiler = "c 1",
                                     .where = "w",
                                     .targets = targets,
                                     .n_targets = 2,
                                     .files = files,
                                     .n_files = 1,
                                     .reflection = {.build_options = "-cl-std=CL1.2"},
                                     .diagnostics = "d",
                                     .raw = "r",
                                     .reflect_json = "{}",
                                     .explain_json = "[]",
                                     .ms = 1.5,
                                     .number = 7,
                                     .digest = "the digest"};
    struct qn__str w = {0};
    struct qn__arena arena = {0};
    struct qn__job_result got;
    qn__job_result_encode(&w, &r);
    must(qn__job_result_decode(&got, &arena, w.text, w.len));
    ck_assert_int_eq(got.status, QN_E_COMPILE);
    ck_assert_uint_eq(got.n, 3);
    ck_assert_mem_eq(got.bytes, "\0\1\2", 3);
    ck_assert_uint_eq(got.n_targets, 2);
    ck_assert_str_eq(got.targets[1], "gfx906");
    ck_assert_str_eq(got.files[0], "/lib/x.so");
    ck_assert_str_eq(got.reflection.build_options, "-cl-std=CL1.2");
    ck_assert_str_eq(got.explain_json, "[]");
    ck_assert_double_eq(got.ms, 1.5);
    ck_assert_uint_eq(got.number, 7);
    ck_assert_mem_eq(got.digest, r.digest, sizeof r.digest);
    w.text[8] = 99; /* no such status */
    must_not(QN_E_CORRUPT, qn__job_result_decode(&got, &arena, w.text, w.len));
    qn__arena_release(&arena);
    qn__str_release(&w);
}
END_TEST

START_TEST(a_time_that_fits_no_integer_is_none)
{
    const double times[] = {1e300, 1.8446744073709552e16, -1, 0.0 / 0.0};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const struct qn__job_result r = {
            .compiler = "", .reflection = {.build_options = ""}, .ms = times[i]};
        struct qn__str w = {0};
        struct qn__arena arena = {0};
        struct qn__job_result got;
        qn__job_result_encode(&w, &r);
        must(qn__job_result_decode(&got, &arena, w.text, w.len));
        ck_assert_double_eq(got.ms, 0);
        qn__arena_release(&arena);
        qn__str_release(&w);
    }
}
END_TEST

/* -- helpers that misbehave -- */

/* A helper that is the real one until the file "bad" appears beside it, and then does `script`. Its
 * identity of the compilers is asked for while it is good, by another process. */
static void helper_that(const char *script, const char *compiler)
{
    struct qn__str text = {0};
    qn__str_printf(&text, "#!/bin/sh\nif [ -e '%s' ]; then\n%s\nfi\nexec '%s'\n", in_scratch("bad"),
                   script, real_helper);
    const char *path = write_text("helper", text.text);
    ck_assert_int_eq(chmod(path, 0700), 0);
    setenv("QUERN_RTC", path, 1);
    qn__str_release(&text);
    const pid_t pid = fork();
    if (pid == 0) {
        const qn_compile_options options = {.compiler = compiler};
        qn_image *image;
        _exit(qn_compile(&image, &source, "hip:gfx90a", &options, NULL) == QN_OK ? 0 : 1);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    write_text("bad", "");
}

/* tt-metal#55009: ranks that compile at once take turns, also over processes. */
START_TEST(compiles_of_all_processes_share_the_processors)
{
    int slots[4096];
    const uint32_t n = qn__slots();
    helper_that("touch \"$0.started\"", "hiprtc");
    for (uint32_t i = 0; i < n && i < 4096; i++) {
        char name[48];
        snprintf(name, sizeof name, "cache/locks/compile-%u", i);
        slots[i] = open(in_scratch(name), O_RDWR | O_CREAT, 0600);
        ck_assert_int_eq(flock(slots[i], LOCK_EX | LOCK_NB), 0);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        const char *const defines[] = {"N=1"};
        qn_source other = source;
        qn_image *image;
        other.defines = defines;
        other.n_defines = 1;
        for (uint32_t i = 0; i < n; i++)
            close(slots[i]); /* else this process itself keeps what its parent lets go of */
        _exit(qn_compile(&image, &other, "hip:gfx90a", NULL, NULL) == QN_OK ? 0 : 1);
    }
    const struct timespec nap = {0, 300000000};
    nanosleep(&nap, NULL);
    int status = 1;
    ck_assert_int_eq(waitpid(pid, &status, WNOHANG), 0); /* it waits, and has started nothing */
    ck_assert(!qn__file_exists(in_scratch("helper.started")));
    /* not close(): the child has the descriptor too, and would keep the lock from itself until the
     * compile's time limit of two minutes ends its patience */
    const double freed_ms = qn__now_ms();
    ck_assert_int_eq(flock(slots[n - 1], LOCK_UN), 0);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert_double_lt(qn__now_ms() - freed_ms, 100000);
    ck_assert(qn__file_exists(in_scratch("helper.started")));
    for (uint32_t i = 0; i + 1 < n; i++)
        close(slots[i]);
}
END_TEST

static const struct {
    const char *name, *script;
    const char *says[3];
} bad_helpers[] = {
    {"crashes", "kill -SEGV $$", {"signal 11", "hiprtc", NULL}},
    {"is killed", "kill -KILL $$", {"signal 9", NULL}},
    {"aborts and says why",
     "echo 'free(): invalid pointer' >&2; kill -ABRT $$",
     {"signal 6", "it said: free(): invalid pointer", NULL}},
    {"exits", "exit 7", {"ended with code 7", NULL}},
    {"hangs", "sleep 1000", {"did not finish in 1 s", "QUERN_COMPILE_TIMEOUT", NULL}},
    {"hangs with a child of its own", "sleep 1000 & wait", {"did not finish in 1 s", NULL}},
    {"talks nonsense", "printf 'these are no fields' >&3; sleep 1000", {"nonsense", NULL}},
    {"promises more than there may be",
     "printf 'QNJ2\\377\\377\\377\\377' >&3; sleep 1000",
     {"nonsense", NULL}},
    {"closes its socket", "exec 3>&-; sleep 1000", {"closed its connection", NULL}},
};

START_TEST(a_bad_helper_is_an_error_that_says_what_was_compiled)
{
    const qn_source changed = {.text = "__global__ void other() {}\n", .path = "changed.cu"};
    const qn_compile_options options = {.compiler = "hiprtc", .time_limit_s = 1};
    qn_image *image = NULL;
    helper_that(bad_helpers[_i].script, "hiprtc");
    const qn_status s = qn_compile(&image, &changed, "hip:gfx90a", &options, NULL);
    ck_assert_msg(s == QN_E_COMPILER, "%s: %s", bad_helpers[_i].name, qn_message());
    says(qn_message(), "changed.cu for hip:gfx90a (hiprtc ");
    for (int i = 0; i < 3 && bad_helpers[_i].says[i]; i++)
        says(qn_message(), bad_helpers[_i].says[i]);
    /* and the next job works */
    ck_assert_int_eq(unlink(in_scratch("bad")), 0);
    const qn_compile_options patient = {.compiler = "hiprtc"};
    must(qn_compile(&image, &changed, "hip:gfx90a", &patient, NULL));
    qn_image_release(image);
}
END_TEST

/* Programs whose parent this process is. */
static void *compile_in_thread(void *out)
{
    /* big enough to be still compiling when the signal comes */
    struct qn__str text = {0};
    qn__str_add(&text, "extern \"C\" __global__ void big(float *p)\n{\n");
    for (int i = 0; i < 3000; i++)
        qn__str_printf(&text, "    p[%d] = sinf(p[%d]) + powf(p[%d], p[%d]);\n", i, i + 1, i + 2,
                       i + 3);
    qn__str_add(&text, "}\n");
    const qn_source src = {.text = text.text, .path = "big.cu"};
    const qn_compile_options options = {.compiler = "hiprtc"};
    qn_image *image;
    char *message = out;
    const qn_status s = qn_compile(&image, &src, "hip:gfx90a", &options, NULL);
    if (s == QN_OK)
        qn_image_release(image);
    snprintf(message, QN__MESSAGE_MAX, "%s", s == QN_OK ? "" : qn_message());
    qn__str_release(&text);
    return NULL;
}

START_TEST(a_helper_killed_in_the_middle_of_a_job_is_an_error_and_the_next_job_works)
{
    pthread_t thread;
    char message[QN__MESSAGE_MAX] = "";
    qn_cache_counters before, after;
    const qn_compile_options options = {.compiler = "hiprtc"};
    qn_image *image;
    setenv("QUERN_RTC", real_helper, 1);
    must(qn_compile(&image, &source, "hip:gfx90a", &options, NULL)); /* starts it */
    qn_image_release(image);
    qn_cache_get_counters(&before);
    ck_assert_int_eq(pthread_create(&thread, NULL, compile_in_thread, message), 0);
    /* the job it dies in has made the helper busy; a second helper is tried, so kill that too */
    pid_t killed = 0;
    for (int i = 0; i < 20000 && !message[0]; i++) {
        const pid_t pid = own_helper("quern-rtc");
        if (pid && pid != killed) {
            const struct timespec a_while = {0, 150000000};
            nanosleep(&a_while, NULL);
            kill(pid, SIGKILL);
            killed = pid;
        }
        const struct timespec nap = {0, 5000000};
        nanosleep(&nap, NULL);
    }
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    says(message, "big.cu for hip:gfx90a (hiprtc ");
    says(message, "signal 9");
    must(qn_compile(&image, &source, "hip:gfx906", &options, NULL));
    qn_image_release(image);
    qn_cache_get_counters(&after);
    ck_assert_uint_gt(after.helpers_started, before.helpers_started);
}
END_TEST

START_TEST(a_helper_that_died_while_idle_is_replaced_without_a_word)
{
    const qn_compile_options options = {.compiler = "hiprtc"};
    qn_image *image;
    setenv("QUERN_RTC", real_helper, 1);
    must(qn_compile(&image, &source, "hip:gfx90a", &options, NULL));
    qn_image_release(image);
    const pid_t pid = own_helper("quern-rtc");
    ck_assert_int_gt(pid, 0);
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
    must(qn_compile(&image, &source, "hip:gfx906", &options, NULL));
    qn_image_release(image);
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.helpers_started, 2);
}
END_TEST

START_TEST(a_missing_helper_is_named)
{
    qn_image *image;
    setenv("QUERN_TRANSLATE", "/nowhere/quern-translate", 1);
    must_not(QN_E_COMPILER, qn_compile(&image, &source, "opencl:portable", NULL, NULL));
    says(qn_message(), "QUERN_TRANSLATE=/nowhere/quern-translate");
}
END_TEST

/* -- compilers that misbehave inside a helper -- */

static const struct {
    const char *name, *script, *says;
    qn_status status;
} bad_compilers[] = {
    {"crashes", "kill -SEGV $$", "ended with code 139", QN_E_COMPILER},
    {"hangs", "sleep 1000", "did not finish in 1 s", QN_E_COMPILER},
    {"makes no file", "exit 0", "wrote no image", QN_E_COMPILER},
    {"has no linker",
     "echo 'clang++: error: unable to execute command: posix_spawn failed: lld' >&2; "
     "exit 1",
     "cannot run one", QN_E_COMPILER},
    {"has another version's linker",
     "echo \"lld: error: unknown argument '--lto-CGO3'\" >&2; "
     "echo 'clang++: error: amdgcn-link command failed with exit code 1' >&2; exit 1",
     "found another version's: lld: error: unknown argument '--lto-CGO3' (on Debian and Ubuntu: "
     "apt install lld-",
     QN_E_COMPILER},
    {"has a linker that does not know the target",
     "echo 'ld.lld-14: error: unknown emulation: elf64_amdgpu' >&2; exit 1",
     "found another version's: ld.lld-14: error: unknown emulation", QN_E_COMPILER},
    {"finds a symbol missing, which is the source's fault",
     "echo 'lld: error: undefined symbol: nowhere' >&2; exit 1", "undefined symbol: nowhere",
     QN_E_COMPILE},
};

/* The folder holds the helper's own one, as long as it lives, and nothing is in that. */
static void check_that_work_is_done(const char *folder)
{
    DIR *d = opendir(folder);
    const struct dirent *e;
    ck_assert(d != NULL);
    while ((e = readdir(d))) {
        char path[4096];
        if (e->d_name[0] == '.')
            continue;
        ck_assert_msg(qn__starts_with(e->d_name, "quern-work-"), "%s is left", e->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        ck_assert_msg(rmdir(path) == 0, "something is left in %s", path);
    }
    closedir(d);
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(a_bad_clang_is_an_error)
{
    /* real for the questions, bad for the compile */
    struct qn__str text = {0};
    char *clang = qn__find_program("clang++-19", "");
    qn__str_printf(&text,
                   "#!/bin/sh\ncase \"$*\" in\n*cuda-device-only*) %s;;\nesac\nexec '%s' \"$@\"\n",
                   bad_compilers[_i].script, clang ? clang : "clang++");
    const char *path = write_text("bin/clang++-19", text.text);
    ck_assert_int_eq(chmod(path, 0700), 0);
    qn__str_clear(&text);
    qn__str_printf(&text, "%s:%s", in_scratch("bin"), getenv("PATH"));
    setenv("PATH", text.text, 1);
    setenv("QUERN_RTC", real_helper, 1);
    ck_assert_int_eq(mkdir(in_scratch("tmp"), 0700), 0);
    setenv("TMPDIR", in_scratch("tmp"), 1);
    const qn_compile_options options = {.compiler = "clang", .time_limit_s = 1};
    qn_image *image;
    /* the questions may take longer than the compile's limit on a busy machine */
    const char *const *targets;
    uint32_t n;
    must(qn_compile_targets(&targets, &n, "hip"));
    free((void *)(uintptr_t)targets);
    must_not(bad_compilers[_i].status, qn_compile(&image, &source, "hip:gfx90a", &options, NULL));
    says(qn_message(), bad_compilers[_i].says);
    if (bad_compilers[_i].status == QN_E_COMPILER)
        says(qn_message(), "simple.cu for hip:gfx90a (clang ");
    check_that_work_is_done(in_scratch("tmp"));
    qn__str_release(&text);
    free(clang);
}
END_TEST

START_TEST(started_by_hand_it_says_what_it_is)
{
    struct qn__str command = {0};
    char line[256];
    qn__str_printf(&command, "'%s' --version 3>&-", real_helper);
    FILE *f = popen(command.text, "r");
    ck_assert(f != NULL && fgets(line, sizeof line, f) != NULL);
    says(line, "quern-rtc ");
    ck_assert_int_eq(pclose(f), 0);
    qn__str_clear(&command);
    qn__str_printf(&command, "'%s' 2>/dev/null 3>&-", real_helper);
    f = popen(command.text, "r");
    ck_assert(f != NULL);
    ck_assert_int_eq(WEXITSTATUS(pclose(f)), 2);
    qn__str_release(&command);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("helper");
    TCase *t = tcase_create("helper");
    bool failed = false;
    real_helper = getenv("QUERN_RTC");
    tcase_add_checked_fixture(t, scratch_open, scratch_close);
    tcase_set_timeout(t, 300);
    tcase_add_test(t, a_job_comes_back_as_it_was);
    tcase_add_test(t, a_result_comes_back_as_it_was);
    tcase_add_test(t, a_time_that_fits_no_integer_is_none);
    tcase_add_test(t, a_missing_helper_is_named);
    if (!real_helper) {
        printf("skip: QUERN_RTC does not name the helper (make check does)\n");
    } else {
        tcase_add_test(t, started_by_hand_it_says_what_it_is);
        if (have_compiler("hiprtc", &failed)) {
            tcase_add_loop_test(t, a_bad_helper_is_an_error_that_says_what_was_compiled, 0,
                                sizeof bad_helpers / sizeof bad_helpers[0]);
            tcase_add_test(
                t, a_helper_killed_in_the_middle_of_a_job_is_an_error_and_the_next_job_works);
            tcase_add_test(t, a_helper_that_died_while_idle_is_replaced_without_a_word);
            tcase_add_test(t, compiles_of_all_processes_share_the_processors);
        }
        if (have_compiler("clang", &failed))
            tcase_add_loop_test(t, a_bad_clang_is_an_error, 0,
                                sizeof bad_compilers / sizeof bad_compilers[0]);
    }
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
