/* SPDX-License-Identifier: Apache-2.0
 *
 * A private folder for temporary files of one process that may die at any time. Its name is random,
 * because process numbers repeat between containers that share a folder, and its owner holds a lock
 * of it, so that whoever makes one can tell the abandoned ones and remove them. */
#ifndef QN_BASE_WORK_FOLDER_H
#define QN_BASE_WORK_FOLDER_H

#include "base/error.h"

struct qn__work_folder {
    char path[1024]; /* "": none */
    int lock;        /* of the folder, to be closed; whoever inherits it keeps the folder in use */
};

/* In TMPDIR, /tmp, /var/tmp, /dev/shm or `last` (may be NULL), the first that can be written.
 * Folders there that were abandoned are removed, once a process. QN_E_IO names TMPDIR. */
qn_status qn__work_folder_create(struct qn__work_folder *out, const char *last);

/* Remove it with all in it. Its lock stays open. */
void qn__work_folder_remove(struct qn__work_folder *w);

#endif
