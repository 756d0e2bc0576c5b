/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a file: what a look at it costs nothing to see, and what is other once its content
 * is. */
#ifndef QN_RTC_KEY_FILE_STATE_H
#define QN_RTC_KEY_FILE_STATE_H

#include <stdbool.h>

enum { QN__FILE_STATE_BYTES = 6 * 8 };

/* Inode, size and times. False: there is no such file. */
bool qn__file_state(unsigned char out[QN__FILE_STATE_BYTES], const char *path);

/* The same of a path below an open folder. */
bool qn__file_state_at(unsigned char out[QN__FILE_STATE_BYTES], int folder, const char *path);

#endif
