/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool of helper processes, of both programs.
 *
 * A helper is started by posix_spawn (the caller may be huge, so no fork) in a process group of its
 * own, with one end of a socket pair as descriptor 3 and a pipe as its stderr. While a job runs,
 * poll() watches both against the job's deadline. When anything is wrong (the socket closes, bytes
 * make no sense, time is up) the whole group is killed, because a compiler may have started
 * children of its own, and the next job gets a fresh helper. A helper that died while it was idle
 * is not an error: the job is tried once more.
 */
#define _GNU_SOURCE
#include "rtc/client/helper_client.h"

#include "base/file.h"
#include "base/log.h"
#include "base/settings.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/slots.h"
#include "rtc/client/helper_find.h"
#include "rtc/job/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STDERR_KEPT_BYTES = 8192, IDLE_MAX = 8, SAFE_FD = 10 };

struct helper {
    struct helper *next;
    pid_t pid;
    int socket, errors;
    struct qn__str said; /* its stderr during this job */
    char path[1024];
    uint32_t n_jobs; /* finished */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    pid_t owner; /* a forked child must not touch its parent's helpers */
    struct helper *idle;
    uint32_t n_idle, n_running;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};

/* -- starting and stopping -- */

/* Keep clear of 0..3, which the child gives new meanings. */
static int move_up(int fd)
{
    if (fd < 0 || fd >= SAFE_FD)
        return fd;
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, SAFE_FD);
    close(fd);
    return moved;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int spawn(pid_t *pid, const char *path, int socket, int errors)
{
    extern char **environ;
    char *const argv[] = {(char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGCHLD);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    posix_spawn_file_actions_adddup2(&actions, socket, QN__HELPER_FD);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &defaults);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                        POSIX_SPAWN_SETPGROUP);
    const int code = posix_spawn(pid, path, &actions, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static qn_status helper_start(struct helper **out, const char *path)
{
    int pair[2] = {-1, -1}, errors[2] = {-1, -1};
    qn_status s = QN_OK;
    struct helper *h = qn__alloc(1, sizeof *h);
    if (!h)
        return qn__fail(QN_E_MEMORY, "no memory for a helper");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
        pipe2(errors, O_CLOEXEC) != 0) {
        s = qn__fail_errno("socket pair for %s", path);
        goto out;
    }
    for (int i = 0; i < 2; i++) {
        pair[i] = move_up(pair[i]);
        errors[i] = move_up(errors[i]);
        if (pair[i] < 0 || errors[i] < 0) {
            s = qn__fail_errno("descriptors for %s", path);
            goto out;
        }
    }
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    const int code = spawn(&h->pid, path, pair[1], errors[1]);
    if (code != 0) {
        s = qn__fail_code(QN_E_COMPILER, code, "%s cannot be started: %s", path, strerror(code));
        goto out;
    }
    h->socket = pair[0];
    h->errors = errors[0];
    pair[0] = errors[0] = -1;
    strncpy(h->path, path, sizeof h->path - 1);
    qn__count(&qn__counters.helpers_started, 1);
    *out = h;
    h = NULL;
out:
    for (int i = 0; i < 2; i++) {
        close_fd(&pair[i]);
        close_fd(&errors[i]);
    }
    free(h);
    return s;
}

static void take_errors(struct helper *h)
{
    char buffer[1024];
    ssize_t got;
    while ((got = read(h->errors, buffer, sizeof buffer)) > 0)
        if (h->said.len < STDERR_KEPT_BYTES)
            qn__str_add_bytes(&h->said, buffer, (size_t)got);
}

/* Kill what is left of it, collect it, and describe how it ended; `killed`: by this
 * process. */
static void helper_stop(struct helper *h, bool killed, struct qn__str *how)
{
    int status = 0;
    close_fd(&h->socket);
    bool collected = false;
    for (int i = 0; !killed && !collected && i < 200; i++) { /* a moment to end by itself */
        const struct timespec nap = {0, i ? 2000000 : 0};
        nanosleep(&nap, NULL);
        collected = waitpid(h->pid, &status, WNOHANG) == h->pid;
    }
    kill(-h->pid, SIGKILL); /* the group: its children too */
    if (!collected)
        while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
            ;
    qn__temp_dirs_remove_of((long)h->pid);
    take_errors(h);
    if (how && !killed && !collected)
        qn__str_add(how, "closed its connection and went on, and was stopped");
    else if (how && !killed && WIFSIGNALED(status))
        qn__str_printf(how, "crashed with signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    else if (how && !killed)
        qn__str_printf(how, "ended with code %d", WEXITSTATUS(status));
    close_fd(&h->errors);
    qn__str_release(&h->said);
    free(h);
}

/* -- pool -- */

/* Take an idle helper of that program, or start one when not too many run. */
static qn_status pool_take(struct helper **out, const char *path)
{
    *out = NULL;
    pthread_mutex_lock(&pool.lock);
    if (pool.owner != getpid()) { /* after a fork: the parent's helpers are not ours */
        while (pool.idle) {
            struct helper *h = pool.idle;
            pool.idle = h->next;
            close_fd(&h->socket);
            close_fd(&h->errors);
            qn__str_release(&h->said);
            free(h);
        }
        pool.owner = getpid();
        pool.n_idle = pool.n_running = 0;
    }
    while (pool.n_running >= qn__slots())
        pthread_cond_wait(&pool.freed, &pool.lock);
    pool.n_running++;
    struct helper **p = &pool.idle;
    while (*p && strcmp((*p)->path, path) != 0)
        p = &(*p)->next;
    if (*p) {
        *out = *p;
        *p = (*p)->next;
        pool.n_idle--;
    }
    pthread_mutex_unlock(&pool.lock);
    return *out ? QN_OK : helper_start(out, path);
}

/* Give the place back, and the helper where it is still good (NULL: it is not). */
static void pool_give(struct helper *h)
{
    pthread_mutex_lock(&pool.lock);
    pool.n_running--;
    if (h && pool.n_idle < IDLE_MAX) {
        h->next = pool.idle;
        pool.idle = h;
        pool.n_idle++;
        h = NULL;
    }
    pthread_cond_signal(&pool.freed);
    pthread_mutex_unlock(&pool.lock);
    if (h)
        helper_stop(h, true, NULL);
}

/* -- one job -- */

enum outcome { DONE, CLOSED, TIMED_OUT, BROKEN };

/* Wait until the socket is ready for `events`; stderr is drained meanwhile. */
static enum outcome wait_ready(struct helper *h, short events, double deadline)
{
    for (;;) {
        struct pollfd fds[2] = {{h->socket, events, 0}, {h->errors, POLLIN, 0}};
        const double left = deadline - qn__now_ms();
        if (left <= 0)
            return TIMED_OUT;
        const int n = poll(fds, h->errors >= 0 ? 2 : 1, left > 1e6 ? 1000000 : (int)left + 1);
        if (n < 0 && errno != EINTR)
            return BROKEN;
        if (n <= 0)
            continue;
        if (fds[1].revents & POLLIN)
            take_errors(h);
        else if (fds[1].revents)
            close_fd(&h->errors);
        if (fds[0].revents)
            return DONE;
    }
}

static enum outcome send_frame(struct helper *h, const struct qn__str *frame, double deadline)
{
    size_t sent = 0;
    while (sent < frame->len) {
        const ssize_t n = send(h->socket, frame->text + sent, frame->len - sent, MSG_NOSIGNAL);
        if (n > 0) {
            sent += (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            const enum outcome o = wait_ready(h, POLLOUT, deadline);
            if (o != DONE)
                return o;
        } else if (n == 0 || errno != EINTR) {
            return CLOSED;
        }
    }
    return DONE;
}

static enum outcome receive(struct helper *h, void *bytes, size_t n, double deadline)
{
    size_t got = 0;
    while (got < n) {
        const ssize_t r = recv(h->socket, (char *)bytes + got, n - got, 0);
        if (r > 0) {
            got += (size_t)r;
        } else if (r < 0 && errno == EAGAIN) {
            const enum outcome o = wait_ready(h, POLLIN, deadline);
            if (o != DONE)
                return o;
        } else if (r == 0 || errno != EINTR) {
            return CLOSED;
        }
    }
    return DONE;
}

static enum outcome exchange(struct qn__job_result *out, struct qn__arena *arena, struct helper *h,
                             const struct qn__str *frame, double deadline)
{
    unsigned char head[QN__FRAME_HEAD_BYTES];
    size_t n;
    enum outcome o = send_frame(h, frame, deadline);
    if (o == DONE)
        o = receive(h, head, sizeof head, deadline);
    if (o != DONE)
        return o;
    if (qn__frame_length(&n, head) != QN_OK)
        return BROKEN;
    char *body = qn__arena_alloc(arena, n + 1, 1);
    if (!body)
        return BROKEN;
    o = receive(h, body, n, deadline);
    if (o == DONE && qn__job_result_decode(out, arena, body, n) != QN_OK)
        o = BROKEN;
    return o;
}

/* The message for a helper that did not answer; h is gone afterwards. */
static qn_status explain(struct helper *h, enum outcome o, const char *what, uint32_t limit_s)
{
    struct qn__str how = {0}, said = {0}, needed = {0};
    char path[sizeof h->path];
    memcpy(path, h->path, sizeof path);
    take_errors(h);
    qn__str_add_bytes(&said, h->said.text ? h->said.text : "", h->said.len);
    helper_stop(h, o != CLOSED, &how);
    while (said.len && (said.text[said.len - 1] == '\n' || said.text[said.len - 1] == ' '))
        said.text[--said.len] = 0;
    const char *last = said.len ? strrchr(said.text, '\n') : NULL;
    last = last ? last + 1 : said.len ? said.text : NULL;
    qn_status s;
    if (o == CLOSED && qn__helper_lacks_library(&needed, said.text))
        s = qn__fail(QN_E_COMPILER, "%s: %s %s", what, qn__path_base(path), needed.text);
    else if (o == TIMED_OUT)
        s = qn__fail(QN_E_COMPILER,
                     "%s: the compiler did not finish in %u s and was stopped "
                     "(QUERN_COMPILE_TIMEOUT sets the limit)%s%s",
                     what, limit_s, last ? "; it said: " : "", last ? last : "");
    else if (o == BROKEN)
        s = qn__fail(QN_E_COMPILER, "%s: the helper answered nonsense: %s", what, qn_message());
    else
        s = qn__fail(QN_E_COMPILER, "%s: the compiler %s%s%s", what, how.text ? how.text : "ended",
                     last ? "; it said: " : "", last ? last : "");
    qn__str_release(&how);
    qn__str_release(&said);
    qn__str_release(&needed);
    return s;
}

qn_status qn__helper_run(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job, const char *what, uint32_t limit_s)
{
    const char *path;
    struct qn__str frame = {0};
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    if (limit_s == 0)
        limit_s = (uint32_t)qn__setting(QN__SETTING_COMPILE_SECONDS);
    qn_status s = qn__helper_find(&path, arena, job->compiler);
    if (s != QN_OK)
        return qn__fail_prefix(s, "%s", what);
    qn__frame_begin(&frame);
    qn__job_encode(&frame, job);
    qn__frame_end(&frame);
    s = qn__str_check(&frame);
    const double limit_ms = (double)limit_s * 1e3;
    const int slot = s == QN_OK ? qn__slot_take(qn__now_ms() + limit_ms) : -1;
    for (bool again = true; s == QN_OK && again;) {
        struct helper *h;
        again = false;
        s = pool_take(&h, path);
        if (s != QN_OK) {
            pool_give(NULL);
            break;
        }
        qn__str_clear(&h->said);
        const enum outcome o = exchange(out, arena, h, &frame, qn__now_ms() + limit_ms);
        if (o == DONE) {
            h->n_jobs++;
            pool_give(h);
        } else if (o == CLOSED && h->n_jobs > 0) { /* it may have died while it was idle */
            qn__log(QN_LOG_DEBUG, "%s: a helper was gone, starting another", what);
            helper_stop(h, false, NULL);
            pool_give(NULL);
            again = true;
        } else {
            s = explain(h, o, what, limit_s);
            pool_give(NULL);
        }
    }
    qn__slot_give(slot);
    qn__str_release(&frame);
    return s;
}
