/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens as an algorithm of the tokenizer makes them, one after the other. */
#ifndef QN_ENGINE_TOKEN_LIST_H
#define QN_ENGINE_TOKEN_LIST_H

#include "base/error.h"

#include <stdint.h>

/* Tokens that grow; items is the caller's in the end. */
struct qn__token_list {
    int32_t *ids;
    size_t n, capacity;
};
qn_status qn__token_list_add(struct qn__token_list *list, int32_t id);

#endif
