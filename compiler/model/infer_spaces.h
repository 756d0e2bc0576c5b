/* SPDX-License-Identifier: Apache-2.0
 *
 * Which address space each pointer has (infer_spaces.c), for passes that change what they find. */
#ifndef QN_COMPILER_MODEL_INFER_SPACES_H
#define QN_COMPILER_MODEL_INFER_SPACES_H

#include "compiler/model/address_space.h"

/* Nothing is refused: where two spaces meet, the value's space is QN__SPACE_MIXED. */
void qn__address_spaces_find(struct qn__function *f);

#endif
