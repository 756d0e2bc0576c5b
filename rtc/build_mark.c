/* SPDX-License-Identifier: Apache-2.0
 *
 * The mark is a file that the builder holds a lock of, so nobody has to believe the number of a
 * process. Its process may have been killed by a user who had no patience, so a mark that was left
 * is no proof: the build is tried once more, in a process of its own, and when it comes back there
 * it is done here as well. What ends that process too is written down and refused from then on;
 * so is what has ended too many processes here although it comes back there.
 *
 * Each process that begins adds a byte to the file. Without a folder that may be written, or on a
 * network, there are no marks. */
#define _GNU_SOURCE
#include "rtc/build_mark.h"

#include "base/descriptors.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/wire.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/client/driver_trial.h"
#include "rtc/job/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <quern/cache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEFT_MAX = 3 };

static qn_status refuse(const struct qn__request *r, const qn_device *dev, const char *reason)
{
    return qn__fail(QN_E_DRIVER,
                    "%s: not built, because the driver of %s (%s) %s; to try it again, set "
                    "QUERN_TRUST_DRIVERS=1 once",
                    r->shown, dev->info.id, dev->info.driver, reason);
}

/* What was written down. */
static char *read_reason(const char *name)
{
    size_t n;
    char *bytes = qn__folder_read_record(&n, name);
    if (bytes)
        bytes[n] = 0; /* the record was longer by its checksum */
    return bytes;
}

static qn_status write_reason(struct qn__build_mark *mark, const struct qn__request *r,
                              const qn_device *dev, struct qn__str *reason)
{
    qn_status s = qn__str_check(reason);
    if (s != QN_OK)
        return s;
    qn__folder_write_record(mark->name, reason);
    return refuse(r, dev, reason->text);
}

static void encode(struct qn__str *out, const qn_image *image)
{
    qn__wire_text(out, QN__TRIAL_IMAGE_TARGET, image->info.target);
    qn__wire_text(out, QN__TRIAL_IMAGE_COMPILER, image->info.compiler);
    qn__wire_u32(out, QN__TRIAL_IMAGE_KIND, (uint32_t)image->info.kind);
    qn__wire_bytes(out, QN__TRIAL_IMAGE_REFLECTION, image->reflection_wire,
                   image->reflection_wire_n);
    qn__wire_bytes(out, QN__TRIAL_IMAGE_BYTES, image->info.bytes, image->info.size_bytes);
}

/* n processes have begun this build and never ended it. */
static qn_status try_again(struct qn__build_mark *mark, long n, const struct qn__request *r,
                           const qn_device *dev, const qn_image *image)
{
    struct qn__str bytes = {0}, reason = {0};
    qn_status s = QN_OK;
    encode(&bytes, image);
    const enum qn__trial result =
        bytes.failed ? QN__TRIAL_FAILED
                     : qn__build_trial(&reason, dev->info.id, dev->libraries, &bytes,
                                       (uint32_t)qn__setting(QN__SETTING_COMPILE_SECONDS));
    qn__log(QN_LOG_DEBUG, "%s: a process ended while it was built; tried again elsewhere: %s",
            r->shown, reason.len ? reason.text : "it can be built");
    if (result == QN__TRIAL_GOOD && n < LEFT_MAX)
        s = QN_OK;
    else if (result != QN__TRIAL_BAD && result != QN__TRIAL_SLOW) {
        qn__str_clear(&reason);
        if (n >= LEFT_MAX) {
            qn__str_printf(&reason, "did not come back from building it in %ld processes", n);
            s = write_reason(mark, r, dev, &reason);
        }
    } else {
        s = write_reason(mark, r, dev, &reason);
    }
    qn__str_release(&bytes);
    qn__str_release(&reason);
    return s;
}

/* The file, locked, and how many have begun before; -1: another process builds just now, or there
 * can be no mark. */
static int open_mark(long *n_before, const char *name)
{
    struct stat st;
    if (qn__folder_root() < 0 || !qn__cache_may_write() || qn_cache_get_network()[0] ||
        !qn__folder_make("builds"))
        return -1;
    const int fd = openat(qn__folder_root(), name,
                          O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &st) != 0 || st.st_nlink == 0 ||
        write(fd, ".", 1) != 1) {
        close(fd);
        return -1;
    }
    *n_before = (long)st.st_size;
    return qn__fd_own(fd);
}

qn_status qn__build_begin(struct qn__build_mark *mark, const struct qn__key *key,
                          const struct qn__request *r, const qn_device *dev, const qn_image *image)
{
    long n_before = 0;
    *mark = (struct qn__build_mark){.lock = -1};
    snprintf(mark->name, sizeof mark->name, "builds/%s", key->hex);
    const bool is_trusted = qn__setting(QN__SETTING_TRUST_DRIVERS) != 0;
    if (is_trusted && qn__folder_root() >= 0 && qn__cache_may_write())
        unlinkat(qn__folder_root(), mark->name, 0);
    char *reason = is_trusted ? NULL : read_reason(mark->name);
    if (reason) {
        const qn_status s = refuse(r, dev, reason);
        free(reason);
        return s;
    }
    mark->lock = open_mark(&n_before, mark->name);
    if (mark->lock < 0 || n_before == 0)
        return QN_OK;
    const qn_status s = try_again(mark, n_before, r, dev, image);
    if (s != QN_OK) { /* the file is the reason now */
        qn__fd_disown(mark->lock);
        mark->lock = -1;
    }
    return s;
}

void qn__build_end(struct qn__build_mark *mark)
{
    if (mark->lock < 0)
        return;
    unlinkat(qn__folder_root(), mark->name, 0);
    qn__fd_disown(mark->lock);
    mark->lock = -1;
}
