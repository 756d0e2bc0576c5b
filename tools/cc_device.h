/* SPDX-License-Identifier: Apache-2.0
 *
 * The device half of a file: its source with all that it includes, and finished images. */
#ifndef QN_TOOLS_CC_DEVICE_H
#define QN_TOOLS_CC_DEVICE_H

#include "base/hash.h"
#include "tools/cc_unit.h"

#include <quern/compile.h>

/* A vendor's own headers: the stand-ins are in their place, in both halves. */
bool qn__cc_is_toolkit(const char *folder);

/* Does some finished image need to know which instances of templates the host half launches? */
bool qn__cc_needs_names(const struct qn__cc *cc);

/* Write what the program carries of the device half. `id` is no other unit's: clang names a symbol
 * by it. assembler: a file of the host half's, for the names; or NULL. */
bool qn__cc_write_device_half(char id[QN__HASH_HEX], struct qn__cc_session *s,
                              const struct qn__cc_input *input, const char *path,
                              const char *assembler);

/* The device half of a file, to compile by itself; lists in *out are the session's. */
void qn__cc_source(qn_source *out, struct qn__cc_session *s, const struct qn__cc_input *input);
void qn__cc_source_release(qn_source *src);

#endif
