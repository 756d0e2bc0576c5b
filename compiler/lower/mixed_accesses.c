/* SPDX-License-Identifier: Apache-2.0
 *
 * A load, store, copy or call through a mixed pointer (mixed_pointers.c) is done once for each
 * space:
 *
 *     v = p[k]   ->   v = tag ? global[k] : own[k]
 *
 * Pointers with the same tag are asked once: p and p + 1 are in the same space.
 *
 * The choice is made in a function, so that LLVM's inliner makes its branches. It names the block
 * where they meet after the function, and by that name recover_ternaries.c knows a ?:. */
#include "compiler/lower/mixed_accesses.h"

#include "compiler/core/attributes.h"
#include "compiler/core/diagnose.h"

enum { MOST_OPERANDS = 64, MOST_CHOICES = 64 };

static const char function_name[] = "cond.end";

struct access {
    struct qn__split *s;
    LLVMValueRef in, function;
    unsigned n_operands;
    LLVMValueRef operand[MOST_OPERANDS]; /* of `in`, as the function has them; NULL: as it was */
    LLVMValueRef part[MOST_OPERANDS][QN__N_SPACES]; /* of mixed ones */
    LLVMValueRef is[MOST_OPERANDS][QN__N_SPACES];   /* i1; the last one needs none */
    const struct qn__parts *mixed[MOST_OPERANDS];   /* NULL: it is not */
    unsigned asked[MOST_OPERANDS];        /* the first operand that is always where it is */
    enum qn__space chosen[MOST_OPERANDS]; /* on the way to where the builder is */
    LLVMValueRef passed[MOST_OPERANDS * 2 * QN__N_SPACES];
    LLVMTypeRef types[MOST_OPERANDS * 2 * QN__N_SPACES];
    LLVMValueRef *places[MOST_OPERANDS * 2 * QN__N_SPACES]; /* where each came from */
    unsigned n_passed;
};

static void pass(struct access *a, LLVMValueRef *v)
{
    a->types[a->n_passed] = LLVMTypeOf(*v);
    a->passed[a->n_passed] = *v;
    a->places[a->n_passed++] = v;
}

static void do_it(struct access *a)
{
    const LLVMValueRef v = LLVMInstructionClone(a->in);
    const bool gives = LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind;
    LLVMInsertIntoBuilder(a->s->b, v);
    LLVMInstructionSetDebugLoc(v, NULL);
    for (unsigned i = 0; i < a->n_operands; i++)
        if (a->operand[i])
            LLVMSetOperand(v, i, a->operand[i]);
    if (gives)
        LLVMBuildRet(a->s->b, v);
    else
        LLVMBuildRetVoid(a->s->b);
}

/* The spaces of a mixed operand in the order of the questions: the first one is asked for first. */
static unsigned order(const struct access *a, unsigned i, enum qn__space *out)
{
    unsigned n = 0;
    if (a->part[i][a->s->first])
        out[n++] = a->s->first;
    for (enum qn__space w = QN__CONSTANT; w >= QN__PRIVATE; w--)
        if (a->part[i][w] && w != a->s->first)
            out[n++] = w;
    return n;
}

/* From this operand on, where the builder is. */
static void branch(struct access *a, unsigned i)
{
    const LLVMContextRef c = a->s->u->context;
    while (i < a->n_operands && !a->mixed[i])
        i++;
    if (i == a->n_operands) {
        do_it(a);
        return;
    }
    if (a->asked[i] != i) {
        a->operand[i] = a->part[i][a->chosen[a->asked[i]]];
        branch(a, i + 1);
        return;
    }
    enum qn__space spaces[QN__N_SPACES];
    const unsigned n = order(a, i, spaces);
    for (unsigned k = 0; k < n; k++) {
        LLVMBasicBlockRef rest = NULL;
        if (k + 1 < n) {
            const LLVMBasicBlockRef here = LLVMAppendBasicBlockInContext(c, a->function, "if.then");
            rest = LLVMAppendBasicBlockInContext(c, a->function, "if.else");
            LLVMBuildCondBr(a->s->b, a->is[i][spaces[k]], here, rest);
            LLVMPositionBuilderAtEnd(a->s->b, here);
        }
        a->chosen[i] = spaces[k];
        a->operand[i] = a->part[i][spaces[k]];
        branch(a, i + 1);
        if (rest)
            LLVMPositionBuilderAtEnd(a->s->b, rest);
    }
}

static unsigned n_spaces(const struct qn__parts *parts)
{
    unsigned n = 0;
    for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++)
        n += parts->pointer[w] != NULL;
    return n;
}

static bool are_together(const struct qn__parts *a, const struct qn__parts *b)
{
    bool same = a && b && a->tag == b->tag;
    for (enum qn__space w = QN__PRIVATE; same && w <= QN__CONSTANT; w++)
        same = !a->pointer[w] == !b->pointer[w];
    return same;
}

/* Why there cannot be an access for each choice of spaces; NULL: there can. */
static const char *find_mixed(struct access *a)
{
    unsigned choices = 1;
    if (a->n_operands > MOST_OPERANDS)
        return "this call has more arguments than are possible with a pointer that may point to "
               "different address spaces: make several calls of it";
    for (unsigned i = 0; i < a->n_operands; i++) {
        a->mixed[i] = qn__map_get(&a->s->parts, LLVMGetOperand(a->in, i));
        while (a->asked[i] < i && !are_together(a->mixed[a->asked[i]], a->mixed[i]))
            a->asked[i]++;
        if (a->mixed[i] && a->asked[i] == i)
            choices *= n_spaces(a->mixed[i]);
        if (choices > MOST_CHOICES)
            return "this call has too many pointers that may point to different address spaces: "
                   "make several calls of it";
    }
    return NULL;
}

static void pass_mixed(struct access *a, unsigned i)
{
    enum qn__space spaces[QN__N_SPACES];
    for (enum qn__space w = QN__PRIVATE; w <= QN__CONSTANT; w++)
        a->part[i][w] = a->mixed[i]->pointer[w];
    const unsigned n = order(a, i, spaces);
    for (unsigned k = 0; k < n; k++) {
        const bool asks = k + 1 < n && a->asked[i] == i;
        if (asks)
            a->is[i][spaces[k]] = qn__split_is(a->s, a->mixed[i]->tag, spaces[k]);
        pass(a, &a->part[i][spaces[k]]);
        if (asks)
            pass(a, &a->is[i][spaces[k]]);
    }
}

/* What the function is passed; then its parameters stand in their place. */
static void find_operands(struct access *a)
{
    for (unsigned i = 0; i < a->n_operands; i++) {
        const LLVMValueRef o = LLVMGetOperand(a->in, i);
        if (a->mixed[i]) {
            pass_mixed(a, i);
        } else if (LLVMIsAInstruction(o) || LLVMIsAArgument(o)) {
            a->operand[i] = o;
            pass(a, &a->operand[i]);
        }
    }
    a->function =
        LLVMAddFunction(a->s->u->module, function_name,
                        LLVMFunctionType(LLVMTypeOf(a->in), a->types, a->n_passed, false));
    for (unsigned i = 0; i < a->n_passed; i++)
        *a->places[i] = LLVMGetParam(a->function, i);
}

/* The access is gone, as is the whole text in the end. */
static void refuse(struct access *a, const char *why)
{
    struct qn__unit *const u = a->s->u;
    const LLVMValueRef before = u->current_function;
    u->current_function = a->s->f->llvm;
    qn__refuse(u, a->in, "%s", why);
    u->current_function = before;
    if (LLVMGetTypeKind(LLVMTypeOf(a->in)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(a->in, LLVMGetPoison(LLVMTypeOf(a->in)));
    LLVMInstructionEraseFromParent(a->in);
}

void qn__split_access(struct qn__split *s, LLVMValueRef in)
{
    struct qn__unit *const u = s->u;
    struct access a = {.s = s, .in = in, .n_operands = (unsigned)LLVMGetNumOperands(in)};
    const char *const why_not = find_mixed(&a);
    if (why_not) {
        refuse(&a, why_not);
        return;
    }
    LLVMPositionBuilderBefore(s->b, in);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(in));
    find_operands(&a);
    qn__add_attribute(u, a.function, "alwaysinline");
    qn__add_attribute(u, a.function, "convergent");
    qn__add_attribute(u, a.function, "nounwind");
    LLVMSetLinkage(a.function, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(s->b, LLVMAppendBasicBlockInContext(u->context, a.function, "entry"));
    LLVMSetCurrentDebugLocation2(s->b, NULL);
    branch(&a, 0);
    LLVMPositionBuilderBefore(s->b, in);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(in));
    const LLVMValueRef now = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(a.function), a.function,
                                            a.passed, a.n_passed, "");
    qn__explain(u, now,
                "an access through a pointer to one of several address spaces: one for each");
    if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMVoidTypeKind) {
        size_t n;
        const char *const name = qn__text(u, "%s", LLVMGetValueName2(in, &n));
        LLVMReplaceAllUsesWith(in, now);
        LLVMSetValueName2(now, name, n);
    }
    LLVMInstructionEraseFromParent(in);
}
