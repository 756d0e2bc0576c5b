/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): structs passed by value to a kernel that writes to them. The
 * write goes to a copy.
 *
 *     void k(struct s a) { a.x = 1; }   ->   void k(struct s a) { struct s a_1 = a; a_1.x = 1; }
 *
 * OpenCL C gives each work-item its own parameter, as CUDA does. PoCL passes one pointer to all
 * work-items of a group, so one sees what another wrote. Parameters that are only read stay. */
#include "compiler/model/copy_parameter.h"
#include "compiler/passes.h"

qn_status qn__byval_copy(struct qn__unit *u)
{
    for (uint32_t i = 0; i < u->n_kernels; i++)
        for (unsigned k = 0; k < LLVMCountParams(u->kernels[i].function); k++)
            qn__copy_written_parameter(u, u->kernels[i].function, k);
    return QN_OK;
}
