/* SPDX-License-Identifier: Apache-2.0
 *
 * clang's front end folds a shift of two constants, and one by the width or more becomes poison,
 * which is printed as 0: right but for a negative number that is shifted to the right, where the
 * hardware fills with the sign. So that the shift reaches guard_shifts.c like all others, its count
 * is made one that clang does not know:
 *
 *     -5 >> n + 1   ->   -5 >> __qn_no_count() + n + 1
 *
 * A sum is what binds tighter than a shift, so this is right whatever the count is. clang says
 * where these shifts are once it is told to take them for errors, which costs a run of its own:
 * only for files in which something became poison. A shift that a macro holds is changed in the
 * macro. */
#include "compiler/frontend/constant_shifts.h"

#include "base/wire.h"

#include <string.h>

#define NO_COUNT " __qn_no_count() +"

static bool has_poison(LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        const LLVMValueRef v = LLVMGetOperand(instruction, (unsigned)i);
        if (LLVMIsPoison(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind)
            return true;
    }
    return false;
}

bool qn__loses_shift(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (has_poison(i))
                    return true;
    return false;
}

bool qn__constant_shift_rewrite(struct qn__unit *u, struct qn__host_file *files,
                                const struct qn__clang_error *e)
{
    const struct qn__clang_place at =
        e->in_macro.line ? e->in_macro : (struct qn__clang_place){e->file, e->line, e->column};
    if (at.file >= u->request->n_files || !strstr(e->message, "shift count >= width of type"))
        return false;
    struct qn__host_file *const f = &files[at.file];
    const size_t n = qn__clang_offset(f->text, f->n, at.line, at.column) + 2;
    if (n > f->n ||
        (memcmp(f->text + n - 2, ">>", 2) != 0 && memcmp(f->text + n - 2, "<<", 2) != 0))
        return false;
    if (!qn__starts_with(f->text + n, NO_COUNT)) { /* or the macro is used twice */
        f->text = qn__text(u, "%.*s" NO_COUNT "%s", (int)n, f->text, f->text + n);
        f->n += sizeof NO_COUNT - 1;
    }
    f->changed = true;
    return true;
}
