/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the container safetensors, with the folder around it. */
#ifndef QN_ENGINE_SAFETENSORS_H
#define QN_ENGINE_SAFETENSORS_H

#include "engine/hf_names.h"
#include "engine/model_build.h"

/* path: a .safetensors file, an index .json, or the folder. */
qn_status qn__gguf_read(struct qn__model_file *f, struct qn__mapping first, const char *path);
qn_status qn__safetensors_read(struct qn__model_file *f, const char *path);
/* One file's bytes, with the names of the family gpt-oss (an adapter: llama)
 * and no folder around them; for fuzzing. */
qn_status qn__safetensors_read_bytes(struct qn__model_file *f, struct qn__mapping bytes,
                                     bool is_adapter);
/* The tensors of an adapter for a model of the family; path: the .safetensors file. */
qn_status qn__safetensors_read_adapter(struct qn__model_file *f, const char *path,
                                       enum qn__hf_family family);

#endif
