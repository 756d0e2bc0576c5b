/* SPDX-License-Identifier: Apache-2.0
 *
 * What a variable of the module begins with. */
#ifndef QN_COMPILER_MODEL_INITIAL_VALUE_H
#define QN_COMPILER_MODEL_INITIAL_VALUE_H

#include "compiler/core/unit.h"

/* An address that the value holds, of a variable of the module; its bytes are zero. */
struct qn__initial_address {
    uint64_t offset, addend;
    LLVMValueRef variable;
};
struct qn__initial_addresses {
    struct qn__initial_address *items;
    uint32_t n, capacity;
};

/* Its bytes as the device has them; NULL for zeros. `name` is the variable's in the source. */
const unsigned char *qn__initial_value(struct qn__unit *u, LLVMValueRef variable, const char *name,
                                       struct qn__initial_addresses *addresses);

#endif
