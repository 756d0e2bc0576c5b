/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a model file, whatever its container. */
#ifndef QN_ENGINE_MODEL_OPEN_H
#define QN_ENGINE_MODEL_OPEN_H

#include "engine/model_file.h"

/* path: a .gguf file (the first of a split one), a .safetensors file, an index .json, or a folder.
 * QN_E_IO, QN_E_CORRUPT (what, where), QN_E_UNSUPPORTED (container version, tensor format, family
 * of a safetensors config) */
qn_status qn__model_file_open(struct qn__model_file **out, const char *path);
/* The same from memory that outlives the file; GGUF only. For tests and fuzzing. */
qn_status qn__model_file_open_bytes(struct qn__model_file **out, const void *bytes,
                                    size_t size_bytes);

/* An adapter for a model of the family: a .gguf file, a .safetensors file with adapter_config.json
 * beside it, or a folder with both. Its tensors are "<tensor>.lora_a" and "<tensor>.lora_b". */
qn_status qn__adapter_file_open(struct qn__model_file **out, const char *path, const char *family);

#endif
