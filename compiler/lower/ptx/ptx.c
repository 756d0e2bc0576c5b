/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of inline PTX: the text is cut into statements, each is handed to the file that knows its
 * kind, and the registers left in the output operands are the block's results.
 *
 *     asm("{ .reg .u32 t; shl.b32 t, %1, 4; or.b32 %0, t, %2; }" : "=r"(d) : "r"(a), "r"(b));
 *     d = a << 4 | b;
 *
 * Registers hold LLVM values, so a name is just what was assigned last. Braces only bound names
 * and are skipped. A guard (@p) becomes a select where the statement has a result and no effect.
 */
#include "compiler/lower/ptx/ptx.h"

#include "compiler/passes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool qn__ptx_unknown(struct qn__ptx *x, const char *why)
{
    if (!x->reason)
        x->reason = qn__text(x->u, "%s: %s", x->text, why);
    return false;
}

bool qn__ptx_has(const struct qn__ptx *x, const char *word)
{
    for (unsigned i = 1; i < x->n_words; i++)
        if (qn__equal(x->words[i], word))
            return true;
    return false;
}

bool qn__ptx_only(struct qn__ptx *x, const char *allowed)
{
    for (unsigned i = 1; i + 1 < x->n_words; i++) {
        const size_t n = strlen(x->words[i]);
        bool known = false;
        for (const char *p = allowed; *p && !known; p += strspn(p, " ")) {
            const size_t m = strcspn(p, " ");
            known = m == n && memcmp(p, x->words[i], n) == 0;
            p += m;
        }
        if (!known)
            return qn__ptx_unknown(x, qn__text(x->u, ".%s has no OpenCL form", x->words[i]));
    }
    return true;
}

/* ---- text ---- */

static const char *trimmed(struct qn__unit *u, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return qn__text(u, "%.*s", (int)(to - from), from);
}

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

static bool read_operand(struct qn__ptx *x, const char *from, const char *to)
{
    struct qn__ptx_operand *const o = &x->operands[x->n_operands];
    if (x->n_operands == QN__PTX_OPERANDS)
        return qn__ptx_unknown(x, "too many operands");
    *o = (struct qn__ptx_operand){0};
    const char *whole = trimmed(x->u, from, to);
    const size_t n = strlen(whole);
    if (!n)
        return qn__ptx_unknown(x, "an operand is missing");
    x->n_operands++;
    if ((*whole == '{' && whole[n - 1] == '}') || (*whole == '[' && whole[n - 1] == ']')) {
        o->is_address = *whole == '[';
        for (const char *p = whole + 1, *end; p < whole + n - 1; p = end + 1) {
            end = p + strcspn(p, o->is_address ? "]" : ",}");
            if (o->n == QN__PTX_PARTS)
                return qn__ptx_unknown(x, "a vector of more than four");
            o->parts[o->n++] = trimmed(x->u, p, end);
        }
        return o->n > 0 || qn__ptx_unknown(x, "an operand is missing");
    }
    const char *const bar = strchr(whole, '|');
    if (bar) {
        o->second = trimmed(x->u, bar + 1, whole + n);
        whole = trimmed(x->u, whole, bar);
    }
    o->parts[o->n++] = whole;
    return true;
}

/* "name.word.word a, b, {c, d}" */
static bool read_statement(struct qn__ptx *x, const char *p)
{
    const char *const name_end = p + strcspn(p, " \t\n\r");
    x->text = qn__text(x->u, "%.*s", (int)(name_end - p), p);
    x->n_words = x->n_operands = 0;
    for (const char *w = p; w < name_end;) {
        const size_t n = strcspn(w, ". \t\n\r");
        if (x->n_words == QN__PTX_WORDS)
            return qn__ptx_unknown(x, "no instruction that is known");
        x->words[x->n_words++] = qn__text(x->u, "%.*s", (int)n, w);
        w += n + (w[n] == '.');
    }
    int depth = 0;
    const char *from = name_end;
    const char *q = from;
    for (;; q++) {
        depth += *q == '{' || *q == '[' ? 1 : *q == '}' || *q == ']' ? -1 : 0;
        if ((*q == ',' && depth == 0) || *q == 0) {
            const bool empty = *q == 0 && x->n_operands == 0 && !*trimmed(x->u, from, q);
            if (!empty && !read_operand(x, from, q))
                return false;
            from = q + 1;
        }
        if (!*q)
            return true;
    }
}

/* ---- statements ---- */

/* Why an instruction is refused on purpose; NULL: it is not. */
static const char *refused(const char *name)
{
    static const struct {
        const char *names, *why;
    } all[] = {
        {" mma wmma ldmatrix stmatrix movmatrix wgmma tcgen05 ",
         "tensor cores have no OpenCL form; take the kernel's path without them"},
        {" cp ", "asynchronous copies have no OpenCL form; copy in a loop and meet at a barrier"},
        {" mbarrier ", "OpenCL has one barrier, of the whole work-group"},
        {" bra brx call ret exit ", "a jump out of straight-line code; write it in C++"},
        {" tex tld4 suld sust txq ", "textures and surfaces are not translated"},
        {" atom red ", "an atomic operation; use the CUDA function"},
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
    static enum qn__ptx_answer (*const kinds[])(struct qn__ptx *) = {qn__ptx_memory, qn__ptx_float,
                                                                     qn__ptx_integer};
    const char *const why = refused(x->words[0]);
    if (why)
        return qn__ptx_unknown(x, why);
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

/* @p d = ...  ->  d = p ? ... : d. What has effects would need a branch. */
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
    static const char *const effects[] = {"ld",    "ldu",  "st",   "bar",  "barrier", "membar",
                                          "fence", "trap", "shfl", "vote", "redux",   "bra",
                                          "exit",  "ret",  "atom", "red"};
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (qn__equal(x->words[0], effects[i]))
            return qn__ptx_unknown(x, "under a predicate; write an if around it in C++");
    if (!x->n_operands || x->operands[0].n != 1 || x->operands[0].second)
        return qn__ptx_unknown(x, "under a predicate; write an if around it in C++");
    const char *const name = x->operands[0].parts[0];
    struct qn__ptx_type t;
    if (qn__equal(x->words[0], "setp"))
        t = predicate;
    else if (!qn__ptx_last_type(x, &t))
        return false;
    const LLVMValueRef old = qn__ptx_part(x, name, &t);
    if (!old || !run_plain(x))
        return false;
    const LLVMValueRef now = qn__ptx_part(x, name, &t);
    return now && qn__ptx_set_part(x, name, LLVMBuildSelect(x->b, p, now, old, ""));
}

static bool run_statement(struct qn__ptx *x, const char *text)
{
    const char *p = text;
    while (isspace((unsigned char)*p) || *p == '{' || *p == '}')
        p++;
    if (!*p || qn__starts_with(p, ".reg"))
        return true;
    const char *guard = NULL;
    if (*p == '@') {
        const size_t n = strcspn(p, " \t\n");
        guard = qn__text(x->u, "%.*s", (int)n - 1, p + 1);
        p += n + strspn(p + n, " \t\n");
    }
    x->guard = (struct qn__ptx_guard){0};
    if (!read_statement(x, p))
        return false;
    return guard ? run_guarded(x, guard) : run_plain(x);
}

/* Statements end with a semicolon; the braces of vectors hold none. */
static bool run_block(struct qn__ptx *x, const char *text)
{
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, ";");
        const char *const statement = trimmed(x->u, p, p + n);
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
    *x = (struct qn__ptx){.u = u, .module = u->module, .call = call, .text = "asm"};
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

/* Take back what a failed attempt built in front of the call. */
static void remove_after(LLVMValueRef last, LLVMValueRef call)
{
    for (LLVMValueRef in; (in = LLVMGetPreviousInstruction(call)) != last;)
        LLVMInstructionEraseFromParent(in);
}

/* The reason travels on the call itself, through inlining. */
static unsigned reason_kind(struct qn__unit *u)
{
    static const char name[] = "quern.ptx";
    return LLVMGetMDKindIDInContext(u->context, name, sizeof name - 1);
}

const char *qn__ptx_reason(struct qn__unit *u, LLVMValueRef call)
{
    const LLVMValueRef node = LLVMGetMetadata(call, reason_kind(u));
    LLVMValueRef text = NULL;
    unsigned n = 0;
    if (node && LLVMGetMDNodeNumOperands(node) == 1)
        LLVMGetMDNodeOperands(node, &text);
    const char *const reason = text ? LLVMGetMDString(text, &n) : NULL;
    return reason ? qn__text(u, "%.*s", (int)n, reason) : "no OpenCL form is known";
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
    LLVMMetadataRef text = LLVMMDStringInContext2(u->context, x.reason, strlen(x.reason));
    const LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, &text, 1);
    LLVMSetMetadata(call, reason_kind(u), LLVMMetadataAsValue(u->context, node));
}

qn_status qn__ptx_lower(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (LLVMIsACallInst(in) && LLVMIsAInlineAsm(LLVMGetCalledValue(in)))
                    try_call(u, in);
            }
    return QN_OK;
}
