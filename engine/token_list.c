/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of tokens that grows; what allocates it is realloc(), so that the caller may free it. */
#include "engine/token_list.h"

#include <stdlib.h>

qn_status qn__token_list_add(struct qn__token_list *list, int32_t id)
{
    if (list->n == list->capacity) {
        const size_t wanted = list->capacity ? list->capacity * 2 : 64;
        int32_t *more = wanted <= INT32_MAX ? realloc(list->ids, wanted * sizeof *more) : NULL;
        if (!more)
            return qn__fail(QN_E_MEMORY, "no memory for %zu tokens", wanted);
        list->ids = more;
        list->capacity = wanted;
    }
    list->ids[list->n++] = id;
    return QN_OK;
}
