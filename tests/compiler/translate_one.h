/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the translator: one source that must be translated. What was said of it is in the
 * result. */
#ifndef QN_TESTS_COMPILER_TRANSLATE_ONE_H
#define QN_TESTS_COMPILER_TRANSLATE_ONE_H

#include "base/file.h"
#include "compiler/translator.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* As a.cu, for "portable". */
static inline void translate_text(struct qn__translate_result *r, struct qn__arena *arena,
                                  const char *source)
{
    const struct qn__source_file file = {"a.cu", source, strlen(source)};
    const struct qn__translate_request request = {.files = &file, .n_files = 1};
    ck_assert_msg(qn__translate(r, arena, &request) == QN_OK, "%s: %s", qn_message(),
                  r->diagnostics);
}

static inline void translate_file(struct qn__translate_result *r, struct qn__arena *arena,
                                  const char *path, const char *profile)
{
    enum { LIMIT = 16 << 20 };
    char *text;
    size_t n;
    ck_assert_msg(qn__file_read(&text, &n, path, LIMIT) == QN_OK, "%s", qn_message());
    const struct qn__source_file file = {qn__path_base(path), text, n};
    const struct qn__translate_request request = {.files = &file, .n_files = 1, .profile = profile};
    ck_assert_msg(qn__translate(r, arena, &request) == QN_OK, "%s for %s: %s: %s", path, profile,
                  qn_message(), r->diagnostics);
    free(text);
}

#endif
