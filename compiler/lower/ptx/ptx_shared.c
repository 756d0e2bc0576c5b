/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes numbers of pointers to shared memory (ptx_window.c) and pointers of numbers: cvta, and
 * the device functions of the same meaning; isspacep. */
#include "compiler/lower/ptx/ptx_shared.h"

#include "compiler/lower/ptx/ptx_operands.h"
#include "compiler/lower/ptx/ptx_window.h"
#include "compiler/model/address_space.h"

/* cvta.to.shared.u64 d, a    cvta.shared.u64 d, a */
static enum qn__ptx_answer convert_address(struct qn__ptx *x)
{
    const bool to_shared = qn__ptx_has(x, "to");
    struct qn__ptx_type t;
    if (x->n_operands != 2 || x->n_words != 3u + to_shared || !qn__ptx_last_type(x, &t) ||
        t.bits < 32)
        return QN__PTX_FAILED;
    const struct qn__ptx_type from = {.bits = to_shared ? 64 : t.bits};
    LLVMValueRef v = qn__ptx_source(x, 1, &from);
    if (!v)
        return QN__PTX_FAILED;
    if (to_shared)
        v = LLVMBuildIntCast2(x->b, qn__ptx_shared_number(x, v), qn__ptx_llvm_type(x, &t), false,
                              "");
    else
        v = LLVMBuildPtrToInt(x->b, qn__ptx_shared_pointer(x, v),
                              LLVMInt64TypeInContext(x->u->context), "");
    return qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

/* isspacep.shared p, a: __isShared(a) */
static enum qn__ptx_answer is_in_space(struct qn__ptx *x)
{
    static const char *const spaces[][2] = {{"shared", "__qn_is_shared"},
                                            {"global", "__qn_is_global"},
                                            {"local", "__qn_is_local"},
                                            {"const", "__qn_is_constant"}};
    const struct qn__ptx_type address = {.bits = 64};
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    LLVMValueRef p = x->n_words == 2 && x->n_operands == 2 ? qn__ptx_source(x, 1, &address) : NULL;
    if (!p)
        return QN__PTX_FAILED;
    p = LLVMBuildIntToPtr(x->b, p, LLVMPointerTypeInContext(x->u->context, 0), "");
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (qn__equal(x->words[1], spaces[i][0])) {
            const LLVMValueRef v = qn__ptx_call(x, spaces[i][1], word, &p, 1);
            return v && qn__ptx_set(x, 0,
                                    LLVMBuildICmp(x->b, LLVMIntNE, v, qn__ptx_number(x, 32, 0), ""))
                       ? QN__PTX_DONE
                       : QN__PTX_FAILED;
        }
    return QN__PTX_FAILED;
}

enum qn__ptx_answer qn__ptx_shared(struct qn__ptx *x)
{
    if (qn__equal(x->words[0], "isspacep"))
        return is_in_space(x);
    return qn__equal(x->words[0], "cvta") && qn__ptx_has(x, "shared") ? convert_address(x)
                                                                      : QN__PTX_OTHER;
}

bool qn__ptx_shared_call(struct qn__unit *u, LLVMValueRef call)
{
    const char *const name = qn__callee(call);
    const bool to_number = qn__equal(name, "__cvta_generic_to_shared");
    if (!to_number && !qn__equal(name, "__cvta_shared_to_generic"))
        return false;
    struct qn__ptx x = {.u = u, .module = u->module, .call = call, .text = name};
    x.b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(x.b, call);
    LLVMSetCurrentDebugLocation2(x.b, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef v = LLVMGetArgOperand(call, 0);
    v = to_number ? LLVMBuildZExt(x.b, qn__ptx_shared_number(&x, v), LLVMTypeOf(call), "")
                  : qn__ptx_shared_pointer(&x, v);
    LLVMReplaceAllUsesWith(call, v);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(x.b);
    return true;
}
