/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's pointers have no pointee. Ours take theirs from the source (an argument's debug
 * information), from the memory they lead back to, or from what is read and written through them.
 */
#include "compiler/model/pointee.h"
#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"
#include "compiler/model/alias_types.h"
#include "compiler/model/source_types.h"
#include "compiler/model/type_lookup.h"

static const struct qn__type *uchar_type(struct qn__unit *u)
{
    return qn__type_int(u, 8, true);
}

/* What a pointer points to by the accesses through it; NULL when they leave it open. */
static LLVMTypeRef accessed_type(LLVMValueRef pointer)
{
    LLVMTypeRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        LLVMTypeRef t = NULL;
        if (LLVMIsALoadInst(user))
            t = LLVMTypeOf(user);
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer)
            t = LLVMTypeOf(LLVMGetOperand(user, 0));
        else if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer)
            t = LLVMGetGEPSourceElementType(user);
        if (!t)
            continue;
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
            return t;
        const bool is_byte =
            LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 8;
        if (!found && (!is_byte || !LLVMIsAGetElementPtrInst(user)))
            found = t;
    }
    return found;
}

static const struct qn__type *argument_pointee(struct qn__function *f, const struct qn__value *v,
                                               bool *is_const)
{
    struct qn__unit *const u = f->u;
    bool is_pointer = false;
    const LLVMMetadataRef di = qn__di_parameter(u, f->llvm, v->index);
    const LLVMTypeRef buffered = qn__buffered_type(u, v->llvm);
    if (buffered) {
        *is_const = true;
        return qn__type_of(u, buffered, di, NULL);
    }
    const LLVMMetadataRef to = di ? qn__di_pointee(u, di, &is_pointer) : NULL;
    *is_const = to && qn__di_is_const(u, to);
    const char *const scalar = to ? qn__di_scalar_name(u, to) : NULL;
    const struct qn__type *const t = scalar ? qn__type_named_cpp(u, scalar) : NULL;
    if (t && t->kind != QN__VOID)
        return t;
    const LLVMTypeRef accessed = accessed_type(v->llvm);
    return accessed ? qn__type_of(u, accessed, to, v->llvm) : uchar_type(u);
}

const struct qn__type *qn__pointer_type(struct qn__function *f, struct qn__value *v)
{
    struct qn__unit *const u = f->u;
    bool is_const = false;
    if (!v->block) {
        const struct qn__type *const pointee = argument_pointee(f, v, &is_const);
        return qn__type_with_aliases(f, v->llvm,
                                     qn__type_pointer(u, pointee, v->space, is_const, false));
    }
    const LLVMTypeRef accessed = accessed_type(v->llvm);
    const LLVMValueRef root = qn__memory_root(v->llvm);
    const struct qn__value *const from = qn__value_of(f, root);
    if (from && !from->block && from->var && from->var->type->kind == QN__POINTER) {
        is_const = from->var->type->is_const;
        if (!accessed || qn__type_holds(from->var->type->of, accessed, u))
            return qn__type_with_aliases(
                f, v->llvm, qn__type_pointer(u, from->var->type->of, v->space, is_const, false));
    }
    const struct qn__type *const pointee =
        accessed ? qn__type_of(u, accessed, NULL, v->llvm) : uchar_type(u);
    return qn__type_with_aliases(f, v->llvm,
                                 qn__type_pointer(u, pointee, v->space, is_const, false));
}
