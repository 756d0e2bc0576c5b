/* SPDX-License-Identifier: Apache-2.0
 *
 * The library starts a helper with a socket as descriptor 3 and sends jobs, one at a time; each is
 * answered with a result (protocol.h). It ends when the socket closes. A second thread watches for
 * that while a compile runs, so that a compile does not outlive its caller.
 */
#define _GNU_SOURCE
#include "rtc/helper/serve.h"

#include "base/file.h"
#include "rtc/job/protocol.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef QN_VERSION
#define QN_VERSION "0"
#endif

static const struct qn__helper *self;
static const char *work; /* the folder for temporary files that the caller made, or NULL */

/* For this process and the compilers that it runs. A sanitizer's own memory would be over it. */
static void limit_memory(uint64_t bytes)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(QN_FUZZING)
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = bytes && bytes < limit.rlim_max ? (rlim_t)bytes : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
#else
    (void)bytes;
#endif
}

static void run(struct qn__job_result *out, struct qn__arena *arena, const struct qn__job *job)
{
    for (uint32_t i = 0; i < self->n_compilers; i++)
        if (strcmp(self->compilers[i].name, job->compiler) == 0) {
            self->compilers[i].run(out, arena, job);
            return;
        }
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    qn__job_end(out, arena,
                qn__fail(QN_E_INVALID, "%s runs no compiler '%s'", self->program, job->compiler));
}

/* One job from the socket; false when it is time to end. */
static bool serve_one(int fd)
{
    char *bytes;
    size_t n;
    struct qn__arena arena = {0};
    struct qn__job job;
    struct qn__job_result result = {.compiler = "", .reflection = {.build_options = ""}};
    struct qn__str frame = {0};
    const qn_status got = qn__frame_read(&bytes, &n, fd);
    if (got != QN_OK) {
        if (got != QN_E_NOT_FOUND)
            fprintf(stderr, "%s: %s\n", self->program, qn_message());
        return false;
    }
    const bool good = qn__job_decode(&job, &arena, bytes, n) == QN_OK;
    limit_memory(good ? job.memory_bytes : 0);
    if (good)
        run(&result, &arena, &job);
    else
        qn__job_end(&result, &arena, qn__fail(QN_E_CORRUPT, "%s", qn_message()));
    result.number = job.number;
    qn__hash_of(result.digest, bytes, n);
    qn__frame_begin(&frame);
    qn__job_result_encode(&frame, &result);
    qn__frame_end(&frame);
    const bool sent = qn__frame_write(fd, &frame) == QN_OK;
    if (!sent)
        fprintf(stderr, "%s: %s\n", self->program, qn_message());
    qn__str_release(&frame);
    qn__arena_release(&arena);
    free(bytes);
    return sent;
}

static void ignore(int signal)
{
    (void)signal; /* a handler, because children inherit what is ignored, but not handlers */
}

static void remove_work(void)
{
    if (work)
        qn__temp_dir_remove(work);
}

/* The caller is gone. The job's compiler is stopped, so that the job fails, and this process
 * removes its files and ends; a job without a compiler process of its own is given a moment, then
 * the whole group is killed. */
static void end_everything(void)
{
    enum { MOMENT_MS = 2000, STEP_MS = 20 };
    const struct sigaction act = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    const struct timespec step = {0, STEP_MS * 1000000L};
    const bool leads_group = getpgrp() == getpid();
    sigaction(SIGTERM, &act, NULL);
    for (int ms = 0; ms < MOMENT_MS; ms += STEP_MS) {
        if (leads_group)
            kill(0, SIGTERM);
        nanosleep(&step, NULL);
    }
    remove_work();
    if (leads_group)
        kill(0, SIGKILL);
    _exit(0);
}

static void *watch(void *unused)
{
    const struct timespec a_while = {0, 100000000};
    struct pollfd fd = {QN__HELPER_FD, POLLRDHUP, 0};
    (void)unused;
    for (;;) {
        const int n = poll(&fd, 1, -1);
        if (n > 0 && (fd.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)))
            end_everything();
        if (n < 0) /* without memory in the kernel: not as fast as can be */
            nanosleep(&a_while, NULL);
    }
    return NULL;
}

static bool has_socket(void)
{
    struct stat st;
    return fstat(QN__HELPER_FD, &st) == 0 && S_ISSOCK(st.st_mode);
}

/* Memory that one job frees serves the next. Otherwise the C library returns it to the kernel, and
 * getting it again costs a tenth of the time that a translation takes outside of clang. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    enum { MIB = 1 << 20 };
    mallopt(M_TRIM_THRESHOLD, 64 * MIB);
    mallopt(M_MMAP_THRESHOLD, 32 * MIB);
    mallopt(M_TOP_PAD, 4 * MIB);
#endif
}

/* Everything temporary goes there, also that of the compilers that are run. */
static void use_work_folder(void)
{
    work = getenv(QN__WORK_VARIABLE);
    if (!work || setenv("TMPDIR", work, 1) != 0)
        work = NULL;
    qn__temp_dirs_go_to(work);
    fcntl(QN__HELPER_WORK_FD, F_SETFD, FD_CLOEXEC);
}

/* What would add folders, options or words to what a compiler makes, and is in no key. Those that
 * users of a compiler do set are in the key instead (rtc/key/key.c). */
static void leave_out_variables(void)
{
    static const char *const names[] = {"CPATH",
                                        "C_INCLUDE_PATH",
                                        "CPLUS_INCLUDE_PATH",
                                        "OBJC_INCLUDE_PATH",
                                        "COMPILER_PATH",
                                        "LIBRARY_PATH",
                                        "OBJCPLUS_INCLUDE_PATH",
                                        "GCC_EXEC_PREFIX",
                                        "LLD_VERSION",
                                        "LLD_REPRODUCE",
                                        "LLVM_OVERRIDE_PRODUCER",
                                        "SOURCE_DATE_EPOCH",
                                        "EDG_BASE",
                                        "EDG_MODULES_PATH",
                                        "HIP_DEVICE_LIB_PATH",
                                        "ELF_PACKAGE_METADATA",
                                        "CC_PRINT_HEADERS",
                                        "CC_PRINT_OPTIONS",
                                        "CC_LOG_DIAGNOSTICS",
                                        "LD_RUN_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

const char *qn__helper_work_folder(void)
{
    return work;
}

/* Wait for the next job; a helper that nobody wanted for a long time ends. The caller takes another
 * one then. */
static bool is_wanted(int fd)
{
    enum { IDLE_MS = 10 * 60 * 1000 };
    struct pollfd next = {fd, POLLIN, 0};
    int n;
    while ((n = poll(&next, 1, IDLE_MS)) < 0 && errno == EINTR)
        ;
    return n != 0;
}

static int serve(void)
{
    pthread_t watcher;
    keep_memory();
    use_work_folder();
    leave_out_variables();
    prctl(PR_SET_NAME, self->program); /* it may have been run by a descriptor */
    signal(SIGXFSZ, SIG_IGN); /* a limit on files is an error of the job, also in compilers */
    signal(SIGPIPE, ignore);  /* a caller that is gone is seen by other ways */
    fcntl(QN__HELPER_FD, F_SETFD, FD_CLOEXEC); /* not for the compilers we start */
    if (pthread_create(&watcher, NULL, watch, NULL) != 0) {
        fprintf(stderr, "%s: no thread to watch the caller\n", self->program);
        return 1;
    }
    while (is_wanted(QN__HELPER_FD) && serve_one(QN__HELPER_FD))
        ;
    remove_work();
    return 0;
}

static int print_version(void)
{
    struct qn__arena arena = {0};
    printf("%s %s\n", self->program, QN_VERSION);
    for (uint32_t i = 0; i < self->n_compilers; i++) {
        const struct qn__job job = {
            .kind = QN__JOB_IDENTITY, .compiler = self->compilers[i].name, .arch = ""};
        struct qn__job_result r;
        run(&r, &arena, &job);
        if (r.status == QN_OK)
            printf("%-11s %s, %u targets, %s\n", job.compiler, r.compiler, r.n_targets,
                   r.where ? r.where : "");
        else
            printf("%-11s not usable: %s\n", job.compiler, r.message ? r.message : "");
    }
    qn__arena_release(&arena);
    return 0;
}

static void print_help(FILE *out)
{
    fprintf(
        out,
        "usage: %s [--version | --help]\n"
        "\n"
        "A compile helper of Quern, for %s.\n"
        "They run in this program so that a crash of theirs is an error message elsewhere. The\n"
        "library starts it by itself, with a socket as descriptor 3; there is nothing to run by\n"
        "hand.\n"
        "\n"
        "  --version  version, and the compilers found here\n"
        "  --help     this text\n",
        self->program, self->runs);
}

int qn__helper_main(int argc, char **argv, const struct qn__helper *helper)
{
    self = helper;
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return print_version();
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (argc == 1 && has_socket())
        return serve();
    print_help(stderr);
    return 2;
}
