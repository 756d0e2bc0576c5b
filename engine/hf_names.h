/* SPDX-License-Identifier: Apache-2.0
 *
 * The families of models by Hugging Face's names, and which of GGUF's tensors each of theirs is. */
#ifndef QN_ENGINE_HF_NAMES_H
#define QN_ENGINE_HF_NAMES_H

#include "base/error.h"

#include <stdbool.h>

enum qn__hf_family {
    QN__HF_LLAMA, /* and Mistral, Mixtral, Granite, SmolLM3 */
    QN__HF_QWEN,
    QN__HF_GEMMA,
    QN__HF_GEMMA2,
    QN__HF_GEMMA3,
    QN__HF_PHI3,
    QN__HF_OLMO2,
    QN__HF_DEEPSEEK,
    QN__HF_GPT_OSS,
};

/* Which of GGUF's tensors a tensor is. */
struct qn__hf_name {
    char ours[64];
    bool is_ignored; /* a buffer that is computed, not learned; a head that is tied; other parts */
    bool plus_one;   /* stored as w - 1 */
    bool is_part;    /* experts are made of it and of others (hf_mxfp4.h) */
};
/* QN_E_UNSUPPORTED  the family has no such tensor */
qn_status qn__hf_name_map(struct qn__hf_name *out, enum qn__hf_family family, bool tied_head,
                          const char *theirs);

/* The same of an adapter as PEFT writes it: "base_model.model.<name>.lora_A.weight" is
 * "<our name>.lora_a". QN_E_UNSUPPORTED  it is no part of a low-rank adapter, or of no such tensor
 */
qn_status qn__hf_adapter_name_map(struct qn__hf_name *out, enum qn__hf_family family,
                                  const char *theirs);

#endif
