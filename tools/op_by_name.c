/* SPDX-License-Identifier: Apache-2.0
 *
 * Ops by name: see op_by_name.h. */
#include "tools/op_by_name.h"

#include "base/options.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

enum { NEAR_MAX = 4 }; /* further away is no help */

const char *qn__op_near(uint32_t *distance, const char *word)
{
    const char *near = NULL;
    *distance = NEAR_MAX;
    for (uint32_t i = 0; i < qn_op_count() && *distance; i++) {
        const qn_op_info *info = qn_op_get(i);
        const char *const names[] = {info->op, info->kernel};
        for (int k = 0; k < 2; k++)
            if (qn__word_distance(word, names[k]) < *distance) {
                *distance = qn__word_distance(word, names[k]);
                near = names[k];
            }
    }
    return near;
}

bool qn__op_of_word(uint32_t *out, const char *command, const char *word)
{
    uint32_t distance;
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (!strcmp(qn_op_get(i)->op, word) || !strcmp(qn_op_get(i)->kernel, word)) {
            *out = i;
            return true;
        }
    const char *near = qn__op_near(&distance, word);
    if (near)
        qn__complain(0, "%s: '%s' is not an op; did you mean '%s'?", command, word, near);
    else
        qn__complain(0, "%s: '%s' is not an op ('quern selftest' runs all)", command, word);
    return false;
}
