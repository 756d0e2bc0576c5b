/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_model_convert(), with progress. */
#ifndef QN_ENGINE_CONVERT_MODEL_H
#define QN_ENGINE_CONVERT_MODEL_H

#include <quern/status.h>
#include <stdint.h>

/* progress: told in bytes by the caller's thread, or NULL */
qn_status qn__model_convert(const char *out_path, const char *in_path, const char *type,
                            uint32_t n_threads,
                            void (*progress)(uint64_t done, uint64_t total, void *payload),
                            void *payload);

#endif
