/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that have an address: local arrays, shared memory, hidden arguments, constant
 * tables. Each is made when an expression first asks for it. */
#include "compiler/expr/expr_variable.h"
#include "compiler/expr/expr_constant.h"
#include "compiler/model/initial_value.h"
#include "compiler/model/source_types.h"

#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/core/legal_names.h"
#include "compiler/model/address_space.h"
#include "compiler/model/alias_types.h"
#include "compiler/model/alignment.h"

#include <string.h>

/* Is memory read and written by volatile accesses alone? */
static bool is_volatile(LLVMValueRef pointer)
{
    bool any = false;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && qn__is_noop_call(qn__callee(user)))
            continue;
        const bool loads = LLVMIsALoadInst(user),
                   stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
        if (loads || stores ? !LLVMGetVolatile(user)
                            : !LLVMIsAGetElementPtrInst(user) || !is_volatile(user))
            return false;
        any = true;
    }
    return any;
}

struct qn__var *qn__memory_var(struct qn__function *f, LLVMValueRef alloca_)
{
    struct qn__var *v = qn__map_get(&f->memory_of, alloca_);
    if (v)
        return v;
    struct qn__unit *const u = f->u;
    LLVMTypeRef t = LLVMGetAllocatedType(alloca_);
    const struct qn__type *type = qn__type_of(u, t, NULL, alloca_);
    const LLVMValueRef count = LLVMGetOperand(alloca_, 0);
    if (!LLVMIsAConstantInt(count))
        qn__refuse(u, alloca_,
                   "an array whose size is not known when the kernel is compiled: give it the most "
                   "that it may need");
    else if (LLVMConstIntGetZExtValue(count) != 1)
        type = qn__type_array(u, type, LLVMConstIntGetZExtValue(count));
    const struct qn__source_name name = qn__name_of(u, alloca_);
    v = qn__var_new(f, *name.name ? name.name : "array", type);
    v->is_memory = true;
    v->is_volatile = is_volatile(alloca_);
    v->aligned = qn__extra_alignment(u, alloca_, type);
    qn__map_put(u, &f->memory_of, alloca_, v);
    return v;
}

/* "_ZZ4kernE4tile" and "_ZZ1kIfEvPKT_PS0_ij4bodyE1s" are tile and s: the last <length><name>. */
const char *qn__variable_name(struct qn__unit *u, LLVMValueRef global)
{
    size_t n;
    const char *const name = LLVMGetValueName2(global, &n),
                      *spelled = qn__di_variable_name(u, global);
    if (*spelled)
        return spelled;
    if (strncmp(name, "_Z", 2) != 0)
        return qn__text(u, "%.*s", (int)strcspn(name, "."), name);
    for (size_t i = n; i-- > 2;) {
        unsigned length = 0;
        size_t k = i;
        while (k < n && name[k] >= '0' && name[k] <= '9' && length < 10000)
            length = length * 10 + (unsigned)(name[k++] - '0');
        if (k == i || length == 0 || (i && name[i - 1] >= '0' && name[i - 1] <= '9'))
            continue;
        if (k + length <= n &&
            (k + length == n || name[k + length] == '_' || name[k + length] == 'E' ||
             name[k + length] == 'I' || name[k + length] == '.'))
            return qn__text(u, "%.*s", (int)length, name + k);
    }
    return name;
}

static bool is_dynamic(LLVMValueRef shared)
{
    return LLVMIsDeclaration(shared);
}

struct qn__var *qn__shared_var(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__map_get(&f->memory_of, g);
    if (v)
        return v;
    const LLVMTypeRef t = LLVMGlobalGetValueType(g);
    const struct qn__type *const type = qn__type_of(u, t, NULL, NULL);
    if (is_dynamic(g)) {
        if (!f->dynamic_shared) {
            /* uint4 for its alignment: NVIDIA's driver places local arguments by their type's own
             */
            const struct qn__type *const chunk = qn__type_vector(u, qn__type_int(u, 32, true), 4);
            f->dynamic_shared = qn__var_new(f, "dynamic_shared",
                                            qn__type_pointer(u, chunk, QN__LOCAL, false, false));
            f->dynamic_shared->is_argument = true;
            const struct qn__hidden h = {QN__HIDDEN_SHARED, 0};
            QN__PUSH(u, f->hidden, f->n_hidden, f->hidden_capacity, h);
            uint32_t n = f->n_hidden - 1;
            QN__PUSH(u, f->hidden_vars, n, f->hidden_vars_capacity, f->dynamic_shared);
        }
        const struct qn__type *const to = type->kind == QN__ARRAY ? type->of : type;
        v = qn__var_new(
            f, qn__variable_name(u, g),
            qn__type_with_aliases(f, g, qn__type_pointer(u, to, QN__LOCAL, false, false)));
    } else {
        v = qn__var_new(f, qn__variable_name(u, g), type);
        v->aligned = LLVMGetAlignment(g) > qn__type_align(type) ? LLVMGetAlignment(g)
                                                                : qn__extra_alignment(u, g, type);
        f->shared_bytes = (f->shared_bytes + qn__type_align(type) - 1) / qn__type_align(type) *
                              qn__type_align(type) +
                          qn__type_size(type);
    }
    v->is_shared = true;
    qn__map_put(u, &f->memory_of, g, v);
    QN__PUSH(u, f->shared, f->n_shared, f->shared_capacity, v);
    return v;
}

struct qn__var *qn__shared_scratch(struct qn__function *f, const char *wish,
                                   const struct qn__type *type)
{
    struct qn__var *const v = qn__var_new(f, wish, type);
    v->is_shared = true;
    f->shared_bytes = (f->shared_bytes + 15) / 16 * 16 + qn__type_size(type);
    QN__PUSH(f->u, f->shared, f->n_shared, f->shared_capacity, v);
    return v;
}

struct qn__var *qn__scratch(struct qn__function *f, unsigned bits)
{
    enum { BLOCK_MAX = 1024 }; /* CUDA's limit, where the source gives no launch bound */
    uint32_t *const bound = &f->source->block_threads_max;
    const uint32_t words = bits / 32;
    if (!*bound || *bound > BLOCK_MAX)
        *bound = BLOCK_MAX;
    if (!f->scratch)
        f->scratch = qn__shared_scratch(f, "lanes",
                                        qn__type_array(f->u, qn__type_int(f->u, 32, true), *bound));
    /* what a whole warp leaves may be more than its own work-items' share where some are missing */
    const uint32_t lanes = words > 2 ? (*bound + 31) / 32 * 32 : *bound;
    const uint64_t before = f->scratch->type->count;
    if (before < words * lanes) {
        f->shared_bytes += 4 * (words * lanes - before);
        f->scratch->type = qn__type_array(f->u, f->scratch->type->of, words * lanes);
    }
    return f->scratch;
}

static uint32_t module_var(struct qn__unit *u, LLVMValueRef g)
{
    for (uint32_t i = 0; i < u->n_vars; i++)
        if (u->vars[i].llvm == g)
            return i;
    const char *const name = qn__variable_name(u, g);
    const uint32_t own = u->n_vars;
    struct qn__initial_addresses found = {0};
    struct qn__module_var v = {g, name, own, qn__initial_value(u, g, name, &found), NULL, found.n};
    v.addresses = QN__NEED_ARRAY(u, struct qn__address, found.n);
    QN__PUSH(u, u->vars, u->n_vars, u->vars_capacity, v);
    for (uint32_t i = 0; i < found.n; i++) /* may be of variables that are not there yet */
        v.addresses[i] = (struct qn__address){
            found.items[i].offset, module_var(u, found.items[i].variable), found.items[i].addend};
    return own;
}

bool qn__is_constant_variable(LLVMValueRef g)
{
    enum { CONSTANT = 4 };
    return LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == CONSTANT;
}

struct qn__var *qn__hidden_var(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__map_get(&f->hidden_of, g);
    if (v)
        return v;
    const uint32_t index = module_var(u, g);
    const struct qn__type *const t = qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL);
    const struct qn__type *const to = t->kind == QN__ARRAY ? t->of : t;
    v = qn__var_new(f, u->vars[index].name,
                    qn__type_pointer(u, to, QN__GLOBAL, qn__is_constant_variable(g), false));
    v->is_argument = true;
    qn__map_put(u, &f->hidden_of, g, v);
    const struct qn__hidden h = {QN__HIDDEN_GLOBAL, index};
    QN__PUSH(u, f->hidden, f->n_hidden, f->hidden_capacity, h);
    uint32_t n = f->n_hidden - 1;
    QN__PUSH(u, f->hidden_vars, n, f->hidden_vars_capacity, v);
    return v;
}

struct qn__var *qn__table_var(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__map_get(&f->hidden_of, g);
    if (v)
        return v;
    uint32_t i = 0;
    while (i < u->n_constants && u->constants[i].llvm != g)
        i++;
    if (i == u->n_constants) {
        const struct qn__table table = {g, qn__initializer(u, LLVMGetInitializer(g))};
        QN__PUSH(u, u->constants, u->n_constants, u->constants_capacity, table);
    }
    v = qn__var_new(f, "", qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL));
    v->name = qn__table_name(u, i);
    v->is_argument = true; /* declared elsewhere, under a fixed name */
    qn__map_put(u, &f->hidden_of, g, v);
    return v;
}

const char *qn__table_name(struct qn__unit *u, uint32_t i)
{
    return qn__text(u, "%s_table%u", qn__name_legal(u, qn__variable_name(u, u->constants[i].llvm)),
                    i);
}
