/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of `quern tune` in hostile sources. */
#include "tools/tune_space.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__tune_space s;
    struct qn__str error = {0};
    uint32_t n_points, block[3];
    uint64_t items;
    char *text = malloc(n + 1);
    if (!text)
        return 0;
    memcpy(text, data, n);
    text[n] = 0;
    if (qn__tune_parse(&s, &error, text)) {
        uint64_t all = 1;
        for (uint32_t i = 0; i < s.n_parameters && all < 1000; i++)
            all *= s.parameters[i].n;
        struct qn__tune_point *p = all < 1000 ? qn__tune_points(&n_points, &error, &s) : NULL;
        for (uint32_t i = 0; p && i < n_points; i++)
            if (qn__tune_shape(block, &items, &error, &s, &p[i]) && (!block[0] || !items))
                __builtin_trap();
        free(p);
    } else if (!error.len) {
        __builtin_trap();
    }
    qn__str_release(&error);
    free(text);
    return 0;
}
