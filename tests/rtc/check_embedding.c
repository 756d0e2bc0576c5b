/* SPDX-License-Identifier: Apache-2.0
 *
 * The library inside somebody else's program, which forks, waits for children, ignores signals,
 * closes descriptors and cancels threads as it likes (docs/embedding.md). The compiler is a fake
 * one, so nothing but the program's own manners takes time.
 *
 * covers: base/forks base/descriptors base/threads base/work_folder base/lock_holder
 * rtc/client/spawn rtc/cache/slots rtc/devices */
#define _GNU_SOURCE
#include "base/descriptors.h"
#include "base/lock_holder.h"
#include "base/threads.h"
#include "base/work_folder.h"
#include "rtc/cache/slots.h"
#include "tests/rtc/cache_fixture.h"
#include "tests/rtc/fake_helper.h"
#include "tests/rtc/own_helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>

#if defined(__SANITIZE_THREAD__)
enum { IS_THREAD_SANITIZED = 1 };
#else
enum { IS_THREAD_SANITIZED = 0 };
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

static bool is_long;

/* Status of a child that runs for 30 s at most; -1: it hung and was killed. */
static int finish_child(pid_t pid)
{
    int status = 0;
    const double until = qn__now_ms() + 30000;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (qn__now_ms() > until) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            return -1;
        }
        pause_ms(2);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Of this test, after a moment to end in. */
static bool has_no_helper(void)
{
    const double until = qn__now_ms() + 10000;
    while (own_helper(FAKE_ARGUMENT) && qn__now_ms() < until)
        pause_ms(20);
    return own_helper(FAKE_ARGUMENT) == 0;
}

/* -- answers belong to their jobs -- */

static const struct answer_case {
    const char *name, *how;
} answer_cases[] = {
    {"the number of another job", "number"},
    {"the digest of another job", "digest"},
    {"every answer twice", "twice"},
};

START_TEST(an_answer_to_another_job_is_an_error_and_never_an_image)
{
    use_fake_helper("");
    ck_assert_int_eq(ask_for(0), 0);
    write_text("FAKE", answer_cases[_i].how);
    int errors = 0;
    for (int i = 1; i <= 4; i++) {
        const int result = ask_for(i);
        ck_assert_msg(result != 2, "%s: kernel %d is another one", answer_cases[_i].name, i);
        errors += result;
        if (result)
            says(qn_message(), "the helper answered nonsense");
    }
    ck_assert_msg(errors >= 2, "%s: %d errors", answer_cases[_i].name, errors);
    write_text("FAKE", ""); /* and none of it is in the cache; a helper may still be surplus */
    int late = 0;
    for (int i = 0; i <= 8; i++) {
        const int result = ask_for(i % 5);
        ck_assert_msg(result != 2, "%s: kernel %d is another one", answer_cases[_i].name, i % 5);
        late += result;
    }
    ck_assert_int_le(late, 1);
}
END_TEST

/* -- fork -- */

static void *list_devices(void *unused)
{
    qn_device_list list;
    (void)unused;
    if (qn_device_list_init(&list) == QN_OK)
        qn_device_list_release(&list);
    return NULL;
}

START_TEST(a_child_does_not_wait_for_a_driver_that_its_parent_tries_out)
{
    pthread_t thread;
    setenv("QUERN_BACKEND", "cuda", 1);
    const char *slow = write_text("slow-rtc", "#!/bin/sh\nsleep 3\n");
    ck_assert_int_eq(chmod(slow, 0700), 0);
    setenv("QUERN_RTC", slow, 1);
    const double begin = qn__now_ms();
    ck_assert_int_eq(pthread_create(&thread, NULL, list_devices, NULL), 0);
    while (!own_helper("sleep") && qn__now_ms() - begin < 2000)
        pause_ms(5);
    ck_assert_int_ne(own_helper("sleep"), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        setenv("QUERN_RTC", "/bin/true", 1);
        list_devices(NULL);
        _exit(own_helper("sleep") ? 0 : 1); /* the parent still waits */
    }
    ck_assert_int_eq(finish_child(pid), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

static atomic_bool stop;

static void *ask_all_the_time(void *first)
{
    for (int i = 0; !atomic_load(&stop); i++)
        ask_for((int)(intptr_t)first + i % 40);
    return NULL;
}

START_TEST(children_of_a_threaded_program_get_their_kernels_at_once)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    const int forks = is_long ? 600 : 60;
    use_fake_helper("slow15");
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_all_the_time, (void *)(1000 * i)),
                         0);
    pause_ms(100);
    for (int i = 0; i < forks; i++) {
        const pid_t pid = fork();
        if (pid == 0)
            _exit(ask_for(i % 7) * 2 + ask_for(100000 + i) * 8 + ask_for(1000 + i % 40) * 32);
        const int status = finish_child(pid);
        ck_assert_msg(status == 0, "child %d of %d %s (%d)", i, forks,
                      status == -1 ? "hung" : "failed", status);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    printf("forks in the middle of compiles: %d, every child had its three kernels\n", forks);
    fflush(stdout);
}
END_TEST

static void *ask_once(void *number)
{
    return (void *)(intptr_t)ask_for((int)(intptr_t)number);
}

START_TEST(a_child_keeps_no_lock_and_no_connection_of_its_parent)
{
    use_fake_helper("slow400");
    int release[2];
    ck_assert_int_eq(pipe(release), 0);
    const pid_t parent = fork(); /* plays the host; its child outlives it */
    if (parent == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, ask_once, (void *)2);
        pause_ms(150);
        if (fork() == 0) {
            char byte;
            close(release[1]);
            _exit(read(release[0], &byte, 1) < 0);
        }
        pause_ms(50);
        kill(getpid(), SIGKILL);
    }
    ck_assert_int_eq(finish_child(parent), 128 + SIGKILL);
    DIR *d = opendir(in_scratch("cache/locks"));
    const struct dirent *e;
    uint32_t n = 0;
    ck_assert(d != NULL);
    while ((e = readdir(d))) {
        if (e->d_name[0] == '.')
            continue;
        const int fd = openat(dirfd(d), e->d_name, O_RDWR | O_CLOEXEC);
        ck_assert_msg(flock(fd, LOCK_EX | LOCK_NB) == 0, "%s is still locked", e->d_name);
        close(fd);
        n++;
    }
    closedir(d);
    ck_assert_uint_ge(n, 1);
    ck_assert(has_no_helper());
    close(release[0]);
    close(release[1]);
}
END_TEST

/* -- children and signals of the program -- */

static atomic_int signals_taken;
static void count_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals_taken, 1);
}

START_TEST(helpers_are_not_among_the_programs_children)
{
    signal(SIGCHLD, count_signal);
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    ck_assert_int_ne(own_helper(FAKE_ARGUMENT), 0); /* it is idle */
    if (getppid() != 1 && getpid() != 1) {
        errno = 0;
        ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
        ck_assert_int_eq(errno, ECHILD);
    }
    ck_assert_int_eq(ask_for(2), 0);
    ck_assert_int_eq(signals_taken, 0);
}
END_TEST

START_TEST(a_program_that_ignores_sigchld_gets_kernels_and_the_true_reason)
{
    signal(SIGCHLD, SIG_IGN);
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    unlink(in_scratch("FAKE")); /* now it ends with code 1 */
    ck_assert_int_eq(ask_for(2), 1);
    says(qn_message(), "the compiler ended");
}
END_TEST

START_TEST(helpers_get_the_five_descriptors_that_are_meant_and_default_signals)
{
    int pipe_fds[2];
    sigset_t all;
    ck_assert_int_eq(pipe(pipe_fds), 0); /* not close-on-exec */
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    const pid_t helper = own_helper(FAKE_ARGUMENT);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)helper);
    DIR *d = opendir(path);
    ck_assert(d != NULL);
    const struct dirent *e;
    int n = 0;
    while ((e = readdir(d))) {
        /* the shell that runs the fake one may have its script open */
        ck_assert_msg(e->d_name[0] == '.' || strtol(e->d_name, NULL, 10) <= 4, "descriptor %s",
                      e->d_name);
        n += e->d_name[0] != '.';
    }
    closedir(d);
    ck_assert_int_eq(n, 5);
    close(pipe_fds[1]);
    struct pollfd end = {pipe_fds[0], POLLIN, 0};
    ck_assert_int_eq(poll(&end, 1, 2000), 1); /* the reader sees the end at once */
    snprintf(path, sizeof path, "%d", (int)helper);
    ck_assert(proc_has(path, "status", "SigBlk:\t0000000000000000"));
    size_t status_n;
    char *status = read_proc(&status_n, path, "status");
    const char *ignored = status ? memmem(status, status_n, "SigIgn:", 7) : NULL;
    ck_assert_ptr_nonnull(ignored);
    /* 32 and 33 are the C library's own */
    ck_assert_uint_eq(strtoull(ignored + 7, NULL, 16) & ~(3ull << 31), 0);
    free(status);
    ck_assert_int_eq(getpgid(helper), helper);
}
END_TEST

static void *work_in_thread(void *payload)
{
    (void)payload;
    pause_ms(300);
    return NULL;
}

START_TEST(threads_of_the_library_take_no_signal)
{
    pthread_t thread;
    sigset_t all;
    signal(SIGUSR1, count_signal);
    ck_assert(qn__thread_start(&thread, work_in_thread, NULL));
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); /* so only the other thread could take it */
    kill(getpid(), SIGUSR1);
    pthread_join(thread, NULL);
    ck_assert_int_eq(signals_taken, 0);
    sigemptyset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    ck_assert_int_eq(signals_taken, 1); /* it waited for us */
}
END_TEST

START_TEST(a_limit_on_files_is_a_warning_and_no_signal)
{
    const struct rlimit limit = {2048, 2048};
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    char text[8192] = "__global__ void k(int *p) { *p = 1; }\n";
    memset(text + strlen(text), ' ', sizeof text - strlen(text) - 1);
    text[sizeof text - 1] = 0;
    const qn_source src = {.text = text, .path = "k.cu"};
    qn_image *image;
    signal(SIGXFSZ, SIG_DFL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    must(qn_compile(&image, &src, "opencl:portable", NULL, NULL));
    qn_image_release(image);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "not stored");
    qn_cache_counters c;
    qn_cache_get_counters(&c);
    ck_assert_uint_ge(c.publish_errors, 1);
}
END_TEST

START_TEST(writing_to_a_closed_pipe_sends_no_signal_and_keeps_the_programs_own)
{
    int fds[2];
    struct qn__quiet quiet;
    sigset_t pending, pipe_only;
    ck_assert_int_eq(pipe(fds), 0);
    close(fds[0]);
    signal(SIGPIPE, count_signal);
    qn__quiet_begin(&quiet);
    ck_assert_int_eq(write(fds[1], "x", 1), -1);
    qn__quiet_end(&quiet);
    ck_assert_int_eq(errno, EPIPE);
    ck_assert_int_eq(signals_taken, 0);
    sigemptyset(&pipe_only); /* one that waits already goes on waiting */
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, NULL);
    raise(SIGPIPE);
    qn__quiet_begin(&quiet);
    ck_assert_int_eq(write(fds[1], "x", 1), -1);
    qn__quiet_end(&quiet);
    sigpending(&pending);
    ck_assert_int_eq(sigismember(&pending, SIGPIPE), 1);
}
END_TEST

/* -- descriptors of the program -- */

/* As the books say for a daemon, and then its own files, which get the numbers of ours. */
static int close_everything_and_go_on(bool long_lived)
{
    enum { OWN = 40 };
    int fds[OWN];
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (int i = 0; i < OWN; i++)
        fds[i] = open(in_scratch("own"), O_RDONLY | O_DIRECTORY);
    if (ask_for(2) != 0)
        return 2;
    if (ask_for(3) != 0)
        return 3;
    for (int i = 0; i < OWN; i++)
        if (fcntl(fds[i], F_GETFD) < 0)
            return 4;
    if (count_files("own") != 0)
        return 5;
    if (long_lived) { /* and what was made is stored in the cache's folder */
        qn_cache_counters c;
        qn_cache_get_counters(&c);
        return c.publish_errors ? 6 : 0;
    }
    return 0;
}

START_TEST(a_program_that_closes_all_descriptors_keeps_its_own)
{
    ck_assert_int_eq(mkdir(in_scratch("own"), 0700), 0);
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    for (int again = 0; again < 2; again++) { /* in a child, and without a fork */
        const pid_t pid = again ? 0 : fork();
        const int result = pid ? finish_child(pid) : close_everything_and_go_on(true);
        if (!again && pid == 0)
            _exit(result);
        ck_assert_msg(result == 0, "%s: step %d", again ? "the program itself" : "a child", result);
    }
    ck_assert_uint_ge(count_files("cache/images"), 1);
}
END_TEST

/* -- exit, cancellation, dlclose -- */

START_TEST(exit_during_a_compile_is_at_once_and_leaves_no_helper)
{
    use_fake_helper("slow5000");
    const double start = qn__now_ms();
    const pid_t pid = fork();
    if (pid == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, ask_once, (void *)1);
        pause_ms(300);
        exit(7);
    }
    ck_assert_int_eq(finish_child(pid), 7);
    ck_assert_double_lt(qn__now_ms() - start, 4000);
    ck_assert(has_no_helper());
}
END_TEST

START_TEST(a_cancelled_thread_ends_when_its_compile_is_done_and_no_other_waits_for_it)
{
    pthread_t thread;
    void *result;
    use_fake_helper("slow300");
    ck_assert_int_eq(ask_for(1), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, ask_once, (void *)2), 0);
    pause_ms(100);
    ck_assert_int_eq(pthread_cancel(thread), 0);
    const double start = qn__now_ms();
    ck_assert_int_eq(ask_for(2), 0); /* the same one */
    ck_assert_int_eq(ask_for(3), 0);
    ck_assert_double_lt(qn__now_ms() - start, 5000);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
}
END_TEST

static int count_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

typedef qn_status compile_call(qn_image **, const qn_source *, const char *,
                               const qn_compile_options *, qn_log *);

START_TEST(an_unloaded_library_leaves_no_helper_and_no_descriptor)
{
    const char *build = getenv("QN_BUILD");
    char path[4096];
    ck_assert_ptr_nonnull(build);
    snprintf(path, sizeof path, "%s/libquern.so", build);
    use_fake_helper("");
    const int before = count_descriptors();
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    compile_call *call;
    void *symbol = dlsym(library, "qn_compile");
    memcpy(&call, &symbol, sizeof call);
    const qn_source src = {.text = "__global__ void k(int *p) { *p = 1; }\n", .path = "k.cu"};
    qn_image *image;
    ck_assert_int_eq(call(&image, &src, "opencl:portable", NULL, NULL), QN_OK);
    ck_assert_int_gt(count_descriptors(), before);
    ck_assert_int_eq(dlclose(library), 0);
    ck_assert_int_eq(count_descriptors(), before);
    ck_assert(has_no_helper());
    const pid_t pid = fork(); /* nothing of it is called any more */
    if (pid == 0)
        _exit(0);
    ck_assert_int_eq(finish_child(pid), 0);
}
END_TEST

/* -- what belongs to the whole process -- */

START_TEST(working_folder_umask_locale_and_handlers_stay_as_they_are)
{
    char before[4096], after[4096], locale[256];
    struct sigaction handlers[32], now;
    struct stat st;
    use_fake_helper("");
    setlocale(LC_ALL, "");
    snprintf(locale, sizeof locale, "%s", setlocale(LC_ALL, NULL));
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    umask(0);
    signal(SIGUSR2, count_signal);
    for (int i = 1; i < 32; i++)
        ck_assert_int_eq(sigaction(i, NULL, &handlers[i]), 0);
    ck_assert_int_eq(ask_for(1), 0);
    ck_assert_ptr_nonnull(getcwd(after, sizeof after));
    ck_assert_str_eq(before, after);
    ck_assert_str_eq(setlocale(LC_ALL, NULL), locale);
    ck_assert_int_eq(umask(022), 0);
    for (int i = 1; i < 32; i++) {
        ck_assert_int_eq(sigaction(i, NULL, &now), 0);
        ck_assert_msg(now.sa_handler == handlers[i].sa_handler, "signal %d", i);
    }
    ck_assert_int_eq(stat(in_scratch("cache"), &st), 0); /* whatever the umask is */
    ck_assert_uint_eq(st.st_mode & 0777, 0700);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(ask_for(2), 0);
}
END_TEST

START_TEST(the_cache_folder_is_chosen_once_and_a_limit_read_each_time)
{
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    setenv("QUERN_CACHE_DIR", in_scratch("other"), 1);
    ck_assert_int_eq(ask_for(2), 0);
    ck_assert(!qn__file_exists(in_scratch("other")));
    setenv("QUERN_COMPILE_TIMEOUT", "1", 1);
    write_text("FAKE", "slow5000");
    ck_assert_int_eq(ask_for(3), 1);
    says(qn_message(), "did not finish in 1 s");
}
END_TEST

/* -- limits -- */

START_TEST(a_thread_with_a_small_stack_can_compile)
{
    pthread_attr_t small;
    pthread_t thread;
    void *result = (void *)1;
    use_fake_helper("");
    pthread_attr_init(&small);
    ck_assert_int_eq(pthread_attr_setstacksize(&small, 64 << 10), 0);
    ck_assert_int_eq(pthread_create(&thread, &small, ask_once, (void *)1), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_null(result);
    pthread_attr_destroy(&small);
}
END_TEST

/* -- temporary folders -- */

START_TEST(work_folders_that_nobody_holds_are_swept_and_others_stay)
{
    struct qn__work_folder mine, other;
    char *abandoned;
    setenv("TMPDIR", in_scratch("tmp"), 1);
    ck_assert_int_eq(mkdir(in_scratch("tmp"), 0700), 0);
    must(qn__work_folder_create(&other, NULL));
    ck_assert_int_eq(mkdir(in_scratch("tmp/quern-work-abandoned"), 0700), 0);
    write_text("tmp/quern-work-abandoned/kernel.cu", "text");
    write_text("tmp/quern-other/kernel.cu", "of a program that has nothing to do with it");
    abandoned = strdup(in_scratch("tmp/quern-work-abandoned"));
    const pid_t maker = fork(); /* a sweep is made once a process, and this one has made it */
    if (maker == 0) {
        execl("/proc/self/exe", "check_embedding", "--make-a-work-folder", (char *)NULL);
        _exit(127);
    }
    ck_assert_int_eq(finish_child(maker), 0);
    ck_assert(!qn__file_exists(abandoned));
    ck_assert(qn__file_exists(other.path));
    ck_assert(qn__file_exists(in_scratch("tmp/quern-other/kernel.cu")));
    must(qn__work_folder_create(&mine, NULL));
    ck_assert_str_ne(mine.path, other.path);
    free(abandoned);
}
END_TEST

START_TEST(without_a_usable_tmpdir_another_folder_is_taken_and_said)
{
    setenv("TMPDIR", "/nowhere", 1);
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "/nowhere cannot be used");
    says(warnings[0], "TMPDIR");
}
END_TEST

/* -- waits -- */

START_TEST(a_lock_that_is_kept_for_ever_is_named_and_given_up)
{
    const char *file = write_text("record", "");
    setenv("QUERN_RECORD", file, 1);
    use_fake_helper("");
    const pid_t holder = fork();
    if (holder == 0) {
        const int fd = open(file, O_RDWR);
        flock(fd, LOCK_EX);
        for (;;)
            pause();
    }
    pause_ms(200);
    const double start = qn__now_ms();
    ck_assert_int_eq(ask_for(1), 0);
    ck_assert_int_eq(ask_for(2), 0);
    ck_assert_double_lt(qn__now_ms() - start, 6000);
    kill(holder, SIGKILL);
    ck_assert_int_eq(finish_child(holder), 128 + SIGKILL);
    char who[64];
    snprintf(who, sizeof who, "locked for 2 s by process %d", (int)holder);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], who);
}
END_TEST

START_TEST(a_pipe_without_a_reader_is_no_record)
{
    ck_assert_int_eq(mkfifo(in_scratch("fifo"), 0600), 0);
    setenv("QUERN_RECORD", in_scratch("fifo"), 1);
    use_fake_helper("");
    const double start = qn__now_ms();
    ck_assert_int_eq(ask_for(1), 0);
    ck_assert_double_lt(qn__now_ms() - start, 4000);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], "not a regular file");
}
END_TEST

START_TEST(turns_held_by_a_stopped_process_are_named_and_not_waited_for)
{
    use_fake_helper("");
    ck_assert_int_eq(ask_for(1), 0); /* makes the folder */
    const pid_t holder = fork();
    if (holder == 0) {
        for (uint32_t i = 0; i < qn__slots(); i++) {
            char name[64];
            snprintf(name, sizeof name, "cache/locks/compile-%u", i);
            flock(open(in_scratch(name), O_RDWR | O_CREAT, 0600), LOCK_EX);
        }
        raise(SIGSTOP);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(holder, &status, WUNTRACED), holder);
    const double start = qn__now_ms();
    ck_assert_int_eq(ask_for(2), 0);
    const double took = qn__now_ms() - start;
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    ck_assert_double_lt(took, 10000);
    char who[64];
    snprintf(who, sizeof who, "process %d (check_embedding), which is stopped", (int)holder);
    ck_assert_uint_eq(n_warnings, 1);
    says(warnings[0], who);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], FAKE_ARGUMENT) == 0)
        _exit(play_the_helper(argv[2])); /* in the middle of anything */
    if (argc > 1 && strcmp(argv[1], "--make-a-work-folder") == 0) {
        struct qn__work_folder w;
        const bool made = qn__work_folder_create(&w, NULL) == QN_OK;
        qn__work_folder_remove(&w);
        return !made;
    }
    Suite *s = suite_create("embedding");
    TCase *t = tcase_create("embedding");
    is_long = getenv("QN_LONG") != NULL;
    tcase_add_checked_fixture(t, open_quiet, scratch_close);
    tcase_set_timeout(t, 600);
    tcase_add_loop_test(t, an_answer_to_another_job_is_an_error_and_never_an_image, 0,
                        sizeof answer_cases / sizeof answer_cases[0]);
    if (IS_SANITIZED)
        printf("skip: forks of a threaded program, exit during a compile, dlclose: the sanitizer's "
               "own locks are held in the child, and what other threads and an unloaded library "
               "use counts as leaked\n");
    if (IS_THREAD_SANITIZED)
        printf("skip: helpers are no children: under the thread sanitizer they are\n");
    tcase_add_loop_test(t, a_child_does_not_wait_for_a_driver_that_its_parent_tries_out, 0,
                        !IS_SANITIZED);
    tcase_add_loop_test(t, children_of_a_threaded_program_get_their_kernels_at_once, 0,
                        !IS_SANITIZED);
    tcase_add_loop_test(t, exit_during_a_compile_is_at_once_and_leaves_no_helper, 0, !IS_SANITIZED);
    tcase_add_test(t, a_child_keeps_no_lock_and_no_connection_of_its_parent);
    tcase_add_loop_test(t, helpers_are_not_among_the_programs_children, 0, !IS_THREAD_SANITIZED);
    tcase_add_test(t, a_program_that_ignores_sigchld_gets_kernels_and_the_true_reason);
    tcase_add_test(t, helpers_get_the_five_descriptors_that_are_meant_and_default_signals);
    tcase_add_test(t, threads_of_the_library_take_no_signal);
    tcase_add_test(t, a_limit_on_files_is_a_warning_and_no_signal);
    tcase_add_test(t, writing_to_a_closed_pipe_sends_no_signal_and_keeps_the_programs_own);
    tcase_add_test(t, a_program_that_closes_all_descriptors_keeps_its_own);
    tcase_add_test(t, a_cancelled_thread_ends_when_its_compile_is_done_and_no_other_waits_for_it);
    tcase_add_loop_test(t, an_unloaded_library_leaves_no_helper_and_no_descriptor, 0,
                        !IS_SANITIZED);
    tcase_add_test(t, working_folder_umask_locale_and_handlers_stay_as_they_are);
    tcase_add_test(t, the_cache_folder_is_chosen_once_and_a_limit_read_each_time);
    tcase_add_test(t, a_thread_with_a_small_stack_can_compile);
    tcase_add_test(t, work_folders_that_nobody_holds_are_swept_and_others_stay);
    tcase_add_test(t, without_a_usable_tmpdir_another_folder_is_taken_and_said);
    tcase_add_test(t, a_lock_that_is_kept_for_ever_is_named_and_given_up);
    tcase_add_test(t, a_pipe_without_a_reader_is_no_record);
    tcase_add_test(t, turns_held_by_a_stopped_process_are_named_and_not_waited_for);
    suite_add_tcase(s, t);
    return run_suite(s);
}
