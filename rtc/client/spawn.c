/* SPDX-License-Identifier: Apache-2.0
 *
 * Two clone() calls, each like vfork(): memory is shared and the caller waits until the other has
 * run a program or ended, so nothing of a large host is copied. The process between sends no signal
 * when it ends and is seen by no wait(); it shares the table of descriptors, because it is in it
 * that the kernel puts the pidfd of the process it makes. All signals are blocked meanwhile,
 * because a handler of the host must not run in either.
 *
 * Where clone() refuses that (an emulator), or under valgrind and the thread sanitizer, which
 * cannot follow it, the program is started as a child in the usual way. */
#define _GNU_SOURCE
#include "rtc/client/spawn.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif
enum { STACK_BYTES = 64 << 10, HIGH_FD = 64, P_PIDFD_NUMBER = 3 };

/* Of the kernel, which older systems' headers lack. The numbers are the same on all machines. */
enum {
    NR_PIDFD_SEND_SIGNAL = 424,
    NR_PIDFD_OPEN = 434,
    NR_CLOSE_RANGE = 436,
    WHOLE_GROUP = 4, /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */
    INFO_EXIT = 8,   /* PIDFD_INFO_EXIT, Linux 6.15 */
};
struct pidfd_info_v0 {
    uint64_t mask, cgroup;
    uint32_t ids[11];
    int32_t exit_code;
};
#define GET_INFO _IOWR(0xff, 11, struct pidfd_info_v0)

struct start {
    const struct qn__spawn *what;
    char *stack;            /* the second one's */
    char by_descriptor[32]; /* the program's name by its descriptor */
    pid_t pid;
    int pidfd, error;
};

/* -- in the new process --
 * Only what a signal handler may call, and system calls of their own where the C library or a
 * sanitizer keeps books: they would be the host's, whose memory this is. */

/* They never return, so what a sanitizer notes about their stack would stay there for ever. */
#define UNWATCHED __attribute__((no_sanitize("address"), no_sanitize("thread"), noinline))

enum { SIGNALS = 64, SET_BYTES = SIGNALS / 8 };
static const unsigned long zeros[8]; /* the kernel's struct of a default action, and no signals */

UNWATCHED static void default_signals(void)
{
    for (int i = 1; i <= SIGNALS; i++) /* the table is its own; what cannot be changed stays */
        syscall(SYS_rt_sigaction, i, zeros, NULL, SET_BYTES);
}

/* Put them in their places; by way of high numbers, so that none overwrites another. */
UNWATCHED static bool place(const int *fds, int n)
{
    int high[16];
    for (int i = 0; i < n; i++)
        if ((high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, HIGH_FD)) < 0)
            return false;
    for (int i = 0; i < n; i++)
        if (dup2(high[i], i) < 0)
            return false;
    return true;
}

/* Without close_range() (before Linux 5.9) those that are marked to be closed are, and of the
 * host's others the first thousand. */
UNWATCHED static void mark_others(int from)
{
    enum { CLOEXEC_ONLY = 4, MANY = 1024 };
    if (syscall(NR_CLOSE_RANGE, (unsigned)from, ~0u, CLOEXEC_ONLY) == 0)
        return;
    for (int fd = from; fd < MANY; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

UNWATCHED static int run_program(void *payload)
{
    struct start *s = payload;
    const struct qn__spawn *what = s->what;
    setpgid(0, 0);
    default_signals();
    if (place(what->fds, what->n_fds)) {
        mark_others(what->n_fds);
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, zeros, NULL, SET_BYTES);
        if (what->program >= 0)
            syscall(SYS_execve, s->by_descriptor, what->argv, what->envp);
        if (what->program < 0 || errno == ENOENT) /* a system without /proc */
            syscall(SYS_execve, what->path, what->argv, what->envp);
    }
    s->error = errno;
    syscall(SYS_exit_group, 127);
    return 0;
}

/* The process between. */
UNWATCHED static int run_between(void *payload)
{
    struct start *s = payload;
    s->pid = clone(run_program, s->stack + STACK_BYTES,
                   CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, s, &s->pidfd);
    if (s->pid < 0)
        s->error = errno;
    syscall(SYS_exit_group, 0);
    return 0;
}

/* -- in ours -- */

static bool is_under_valgrind(void)
{
    extern char **environ;
    for (char **e = environ; e && *e; e++)
        if (qn__starts_with(*e, "LD_PRELOAD=") && strstr(*e, "vgpreload"))
            return true;
    return false;
}

/* Through the process between. ENOSYS: it has to be a child. */
static int start_apart(struct start *s)
{
    char *stacks = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return errno;
    s->stack = stacks;
    const pid_t between =
        clone(run_between, stacks + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_FILES, s);
    const int code = between < 0 ? ENOSYS : 0;
    if (between > 0)
        waitpid(between, NULL, __WALL);
    munmap(stacks, 2 * STACK_BYTES);
    return code;
}

#if defined(__SANITIZE_THREAD__)
enum { IS_WATCHED = 1 }; /* the sanitizer keeps books of each thread in the memory shared here */
#else
enum { IS_WATCHED = 0 };
#endif

static int start_child(struct start *s)
{
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return errno;
    if (IS_WATCHED && (s->pid = fork()) == 0)
        run_program(s);
    if (!IS_WATCHED)
        s->pid = clone(run_program, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, s);
    const int code = s->pid < 0 ? errno : 0;
    if (code == 0)
        s->pidfd = (int)syscall(NR_PIDFD_OPEN, s->pid, 0);
    munmap(stack, STACK_BYTES);
    return code;
}

int qn__spawn_move_up(int fd)
{
    if (fd < 0 || fd >= QN__SPAWN_SAFE_FD)
        return fd;
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, QN__SPAWN_SAFE_FD);
    close(fd);
    return moved;
}

int qn__spawn(struct qn__process *out, const struct qn__spawn *what)
{
    struct start s = {.what = what, .pidfd = -1};
    sigset_t all, before;
    int state;
    *out = (struct qn__process){.pidfd = -1};
    snprintf(s.by_descriptor, sizeof s.by_descriptor, "/proc/self/fd/%d", what->program);
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = IS_WATCHED || is_under_valgrind() ? ENOSYS : start_apart(&s);
    out->is_child = code == ENOSYS;
    if (out->is_child)
        code = start_child(&s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(state, &state);
    out->pid = s.pid;
    out->pidfd = s.pidfd;
    return code ? code : s.error;
}

void qn__process_kill(const struct qn__process *p)
{
    if (p->pidfd < 0 || syscall(NR_PIDFD_SEND_SIGNAL, p->pidfd, SIGKILL, NULL, WHOLE_GROUP) == 0 ||
        errno != EINVAL)
        return;
    /* An older kernel: it is stopped first, so that it cannot end and leave its number while the
     * group is killed by that number. */
    if (syscall(NR_PIDFD_SEND_SIGNAL, p->pidfd, SIGSTOP, NULL, 0) != 0)
        return;
    kill(-p->pid, SIGKILL);
    syscall(NR_PIDFD_SEND_SIGNAL, p->pidfd, SIGKILL, NULL, 0);
}

bool qn__process_wait(const struct qn__process *p, int ms)
{
    enum { STEP_MS = 2 };
    const struct timespec step = {0, STEP_MS * 1000000L};
    struct pollfd fd = {p->pidfd, POLLIN, 0};
    if (p->pidfd >= 0)
        return poll(&fd, 1, ms) > 0;
    for (; p->is_child && ms > 0; ms -= STEP_MS) { /* of an old system, as our child */
        if (waitpid(p->pid, NULL, WNOHANG) != 0)
            return true;
        nanosleep(&step, NULL);
    }
    return false;
}

/* Of one that has ended and was not collected yet: the last field of its line in /proc. -1:
 * unknown. */
static int status_in_proc(const struct qn__process *p)
{
    char path[64], line[4096];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)p->pid);
    FILE *f = fopen(path, "re");
    const size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        fclose(f);
    line[n] = 0;
    const char *name_end = strrchr(line, ')'), *last = strrchr(line, ' ');
    /* it still has its number, so the line was its own */
    return name_end && last && strncmp(name_end, ") Z ", 4) == 0 &&
                   syscall(NR_PIDFD_SEND_SIGNAL, p->pidfd, 0, NULL, 0) == 0
               ? (int)strtol(last, NULL, 10)
               : -1;
}

/* The kernel tells that of somebody else's child in /proc until its parent (the system's first
 * process) has collected it, and since Linux 6.15 by the pidfd afterwards. */
static int status_of_others_child(const struct qn__process *p)
{
    enum { TRIES = 50, NAP_NS = 2000000 };
    const struct timespec nap = {0, NAP_NS};
    int status = status_in_proc(p);
    for (int i = 0; i < TRIES && status < 0; i++) {
        struct pidfd_info_v0 info = {.mask = INFO_EXIT};
        if (ioctl(p->pidfd, GET_INFO, &info) != 0 && errno != EAGAIN)
            return -1;
        if (info.mask & INFO_EXIT)
            return info.exit_code;
        nanosleep(&nap, NULL);
        status = status_in_proc(p);
    }
    return status;
}

int qn__process_status(const struct qn__process *p)
{
    siginfo_t info = {0};
    if (p->pidfd < 0)
        return -1;
    /* its parent may be us after all: as the system's first process, or as a host that takes in
     * orphans */
    if (waitid((idtype_t)P_PIDFD_NUMBER, (id_t)p->pidfd, &info, WEXITED | WNOHANG) == 0)
        return info.si_pid == 0             ? -1
               : info.si_code == CLD_EXITED ? (info.si_status & 255) << 8
                                            : info.si_status;
    return status_of_others_child(p);
}
