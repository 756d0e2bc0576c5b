/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole text: pragmas, structs, tables, library functions, then each kernel.
 *
 * A kernel's arguments are the source's, in order, then the hidden ones the body turned out to need
 * (dynamic shared memory, module variables). bool is passed as uchar: OpenCL forbids bool there.
 */
#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"
#include "compiler/model/alias_types.h"
#include "compiler/model/inline_values.h"
#include "compiler/model/spin_warning.h"
#include "compiler/out/reflect.h"
#include "compiler/out/source_lines.h"
#include "compiler/stmt/stmt.h"

#include <string.h>

static const struct qn__type *parameter_type(struct qn__function *f, struct qn__value *v)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(v->llvm);
    const LLVMTypeRef by_value = qn__byval_type(u, f->llvm, v->index);
    const LLVMMetadataRef di = qn__di_parameter(u, f->llvm, v->index);
    if (by_value)
        return qn__type_of(u, by_value, di, NULL);
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return qn__pointer_type(f, v);
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1)
        return qn__type_int(u, 8, true);
    return qn__type_of(u, t, di, NULL);
}

static void make_parameters(struct qn__function *f)
{
    for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
        struct qn__value *const v = &f->values[i];
        size_t n;
        const char *name = LLVMGetValueName2(v->llvm, &n);
        const char *const coerced = strstr(name, ".coerce");
        if (coerced)
            name = qn__text(f->u, "%.*s", (int)(coerced - name), name);
        v->var =
            qn__var_new(f, *name ? name : qn__text(f->u, "argument%u", i), parameter_type(f, v));
        v->var->is_argument = true;
    }
}

static bool is_restrict(struct qn__function *f, unsigned i)
{
    return LLVMGetEnumAttributeAtIndex(f->llvm, i + 1,
                                       LLVMGetEnumAttributeKindForName("noalias", 7)) != NULL;
}

static void print_head(struct qn__function *f, const char *name, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    struct qn__str head = {0};
    const unsigned n = LLVMCountParams(f->llvm);
    const char **parts = QN__NEED_ARRAY(u, const char *, n + f->n_hidden);
    for (unsigned i = 0; i < n; i++) {
        const struct qn__var *const v = f->values[i].var;
        const bool restricted = v->type->kind == QN__POINTER && is_restrict(f, i);
        parts[i] = qn__type_declare(u, v->type,
                                    restricted ? qn__text(u, "restrict %s", v->name) : v->name);
    }
    for (uint32_t i = 0; i < f->n_hidden; i++)
        parts[n + i] = qn__type_declare(u, f->hidden_vars[i]->type, f->hidden_vars[i]->name);
    qn__str_printf(&head, "__kernel void %s(", name);
    const size_t indent = head.len;
    size_t column = indent;
    for (unsigned i = 0; i < n + f->n_hidden; i++) {
        if (i && column + strlen(parts[i]) + 2 > 100) {
            qn__str_add(&head, ",\n");
            qn__str_add_repeat(&head, ' ', indent);
            column = indent;
        } else if (i) {
            qn__str_add(&head, ", ");
        }
        qn__str_add(&head, parts[i]);
        column += strlen(parts[i]) + 2;
    }
    qn__str_printf(out, "%s)\n{\n", head.text);
    qn__str_release(&head);
}

static void print_shared(struct qn__function *f, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    for (uint32_t i = 0; i < f->n_shared; i++) {
        const struct qn__var *const v = f->shared[i];
        if (v->type->kind == QN__POINTER)
            qn__str_printf(out, "    %s = (%s)%s;\n", qn__type_declare(u, v->type, v->name),
                           qn__type_text(u, v->type), f->dynamic_shared->name);
        else
            qn__str_printf(out, "    __local %s;\n", qn__var_declaration(u, v, v->name));
    }
    if (f->n_shared)
        qn__str_add_char(out, '\n');
}

static void print_origin(struct qn__function *f, struct qn__str *out)
{
    const LLVMMetadataRef program = LLVMGetSubprogram(f->llvm);
    struct qn__place_in_source at;
    if (f->u->lines == QN__LINES_NONE)
        return;
    if (f->u->lines == QN__LINES_DIRECTIVES) {
        if (qn__where_begins(f->u, program, &at))
            qn__str_printf(out, "%s\n", qn__line_directive(f->u, at.file, at.line));
        return;
    }
    const char *const spelled = qn__di_function_name(f->u, f->llvm);
    if (!program || !*spelled)
        return;
    unsigned n = 0;
    const LLVMMetadataRef file = LLVMDIScopeGetFile(program);
    const char *const name = file ? LLVMDIFileGetFilename(file, &n) : "";
    qn__str_printf(out, "/* %s, %.*s:%u */\n", spelled, (int)n, name,
                   LLVMDISubprogramGetLine(program));
}

/* Are all collectives the hardware's own? None then asks who is active. */
static bool is_native(struct qn__function *f)
{
    if (!qn__profile_can(f->u->profile, QN__CAN_ptx))
        return false;
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->is_barrier && s->text && strstr(s->text, QN__ACTIVE))
            return false;
    return true;
}

/* Every work-item shall reach every barrier. On NVIDIA's hardware those that have returned count as
 * arrived, for barriers and for warp operations, as in CUDA. There they must return: a warp
 * operation waits for whom its mask names until they arrive or are gone. */
static void reach_barriers(struct qn__function *f, bool for_pocl)
{
    if (is_native(f)) {
        if (qn__barriers_diverge(f, false))
            qn__explain(f->u, NULL, "barriers under divergent control flow: as in the source");
        return;
    }
    bool flattens = qn__barriers_diverge(f, f->is_irreducible);
    if (f->is_irreducible && flattens)
        return; /* refused */
    if (for_pocl)
        flattens |= qn__mark_paths(f, flattens);
    if (!flattens || f->is_irreducible)
        return;
    qn__explain(f->u, NULL, "barriers under divergent control flow: collective flattening");
    qn__flatten(f);
    qn__tidy(f);
    qn__barriers_diverge(f, true);
}

static void print_kernel(struct qn__unit *u, struct qn__kernel_source *k, struct qn__str *out)
{
    struct qn__function *const f = qn__function_new(u, k);
    const uint64_t used_before = u->abilities_used;
    u->abilities_used = 0;
    u->current_function = k->function;
    u->current = NULL;
    qn__spaces_find(f);
    qn__punning_find(f);
    qn__waits_warn(f);
    if (u->profile->wave == 1)
        qn__steps_find(f);
    make_parameters(f);
    qn__values_place(f);
    qn__structure(f);
    qn__tidy(f);
    const bool for_pocl = f->has_barrier && u->profile->wave == 1;
    if (for_pocl) {
        qn__switches_to_ifs(f);
        qn__tidy(f);
    }
    reach_barriers(f, for_pocl);
    if (for_pocl) {
        qn__join_paths(f);
        qn__loops_apart(f);
        qn__memory_apart(f);
    }
    const bool in_subgroups = u->abilities_used >> QN__CAN_warp & 1;
    u->abilities_used |= used_before;
    if (in_subgroups)
        qn__check_subgroups(f);
    if (f->is_punned)
        qn__explain(u, NULL, "memory accessed as several types: through types that may alias");
    qn__scopes(f);
    print_origin(f, out);
    if (in_subgroups)
        qn__str_add(out, "__attribute__((intel_reqd_sub_group_size(32)))\n");
    print_head(f, k->name, out);
    print_shared(f, out);
    qn__emit(f, out);
    qn__str_add(out, "}\n\n");
    qn__reflect_kernel(f);
}

/* With -keep-going a kernel that was refused is taken back out of the text and the reflection. */
static void print_or_leave_out(struct qn__unit *u, struct qn__kernel_source *k, struct qn__str *out)
{
    const uint32_t n_errors = u->n_errors, n_reflected = u->n_reflected;
    const size_t len = out->len;
    print_kernel(u, k, out);
    if (u->n_errors == n_errors || !u->keep_going)
        return;
    u->n_errors_left_out += u->n_errors - n_errors;
    u->n_reflected = n_reflected;
    if (out->text)
        out->text[len] = 0;
    out->len = len;
    qn__warn(u, NULL, "kernel %s is left out of the translation", k->name);
}

/* A kernel's name in the text: its own for extern "C", else what the source calls it, made legal.
 */
static const char *kernel_name(struct qn__unit *u, const struct qn__kernel_source *k)
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
        for (const struct qn__kernel_source *o = u->kernels; o < k && !taken; o++)
            taken = qn__equal(o->name, name);
        if (taken)
            name = qn__text(u, "%s_%u", wish, i);
    }
    return name;
}

static void print_tables(struct qn__unit *u, struct qn__str *out)
{
    for (uint32_t i = 0; i < u->n_constants; i++) {
        const LLVMValueRef g = u->constants[i];
        const struct qn__type *const t = qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL);
        qn__str_printf(out, "__constant %s = %s;\n\n", qn__type_declare(u, t, qn__table_name(u, i)),
                       qn__spelled(u, qn__initializer(u, LLVMGetInitializer(g))));
    }
}

static void print_pragmas(struct qn__unit *u, struct qn__str *out)
{
    for (unsigned a = 0; a < QN__N_ABILITIES; a++)
        if (u->abilities_used >> a & 1 && *qn__ability_extension((enum qn__ability)a))
            qn__str_printf(out, "#pragma OPENCL EXTENSION %s : enable\n",
                           qn__ability_extension((enum qn__ability)a));
    qn__str_printf(out, "#pragma OPENCL FP_CONTRACT %s\n\n", u->contract ? "ON" : "OFF");
}

qn_status qn__print_unit(struct qn__unit *u)
{
    struct qn__str kernels = {0}, text = {0};
    for (uint32_t i = 0; i < u->n_kernels; i++)
        u->kernels[i].name = kernel_name(u, &u->kernels[i]);
    for (uint32_t i = 0; i < u->n_kernels; i++)
        print_or_leave_out(u, &u->kernels[i], &kernels);
    print_pragmas(u, &text);
    qn__records_print(u, &text);
    qn__aliases_print(u, kernels.text ? kernels.text : "", &text);
    print_tables(u, &text);
    qn__library_print(u, &text);
    qn__str_add(&text, kernels.text ? kernels.text : "");
    while (text.len > 1 && text.text[text.len - 1] == '\n' && text.text[text.len - 2] == '\n')
        text.text[--text.len] = 0;
    qn_status s = qn__str_check(&text);
    if (s == QN_OK)
        s = qn__str_check(&kernels);
    if (s == QN_OK)
        u->result->text = qn__arena_strndup(u->arena, text.text, text.len);
    if (s == QN_OK && !u->result->text)
        s = qn__fail(QN_E_MEMORY, "out of memory");
    qn__str_release(&kernels);
    qn__str_release(&text);
    return s == QN_OK ? qn__reflect_unit(u) : s;
}
