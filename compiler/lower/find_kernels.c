/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the module, by the metadata that clang made: which functions they are, their
 * __launch_bounds__, the name expression that asked for each. At the end each gets the name it has
 * in the text. */
#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/core/kernel_list.h"
#include "compiler/core/legal_names.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

#include <string.h>

/* A row of !nvvm.annotations that holds a number of __launch_bounds__. */
static void read_bound(struct qn__unit *u, LLVMValueRef row)
{
    LLVMValueRef parts[3];
    if (LLVMGetMDNodeNumOperands(row) != 3)
        return;
    LLVMGetMDNodeOperands(row, parts);
    unsigned length = 0;
    const char *const text = parts[0] ? LLVMGetMDString(parts[1], &length) : NULL;
    const char *const key = text ? qn__text(u, "%.*s", (int)length, text) : "";
    struct qn__kernel_source *const k = parts[0] ? qn__kernel_of(u, parts[0]) : NULL;
    if (k && qn__equal(key, "maxntidx"))
        k->block_threads_max = k->bound_threads = (uint32_t)LLVMConstIntGetZExtValue(parts[2]);
    else if (k && qn__equal(key, "minctasm"))
        k->bound_blocks = (uint32_t)LLVMConstIntGetZExtValue(parts[2]);
}

static LLVMValueRef strip_casts(LLVMValueRef v)
{
    while (LLVMIsAConstantExpr(v) &&
           (LLVMGetConstOpcode(v) == LLVMAddrSpaceCast || LLVMGetConstOpcode(v) == LLVMBitCast))
        v = LLVMGetOperand(v, 0);
    return v;
}

/* The variable of a name expression holds it. */
static bool is_named(struct qn__unit *u, LLVMValueRef kernel)
{
    for (uint32_t i = 0; i < u->request->n_names; i++) {
        const LLVMValueRef v =
            LLVMGetNamedGlobal(u->module, qn__text(u, "__qn_name_%u", (unsigned)i));
        if (v && LLVMGetInitializer(v) && strip_casts(LLVMGetInitializer(v)) == kernel)
            return true;
    }
    return false;
}

/* Host code that calls a library makes kernels of the library's; they are the user's where the
 * request names them. */
static bool is_of_library(struct qn__unit *u, LLVMValueRef kernel)
{
    struct qn__place_in_source place;
    const LLVMMetadataRef function = LLVMGetSubprogram(kernel);
    return u->result->machine.n_toolkit > 0 && function && !qn__where_begins(u, function, &place) &&
           !is_named(u, kernel);
}

static void find_kernels(struct qn__unit *u)
{
    uint32_t n_found;
    LLVMValueRef *const found = qn__kernel_list(u, &n_found);
    for (uint32_t i = 0; i < n_found; i++)
        if (!is_of_library(u, found[i]))
            QN__PUSH(u, u->kernels, u->n_kernels, u->kernels_capacity,
                     ((struct qn__kernel_source){.function = found[i]}));
    const unsigned n = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations");
    LLVMValueRef *const rows = QN__NEED_ARRAY(u, LLVMValueRef, n);
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", rows);
    for (unsigned i = 0; i < n; i++)
        read_bound(u, rows[i]);
}

/* Bitcode of a test has no annotations. */
static void take_all_as_kernels(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            QN__PUSH(u, u->kernels, u->n_kernels, u->kernels_capacity,
                     ((struct qn__kernel_source){.function = f}));
}

qn_status qn__kernels_find(struct qn__unit *u)
{
    find_kernels(u);
    if (u->request->bitcode && u->n_kernels == 0)
        take_all_as_kernels(u);
    return QN_OK;
}

/* Which symbol each name expression is; the variables that hold them disappear. */
qn_status qn__name_expressions_resolve(struct qn__unit *u)
{
    u->name_values = QN__NEED_ARRAY(u, LLVMValueRef, u->request->n_names);
    for (uint32_t i = 0; i < u->request->n_names; i++) {
        const LLVMValueRef v =
            LLVMGetNamedGlobal(u->module, qn__text(u, "__qn_name_%u", (unsigned)i));
        const LLVMValueRef init = v ? LLVMGetInitializer(v) : NULL;
        if (!init)
            continue;
        u->name_values[i] = strip_casts(init);
        struct qn__kernel_source *const k = qn__kernel_of(u, u->name_values[i]);
        if (k) {
            k->expression = u->request->names[i];
            u->names_kernels = true;
        }
        LLVMDeleteGlobal(v);
    }
    return QN_OK;
}

/* A kernel's name in the text: its own for extern "C", else what the source calls it, made legal.
 */
static const char *kernel_name(struct qn__unit *u, struct qn__kernel_source *k)
{
    size_t n;
    const char *const symbol = LLVMGetValueName2(k->function, &n);
    const char *spelled =
        qn__starts_with(symbol, "_Z") ? qn__di_function_name(u, k->function) : symbol;
    const char *const wish = qn__name_legal(u, *spelled ? spelled : symbol);
    const char *name = wish;
    bool taken = true;
    for (unsigned i = 2; taken; i++) {
        taken = false;
        for (struct qn__kernel_source *o = u->kernels; o < k && !taken; o++) {
            taken = qn__equal(o->name, name);
            if (taken)
                o->shares_name = k->shares_name = true;
        }
        if (taken)
            name = qn__text(u, "%s_%u", wish, i);
    }
    return name;
}

qn_status qn__kernel_names_choose(struct qn__unit *u)
{
    for (uint32_t i = 0; i < u->n_kernels; i++)
        u->kernels[i].name = kernel_name(u, &u->kernels[i]);
    return QN_OK;
}
