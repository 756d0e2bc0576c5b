/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler that is a library in this process can read.
 *
 * Sources are given to it in memory, but it looks on disk for what is not among them: in the
 * working folder, in the system's header folders, wherever a macro leads. What it finds there would
 * shape the image and be in no key. So while it works, the working folder is one without anything,
 * and files are there for it only in the folders named here; those that it opened are listed.
 *
 * Libraries call the C library by its names, so the functions that open files are defined in this
 * program, in front of the C library's own (file_view.c). */
#ifndef QN_RTC_HELPER_FILE_VIEW_H
#define QN_RTC_HELPER_FILE_VIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "base/machine_files.h"

/* From now on nothing is there but `folder` (NULL: none), the folder for temporary files, and what
 * the system has for every program (/etc, /proc, /sys, /dev). QN_E_IO, QN_E_MEMORY */
qn_status qn__file_view_begin(const char *folder);

/* All is there again. out: the files below `folder` that were opened, and where they were searched.
 * QN_E_MEMORY */
qn_status qn__file_view_end(struct qn__machine_files *out, struct qn__arena *arena);

#endif
