/* SPDX-License-Identifier: Apache-2.0
 *
 * Manifests and records of `quern prewarm` from hostile text. */
#include "tools/manifest.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void look_at(const struct qn__manifest *m)
{
    for (uint32_t i = 0; i < m->n_kernels; i++) {
        const struct qn__manifest_kernel *k = &m->kernels[i];
        if (!k->shown || (!k->source.path && !k->source.text))
            __builtin_trap();
        for (uint32_t t = 0; t < k->n_targets; t++)
            if (!k->targets[t])
                __builtin_trap();
        for (uint32_t l = 0; l < k->n_launches; l++)
            if (!k->launches[l].kernel)
                __builtin_trap();
        for (uint32_t h = 0; h < k->source.n_headers; h++)
            if (!k->source.header_names[h] || !k->source.header_texts[h])
                __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__manifest m;
    struct qn__str error = {0};
    const char *text = (const char *)data;
    if (qn__manifest_parse(&m, &error, text, n, "folder"))
        look_at(&m);
    else if (!error.len)
        __builtin_trap();
    qn__manifest_release(&m);
    qn__str_clear(&error);
    if (qn__manifest_parse_record(&m, &error, text, n))
        look_at(&m);
    qn__manifest_release(&m);
    qn__str_release(&error);
    return 0;
}
