/* SPDX-License-Identifier: Apache-2.0
 *
 * The process is started like a helper (spawn.h): no child of the program, its own process group,
 * no descriptor but what it is meant to have. What it says goes to files in memory, so nobody has
 * to listen while it runs.
 *
 * A driver may take long to start: cards that are asleep need seconds each. So one that works, or
 * waits for the kernel, may take a minute, and only one that does nothing at all is given up soon.
 */
#define _GNU_SOURCE
#include "rtc/client/driver_trial.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/wire.h"
#include "rtc/client/helper_find.h"
#include "rtc/client/spawn.h"
#include "rtc/job/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BEGIN_MS = 20000,      /* until the process says anything */
    IDLE_MS = 5000,        /* without any use of a processor */
    LIMIT_S = 60,          /* in all */
    STEP_MS = 100,         /* between two looks at it */
    KILLED_MS = 2000,      /* for a killed process to end */
    SAID_BYTES = 4096,     /* of its stderr that are looked at */
    REPORT_BYTES = 1 << 16 /* of its file */
};

enum end { ENDED, IDLE, TOO_LONG, SILENT };

struct trial {
    const char *mode, *what, *libraries; /* its arguments */
    const struct qn__str *image;         /* NULL: none */
    struct qn__str *files;               /* NULL: nobody wants to know */
    uint32_t limit_s;
    struct qn__process process;
    int report, said, input; /* files in memory */
    int pipe[2];             /* ours is the end to write: it closes when we are gone */
};

static void close_all(struct trial *t)
{
    const int fds[] = {t->report, t->said, t->input, t->pipe[0], t->pipe[1], t->process.pidfd};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static qn_status open_files(struct trial *t)
{
    t->report = qn__spawn_move_up(memfd_create("quern-trial", MFD_CLOEXEC));
    t->said = qn__spawn_move_up(memfd_create("quern-trial-said", MFD_CLOEXEC));
    t->input = qn__spawn_move_up(memfd_create("quern-trial-input", MFD_CLOEXEC));
    if (pipe2(t->pipe, O_CLOEXEC) == 0)
        for (int i = 0; i < 2; i++)
            t->pipe[i] = qn__spawn_move_up(t->pipe[i]);
    if (t->report < 0 || t->said < 0 || t->input < 0 || t->pipe[0] < 0 || t->pipe[1] < 0)
        return qn__fail_errno("descriptors for a driver on trial");
    for (size_t done = 0; t->image && done < t->image->len;) {
        const ssize_t n = write(t->input, t->image->text + done, t->image->len - done);
        if (n <= 0)
            return qn__fail_errno("a file in memory of %zu bytes", t->image->len);
        done += (size_t)n;
    }
    return QN_OK;
}

static qn_status start(struct trial *t, struct qn__arena *arena)
{
    extern char **environ;
    static char path_variable[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    static char *const privileged[] = {path_variable, NULL};
    const char *path;
    int program;
    QN_TRY(qn__helper_find(&path, arena, "nvrtc")); /* a compiler of the program without LLVM */
    QN_TRY(open_files(t));
    QN_TRY(qn__helper_open(&program, path, "nvrtc"));
    program = qn__spawn_move_up(program);
    char *const argv[] = {(char *)(uintptr_t)qn__path_base(path), (char *)(uintptr_t)t->mode,
                          (char *)(uintptr_t)t->what, (char *)(uintptr_t)t->libraries, NULL};
    const int null = qn__spawn_move_up(open("/dev/null", O_RDWR | O_CLOEXEC));
    const int fds[] = {null, null, t->said, t->report, t->pipe[0], t->input};
    const struct qn__spawn what = {program, path,
                                   argv,    qn__is_privileged() ? privileged : environ,
                                   fds,     sizeof fds / sizeof fds[0]};
    const int code = null < 0 ? errno : qn__spawn(&t->process, &what);
    if (null >= 0)
        close(null);
    if (program >= 0)
        close(program);
    return code == 0 ? QN_OK : qn__fail_code(QN_E_COMPILER, code, "%s: %s", path, strerror(code));
}

/* Time that its threads have used processors, and whether it waits for nothing of the kernel's. */
static bool read_use(unsigned long *ticks, bool *sleeps, pid_t pid)
{
    char path[64], line[1024], state;
    unsigned long user, kernel;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "re");
    const size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        fclose(f);
    line[n] = 0;
    const char *name_end = strrchr(line, ')');
    if (!name_end || sscanf(name_end, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu",
                            &state, &user, &kernel) != 3)
        return false;
    *ticks = user + kernel;
    *sleeps = state == 'S';
    return true;
}

static bool has_begun(const struct trial *t)
{
    struct stat st;
    return fstat(t->report, &st) == 0 && st.st_size > 0;
}

static enum end wait_for(const struct trial *t)
{
    const double start_ms = qn__now_ms();
    double busy_ms = start_ms;
    unsigned long last = 0, ticks;
    bool sleeps;
    while (!qn__process_wait(&t->process, STEP_MS)) {
        const double now = qn__now_ms();
        if (!has_begun(t) && now - start_ms > BEGIN_MS)
            return SILENT;
        if (!read_use(&ticks, &sleeps, t->process.pid) || ticks != last || !sleeps) {
            busy_ms = now;
            last = ticks;
        }
        if (now - busy_ms > IDLE_MS)
            return IDLE;
        if (now - start_ms > (double)t->limit_s * 1e3)
            return TOO_LONG;
    }
    return ENDED;
}

/* -- what it comes to -- */

struct report {
    char step[256], broken[QN__MESSAGE_MAX], unable[QN__MESSAGE_MAX];
    bool has_begun, has_ended;
};

static void take(char *out, size_t capacity, struct qn__wire_field f)
{
    snprintf(out, capacity, "%.*s", (int)f.n, (const char *)f.bytes);
}

static struct report read_report(const struct trial *t)
{
    struct report r = {.step = "when it was started"};
    char *bytes = qn__alloc(REPORT_BYTES, 1);
    const ssize_t n = bytes ? pread(t->report, bytes, REPORT_BYTES, 0) : 0;
    struct qn__wire_reader reader = qn__wire_reader(bytes, n > 0 ? (size_t)n : 0);
    struct qn__wire_field f;
    while (qn__wire_next(&reader, &f)) {
        r.has_begun = true;
        if (f.tag == QN__TRIAL_STEP)
            take(r.step, sizeof r.step, f);
        else if (f.tag == QN__TRIAL_FILE && t->files) {
            qn__str_add_bytes(t->files, f.bytes, f.n);
            qn__str_add_bytes(t->files, "", 1);
        } else if (f.tag == QN__TRIAL_BROKEN)
            take(r.broken, sizeof r.broken, f);
        else if (f.tag == QN__TRIAL_UNABLE)
            take(r.unable, sizeof r.unable, f);
        else if (f.tag == QN__TRIAL_END)
            r.has_ended = true;
    }
    free(bytes);
    return r;
}

/* The last line that it wrote, which is most often the reason. */
static void add_said(struct qn__str *reason, const struct trial *t)
{
    char text[SAID_BYTES];
    struct stat st;
    const off_t from =
        fstat(t->said, &st) == 0 && st.st_size > SAID_BYTES - 1 ? st.st_size - (SAID_BYTES - 1) : 0;
    ssize_t n = pread(t->said, text, sizeof text - 1, from);
    while (n > 0 && strchr("\n ", text[n - 1]))
        n--;
    if (n <= 0)
        return;
    text[n] = 0;
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    qn__str_add(reason, "; it said: ");
    qn__str_add_plain(reason, line, strlen(line));
}

static void add_how(struct qn__str *reason, int status)
{
    if (status >= 0 && WIFSIGNALED(status))
        qn__str_printf(reason, "crashed with signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    else if (status >= 0)
        qn__str_printf(reason, "ended the process with code %d", WEXITSTATUS(status));
    else
        qn__str_add(reason, "ended the process");
}

static enum qn__trial judge(struct qn__str *reason, const struct trial *t, enum end end, int status)
{
    const struct report r = read_report(t);
    if (!r.has_begun || r.unable[0]) {
        (void)qn__fail(QN_E_COMPILER, "%s",
                       r.has_begun ? r.unable : "the helper quern-rtc tries no drivers out");
        return QN__TRIAL_FAILED;
    }
    if (end == ENDED && r.broken[0]) {
        qn__str_add(reason, r.broken);
        return QN__TRIAL_BAD;
    }
    if (r.has_ended)
        return QN__TRIAL_GOOD;
    if (end == ENDED)
        add_how(reason, status);
    else
        qn__str_printf(reason, end == IDLE ? "did nothing for %d s" : "was not ready in %d s",
                       end == IDLE ? IDLE_MS / 1000 : (int)t->limit_s);
    qn__str_printf(reason, " %s", r.step);
    add_said(reason, t);
    return end == ENDED ? QN__TRIAL_BAD : QN__TRIAL_SLOW;
}

static enum qn__trial run(struct qn__str *reason, struct trial *t)
{
    struct qn__arena arena = {0};
    enum qn__trial result = QN__TRIAL_FAILED;
    t->process.pidfd = t->report = t->said = t->input = t->pipe[0] = t->pipe[1] = -1;
    if (start(t, &arena) == QN_OK) {
        const enum end end = wait_for(t);
        const int status = end == ENDED ? qn__process_status(&t->process) : -1;
        qn__process_kill(&t->process); /* and what the driver may have started */
        if (end != ENDED && qn__process_wait(&t->process, KILLED_MS))
            (void)qn__process_status(&t->process);
        result = judge(reason, t, end, status);
    }
    close_all(t);
    qn__arena_release(&arena);
    return result;
}

enum qn__trial qn__driver_trial(struct qn__str *reason, struct qn__str *files, const char *backend,
                                const char *libraries)
{
    struct trial t = {.mode = QN__TRIAL_OF_DRIVER,
                      .what = backend,
                      .libraries = libraries,
                      .files = files,
                      .limit_s = LIMIT_S};
    return run(reason, &t);
}

enum qn__trial qn__build_trial(struct qn__str *reason, const char *device, const char *libraries,
                               const struct qn__str *image, uint32_t limit_s)
{
    struct trial t = {.mode = QN__TRIAL_OF_BUILD,
                      .what = device,
                      .libraries = libraries,
                      .image = image,
                      .limit_s = limit_s};
    return run(reason, &t);
}
