/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines are made whole in memory and appended by one write under a lock of the file, so that lines
 * of several processes do not mix. Trouble is said once and costs the record, not the program. */
#define _GNU_SOURCE
#include "rtc/record.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/forks.h"
#include "base/lock_holder.h"
#include "base/log.h"
#include "base/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 2000 };

static struct {
    pthread_mutex_t lock;
    struct qn__str seen; /* request digests written by this process */
} record = {.lock = PTHREAD_MUTEX_INITIALIZER};

QN__FORK_PART(&record.lock, NULL)

static const char *file_name(void)
{
    const char *name = qn__getenv("QUERN_RECORD");
    return name && name[0] ? name : NULL;
}

/* -- JSON -- */

/* Length of the UTF-8 sequence at p, 0 where there is none. */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    const size_t want = p[0] < 0x80   ? 1
                        : p[0] < 0xc2 ? 0
                        : p[0] < 0xe0 ? 2
                        : p[0] < 0xf0 ? 3
                        : p[0] < 0xf5 ? 4
                                      : 0;
    if (want == 0 || want > n)
        return 0;
    for (size_t i = 1; i < want; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return want;
}

/* False: not UTF-8, so JSON cannot hold it. */
static bool add_string(struct qn__str *out, const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    qn__str_add_char(out, '"');
    for (size_t i = 0, m; i < n; i += m) {
        m = utf8_length(p + i, n - i);
        if (m == 0)
            return false;
        if (p[i] == '"' || p[i] == '\\')
            qn__str_printf(out, "\\%c", p[i]);
        else if (p[i] == '\n')
            qn__str_add(out, "\\n");
        else if (p[i] < 0x20)
            qn__str_printf(out, "\\u%04x", p[i]);
        else
            qn__str_add_bytes(out, text + i, m);
    }
    qn__str_add_char(out, '"');
    return true;
}

static bool add_strings(struct qn__str *out, const char *name, const char *const *list, uint32_t n)
{
    bool good = true;
    qn__str_printf(out, ", \"%s\": [", name);
    for (uint32_t i = 0; i < n && good; i++) {
        qn__str_add(out, i ? ", " : "");
        good = add_string(out, list[i], strlen(list[i]));
    }
    qn__str_add_char(out, ']');
    return good;
}

static bool print_request(struct qn__str *out, const struct qn__request *r)
{
    const struct qn__closure *c = &r->closure;
    qn__str_printf(out, "{\"source\": \"%s\", \"targets\": [", r->key.source_hex);
    bool good = add_string(out, r->target_text, strlen(r->target_text));
    qn__str_add(out, "], \"path\": ");
    good = good && add_string(out, c->files[0].name, strlen(c->files[0].name));
    good = good &&
           add_strings(out, "options", r->compile_options.shaping, r->compile_options.n_shaping);
    good = good && add_strings(out, "names", r->src->names, r->src->n_names);
    qn__str_add(out, ", \"headers\": {");
    for (uint32_t i = 1; good && i < c->n_own_files; i++) {
        qn__str_add(out, i > 1 ? ", " : "");
        good = add_string(out, c->files[i].name, strlen(c->files[i].name));
        qn__str_add(out, ": ");
        good = good && add_string(out, c->files[i].text, c->files[i].n);
    }
    qn__str_add(out, "}, \"text\": ");
    good = good && add_string(out, c->files[0].text, c->files[0].n);
    qn__str_add(out, "}\n");
    return good;
}

/* -- writing -- */

/* Nothing here may wait without an end: a pipe has perhaps no reader, a lock a holder that is
 * stopped. */
static qn_status open_file(int *fd, const char *name)
{
    struct stat st;
    *fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644);
    if (*fd < 0)
        return errno == ENXIO ? qn__fail(QN_E_IO, "QUERN_RECORD=%s: not a regular file", name)
                              : qn__fail_errno("QUERN_RECORD=%s", name);
    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
        return QN_OK;
    close(*fd);
    return qn__fail(QN_E_IO, "QUERN_RECORD=%s: not a regular file", name);
}

static qn_status lock_file(int fd, const char *name)
{
    const double until = qn__now_ms() + LOCK_WAIT_MS;
    const struct timespec nap = {0, 5000000};
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return QN_OK; /* a file system without locks: lines of several processes may mix */
        if (qn__now_ms() > until) {
            struct qn__str who = {0};
            const struct qn__lock_holder holder = qn__lock_holder(fd);
            qn__lock_holder_print(&who, &holder);
            const qn_status s =
                qn__fail(QN_E_IO, "QUERN_RECORD=%s: locked for %d s by %s", name,
                         LOCK_WAIT_MS / 1000, who.text ? who.text : "another process");
            qn__str_release(&who);
            return s;
        }
        nanosleep(&nap, NULL);
    }
    return QN_OK;
}

static qn_status append(const struct qn__str *line)
{
    const char *name = file_name();
    struct qn__quiet quiet;
    int fd;
    QN_TRY(qn__str_check(line));
    QN_TRY(open_file(&fd, name));
    qn_status s = lock_file(fd, name);
    qn__quiet_begin(&quiet);
    for (size_t done = 0; done < line->len && s == QN_OK;) {
        const ssize_t put = write(fd, line->text + done, line->len - done);
        if (put > 0)
            done += (size_t)put;
        else if (errno != EINTR)
            s = qn__fail_errno("QUERN_RECORD=%s", name);
    }
    qn__quiet_end(&quiet);
    close(fd);
    return s;
}

/* After a wait for nothing the rest of the process does not wait again. */
static void write_line(struct qn__str *line)
{
    static atomic_bool is_given_up;
    if (!atomic_load(&is_given_up) && append(line) != QN_OK) {
        QN__WARN_ONCE("not recorded: %s (nothing more is recorded)", qn_message());
        atomic_store(&is_given_up, true);
    }
    qn__str_release(line);
}

static bool is_first(const char *request_hex)
{
    pthread_mutex_lock(&record.lock);
    const bool first = !record.seen.text || !strstr(record.seen.text, request_hex);
    if (first) {
        qn__str_add(&record.seen, request_hex);
        qn__str_add_char(&record.seen, ' ');
    }
    pthread_mutex_unlock(&record.lock);
    return first;
}

void qn__record_request(const struct qn__request *r)
{
    struct qn__str line = {0};
    if (!file_name() || !is_first(r->key.request_hex))
        return;
    if (print_request(&line, r)) {
        write_line(&line);
        return;
    }
    qn__str_release(&line);
    QN__WARN_ONCE("%s is not recorded: it is not UTF-8", r->shown);
}

/* -- launches -- */

void qn__record_shapes(const char *source_hex, const char *shapes)
{
    struct qn__str line = {0};
    if (!file_name())
        return;
    qn__str_printf(&line, "{\"source\": \"%s\", \"launch\": [", source_hex);
    for (const char *p = shapes, *between = ""; *p; between = ", ") {
        const size_t n = strcspn(p, "\n"), name_n = strcspn(p, " ");
        uint32_t b[3] = {1, 1, 1};
        sscanf(p + name_n, " %" SCNu32 " %" SCNu32 " %" SCNu32, &b[0], &b[1], &b[2]);
        qn__str_printf(&line, "%s{\"kernel\": ", between);
        add_string(&line, p, name_n); /* a symbol: plain letters */
        const bool wide = n > 5 && memcmp(p + n - 5, " wide", 5) == 0;
        qn__str_printf(&line, ", \"block\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]%s}", b[0], b[1],
                       b[2], wide ? ", \"wide\": true" : "");
        p += n + (p[n] == '\n');
    }
    qn__str_add(&line, "]}\n");
    write_line(&line);
}

static void record_only(qn_module *mod, const char *shapes, void *payload)
{
    (void)mod;
    qn__record_shapes(payload, shapes);
}

void qn__record_launches(qn_module *mod, const struct qn__request *r)
{
    char *source = file_name() && !mod->shapes ? strdup(r->key.source_hex) : NULL;
    if (!source)
        return;
    mod->shapes = qn__shapes_create("", record_only, source, free);
    if (!mod->shapes)
        free(source);
}
