/* SPDX-License-Identifier: Apache-2.0
 *
 * Reflection: each kernel's arguments and hidden arguments, the module's variables with their
 * initial bytes, the extensions and build options the text needs. */
#include "compiler/out/reflect.h"
#include "compiler/expr/expr_variable.h"
#include "compiler/lang/language.h"
#include "compiler/out/nv_registers.h"

#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A copy: the module is gone when the reflection is read. */
static const char *kernel_symbol(struct qn__unit *u, const struct qn__kernel_source *k)
{
    size_t n;
    return qn__text(u, "%s", LLVMGetValueName2(k->function, &n));
}

/* What a source would call the kernel: "ns::saxpy<float>". */
static const char *plain_expression(struct qn__unit *u, const struct qn__kernel_source *k)
{
    const char *const symbol = kernel_symbol(u, k);
    if (!qn__starts_with(symbol, "_Z"))
        return symbol;
    const char *const name = qn__di_function_name(u, k->function);
    return *name ? qn__di_qualified(u, LLVMGetSubprogram(k->function), name) : symbol;
}

/* Has another kernel the same expression? Overloads have. */
static bool is_overloaded(struct qn__unit *u, const struct qn__kernel_source *k, const char *plain)
{
    for (uint32_t i = 0; k->shares_name && i < u->n_kernels; i++)
        if (&u->kernels[i] != k && u->kernels[i].shares_name &&
            qn__equal(plain_expression(u, &u->kernels[i]), plain))
            return true;
    return false;
}

/* "bump(int *)" where there is another bump: what names this kernel and no other. */
static const char *kernel_expression(struct qn__unit *u, const struct qn__kernel_source *k)
{
    if (k->expression)
        return k->expression;
    const char *text = plain_expression(u, k);
    if (!is_overloaded(u, k, text))
        return text;
    const unsigned n = LLVMCountParams(k->function);
    for (unsigned i = 0; i < n; i++)
        text = qn__text(u, "%s%s%s", text, i ? ", " : "(",
                        qn__di_parameter_spelling(u, qn__di_parameter(u, k->function, i)));
    return qn__text(u, "%s%s", text, n ? ")" : "()");
}

/* The alignment in the caller's C of an argument, which is of type t there. */
static uint32_t c_alignment(struct qn__function *f, unsigned i, const struct qn__type *t)
{
    const LLVMAttributeRef a =
        LLVMGetEnumAttributeAtIndex(f->llvm, i + 1, LLVMGetEnumAttributeKindForName("align", 5));
    const bool is_struct =
        qn__byval_type(f->u, f->llvm, i) || qn__buffered_type(f->u, LLVMGetParam(f->llvm, i));
    return (uint32_t)(is_struct && a ? LLVMGetEnumAttributeValue(a) : qn__type_align(t));
}

static struct qn__kernel describe(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    const unsigned n = LLVMCountParams(f->llvm);
    qn_arg_info *const args = QN__NEED_ARRAY(u, qn_arg_info, n);
    for (unsigned i = 0; i < n; i++) {
        const struct qn__var *const v = f->values[i].var;
        const LLVMMetadataRef di = qn__di_parameter(u, f->llvm, i);
        const bool in_buffer = qn__buffered_type(u, LLVMGetParam(f->llvm, i)) != NULL;
        const struct qn__type *const t = in_buffer ? v->type->of : v->type;
        args[i].name = v->wish;
        args[i].type = di ? qn__di_spelling(u, di) : "";
        args[i].kind = t->kind == QN__POINTER ? QN_ARG_POINTER : QN_ARG_VALUE;
        args[i].size_bytes = (uint32_t)qn__type_size(t);
        args[i].align_bytes = c_alignment(f, i, t);
        args[i].in_buffer = in_buffer;
    }
    return (struct qn__kernel){
        .info = {.name = f->source->name,
                 .expression = kernel_expression(u, f->source),
                 .symbol = kernel_symbol(u, f->source),
                 .args_known = true,
                 .n_args = n,
                 .args = args,
                 .static_shared_bytes = f->shared_bytes,
                 .block_threads_max = f->source->block_threads_max},
        .n_hidden = u->language->in_loops ? 0 : f->n_hidden, /* the block has them */
        .hidden = f->hidden,
        .has_indirect_pointers = f->has_indirect_pointers,
        .has_barrier = f->has_barrier,
    };
}

void qn__reflect_kernel(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    struct qn__kernel k = describe(f);
    QN__PUSH(u, u->reflected, u->n_reflected, u->reflected_capacity, k);
    for (uint32_t i = 0; i < u->request->n_names; i++) /* a kernel asked for under several names */
        if (u->name_values[i] == f->llvm && !qn__equal(u->request->names[i], k.info.expression)) {
            k.info.expression = u->request->names[i];
            QN__PUSH(u, u->reflected, u->n_reflected, u->reflected_capacity, k);
        }
}

/* "_ZN2ns1xE" is ns::x; any other symbol stays what it is. */
static const char *qualified_symbol(struct qn__unit *u, const char *symbol)
{
    const char *out = "", *p = symbol + 3;
    if (!qn__starts_with(symbol, "_ZN"))
        return symbol;
    while (*p >= '1' && *p <= '9') {
        char *end;
        const unsigned long n = strtoul(p, &end, 10);
        if (n > strlen(end))
            return symbol;
        out = qn__text(u, "%s%s%.*s", out, *out ? "::" : "", (int)n, end);
        p = end + n;
    }
    return qn__equal(p, "E") ? out : symbol;
}

/* The plain name, where only one variable has it; of several only the one that is in no namespace,
 * class or function. */
const char *qn__global_name(struct qn__unit *u, const struct qn__module_var *v)
{
    size_t n;
    const char *const symbol = qn__text(u, "%s", LLVMGetValueName2(v->llvm, &n));
    bool shared = false;
    for (uint32_t i = 0; i < u->n_vars; i++)
        shared |= &u->vars[i] != v && qn__equal(u->vars[i].name, v->name);
    return !shared || qn__equal(symbol, v->name) ? v->name : qualified_symbol(u, symbol);
}

static struct qn__global describe_global(struct qn__unit *u, const struct qn__module_var *v)
{
    enum { ALIGN = 16 };
    struct qn__global g = {.name = qn__global_name(u, v)};
    g.symbol = g.name;
    g.size_bytes = LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(v->llvm));
    g.align_bytes = LLVMGetAlignment(v->llvm) > ALIGN ? LLVMGetAlignment(v->llvm) : ALIGN;
    g.is_constant = qn__is_constant_variable(v->llvm);
    for (uint32_t i = 0; i < u->request->n_names; i++)
        if (u->name_values[i] == v->llvm)
            g.name = u->request->names[i] + strspn(u->request->names[i], "& ");
    g.init = v->initial;
    g.addresses = v->addresses;
    g.n_addresses = v->n_addresses;
    return g;
}

static void describe_needs(struct qn__unit *u, struct qn__reflection *r)
{
    const char **const needs = QN__NEED_ARRAY(u, const char *, QN__N_ABILITIES);
    for (unsigned a = 0; a < QN__N_ABILITIES; a++)
        if (u->abilities_used >> a & 1 && *qn__ability_extension((enum qn__ability)a))
            needs[r->n_needs++] = qn__ability_extension((enum qn__ability)a);
    r->needs = needs;
    const char *options = qn__text(u, "-cl-std=%s", u->profile->cl_std);
    if (u->fast_math) /* what may be contracted the pragma says: no __fmul_rn */
        options = qn__text(u, "%s -cl-denorms-are-zero", options);
    else if (qn__profile_can(u->profile, QN__CAN_correct_divide))
        options = qn__text(u, "%s -cl-fp32-correctly-rounded-divide-sqrt", options);
    const uint32_t registers = qn__registers_of(u);
    if (registers)
        options = qn__text(u, "%s -cl-nv-maxrregcount=%u", options, (unsigned)registers);
    r->build_options = options;
}

/* ---- JSON ---- */

static json_t *json_kernel(const struct qn__kernel *k)
{
    json_t *const args = json_array(), *const hidden = json_array();
    for (uint32_t i = 0; i < k->info.n_args; i++) {
        const qn_arg_info *const a = &k->info.args[i];
        json_array_append_new(args, json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "name", a->name,
                                              "type", a->type, "kind",
                                              a->kind == QN_ARG_POINTER ? "pointer" : "value",
                                              "size", (int)a->size_bytes, "align",
                                              (int)a->align_bytes, "in_buffer", a->in_buffer));
    }
    for (uint32_t i = 0; i < k->n_hidden; i++)
        json_array_append_new(hidden, k->hidden[i].kind == QN__HIDDEN_SHARED
                                          ? json_pack("{s:s}", "kind", "dynamic shared memory")
                                          : json_pack("{s:s, s:i}", "kind", "global", "index",
                                                      (int)k->hidden[i].index));
    return json_pack("{s:s, s:s, s:o, s:o, s:I, s:i, s:b, s:b}", "name", k->info.name, "expression",
                     k->info.expression, "arguments", args, "hidden", hidden, "static_shared_bytes",
                     (json_int_t)k->info.static_shared_bytes, "block_threads_max",
                     (int)k->info.block_threads_max, "has_barrier", k->has_barrier,
                     "has_indirect_pointers", k->has_indirect_pointers);
}

static char *json_text(struct qn__unit *u, json_t *j)
{
    char *const text = j ? json_dumps(j, JSON_INDENT(2)) : NULL;
    char *const copy = text ? qn__arena_strdup(u->arena, text) : NULL;
    free(text);
    json_decref(j);
    if (!copy)
        longjmp(*u->out_of_memory, 1);
    return copy;
}

/* The initial bytes in hexadecimal, or null for zero. */
static json_t *json_initial(const struct qn__global *g)
{
    struct qn__str hex = {0};
    for (uint64_t i = 0; g->init && i < g->size_bytes; i++)
        qn__str_printf(&hex, "%02x", ((const unsigned char *)g->init)[i]);
    json_t *const j = g->init ? json_string(hex.text) : json_null();
    qn__str_release(&hex);
    return j;
}

static json_t *json_addresses(const struct qn__global *g)
{
    json_t *const all = json_array();
    for (uint32_t i = 0; i < g->n_addresses; i++)
        json_array_append_new(all, json_pack("{s:I, s:I, s:I}", "offset",
                                             (json_int_t)g->addresses[i].offset, "global",
                                             (json_int_t)g->addresses[i].global, "addend",
                                             (json_int_t)g->addresses[i].addend));
    return all;
}

static json_t *json_reflection(const struct qn__reflection *r)
{
    json_t *const kernels = json_array(), *const globals = json_array(),
                  *const needs = json_array();
    for (uint32_t i = 0; i < r->n_kernels; i++)
        json_array_append_new(kernels, json_kernel(&r->kernels[i]));
    for (uint32_t i = 0; i < r->n_globals; i++) {
        const struct qn__global *const g = &r->globals[i];
        json_t *const json =
            json_pack("{s:s, s:s, s:I, s:i, s:b, s:o}", "name", g->name, "symbol", g->symbol,
                      "size", (json_int_t)g->size_bytes, "align", (int)g->align_bytes, "constant",
                      g->is_constant, "initial", json_initial(g));
        if (json && g->n_addresses)
            json_object_set_new(json, "addresses", json_addresses(g));
        json_array_append_new(globals, json);
    }
    for (uint32_t i = 0; i < r->n_needs; i++)
        json_array_append_new(needs, json_string(r->needs[i]));
    return json_pack("{s:o, s:o, s:o, s:s}", "kernels", kernels, "globals", globals, "needs", needs,
                     "build_options", r->build_options);
}

qn_status qn__reflect_unit(struct qn__unit *u)
{
    struct qn__reflection *const r = &u->result->reflection;
    r->n_kernels = u->n_reflected;
    r->kernels = u->reflected;
    struct qn__global *const globals = QN__NEED_ARRAY(u, struct qn__global, u->n_vars);
    for (uint32_t i = 0; i < u->n_vars; i++)
        globals[i] = describe_global(u, &u->vars[i]);
    r->n_globals = u->n_vars;
    r->globals = globals;
    describe_needs(u, r);
    u->result->reflect_json = json_text(u, json_reflection(r));
    QN_TRY(qn__str_check(&u->explain));
    json_error_t error;
    const char *const list = qn__text(u, "[%s]", u->explain.text ? u->explain.text : "");
    u->result->explain_json = json_text(u, json_loads(list, 0, &error));
    return QN_OK;
}
