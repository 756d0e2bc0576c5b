/* SPDX-License-Identifier: Apache-2.0
 *
 * May code that was merely found be run? Bundles, helpers, compilers and libraries are looked for
 * in places where others may have put one of theirs: beside the program, in folders of PATH, in
 * usual places. What the user named, in a call or by a variable, is used as it is; what was found
 * must pass here.
 *
 * It passes when nobody but its user, root, and whoever owns /usr (in a user namespace root may
 * have another number there) could have put it there: the file, its folder and all folders above
 * belong to one of them and are writable by nobody else. A folder with the sticky bit, such as
 * /tmp, may stand further up, but not hold the file itself. Symbolic links are followed by the same
 * rule.
 */
#ifndef QN_BASE_TRUST_H
#define QN_BASE_TRUST_H

#include "base/error.h"

#include <stdbool.h>

/* QN_OK, or QN_E_IO with owner, mode and what to do in the message. `how` says how to
 * make it a file that the user named: "name it with QUERN_RTC". */
qn_status qn__trust_check(const char *path, const char *how);

/* The same as a question. A refusal is a warning, once for each file. No file there is no warning.
 */
bool qn__trust_found(const char *path, const char *how);

/* Open what passes (flags as for open(2)); use the descriptor from then on and not the name. */
qn_status qn__trust_open(int *fd, const char *path, int flags, const char *how);

#endif
