/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's parameters as C variables: the source's names, types of OpenCL C. bool is passed as
 * uchar: OpenCL forbids bool there. */
#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"
#include "compiler/model/inline_values.h"
#include "compiler/model/pointee.h"
#include "compiler/model/source_types.h"
#include "compiler/passes.h"

#include <string.h>

static const struct qn__type *parameter_type(struct qn__function *f, struct qn__value *v)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(v->llvm);
    const LLVMTypeRef by_value = qn__byval_type(u, f->llvm, v->index);
    const LLVMMetadataRef di = qn__di_parameter(u, f->llvm, v->index);
    if (by_value)
        return qn__type_of(u, by_value, di, NULL);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return qn__pointer_type(f, v);
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1)
        return qn__type_int(u, 8, true);
    return qn__type_of(u, t, di, NULL);
}

void qn__parameters_make(struct qn__function *f)
{
    for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
        struct qn__value *const v = &f->values[i];
        size_t n;
        const char *name = LLVMGetValueName2(v->llvm, &n);
        const char *const coerced = strstr(name, ".coerce");
        if (coerced)
            name = qn__text(f->u, "%.*s", (int)(coerced - name), name);
        v->var =
            qn__var_new(f, *name ? name : qn__text(f->u, "argument%u", i), parameter_type(f, v));
        v->var->is_argument = true;
    }
}
