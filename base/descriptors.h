/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors that the library keeps open between calls. The program around it may close them (a
 * daemon closes all there are) and open files of its own, which then have their numbers; so before
 * one is used again or closed, it is looked at whether it is still the same file. */
#ifndef QN_BASE_DESCRIPTORS_H
#define QN_BASE_DESCRIPTORS_H

#include <stdbool.h>
#include <sys/stat.h>

/* What a number stands for. fd < 0: nothing. */
struct qn__fd {
    int fd;
    dev_t device;
    ino_t file;
};

struct qn__fd qn__fd_of(int fd);
bool qn__fd_is_ours(const struct qn__fd *fd);
void qn__fd_close(struct qn__fd *fd); /* only where it is ours */

/* For locks and for one end of a connection, which must not live on in a forked child: closed there
 * as soon as it begins. Returns the same number. */
int qn__fd_own(int fd);
/* Is it still the file that was given to qn__fd_own()? */
bool qn__fd_is_owned(int fd);
/* Close it, where it is. */
void qn__fd_disown(int fd);

#endif
