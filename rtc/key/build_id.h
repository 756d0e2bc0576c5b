/* SPDX-License-Identifier: Apache-2.0
 *
 * A name for the contents of a program or library: its linker's build id, else a hash of the whole
 * file. The same on every machine that has the same file. */
#ifndef QN_RTC_KEY_BUILD_ID_H
#define QN_RTC_KEY_BUILD_ID_H

#include "base/error.h"

enum { QN__BUILD_ID_MAX = 80 };

/* QN_E_IO */
qn_status qn__build_id(char out[QN__BUILD_ID_MAX], const char *path);

#endif
