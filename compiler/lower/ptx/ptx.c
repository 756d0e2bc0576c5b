/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX. A block of straight-line PTX becomes LLVM instructions and calls of device functions
 * that builtins.def knows, so that every later pass sees plain code. The text is cut into
 * statements, each is handed to the file that knows its kind, and the registers left in the output
 * operands are the block's results.
 *
 *     asm("{ .reg .u32 t; shl.b32 t, %1, 4; or.b32 %0, t, %2; }" : "=r"(d) : "r"(a), "r"(b));
 *     d = a << 4 | b;
 *
 *     ptx_statement.c      the words and operands of a statement
 *     ptx_operands.c       numbers, registers, special registers, addresses <-> LLVM values
 *     ptx_integer.c        integer and bit instructions
 *     ptx_field.c          bit fields
 *     ptx_float.c          floats
 *     ptx_compare.c        comparisons, choices, moves
 *     ptx_memory.c         loads and stores, fences, barriers
 *     ptx_warp.c           shuffles and votes
 *     ptx_atomic.c         atomic operations
 *     ptx_convert.c        conversions
 *     ptx_half.c           halves and bfloat16s
 *     ptx_copy.c           asynchronous copies
 *     ptx_mma.c            products of matrices
 *     ptx_mma_quads.c      the small ones of halves, four of a warp
 *     ptx_matrix.c         matrices of shared memory
 *     ptx_shared.c         addresses of shared memory as numbers (ptx_window.c)
 *     ptx_branch.c         statements with effects under a predicate
 *
 * Registers hold LLVM values, so a name is just what was assigned last. Braces only bound names
 * and are skipped. A guard (@p) becomes a select where the statement has a result and no effect,
 * else a branch.
 * What is not known stays as it is, and is refused with the instruction's name when its kernel is
 * printed: dead code may hold anything.
 */
#include "compiler/core/diagnose.h"
#include "compiler/core/unit.h"
#include "compiler/lower/ptx/ptx_atomic.h"
#include "compiler/lower/ptx/ptx_branch.h"
#include "compiler/lower/ptx/ptx_compare.h"
#include "compiler/lower/ptx/ptx_convert.h"
#include "compiler/lower/ptx/ptx_copy.h"
#include "compiler/lower/ptx/ptx_field.h"
#include "compiler/lower/ptx/ptx_float.h"
#include "compiler/lower/ptx/ptx_half.h"
#include "compiler/lower/ptx/ptx_integer.h"
#include "compiler/lower/ptx/ptx_matrix.h"
#include "compiler/lower/ptx/ptx_memory.h"
#include "compiler/lower/ptx/ptx_mma.h"
#include "compiler/lower/ptx/ptx_mma_quads.h"
#include "compiler/lower/ptx/ptx_operands.h"
#include "compiler/lower/ptx/ptx_shared.h"
#include "compiler/lower/ptx/ptx_warp.h"
#include "compiler/model/ptx_reason.h"
#include "compiler/passes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The text without comments. */
static const char *without_comments(struct qn__unit *u, const char *text, size_t n)
{
    char *const out = QN__NEED_ARRAY(u, char, n + 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '/' && i + 1 < n && text[i + 1] == '/') {
            while (i < n && text[i] != '\n')
                i++;
            out[k++] = ' ';
        } else if (text[i] == '/' && i + 1 < n && text[i + 1] == '*') {
            for (i += 2; i + 1 < n && !(text[i] == '*' && text[i + 1] == '/'); i++) {
            }
            i++;
            out[k++] = ' ';
        } else {
            out[k++] = text[i];
        }
    }
    return out;
}

/* ---- statements ---- */

/* Why an instruction is refused on purpose; NULL: it is not. */
static const char *refused(const char *name)
{
    static const struct {
        const char *names, *why;
    } all[] = {
        {" wmma ", "fragments whose layout PTX does not tell; take nvcuda::wmma or mma.sync"},
        {" wgmma tcgen05 ",
         "tensor cores that read shared memory by themselves have no OpenCL form; "
         "take the kernel's path with mma.sync, or the one without tensor cores"},
        {" mbarrier ", "OpenCL has one barrier, of the whole work-group"},
        {" bra brx call ret exit ", "a jump out of straight-line code; write it in C++"},
        {" tex tld4 suld sust txq ", "textures and surfaces are not translated"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *const at = strstr(all[i].names, name);
        if (at && at > all[i].names && at[-1] == ' ' && at[strlen(name)] == ' ')
            return all[i].why;
    }
    return NULL;
}

static bool run_plain(struct qn__ptx *x)
{
    static enum qn__ptx_answer (*const kinds[])(struct qn__ptx *) = {
        qn__ptx_copy,    qn__ptx_shared,    qn__ptx_memory, qn__ptx_warp,  qn__ptx_atomic,
        qn__ptx_compare, qn__ptx_convert,   qn__ptx_half,   qn__ptx_float, qn__ptx_field,
        qn__ptx_integer, qn__ptx_mma_quads, qn__ptx_mma,    qn__ptx_matrix};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const enum qn__ptx_answer answer = kinds[i](x);
        if (answer == QN__PTX_DONE)
            return true;
        if (answer == QN__PTX_FAILED)
            return qn__ptx_unknown(x, "an operand or a form that has no OpenCL equivalent");
    }
    return qn__ptx_unknown(x, "no OpenCL form of this instruction is known; put the CUDA C++ "
                              "function that does the same in its place");
}

static bool run_in_branch(struct qn__ptx *x, const void *data)
{
    (void)data;
    return run_plain(x);
}

/* @p d = ...  ->  d = p ? ... : d    @p with an effect  ->  a branch */
static bool run_guarded(struct qn__ptx *x, const char *guard)
{
    const struct qn__ptx_type predicate = {.bits = 1, .is_predicate = true};
    const bool negated = *guard == '!';
    LLVMValueRef p = qn__ptx_part(x, guard + negated, &predicate);
    if (!p)
        return false;
    x->guard = (struct qn__ptx_guard){p, negated};
    if (negated)
        p = LLVMBuildNot(x->b, p, "");
    static const char *const effects[] = {
        "ld",   "ldu",        "st",   "bar",      "barrier",  "membar",   "fence",
        "trap", "shfl",       "vote", "redux",    "match",    "atom",     "red",
        "cp",   "activemask", "mma",  "ldmatrix", "stmatrix", "movmatrix"};
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (qn__equal(x->words[0], effects[i]))
            return qn__ptx_branch(x, p, run_in_branch, NULL);
    if (!x->n_operands || x->operands[0].n != 1 || x->operands[0].second)
        return qn__ptx_branch(x, p, run_in_branch, NULL);
    const char *const name = x->operands[0].parts[0];
    struct qn__ptx_type t = predicate;
    if (!qn__equal(x->words[0], "setp") &&
        (qn__equal(x->words[0], "cvt") || qn__ptx_has(x, "wide") ||
         !qn__ptx_type(&t, x->words[x->n_words - 1])))
        return qn__ptx_branch(x, p, run_in_branch, NULL);
    const LLVMValueRef old = qn__ptx_is_unset(x, name) ? LLVMConstNull(qn__ptx_llvm_type(x, &t))
                                                       : qn__ptx_part(x, name, &t);
    if (!old || !run_plain(x))
        return false;
    const LLVMValueRef now = qn__ptx_part(x, name, &t);
    return now && qn__ptx_set_part(x, name, LLVMBuildSelect(x->b, p, now, old, ""));
}

/* ".reg .b32 a, b<4>": false where a block within a block has a name of one around it. */
static bool declare(struct qn__ptx *x, const char *text)
{
    for (const char *p = text + strcspn(text, " \t"); *p;) {
        p += strspn(p, " \t\n,");
        const size_t n = strcspn(p, " \t\n,<");
        const char *const name = qn__text(x->u, " %.*s ", (int)n, p);
        if (*p != '.' && n) {
            if (x->depth > 1 && x->declared && strstr(x->declared, name))
                return qn__ptx_unknown(x, "a register that a block declares again within another: "
                                          "give it a name of its own");
            x->declared = qn__text(x->u, "%s%s", x->declared ? x->declared : "", name);
        }
        p += strcspn(p, " \t\n,");
    }
    return true;
}

static bool run_statement(struct qn__ptx *x, const char *text)
{
    const char *p = text;
    for (; isspace((unsigned char)*p) || *p == '{' || *p == '}'; p++)
        x->depth += *p == '{' ? 1u : *p == '}' ? -1u : 0u;
    if (!*p)
        return true;
    if (qn__starts_with(p, ".reg"))
        return declare(x, p);
    const char *guard = NULL;
    if (*p == '@') {
        const size_t n = strcspn(p, " \t\n");
        guard = qn__text(x->u, "%.*s", (int)n - 1, p + 1);
        p += n + strspn(p + n, " \t\n");
    }
    x->guard = (struct qn__ptx_guard){0};
    const char *const why = refused(qn__text(x->u, "%.*s", (int)strcspn(p, ". \t\n"), p));
    if (why) { /* whatever its operands are */
        x->text = qn__text(x->u, "%.*s", (int)strcspn(p, " \t\n"), p);
        return qn__ptx_unknown(x, why);
    }
    if (!qn__ptx_statement_read(x, p))
        return false;
    return guard ? run_guarded(x, guard) : run_plain(x);
}

/* Statements end with a semicolon; the braces of vectors contain no semicolon. */
static bool run_block(struct qn__ptx *x, const char *text)
{
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, ";");
        const char *const statement = qn__text(x->u, "%.*s", (int)n, p);
        x->text = statement;
        if (!run_statement(x, statement))
            return false;
        p += n + (p[n] == ';');
    }
    return true;
}

/* ---- operands of the block ---- */

/* "=r,=l,r,0,~{memory}": outputs, inputs, inputs that start an output, clobbers. */
static bool read_constraints(struct qn__ptx *x, const char *text)
{
    unsigned argument = 0;
    const unsigned most = LLVMGetNumArgOperands(x->call);
    x->values = QN__NEED_ARRAY(x->u, LLVMValueRef, most + strlen(text) + 1);
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, ",");
        const bool indirect = memchr(p, '*', n) != NULL;
        if (*p == '=' && !indirect) {
            x->n_outputs++;
            x->n_values++;
        } else if (*p != '~') {
            if (indirect || argument == most)
                return qn__ptx_unknown(x, "an operand in memory");
            const LLVMValueRef v = LLVMGetArgOperand(x->call, argument++);
            x->values[x->n_values++] = v;
            if (isdigit((unsigned char)*p)) {
                const unsigned tied = (unsigned)strtoul(p, NULL, 10);
                if (tied >= x->n_outputs)
                    return qn__ptx_unknown(x, "operands that are tied in a way not known");
                x->values[tied] = v;
            }
        }
        p += n + (p[n] == ',');
    }
    return true;
}

static LLVMTypeRef output_type(struct qn__ptx *x, unsigned i)
{
    const LLVMTypeRef t = LLVMTypeOf(x->call);
    return LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, i) : t;
}

/* The block's result from its output operands; NULL when one was never set. */
static LLVMValueRef collect(struct qn__ptx *x)
{
    const LLVMTypeRef whole = LLVMTypeOf(x->call);
    LLVMValueRef result = LLVMGetUndef(whole);
    for (unsigned i = 0; i < x->n_outputs; i++) {
        const LLVMTypeRef t = output_type(x, i);
        const LLVMTypeKind kind = LLVMGetTypeKind(t);
        struct qn__ptx_type type = {.bits = (unsigned)LLVMABISizeOfType(x->u->layout, t) * 8,
                                    .is_float =
                                        kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind};
        LLVMValueRef v = qn__ptx_part(x, qn__text(x->u, "$%u", i), &type);
        if (!v)
            return NULL;
        if (kind == LLVMPointerTypeKind)
            v = LLVMBuildIntToPtr(x->b, v, t, "");
        else if (LLVMTypeOf(v) != t)
            v = LLVMBuildBitCast(x->b, v, t, "");
        if (x->n_outputs == 1 && t == whole)
            return v;
        result = LLVMBuildInsertValue(x->b, result, v, i, "");
    }
    return result;
}

/* Try a block: on success its result has replaced the call's. */
static bool run_call(struct qn__ptx *x, struct qn__unit *u, LLVMValueRef call)
{
    const LLVMValueRef target = LLVMGetCalledValue(call);
    size_t n_text, n_constraints;
    const char *const text = LLVMGetInlineAsmAsmString(target, &n_text);
    const char *const constraints = LLVMGetInlineAsmConstraintString(target, &n_constraints);
    *x = (struct qn__ptx){.u = u, .module = u->module, .call = call, .at = call, .text = "asm"};
    x->b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(x->b, call);
    LLVMSetCurrentDebugLocation2(x->b, LLVMInstructionGetDebugLoc(call));
    bool good = read_constraints(x, qn__text(u, "%.*s", (int)n_constraints, constraints)) &&
                run_block(x, without_comments(u, text, n_text));
    if (good && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
        const LLVMValueRef result = collect(x);
        good = result != NULL;
        if (good)
            LLVMReplaceAllUsesWith(call, result);
    }
    LLVMDisposeBuilder(x->b);
    return good;
}

/* Remove what a failed attempt built before the call, in its block. A branch that it made stays. */
static void remove_after(LLVMValueRef last, LLVMValueRef call)
{
    for (LLVMValueRef in; (in = LLVMGetPreviousInstruction(call)) && in != last;)
        LLVMInstructionEraseFromParent(in);
}

static void try_call(struct qn__unit *u, LLVMValueRef call)
{
    struct qn__ptx x;
    const LLVMValueRef before = LLVMGetPreviousInstruction(call);
    if (run_call(&x, u, call)) {
        qn__explain(u, call, "inline PTX becomes plain code");
        LLVMInstructionEraseFromParent(call);
        return;
    }
    remove_after(before, call);
    qn__ptx_reason_set(u, call, x.reason);
}

qn_status qn__ptx_lower(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (LLVMIsACallInst(in) && LLVMIsAInlineAsm(LLVMGetCalledValue(in)))
                    try_call(u, in);
                else if (LLVMIsACallInst(in))
                    qn__ptx_shared_call(u, in);
            }
    return QN_OK;
}
