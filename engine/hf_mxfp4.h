/* SPDX-License-Identifier: Apache-2.0
 *
 * gpt-oss in safetensors: experts of mxfp4 as two tensors of bytes, codes and scales, rows of gate
 * and up by turns. */
#ifndef QN_ENGINE_HF_MXFP4_H
#define QN_ENGINE_HF_MXFP4_H

#include "engine/model_build.h"

/* A part of experts: what is in the file, under its name in GGUF but for the end. */
struct qn__hf_part {
    struct qn__tensor t;              /* bytes have no format */
    const struct qn__hf_part *before; /* the one found before this; NULL */
};

/* Tensors ffn_gate_exps, ffn_up_exps and ffn_down_exps, weights and biases, of all parts. They lie
 * in memory of the file's: blocks have codes in another order there.
 * QN_E_CORRUPT  parts do not fit one another; they are named */
qn_status qn__hf_mxfp4_unite(struct qn__model_file *f, const struct qn__hf_part *parts);

#endif
