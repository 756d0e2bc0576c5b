/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache under fire: writers killed anywhere, many processes starting cold together, a full
 * disk, clocks that go backwards, helpers without memory. Each prints the figure it reached;
 * QN_LONG=1 takes the numbers of docs/reliability.md. */
#define _GNU_SOURCE
#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "tests/rtc/cache_fixture.h"
#include "tests/rtc/own_helper.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>

static bool is_long;
static const char *compile_target; /* NULL: no compiler is here */

/* -- killed writers -- */

enum { KILL_KEYS = 4, KILL_PAYLOAD_BYTES = 1 << 17, SWEEP_EVERY = 250 };

static void numbered_key(char out[65], int i)
{
    snprintf(out, 65, "%02d%062d", i, i);
}

/* Payloads tell their key, and every byte tells the length, so that a mixture is noticed. */
static size_t make_payload(char *out, int i, unsigned *seed)
{
    const size_t n = 16 + (size_t)rand_r(seed) % (KILL_PAYLOAD_BYTES - 16);
    memset(out, (int)(n % 251), n);
    out[0] = (char)i;
    return n;
}

static bool payload_is_right(const qn_image_info *info, int i)
{
    const unsigned char *p = info->bytes;
    bool right = p[0] == i;
    for (size_t k = 1; k < info->size_bytes; k++)
        right = right && p[k] == info->size_bytes % 251;
    return right;
}

/* Everything that writes, over and over, until it is killed. */
static void write_for_ever(unsigned seed, volatile int *started)
{
    char *payload = malloc(KILL_PAYLOAD_BYTES), k[65];
    uint64_t removed;
    const int root = open(in_scratch("cache"), O_RDONLY | O_DIRECTORY);
    const struct qn__cache_bounds bounds = {(uint64_t)KILL_PAYLOAD_BYTES * 3, 3};
    struct qn__str record = {0};
    for (;; *started = 1) {
        const int i = rand_r(&seed) % KILL_KEYS;
        int lock;
        numbered_key(k, i);
        const size_t n = make_payload(payload, i, &seed);
        struct qn__str entry = make_entry(k, payload, n);
        qn__disk_lock(&lock, k);
        qn__disk_publish(k, &entry);
        qn__disk_unlock(lock, k);
        qn__str_release(&entry);
        qn__str_clear(&record);
        qn__str_add_repeat(&record, 'r', n % 5000);
        qn__folder_write_record("compilers/x", &record);
        if (rand_r(&seed) % 8 == 0)
            must(qn__cache_bound(&removed, root, &bounds));
    }
}

static int find_all(void)
{
    int hits = 0;
    for (int i = 0; i < KILL_KEYS; i++) {
        struct qn__arena arena = {0};
        qn_image *image;
        char k[65];
        numbered_key(k, i);
        const qn_status s = qn__disk_find(&image, NULL, &arena, k, target);
        ck_assert_msg(s == QN_OK || s == QN_E_NOT_FOUND, "%s", qn_message());
        if (s == QN_OK) {
            ck_assert(payload_is_right(qn_image_get_info(image), i));
            hits++;
        }
        qn_image_release(image);
        qn__arena_release(&arena);
    }
    ck_assert_msg(quarantined() == 0, "an entry was damaged: %s", warnings[0]);
    size_t n;
    char *record = qn__folder_read_record(&n, "compilers/x");
    for (size_t k = 0; record && k < n; k++)
        ck_assert(record[k] == 'r');
    free(record);
    return hits;
}

/* Make what the dead have left look old, and let a fresh process sweep it. Returns how many. */
static uint32_t sweep(void)
{
    const uint32_t n = count_files("cache/tmp");
    const struct timespec then[2] = {{time(NULL) - 7200, 0}, {time(NULL) - 7200, 0}};
    DIR *d = opendir(in_scratch("cache/tmp"));
    const struct dirent *e;
    while (d && (e = readdir(d)))
        utimensat(dirfd(d), e->d_name, then, 0);
    if (d)
        closedir(d);
    const pid_t pid = fork();
    if (pid == 0) {
        struct qn__str record = {0};
        qn__str_add(&record, "r");
        qn__folder_write_record("compilers/x", &record);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
    return n;
}

/* chipStar#1081, tt-metal#19567: a crash in the middle of a write leaves a part that is used. */
START_TEST(writers_killed_at_random_points_leave_whole_entries_or_none)
{
    const int rounds = is_long ? 10000 : 100;
    unsigned seed = 1;
    int hits = 0;
    uint32_t left = 0;
    volatile int *started =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int round = 0; round < rounds; round++) {
        *started = 0;
        const pid_t pid = fork();
        if (pid == 0)
            write_for_ever((unsigned)round, started);
        const struct timespec start = {0, 100000}, more = {0, rand_r(&seed) % 3000000};
        while (!*started) /* past its first writes, which make folders */
            nanosleep(&start, NULL);
        nanosleep(&more, NULL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        hits += find_all();
        if (round % SWEEP_EVERY == SWEEP_EVERY - 1)
            left += sweep();
    }
    left += sweep();
    ck_assert_int_gt(hits, rounds); /* the entries are really there, mostly */
    ck_assert_uint_gt(left, 0);     /* and some were really killed in the middle of a write */
    printf("killed writers: %d, of them %u in the middle of a file; %d lookups afterwards: %d "
           "whole entries, 0 damaged\n",
           rounds, left, rounds * KILL_KEYS, hits);
    fflush(stdout);
}
END_TEST

/* -- cold start -- */

enum { KERNELS_MAX = 100, PROCESSES_MAX = 64 };
static struct cold {
    volatile int go;
    unsigned char want[KERNELS_MAX][QN__HASH_BYTES];
    struct {
        int right, wrong;
        qn_cache_counters counters;
        char message[256];
    } process[PROCESSES_MAX];
} *cold;

static qn_status compile_kernel(unsigned char hash[QN__HASH_BYTES], int number, bool bypass)
{
    char define[32];
    const char *const defines[] = {define};
    const qn_source src = {.text = "extern \"C\" __global__ void k(int *p) { *p = N; }\n",
                           .path = "k.cu",
                           .defines = defines,
                           .n_defines = 1};
    const qn_compile_options options = {.bypass_cache = bypass};
    qn_image *image;
    snprintf(define, sizeof define, "N=%d", 1000 + number);
    QN_TRY(qn_compile(&image, &src, compile_target, &options, NULL));
    const qn_image_info *info = qn_image_get_info(image);
    qn__hash_of(hash, info->bytes, info->size_bytes);
    qn_image_release(image);
    return QN_OK;
}

/* Half of the processes want the kernels in one order, the rest begin elsewhere. */
static void start_cold(int me, int kernels)
{
    unsigned char hash[QN__HASH_BYTES];
    const struct timespec nap = {0, 1000000};
    while (!cold->go)
        nanosleep(&nap, NULL);
    for (int i = 0; i < kernels; i++) {
        const int k = me % 2 ? (i + me * 7) % kernels : i;
        const qn_status s = compile_kernel(hash, k, false);
        const bool right = s == QN_OK && memcmp(hash, cold->want[k], sizeof hash) == 0;
        cold->process[me].right += right;
        cold->process[me].wrong += !right;
        if (s != QN_OK)
            snprintf(cold->process[me].message, sizeof cold->process[me].message, "%s",
                     qn_message());
    }
    qn_cache_get_counters(&cold->process[me].counters);
}

/* occa#449, pocl#1480, DeepGEMM#301, occa#199: many processes, one cold cache. */
START_TEST(processes_that_start_cold_together_all_get_every_kernel)
{
    const int processes = is_long ? PROCESSES_MAX : 8, kernels = is_long ? KERNELS_MAX : 10;
    pid_t pids[PROCESSES_MAX];
    uint64_t compiles = 0, disk_hits = 0, trouble = 0;
    cold = mmap(NULL, sizeof *cold, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i <= processes; i++) { /* the last one makes what to compare with */
        const pid_t pid = fork();
        if (pid == 0 && i < processes) {
            start_cold(i, kernels);
            _exit(0);
        } else if (pid == 0) {
            for (int k = 0; k < kernels; k++)
                must(compile_kernel(cold->want[k], k, true));
            _exit(0);
        }
        if (i < processes)
            pids[i] = pid;
        else
            ck_assert(waitpid(pid, NULL, 0) == pid);
    }
    qn__temp_dir_remove(in_scratch("cache"));
    const double start = qn__now_ms();
    cold->go = 1;
    for (int i = 0; i < processes; i++) {
        int status = 1;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_msg(status == 0 && cold->process[i].right == kernels &&
                          cold->process[i].wrong == 0,
                      "process %d: status %d, %d right, %d wrong: %s", i, status,
                      cold->process[i].right, cold->process[i].wrong, cold->process[i].message);
        compiles += cold->process[i].counters.compiles;
        disk_hits += cold->process[i].counters.disk_hits;
        trouble += cold->process[i].counters.publish_errors + cold->process[i].counters.quarantined;
    }
    printf("cold start: %d processes x %d kernels (%s): every result right, %d compiles, %d loaded "
           "from disk, %.1f s\n",
           processes, kernels, compile_target, (int)compiles, (int)disk_hits,
           (qn__now_ms() - start) * 1e-3);
    fflush(stdout);
    ck_assert_uint_eq(trouble, 0);
    ck_assert_uint_ge(compiles, (uint64_t)kernels);
    ck_assert_uint_eq(compiles + disk_hits, (uint64_t)processes * (uint64_t)kernels);
    ck_assert_uint_eq(count_files("cache/tmp"), 0);
}
END_TEST

/* -- killed compiles -- */

START_TEST(processes_killed_while_they_compile_harm_nobody)
{
    const int rounds = is_long ? 200 : 4, kernels = 4;
    unsigned seed = 2;
    unsigned char want[4][QN__HASH_BYTES], got[QN__HASH_BYTES];
    int status;
    cold = mmap(NULL, sizeof *cold, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int round = 0; round < rounds; round++) {
        const pid_t pid = fork();
        if (pid == 0) {
            for (int k = 0; k < kernels; k++)
                (void)(compile_kernel(got, round * kernels + k, false) == QN_OK);
            for (;;)
                pause();
        }
        const struct timespec nap = {0, rand_r(&seed) % 400000000};
        nanosleep(&nap, NULL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        const pid_t after = fork();
        if (after == 0) {
            for (int k = 0; k < kernels; k++) {
                must(compile_kernel(got, round * kernels + k, false));
                must(compile_kernel(want[k], round * kernels + k, true));
                ck_assert_mem_eq(got, want[k], sizeof got);
            }
            ck_assert_uint_eq(quarantined(), 0);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(after, &status, 0), after);
        ck_assert_int_eq(status, 0);
    }
    printf("killed compiles: %d processes; the next one had every kernel right\n", rounds);
    fflush(stdout);
}
END_TEST

static qn_status translate_something(int number)
{
    char define[32];
    const char *const defines[] = {define};
    const qn_source src = {
        .text = "template <int K> __device__ float f(float x)\n"
                "{ if constexpr (K > 0) return f<K - 1>(x * K); return x; }\n"
                "extern \"C\" __global__ void k(float *p) { *p = f<200>(*p + N); }\n",
        .defines = defines,
        .n_defines = 1};
    qn_image *image;
    snprintf(define, sizeof define, "N=%d", number);
    QN_TRY(qn_compile(&image, &src, "opencl:portable", NULL, NULL));
    qn_image_release(image);
    return QN_OK;
}

START_TEST(a_killed_caller_leaves_no_helper_and_no_folder_behind)
{
    const int rounds = is_long ? 100 : 6;
    unsigned seed = 3;
    ck_assert_int_eq(mkdir(in_scratch("tmp"), 0700), 0);
    setenv("TMPDIR", in_scratch("tmp"), 1);
    for (int round = 0; round < rounds; round++) {
        const pid_t pid = fork();
        if (pid == 0) {
            for (int number = round * 1000;; number++)
                must(translate_something(number));
        }
        const struct timespec nap = {0, 100000000 + rand_r(&seed) % 400000000};
        nanosleep(&nap, NULL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        const struct timespec a_moment = {0, 20000000};
        const double until = qn__now_ms() + 20000;
        while (process_with(in_scratch("tmp"), NULL) && qn__now_ms() < until)
            nanosleep(&a_moment, NULL);
        ck_assert_int_eq(process_with(in_scratch("tmp"), NULL), 0);
        ck_assert_msg(count_files("tmp") == 0, "round %d: %u folders are left", round,
                      count_files("tmp"));
    }
    printf("killed callers: %d; no helper and no folder is left\n", rounds);
    fflush(stdout);
}
END_TEST

/* -- a full disk -- */

static bool write_to(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY);
    const bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* A file system of so many bytes at `path`, seen by this process alone. */
static bool mount_small(const char *path, const char *options)
{
    char map[64];
    snprintf(map, sizeof map, "0 %u 1", (unsigned)getuid());
    if (unshare(CLONE_NEWNS) != 0 &&
        (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_to("/proc/self/uid_map", map)))
        return false;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", path, "tmpfs", 0, options) == 0;
}

/* ufora#237: an assertion on ENOSPC. */
START_TEST(a_full_disk_is_one_warning_and_no_failure)
{
    static char big[300 << 10];
    char k[65], other[65];
    qn_cache_counters c;
    ck_assert_int_eq(mkdir(in_scratch("cache"), 0700), 0);
    if (!mount_small(in_scratch("cache"), "size=256k,mode=0700")) {
        printf("skip: a full disk: no right to mount a small one here: %s\n", strerror(errno));
        return;
    }
    numbered_key(k, 1);
    numbered_key(other, 2);
    struct qn__str small = make_entry(k, "small", 5), large = make_entry(other, big, sizeof big);
    qn__disk_publish(k, &small);
    for (int i = 0; i < 3; i++)
        qn__disk_publish(other, &large);
    qn_cache_get_counters(&c);
    ck_assert_uint_eq(c.publish_errors, 3);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "No space left on device");
    ck_assert_uint_eq(count_files("cache/tmp"), 0); /* the space is given back */
    struct qn__arena arena = {0};
    qn_image *image;
    must(qn__disk_find(&image, NULL, &arena, k, target));
    qn_image_release(image);
    must_not(QN_E_NOT_FOUND, qn__disk_find(&image, NULL, &arena, other, target));
    if (compile_target) { /* and with not one byte left */
        unsigned char hash[QN__HASH_BYTES];
        const int fd = open(in_scratch("cache/filler"), O_WRONLY | O_CREAT, 0600);
        while (write(fd, big, 4096) > 0)
            ;
        close(fd);
        must(compile_kernel(hash, 1, false));
        qn_cache_get_counters(&c);
        ck_assert_uint_ge(c.publish_errors, 4);
        ck_assert_int_eq(unlink(in_scratch("cache/filler")), 0);
        must(compile_kernel(hash, 2, false)); /* room again: stored again */
        const uint64_t errors = c.publish_errors;
        qn_cache_get_counters(&c);
        ck_assert_uint_eq(c.publish_errors, errors);
    }
    ck_assert_uint_eq(n_warnings, 1);
    qn__arena_release(&arena);
    qn__str_release(&small);
    qn__str_release(&large);
}
END_TEST

/* -- clocks -- */

START_TEST(a_clock_that_went_backwards_does_not_keep_old_entries_for_ever)
{
    struct stat st;
    struct qn__arena arena = {0};
    qn_image *image;
    char k[65], name[128];
    numbered_key(k, 1);
    snprintf(name, sizeof name, "cache/images/%.2s/%s", k, k);
    struct qn__str entry = make_entry(k, "x", 1);
    qn__disk_publish(k, &entry);
    const struct timespec ahead[2] = {{time(NULL) + 86400 * 365, 0}, {time(NULL) + 86400 * 365, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, in_scratch(name), ahead, 0), 0);
    must(qn__disk_find(&image, NULL, &arena, k, target));
    ck_assert_int_eq(stat(in_scratch(name), &st), 0);
    ck_assert_int_le(st.st_mtime, time(NULL) + 60); /* used now, by the clock as it is now */
    qn_image_release(image);
    qn__str_release(&entry);
    qn__arena_release(&arena);
}
END_TEST

/* -- helpers without memory -- */

static const struct {
    const char *target, *compiler, *helper;
} starved[] = {{"cuda:sm_80", "nvrtc", "QUERN_RTC"},
               {"hip:gfx90a", "hiprtc", "QUERN_RTC"},
               {"hip:gfx1100", "clang", "QUERN_RTC"},
               {"opencl:portable", "translator", "QUERN_TRANSLATE"}};
enum { N_STARVED = sizeof starved / sizeof starved[0] };

static qn_status compile_starved(int i, const char *text)
{
    const qn_source src = {.text = text, .path = "hungry.cu"};
    const qn_compile_options options = {.compiler = starved[i].compiler};
    qn_image *image;
    const qn_status s = qn_compile(&image, &src, starved[i].target, &options, NULL);
    qn_image_release(image);
    return s;
}

/* rocFFT#422 and every job that a cluster's memory limit kills. The helper gets less memory than
 * the compiler needs; how much that is depends on the compiler, so several limits are tried, down
 * to where not even the program starts. */
START_TEST(a_helper_out_of_memory_is_an_error_and_the_next_job_works)
{
    static const unsigned limits_kib[] = {400000, 200000, 120000, 60000, 20000, 2000};
    const char *real = getenv(starved[_i].helper);
    struct qn__str script = {0}, text = {0};
    int failures = 0;
    for (size_t k = 0; k < sizeof limits_kib / sizeof limits_kib[0]; k += is_long ? 1 : 3) {
        qn__str_clear(&script);
        qn__str_printf(&script, "#!/bin/sh\nulimit -v %u\nexec '%s' \"$@\"\n", limits_kib[k], real);
        qn__str_clear(&text);
        qn__str_printf(&text, "__global__ void starved(int *p) { *p = %u; }\n", limits_kib[k]);
        char name[32];
        snprintf(name, sizeof name, "helper%zu", k);
        ck_assert_int_eq(chmod(write_text(name, script.text), 0700), 0);
        const pid_t pid = fork();
        if (pid == 0) {
            setenv(starved[_i].helper, in_scratch(name), 1);
            const qn_status s = compile_starved(_i, text.text);
            if (s != QN_OK) {
                ck_assert_msg(s == QN_E_COMPILER || s == QN_E_MEMORY, "%u KiB: %s: %s",
                              limits_kib[k], qn_status_name(s), qn_message());
                says(qn_message(), starved[_i].target);
                setenv(starved[_i].helper, real, 1); /* the next job works */
                must(compile_starved(_i, text.text));
            }
            _exit(s == QN_OK ? 0 : 7);
        }
        int status = 1;
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7),
                      "%u KiB: the caller ended with %d", limits_kib[k], status);
        failures += WEXITSTATUS(status) == 7;
    }
    ck_assert_int_gt(failures, 0); /* the limits did bite */
    qn__str_release(&script);
    qn__str_release(&text);
}
END_TEST

/* The caller itself has too little, and so has the helper that it starts. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { UNDER_SANITIZER = 1 };
#else
enum { UNDER_SANITIZER = 0 };
#endif

START_TEST(a_caller_out_of_memory_gets_an_error_with_its_reason)
{
    unsigned char hash[QN__HASH_BYTES];
    const int pid_known = fork(); /* the compiler's identity is known before */
    if (pid_known == 0)
        _exit(compile_kernel(hash, 0, false) != QN_OK);
    int status = 1, failures = 0;
    ck_assert_int_eq(waitpid(pid_known, &status, 0), pid_known);
    ck_assert_int_eq(status, 0);
    for (int mib = 60; mib <= 300; mib += is_long ? 2 : 10) {
        const pid_t pid = fork();
        if (pid == 0) {
            const struct rlimit limit = {(rlim_t)mib << 20, (rlim_t)mib << 20};
            setrlimit(RLIMIT_AS, &limit);
            const qn_status s = compile_kernel(hash, mib, false);
            const size_t n = strlen(qn_message());
            if (s == QN_OK)
                _exit(0);
            _exit(n < 2 || strcmp(qn_message() + n - 2, ": ") == 0 ? 8 : 7); /* no reason: bad */
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7),
                      "%d MiB: the caller ended with %d", mib, status);
        failures += WEXITSTATUS(status) == 7;
    }
    ck_assert_int_gt(failures, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reliability");
    TCase *t = tcase_create("reliability");
    bool failed = false;
    is_long = getenv("QN_LONG") != NULL;
    compile_target = have_compiler("nvrtc", &failed)        ? "cuda:sm_80"
                     : have_compiler("translator", &failed) ? "opencl:portable"
                                                            : NULL;
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 3600);
    tcase_add_test(t, writers_killed_at_random_points_leave_whole_entries_or_none);
    tcase_add_test(t, a_full_disk_is_one_warning_and_no_failure);
    tcase_add_test(t, a_clock_that_went_backwards_does_not_keep_old_entries_for_ever);
    if (compile_target) {
        tcase_add_test(t, processes_that_start_cold_together_all_get_every_kernel);
        tcase_add_test(t, processes_killed_while_they_compile_harm_nobody);
    }
    if (UNDER_SANITIZER)
        printf("skip: a caller out of memory: a sanitizer does not live under a limit of memory\n");
    else if (compile_target && qn__starts_with(compile_target, "cuda"))
        tcase_add_test(t, a_caller_out_of_memory_gets_an_error_with_its_reason);
    if (have_compiler("translator", &failed))
        tcase_add_test(t, a_killed_caller_leaves_no_helper_and_no_folder_behind);
    for (int i = 0; i < N_STARVED && getenv("QUERN_RTC") && getenv("QUERN_TRANSLATE"); i++)
        if (have_compiler(starved[i].compiler, &failed))
            tcase_add_loop_test(t, a_helper_out_of_memory_is_an_error_and_the_next_job_works, i,
                                i + 1);
    suite_add_tcase(s, t);
    return run_suite(s) || failed;
}
