/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/translate.h: CUDA/HIP kernel source to readable OpenCL C, for people and tools.
 *
 * Programs that only want to run kernels use module.h, which translates on its own.
 * The translator runs in the helper program quern-translate (see compile.h).
 */
#ifndef QUERN_TRANSLATE_H
#define QUERN_TRANSLATE_H

#include <quern/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_translation {
    char *text;    /* OpenCL C; with --dump-after=PASS what that pass left, for people */
    char *reflect; /* JSON: kernels with arguments, hidden arguments, globals, needed extensions */
    char *explain; /* JSON: each lowering applied, with file and line */
} qn_translation;

/* Translate for a profile: "portable" (NULL), "pocl3", "nvidia", ... (docs/passes.md lists them);
 * after a colon what a driver can do more or less of, or needs a workaround for or not:
 * "portable:fp64-:fp16+", "pocl3:switch-".
 * The caller owns what *out holds: qn_translation_release(). log as in qn_compile().
 * QN_E_INVALID      no such profile; the message lists them
 * QN_E_UNSUPPORTED  the source uses something that cannot be translated: log->text has file, line,
 *                   caret and reason
 * QN_E_COMPILE, QN_E_COMPILER, QN_E_IO as qn_compile() */
QN_CHECKED qn_status qn_translate(qn_translation *out, const qn_source *src, const char *profile,
                                  const qn_compile_options *options, qn_log *log);
QN_API void qn_translation_release(qn_translation *t); /* NULL and zeroed are fine */

#ifdef __cplusplus
}
#endif
#endif
