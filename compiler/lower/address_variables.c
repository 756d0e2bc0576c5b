/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables whose initial values hold addresses of others:
 *
 *     __device__ float *p = &table[3];          the address is put there when the module is loaded
 *     const char *const names[] = {"a", "b"};   (runtime), for which both have to lie in buffers
 *
 * A constant table of OpenCL C has no address that could be kept, so where a kernel reads a
 * variable that holds one, the table is made a variable of the module, as if the host might set it.
 */
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

enum { DEEP = 16 };

/* Does code read it, or an address in it? */
static bool is_read(LLVMValueRef v, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) ||
            (LLVMIsAConstantExpr(user) && depth && is_read(user, depth - 1)))
            return true;
    }
    return false;
}

static void into_buffer(struct qn__unit *u, LLVMValueRef variable);

/* The variables whose addresses this constant holds. False: it holds none. */
static bool visit(struct qn__unit *u, LLVMValueRef c)
{
    enum { SHARED = 3 };
    bool holds = false;
    if (LLVMIsAGlobalVariable(c)) {
        if (!LLVMIsDeclaration(c) && LLVMGetPointerAddressSpace(LLVMTypeOf(c)) != SHARED)
            into_buffer(u, c);
        return true;
    }
    for (int i = 0; !LLVMIsAFunction(c) && i < LLVMGetNumOperands(c); i++)
        holds |= visit(u, LLVMGetOperand(c, (unsigned)i));
    return holds;
}

static void into_buffer(struct qn__unit *u, LLVMValueRef variable)
{
    const bool was = qn__is_module_variable(variable) && LLVMIsExternallyInitialized(variable);
    LLVMSetExternallyInitialized(variable, true);
    if (!was && LLVMGetInitializer(variable))
        visit(u, LLVMGetInitializer(variable));
}

qn_status qn__address_variables(struct qn__unit *u)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        const LLVMValueRef initial = LLVMGetInitializer(g);
        if (initial && is_read(g, DEEP) && visit(u, initial))
            LLVMSetExternallyInitialized(g, true);
    }
    return QN_OK;
}
