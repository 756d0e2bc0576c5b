/* SPDX-License-Identifier: Apache-2.0
 *
 * Alignment of local and shared memory. A float4 read from an array of floats or bytes needs the
 * array to be aligned, as CUDA's compilers align it. OpenCL C's need not: they align an array for
 * its own type.
 *
 *     alignas(16) float a[8]; *(float4 *)a    ->   float a[8] __attribute__((aligned(16)));
 *
 * The variable gets the alignment that its accesses need, not more. An access that is not known to
 * be aligned goes through vload and vstore (expr_memory.c), a large one in parts
 * (split_vectors.c).
 */
#include "compiler/model/alignment.h"
#include "compiler/model/source_types.h"

#include "compiler/model/address_space.h"

static LLVMValueRef address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static LLVMTypeRef accessed_type(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static bool is_gep(LLVMValueRef p)
{
    return LLVMIsAGetElementPtrInst(p) ||
           (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
}

/* A number whose lowest set bit divides whatever a getelementptr adds. */
static uint64_t added(struct qn__unit *u, LLVMValueRef gep)
{
    LLVMTypeRef t = NULL;
    uint64_t all = 0, bytes;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        const bool counts = qn__gep_counts(u, gep, i, &t, &bytes);
        all |=
            counts && LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) * bytes : bytes;
    }
    return all;
}

/* The alignment that is certain for an address in the kernel's own memory; 1 elsewhere. */
static uint64_t known_alignment(struct qn__unit *u, LLVMValueRef p)
{
    uint64_t all = 0;
    while (p != qn__memory_root(p)) {
        if (is_gep(p))
            all |= added(u, p);
        p = LLVMGetOperand(p, 0);
    }
    if (!LLVMIsAAllocaInst(p) && !(LLVMIsAGlobalVariable(p) && !LLVMIsDeclaration(p)))
        return 1;
    all |= LLVMGetAlignment(p) ? LLVMGetAlignment(p) : 1;
    return all & (~all + 1);
}

uint64_t qn__alignment_of(struct qn__unit *u, LLVMValueRef access)
{
    const uint64_t known = known_alignment(u, address_of(access));
    return known > LLVMGetAlignment(access) ? known : LLVMGetAlignment(access);
}

bool qn__is_aligned(struct qn__unit *u, LLVMValueRef access, uint64_t natural)
{
    return qn__alignment_of(u, access) >= natural;
}

/* The alignment that the accesses through `p` need; `most` where not all of them are known. */
static uint64_t needed(struct qn__unit *u, LLVMValueRef p, uint64_t most)
{
    uint64_t n = 1;
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        uint64_t one = 1;
        if ((LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) && address_of(user) == p) {
            const uint64_t natural =
                qn__type_align(qn__type_of(u, accessed_type(user), NULL, user));
            one = qn__alignment_of(u, user) >= natural ? natural : 1;
        } else if (is_gep(user) || (LLVMIsAConstantExpr(user) && !LLVMIsAInstruction(user))) {
            one = needed(u, user, most);
        } else if (!LLVMIsACallInst(user) || !qn__starts_with(qn__callee(user), "llvm.")) {
            one = most;
        }
        n = one > n ? one : n;
    }
    return n;
}

uint32_t qn__extra_alignment(struct qn__unit *u, LLVMValueRef memory, const struct qn__type *type)
{
    const uint64_t n = needed(u, memory, LLVMGetAlignment(memory));
    return n > qn__type_align(type) ? (uint32_t)n : 0;
}
