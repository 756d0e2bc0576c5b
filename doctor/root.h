/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a machine: /proc, /dev, /sys, /etc and libraries, of this one or of one whose tree
 * lies below a folder (a container's, a mounted disk's, a test's). Nothing is ever written. Names
 * are those inside the tree, "/proc/version"; all but the prefix of a name stays as it is. */
#ifndef QN_DOCTOR_ROOT_H
#define QN_DOCTOR_ROOT_H

#include "base/str.h"

struct qn__root {
    const char *prefix; /* "" is this machine */
};

/* The name outside the tree; malloc'd. */
char *qn__root_path(const struct qn__root *root, const char *path);

/* The whole file, at most 1 MiB of it, with a 0 after it; malloc'd; NULL: it cannot be read. */
char *qn__root_read(const struct qn__root *root, const char *path);
/* Its first line without blanks at its ends into out; false and "" where there is none. */
bool qn__root_line(const struct qn__root *root, const char *path, char *out, size_t capacity);
/* A number in its first line; `missing` where there is none. */
int64_t qn__root_number(const struct qn__root *root, const char *path, int64_t missing);

bool qn__root_exists(const struct qn__root *root, const char *path);
/* 0, or why this user may not read and write it (errno). */
int qn__root_access(const struct qn__root *root, const char *path);
/* 0, or why it cannot be opened for reading and writing (errno). */
int qn__root_open_error(const struct qn__root *root, const char *path);

/* Where links lead in the end, as a name inside the tree; malloc'd; NULL: nowhere. */
char *qn__root_real(const struct qn__root *root, const char *path);
/* The last part of what a link says; false: it is none. */
bool qn__root_link_base(const struct qn__root *root, const char *path, char *out, size_t capacity);

/* Names that match a shell pattern, "/sys/bus/pci/devices/" followed by a star, in alphabetical
 * order. */
struct qn__names {
    char **items;
    size_t n;
};
void qn__root_match(struct qn__names *out, const struct qn__root *root, const char *pattern);
void qn__names_add(struct qn__names *names, const char *text);
void qn__names_release(struct qn__names *names);

/* Libraries of that name (a shell pattern of a file's name) in the folders where the system's
 * loader and the makers' packages put them, in the loader's order, each once. `more` are folders
 * (patterns) that are looked at as well, separated by blanks. */
void qn__root_libraries(struct qn__names *out, const struct qn__root *root, const char *name,
                        const char *more);

#endif
