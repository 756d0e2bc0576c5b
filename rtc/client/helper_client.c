/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool of helper processes, of both programs.
 *
 * A helper is started apart from the program around us (spawn.h), in a process group of its own,
 * with one end of a socket pair as descriptor 3, a pipe as its stderr and the lock of its folder
 * for temporary files as descriptor 4; it inherits nothing else. While a job runs, poll() watches
 * socket and pipe against the job's deadline. A job has a number, and its answer must carry that
 * number and the digest of the job. When anything is wrong (the socket closes, bytes make no sense,
 * an answer belongs to another job, time is up) the whole group is killed, because a compiler may
 * have started children of its own, and the next job gets a fresh helper. A helper that died while
 * it was idle is not an error: the job is tried once more.
 */
#define _GNU_SOURCE
#include "rtc/client/helper_client.h"

#include "base/descriptors.h"
#include "base/environment.h"
#include "base/file.h"
#include "base/forks.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/work_folder.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/slots.h"
#include "rtc/client/helper_find.h"
#include "rtc/client/spawn.h"
#include "rtc/job/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

enum { STDERR_KEPT_BYTES = 8192, IDLE_MAX = 8 };

struct helper {
    struct helper *next;
    pid_t maker; /* a child that was made without fork() must leave it alone */
    struct qn__process process;
    int socket, errors;
    struct qn__work_folder work;
    struct qn__str said; /* its stderr during this job */
    char path[1024];
    uint64_t n_jobs; /* finished */
    uint64_t world;  /* it was started in (world_now()) */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    struct helper *idle;
    uint32_t n_idle, n_running;
    uint64_t n_renewed;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};

/* -- starting and stopping -- */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* For those that are kept between jobs. */
static void disown(int *fd)
{
    qn__fd_disown(*fd);
    *fd = -1;
}

/* Ours, with the folder's name; in a privileged process nothing of whoever started it. free() it;
 * the strings are not copied. */
static char **environment_with(char *work)
{
    extern char **environ;
    static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    size_t n = 0, kept = 0;
    while (environ && environ[n])
        n++;
    char **out = calloc(n + 3, sizeof *out);
    if (!out)
        return NULL;
    if (qn__is_privileged()) {
        out[kept++] = path;
        n = 0;
    }
    for (size_t i = 0; i < n; i++)
        if (!qn__starts_with(environ[i], QN__WORK_VARIABLE "="))
            out[kept++] = environ[i];
    out[kept] = work;
    return out;
}

static qn_status run(struct helper *h, int socket, int errors, const char *compiler)
{
    char *const argv[] = {(char *)(uintptr_t)qn__path_base(h->path), NULL};
    char work[sizeof h->work.path + sizeof QN__WORK_VARIABLE + 1];
    int program;
    snprintf(work, sizeof work, QN__WORK_VARIABLE "=%s", h->work.path);
    QN_TRY(qn__helper_open(&program, h->path, compiler));
    program = qn__spawn_move_up(program);
    char **environment = environment_with(work);
    const int null = qn__spawn_move_up(open("/dev/null", O_RDWR | O_CLOEXEC));
    /* a copy, because in a child of fork() our own is closed */
    int lock = fcntl(h->work.lock, F_DUPFD_CLOEXEC, QN__SPAWN_SAFE_FD);
    const int fds[] = {null, null, errors, socket, lock};
    const struct qn__spawn what = {program,     h->path, argv,
                                   environment, fds,     sizeof fds / sizeof fds[0]};
    qn_status s = QN_OK;
    if (!environment)
        s = qn__fail(QN_E_MEMORY, "no memory for a helper");
    else if (null < 0 || lock < 0)
        s = qn__fail_errno("descriptors for %s", h->path);
    const int code = s == QN_OK ? qn__spawn(&h->process, &what) : 0;
    if (code != 0)
        s = qn__fail_code(QN_E_COMPILER, code, "%s cannot be started: %s", h->path, strerror(code));
    if (null >= 0)
        close(null);
    close_fd(&lock);
    close_fd(&program);
    free(environment);
    return s;
}

static void helper_free(struct helper *h)
{
    disown(&h->socket);
    disown(&h->errors);
    disown(&h->process.pidfd);
    disown(&h->work.lock);
    qn__str_release(&h->said);
    free(h);
}

static struct helper *helper_create(const char *path)
{
    struct helper *h = qn__alloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->maker = getpid();
    h->socket = h->errors = h->process.pidfd = h->work.lock = -1;
    snprintf(h->path, sizeof h->path, "%s", path);
    return h;
}

static qn_status helper_start(struct helper **out, const char *path, const char *compiler)
{
    int pair[2] = {-1, -1}, errors[2] = {-1, -1};
    struct helper *h = helper_create(path);
    if (!h)
        return qn__fail(QN_E_MEMORY, "no memory for a helper");
    qn_status s = qn__work_folder_create(&h->work, qn__folder_dir(NULL));
    h->work.lock = qn__fd_own(qn__spawn_move_up(h->work.lock));
    if (s == QN_OK && (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
                       pipe2(errors, O_CLOEXEC) != 0))
        s = qn__fail_errno("socket pair for %s", path);
    for (int i = 0; s == QN_OK && i < 2; i++) {
        pair[i] = qn__spawn_move_up(pair[i]);
        errors[i] = qn__spawn_move_up(errors[i]);
        if (pair[i] < 0 || errors[i] < 0)
            s = qn__fail_errno("descriptors for %s", path);
    }
    if (s == QN_OK) {
        h->socket = qn__fd_own(pair[0]);
        h->errors = qn__fd_own(errors[0]);
        pair[0] = errors[0] = -1;
        fcntl(h->socket, F_SETFL, O_NONBLOCK);
        fcntl(h->errors, F_SETFL, O_NONBLOCK);
        s = run(h, pair[1], errors[1], compiler);
        h->process.pidfd = qn__fd_own(h->process.pidfd);
    }
    for (int i = 0; i < 2; i++) {
        close_fd(&pair[i]);
        close_fd(&errors[i]);
    }
    if (s != QN_OK) {
        qn__work_folder_remove(&h->work);
        helper_free(h);
        return s;
    }
    qn__count(&qn__counters.helpers_started, 1);
    *out = h;
    return QN_OK;
}

static void take_errors(struct helper *h)
{
    char buffer[1024];
    ssize_t got;
    while (h->errors >= 0 && (got = read(h->errors, buffer, sizeof buffer)) > 0)
        if (h->said.len < STDERR_KEPT_BYTES)
            qn__str_add_bytes(&h->said, buffer, (size_t)got);
}

static void describe(struct qn__str *how, int status)
{
    if (status < 0)
        qn__str_add(how, "ended");
    else if (WIFSIGNALED(status))
        qn__str_printf(how, "crashed with signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    else
        qn__str_printf(how, "ended with code %d", WEXITSTATUS(status));
}

/* Kill what is left of it, collect it, remove its folder, and describe how it ended; `killed`: by
 * this process. */
static void helper_stop(struct helper *h, bool killed, struct qn__str *how)
{
    enum { MOMENT_MS = 400, KILLED_MS = 2000 };
    const bool has_ended = !killed && qn__process_wait(&h->process, MOMENT_MS);
    const int status = has_ended ? qn__process_status(&h->process) : -1;
    disown(&h->socket);
    qn__process_kill(&h->process); /* the group: its children too */
    if (!has_ended && qn__process_wait(&h->process, KILLED_MS))
        (void)qn__process_status(&h->process);
    qn__work_folder_remove(&h->work);
    take_errors(h);
    if (how && has_ended)
        describe(how, status);
    else if (how && !killed)
        qn__str_add(how, h->process.pidfd < 0 ? "ended or closed its connection"
                                              : "closed its connection and went on, and was "
                                                "stopped");
    helper_free(h);
}

/* -- pool -- */

/* In a forked child the helpers are the parent's; their descriptors are closed there already, and
 * what the parent's threads have in their hands is left as it is. */
static void forget_helpers(void)
{
    while (pool.idle) {
        struct helper *h = pool.idle;
        pool.idle = h->next;
        qn__str_release(&h->said);
        free(h);
    }
    pool.n_idle = pool.n_running = 0;
    pool.freed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}
QN__FORK_PART(&pool.lock, forget_helpers)

/* Let go of one that is idle: it ends when its socket closes. */
static void drop(struct helper *h)
{
    if (h->maker == getpid())
        qn__work_folder_remove(&h->work);
    helper_free(h);
}

/* When the library is unloaded, or the process ends, nothing of it stays. */
__attribute__((destructor)) static void end_idle_helpers(void)
{
    pthread_mutex_lock(&pool.lock);
    struct helper *idle = pool.idle;
    pool.idle = NULL;
    pool.n_idle = 0;
    pthread_mutex_unlock(&pool.lock);
    while (idle) {
        struct helper *h = idle;
        idle = h->next;
        drop(h);
    }
}

/* What a helper takes from its start, as a number. With the pool's lock held. */
static uint64_t world_now(void)
{
    char folder[4096];
    const uint64_t numbers[] = {qn__environment_now(), pool.n_renewed};
    const uint64_t world = XXH3_64bits(numbers, sizeof numbers);
    return getcwd(folder, sizeof folder) ? XXH3_64bits_withSeed(folder, strlen(folder), world)
                                         : world;
}

void qn__helpers_renew(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.n_renewed++;
    pthread_mutex_unlock(&pool.lock);
}

static bool is_whole(const struct helper *h)
{
    return h->maker == getpid() && qn__fd_is_owned(h->socket) && qn__fd_is_owned(h->errors);
}

static struct helper *take_out(struct helper **at)
{
    struct helper *h = *at;
    *at = h->next;
    h->next = NULL;
    pool.n_idle--;
    return h;
}

/* An idle helper of that program, which was started in this world; those of others are let go of.
 * NULL: there is none. With the pool's lock held. */
static struct helper *find_idle(struct helper **gone, const char *path, uint64_t world)
{
    *gone = NULL;
    for (struct helper **p = &pool.idle; *p;) {
        if (strcmp((*p)->path, path) != 0) {
            p = &(*p)->next;
        } else if ((*p)->world == world) {
            return take_out(p);
        } else {
            struct helper *h = take_out(p);
            h->next = *gone;
            *gone = h;
        }
    }
    return NULL;
}

/* Take an idle helper of that program, or start one when not too many run. */
static qn_status pool_take(struct helper **out, const char *path, const char *compiler)
{
    struct helper *gone;
    pthread_mutex_lock(&pool.lock);
    while (pool.n_running >= qn__slots())
        pthread_cond_wait(&pool.freed, &pool.lock);
    pool.n_running++;
    const uint64_t world = world_now();
    *out = find_idle(&gone, path, world);
    pthread_mutex_unlock(&pool.lock);
    while (gone) {
        struct helper *h = gone;
        gone = h->next;
        drop(h);
    }
    if (*out && is_whole(*out))
        return QN_OK;
    if (*out) { /* the program closed all descriptors: the helper has seen that, and ends */
        drop(*out);
        *out = NULL;
    }
    QN_TRY(helper_start(out, path, compiler));
    (*out)->world = world;
    return QN_OK;
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
            disown(&h->errors);
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

/* Bytes that no job has asked for. */
static bool speaks_unasked(const struct helper *h)
{
    char byte;
    if (recv(h->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
        return false;
    (void)qn__fail(QN_E_CORRUPT, "it sent something that no job had asked for");
    return true;
}

static bool is_answer_to(const struct qn__job_result *result, uint64_t number,
                         const struct qn__str *frame)
{
    unsigned char digest[QN__HASH_BYTES];
    qn__hash_of(digest, frame->text + QN__FRAME_HEAD_BYTES, frame->len - QN__FRAME_HEAD_BYTES);
    if (result->number == number && memcmp(result->digest, digest, sizeof digest) == 0)
        return true;
    (void)qn__fail(QN_E_CORRUPT, "it answered another job than the one that it was given");
    return false;
}

static enum outcome exchange(struct qn__job_result *out, struct qn__arena *arena, struct helper *h,
                             uint64_t number, const struct qn__str *frame, double deadline)
{
    unsigned char head[QN__FRAME_HEAD_BYTES];
    size_t n;
    if (speaks_unasked(h))
        return BROKEN;
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
    if (o == DONE && (qn__job_result_decode(out, arena, body, n) != QN_OK ||
                      !is_answer_to(out, number, frame) || speaks_unasked(h)))
        o = BROKEN;
    return o;
}

/* As LLVM, the C++ library and the C library say it. */
static bool is_out_of_memory(const char *said)
{
    return said && (strstr(said, "out of memory") || strstr(said, "bad_alloc") ||
                    strstr(said, "annot allocate memory") || strstr(said, "llocation failed"));
}

/* The message for a helper that did not answer; h is gone afterwards. */
static qn_status explain(struct helper *h, enum outcome o, const char *what, uint32_t limit_s,
                         uint64_t memory_bytes)
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
    if (o == CLOSED && memory_bytes && is_out_of_memory(said.text))
        s = qn__fail(s, "%s (QUERN_COMPILE_MEMORY sets the limit, now %llu MiB)", qn_message(),
                     (unsigned long long)(memory_bytes >> 20));
    qn__str_release(&how);
    qn__str_release(&said);
    qn__str_release(&needed);
    return s;
}

qn_status qn__helper_run(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job, const char *what, uint32_t limit_s)
{
    static atomic_uint_least64_t last_number;
    const char *path;
    struct qn__str frame = {0};
    struct qn__job numbered = *job;
    numbered.number = atomic_fetch_add(&last_number, 1) + 1;
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    if (limit_s == 0)
        limit_s = (uint32_t)qn__setting(QN__SETTING_COMPILE_SECONDS);
    qn_status s = qn__helper_find(&path, arena, job->compiler);
    if (s != QN_OK)
        return qn__fail_prefix(s, "%s", what);
    qn__frame_begin(&frame);
    qn__job_encode(&frame, &numbered);
    qn__frame_end(&frame);
    s = qn__str_check(&frame);
    const double limit_ms = (double)limit_s * 1e3;
    const int slot = s == QN_OK ? qn__slot_take(qn__now_ms() + limit_ms) : -1;
    for (bool again = true; s == QN_OK && again;) {
        struct helper *h;
        again = false;
        s = pool_take(&h, path, job->compiler);
        if (s != QN_OK) {
            pool_give(NULL);
            break;
        }
        qn__str_clear(&h->said);
        const enum outcome o =
            exchange(out, arena, h, numbered.number, &frame, qn__now_ms() + limit_ms);
        if (o == DONE) {
            h->n_jobs++;
            pool_give(h);
        } else if (o == CLOSED && h->n_jobs > 0) { /* it may have died while it was idle */
            qn__log(QN_LOG_DEBUG, "%s: a helper was gone, starting another", what);
            helper_stop(h, false, NULL);
            pool_give(NULL);
            again = true;
        } else {
            s = explain(h, o, what, limit_s, job->memory_bytes);
            pool_give(NULL);
        }
    }
    qn__slot_give(slot);
    qn__str_release(&frame);
    return s;
}
