/* SPDX-License-Identifier: Apache-2.0
 *
 * The path is walked from the root, one name after the other, and each folder is looked at before
 * anything in it is believed. So no other user can change what a name means between this look and
 * the use of the file. */
#define _GNU_SOURCE
#include "base/trust.h"

#include "base/environment.h"
#include "base/log.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { LINKS_MAX = 40, PATH_BYTES = 4096, SAID_MAX = 64, LINE_BYTES = 4096 };

struct walk {
    const char *file, *how; /* for messages */
    char done[PATH_BYTES];  /* looked at, without links; "" is the root */
    char rest[PATH_BYTES];
    struct stat folder; /* of `done` */
    bool in_sticky;     /* others may make files in it */
    int links;
};

/* -- whose -- */

static bool owner_is_trusted(uid_t owner)
{
    struct stat usr;
    /* the rights may be a group's alone, and the user whoever started the program */
    const bool user_counts = !qn__is_privileged() || geteuid() != getuid();
    return owner == 0 || (user_counts && owner == geteuid()) ||
           (stat("/usr", &usr) == 0 && owner == usr.st_uid);
}

/* Field `field` of the line of `path` whose field 2 is the number: of a user or a group. */
static bool read_field(char *out, size_t capacity, const char *path, unsigned number, int field)
{
    char line[LINE_BYTES];
    bool found = false;
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        const char *parts[4] = {0};
        char *p = line;
        for (int i = 0; i < 4 && p; i++)
            parts[i] = strsep(&p, ":\n");
        if (!parts[3] || strtoul(parts[2], NULL, 10) != number || !strchr("0123456789", *parts[2]))
            continue;
        found = strlen(parts[field]) < capacity;
        if (found)
            snprintf(out, capacity, "%s", parts[field]);
    }
    if (f)
        fclose(f);
    return found;
}

/* A group that holds nobody but its user and root: the user's own, as many systems make one for
 * each user, or one of the system's numbers, which are nobody's first group. */
static bool group_is_private(gid_t group)
{
    enum { SYSTEM_GROUPS = 100 };
    char user[256], name[256], members[LINE_BYTES];
    if (!read_field(user, sizeof user, "/etc/passwd", geteuid(), 0) ||
        !read_field(name, sizeof name, "/etc/group", group, 0) ||
        !read_field(members, sizeof members, "/etc/group", group, 3))
        return false;
    for (char *rest = members, *member; (member = strsep(&rest, ",\n"));)
        if (*member && !qn__equal(member, user) && !qn__equal(member, "root"))
            return false;
    return group < SYSTEM_GROUPS || qn__equal(name, user);
}

/* Can somebody else write it? With an access list the bits of the group are the most that any of
 * its users has. */
static bool others_may_write(const char *path, const struct stat *st)
{
    if (st->st_mode & S_IWOTH)
        return true;
    if (!(st->st_mode & S_IWGRP))
        return false;
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0 || !group_is_private(st->st_gid);
}

/* -- the walk -- */

static qn_status refuse(const struct walk *w, const char *what, const struct stat *st,
                        const char *why)
{
    return qn__fail(QN_E_IO,
                    "%s: %s %s (owner %u, group %u, mode %o), and what is merely found must belong "
                    "to root or user %u and be writable by nobody else (chmod go-w); to use it all "
                    "the same, %s",
                    w->file, what, why, (unsigned)st->st_uid, (unsigned)st->st_gid,
                    (unsigned)(st->st_mode & 07777), (unsigned)geteuid(), w->how);
}

static qn_status look_at(struct walk *w, const char *path, const struct stat *st)
{
    const bool is_folder = S_ISDIR(st->st_mode);
    const char *what = strcmp(path, w->file) == 0 ? "it" : path;
    if (!owner_is_trusted(st->st_uid))
        return refuse(w, what, st, "belongs to another user");
    if (S_ISLNK(st->st_mode))
        return QN_OK;
    const bool is_open = others_may_write(path, st);
    if (is_open && !(is_folder && (st->st_mode & S_ISVTX)))
        return refuse(w, what, st, "may be written by others");
    if (is_folder) {
        w->in_sticky = is_open;
        w->folder = *st;
    }
    return QN_OK;
}

static qn_status too_long(const struct walk *w)
{
    return qn__fail(QN_E_IO, "%s: the path is too long", w->file);
}

/* Put a link's target in front of what is left. */
static qn_status follow(struct walk *w, const char *link)
{
    char target[PATH_BYTES], rest[PATH_BYTES];
    const ssize_t n = readlink(link, target, sizeof target - 1);
    if (n <= 0)
        return qn__fail_errno("%s", link);
    if (++w->links > LINKS_MAX)
        return qn__fail(QN_E_IO, "%s: too many symbolic links", w->file);
    target[n] = 0;
    snprintf(rest, sizeof rest, "%s", w->rest);
    if ((size_t)snprintf(w->rest, sizeof w->rest, "%s/%s", target, rest) >= sizeof w->rest)
        return too_long(w);
    if (target[0] == '/')
        w->done[0] = 0;
    return QN_OK;
}

/* One name further: `name` of n bytes, not "..". */
static qn_status step(struct walk *w, const char *name, size_t n, struct stat *st)
{
    char path[PATH_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s/%.*s", w->done, (int)n, name) >= sizeof path)
        return too_long(w);
    memmove(w->rest, name + n, strlen(name + n) + 1);
    if (lstat(path, st) != 0)
        return qn__fail_errno("%s", path);
    QN_TRY(look_at(w, path, st));
    if (S_ISLNK(st->st_mode))
        return follow(w, path);
    snprintf(w->done, sizeof w->done, "%s", path);
    return QN_OK;
}

/* w->done becomes the file without links. */
static qn_status walk(struct walk *w, const char *path, const char *how)
{
    struct stat st;
    char here[PATH_BYTES];
    *w = (struct walk){.file = path, .how = how};
    if (path[0] != '/' && !getcwd(here, sizeof here))
        return qn__fail_errno("the working folder");
    if ((size_t)snprintf(w->rest, sizeof w->rest, "%s/%s", path[0] == '/' ? "" : here, path) >=
        sizeof w->rest)
        return too_long(w);
    if (stat("/", &st) != 0)
        return qn__fail_errno("/");
    QN_TRY(look_at(w, "/", &st));
    for (;;) {
        const char *name = w->rest + strspn(w->rest, "/");
        const size_t n = strcspn(name, "/");
        if (n == 0)
            break;
        if (n == 2 && memcmp(name, "..", 2) == 0) {
            char *slash = strrchr(w->done, '/');
            if (slash)
                *slash = 0;
            const char *above = w->done[0] ? w->done : "/";
            if (lstat(above, &st) != 0)
                return qn__fail_errno("%s", above);
            QN_TRY(look_at(w, above, &st));
            memmove(w->rest, name + n, strlen(name + n) + 1);
        } else if (n == 1 && *name == '.') {
            memmove(w->rest, name + n, strlen(name + n) + 1);
        } else {
            QN_TRY(step(w, name, n, &st));
        }
    }
    if (!S_ISREG(st.st_mode))
        return qn__fail(QN_E_IO, "%s: not a regular file", path);
    if (w->in_sticky)
        return refuse(w, "its folder", &w->folder, "may be written by others");
    return QN_OK;
}

/* -- what is asked -- */

qn_status qn__trust_check(const char *path, const char *how)
{
    struct walk w;
    return walk(&w, path, how);
}

/* Is this the first time in this process? When the list is full, no more are said. */
static bool is_first(const char *path)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t said[SAID_MAX];
    static int n;
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (const char *p = path; *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211u;
    pthread_mutex_lock(&lock);
    int at = 0;
    while (at < n && said[at] != h)
        at++;
    const bool is_new = at == n && n < SAID_MAX;
    if (is_new)
        said[n++] = h;
    pthread_mutex_unlock(&lock);
    return is_new;
}

static void say(const char *path)
{
    if (is_first(path))
        qn__log(QN_LOG_WARNING, "left out: %s", qn_message());
}

bool qn__trust_found(const char *path, const char *how)
{
    struct walk w;
    struct stat st;
    if (walk(&w, path, how) == QN_OK)
        return true;
    if (lstat(path, &st) == 0)
        say(path);
    return false;
}

qn_status qn__trust_open(int *fd, const char *path, int flags, const char *how)
{
    struct walk w;
    *fd = -1;
    QN_TRY(walk(&w, path, how));
    *fd = open(w.done, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    return *fd >= 0 ? QN_OK : qn__fail_errno("%s", path);
}
