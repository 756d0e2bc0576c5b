/* SPDX-License-Identifier: Apache-2.0
 *
 * A line is decimal numbers: time, processes, the counters in the order of counters.h, and last
 * the sum of all, so that half a line (a full disk, a file system without atomic appends) counts
 * for nothing. A line of fewer counters is an older version's. When the file grows, one process
 * takes it away by renaming it and appends its sum; a line that is appended to the old file
 * meanwhile is lost. */
#define _GNU_SOURCE
#include "rtc/cache/totals.h"

#include "base/forks.h"
#include "base/hash.h"
#include "base/threads.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/counters.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COUNTERS = sizeof(struct qn__counts) / sizeof(uint64_t) };
enum { COMPACT_BYTES = 64 << 10 };

struct line {
    uint64_t time_s, processes;
    union {
        struct qn__counts counts;
        uint64_t numbers[COUNTERS];
    };
};

static struct {
    pthread_mutex_t lock;
    struct line written; /* by this process */
} totals = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* -- lines -- */

static uint64_t sum_of(const struct line *l)
{
    uint64_t sum = l->time_s + l->processes;
    for (int i = 0; i < COUNTERS; i++)
        sum += l->numbers[i];
    return sum;
}

/* One write, so that lines of several processes do not mix. */
static bool append(int root, const struct line *l)
{
    struct qn__str text = {0};
    qn__str_printf(&text, "%llu %llu", (unsigned long long)l->time_s,
                   (unsigned long long)l->processes);
    for (int i = 0; i < COUNTERS; i++)
        qn__str_printf(&text, " %llu", (unsigned long long)l->numbers[i]);
    qn__str_printf(&text, " %llu\n", (unsigned long long)sum_of(l));
    const int fd =
        text.failed
            ? -1
            : openat(root, "totals",
                     O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    struct qn__quiet quiet;
    qn__quiet_begin(&quiet);
    const bool good = fd >= 0 && write(fd, text.text, text.len) == (ssize_t)text.len;
    qn__quiet_end(&quiet);
    if (fd >= 0)
        close(fd);
    qn__str_release(&text);
    return good;
}

static bool parse(struct line *out, const char *p, const char *end)
{
    uint64_t numbers[COUNTERS + 3];
    int n = 0;
    *out = (struct line){0};
    while (p < end && n < COUNTERS + 3) {
        char *next;
        numbers[n++] = strtoull(p, &next, 10);
        if (next == p || *p < '0' || *p > '9')
            return false;
        p = next + (*next == ' ');
    }
    if (p != end || n < 4)
        return false;
    out->time_s = numbers[0];
    out->processes = numbers[1];
    for (int i = 2; i < n - 1; i++)
        out->numbers[i - 2] = numbers[i];
    return numbers[n - 1] == sum_of(out);
}

static void add(struct line *sum, const struct line *l)
{
    if (l->time_s && (!sum->time_s || l->time_s < sum->time_s))
        sum->time_s = l->time_s;
    sum->processes += l->processes;
    for (int i = 0; i < COUNTERS; i++)
        sum->numbers[i] += l->numbers[i];
}

/* Everything in the file; zeros where there is none. */
static void read_sum(struct line *sum, const char *name)
{
    size_t n;
    char *bytes = qn__folder_read(&n, name);
    *sum = (struct line){0};
    for (const char *p = bytes, *end; p && (end = strchr(p, '\n')); p = end + 1) {
        struct line l;
        if (parse(&l, p, end))
            add(sum, &l);
    }
    free(bytes);
}

/* -- writing -- */

static void compact(int root)
{
    char mine[64];
    struct stat st;
    struct line sum;
    if (fstatat(root, "totals", &st, AT_SYMLINK_NOFOLLOW) != 0 || st.st_size < COMPACT_BYTES)
        return;
    snprintf(mine, sizeof mine, "tmp/totals-%u", randombytes_random());
    mkdirat(root, "tmp", 0700); /* usually exists */
    if (renameat(root, "totals", root, mine) != 0)
        return;
    read_sum(&sum, mine);
    append(root, &sum);
    unlinkat(root, mine, 0);
}

void qn__totals_write(void)
{
    const int root = qn__folder_root_in_use();
    if (root < 0 || !qn__cache_may_write())
        return;
    struct line now = {.time_s = (uint64_t)time(NULL), .processes = 1}, more = now;
    bool is_news = false;
    pthread_mutex_lock(&totals.lock);
    qn__counts_now(&now.counts);
    more.processes -= totals.written.processes;
    for (int i = 0; i < COUNTERS; i++) {
        more.numbers[i] = now.numbers[i] - totals.written.numbers[i];
        is_news = is_news || more.numbers[i];
    }
    if (is_news && append(root, &more)) {
        totals.written = now;
        compact(root);
    }
    pthread_mutex_unlock(&totals.lock);
}

/* A forked child counts on from its parent's numbers, which are the parent's to write down. */
static void begin_child(void)
{
    totals.written = (struct line){0};
    qn__counts_now(&totals.written.counts);
}

QN__FORK_PART(&totals.lock, begin_child)

__attribute__((destructor)) static void write_at_exit(void)
{
    qn__totals_write();
}

qn_status qn_cache_get_totals(qn_cache_totals *out)
{
    QN_ARG_CHECK(out);
    QN__NOT_CANCELLED;
    const char *why;
    struct line sum;
    *out = (qn_cache_totals){0};
    if (!qn__folder_dir(&why)[0])
        return qn__fail(QN_E_IO, "no cache folder is in use: %s", why);
    qn__totals_write();
    read_sum(&sum, "totals");
    out->since_s = (int64_t)sum.time_s;
    out->processes = sum.processes;
    qn__counts_publish(&out->counters, &sum.counts);
    return QN_OK;
}
