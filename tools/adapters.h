/* SPDX-License-Identifier: Apache-2.0
 *
 * --lora and --lora-scaled: adapters for a model. */
#ifndef QN_TOOLS_ADAPTERS_H
#define QN_TOOLS_ADAPTERS_H

#include "base/options.h"

#include <quern/model.h>

struct qn__adapter_options {
    struct qn__option_list plain, scaled;
};

/* Rows for values that have a struct qn__adapter_options `member`. */
#define QN__ADAPTER_ROWS(type, member)                                                             \
    QN__LIST(type, member.plain, 0, "lora", "FILE",                                                \
             "add a LoRA adapter: a GGUF file, or a folder of PEFT's; several with commas"),       \
        QN__LIST(type, member.scaled, 0, "lora-scaled", "FILE:SCALE",                              \
                 "the same, what it adds multiplied with SCALE")

struct qn__adapters_opened {
    qn_session_adapter *items;
    uint32_t n, capacity;
};

/* Open them all; quiet: say nothing of them. Returns false after a complaint, with *status the exit
 * status. The caller closes it in every case. */
bool qn__adapters_open(struct qn__adapters_opened *out, const struct qn__adapter_options *o,
                       const qn_model *m, bool quiet, int *status);
void qn__adapters_close(struct qn__adapters_opened *a);

#endif
