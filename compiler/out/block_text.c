/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as C for a whole block (quern_c.h): a function with the source's parameters, which holds
 * the loops over the work-items, and the one that a program calls.
 *
 *     static inline void qn_block_k(const struct qn_block qn_b, float *x, int n)
 *     {
 *         struct k_shared *const qn_shared = (struct k_shared *)qn_b.shared;
 *         float *const sum_at = (float *)(qn_b.frame + 0 * qn_n);
 *         ...
 *     }
 *
 *     QN_EXPORT void k(const struct qn_block *block, void *const *args)
 *     {
 *         qn_block_k(*block, *(float **)args[0], *(int *)args[1]);
 *     }
 */
#include "compiler/out/block_text.h"

#include "compiler/core/diagnose.h"
#include "compiler/core/legal_names.h"
#include "compiler/core/line_text.h"
#include "compiler/lang/language.h"
#include "compiler/model/builtins.h"
#include "compiler/model/function.h"
#include "compiler/out/emit.h"
#include "compiler/out/kernel_text.h"
#include "compiler/out/reflect.h"
#include "compiler/stmt/frame.h"
#include "compiler/stmt/stmt.h"

#include <string.h>

enum { ADDRESS_BYTES = 8 };

static bool is_dynamic(const struct qn__var *shared)
{
    return shared->type->kind == QN__POINTER;
}

/* ---- __shared__ ---- */

static bool has_static(const struct qn__function *f)
{
    for (uint32_t i = 0; i < f->n_shared; i++)
        if (!is_dynamic(f->shared[i]))
            return true;
    return false;
}

static const char *shared_type(struct qn__function *f)
{
    return qn__text(f->u, "struct qn_shared_%s", f->source->name);
}

static void print_shared_type(struct qn__function *f, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    if (!has_static(f))
        return;
    qn__str_printf(out, "%s {\n", shared_type(f));
    for (uint32_t i = 0; i < f->n_shared; i++)
        if (!is_dynamic(f->shared[i]))
            qn__str_printf(out, "    %s;\n",
                           qn__var_declaration(u, f->shared[i], f->shared[i]->wish));
    qn__str_add(out, "} __attribute__((aligned(16)));\n\n");
}

static void print_shared(struct qn__function *f, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    const char *const type = shared_type(f), *const bytes =
                                                 has_static(f)
                                                     ? qn__text(u, "(qn_b.shared + sizeof(%s))",
                                                                type)
                                                     : "qn_b.shared";
    if (has_static(f))
        qn__str_printf(out, "    %s *const qn_shared = (%s *)qn_b.shared;\n", type, type);
    for (uint32_t i = 0; i < f->n_shared; i++)
        if (is_dynamic(f->shared[i]))
            qn__str_printf(out, "    %s = (%s)%s;\n",
                           qn__type_declare(u, f->shared[i]->type, f->shared[i]->name),
                           qn__type_text(u, f->shared[i]->type), bytes);
}

/* ---- the frame ---- */

static uint64_t alignment(const struct qn__var *array)
{
    const uint64_t of = qn__type_align(array->type->of);
    return array->aligned > of ? array->aligned : of;
}

static uint64_t stride(const struct qn__var *array)
{
    const uint64_t size = qn__type_size(array->type->of), to = alignment(array);
    return (size + to - 1) / to * to;
}

/* The most aligned arrays first, so that all are aligned for any number of work-items. */
static uint64_t print_frame(struct qn__function *f, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    uint64_t bytes = 0;
    if (f->has_barrier)
        qn__str_add(out, "    const ulong qn_n = (ulong)qn_b.items[0] * qn_b.items[1] * "
                         "qn_b.items[2];\n");
    for (uint64_t align = QN__FRAME_ALIGNMENT; align; align /= 2)
        for (uint32_t i = 0; i < f->n_frame; i++) {
            const struct qn__var *const v = f->frame[i];
            if (alignment(v) != align)
                continue;
            qn__str_printf(out, "    %s = (%s)(qn_b.frame + %llu * qn_n);\n",
                           qn__type_declare(u, v->type, v->name), qn__type_text(u, v->type),
                           (unsigned long long)bytes);
            bytes += stride(v);
        }
    return bytes;
}

/* ---- variables of the module ---- */

static const char *global_symbol(struct qn__unit *u, uint32_t i)
{
    return qn__text(u, "qn_global%u_%s", (unsigned)i, qn__name_legal(u, u->vars[i].name));
}

/* Its address, as an expression. */
static const char *global_address(struct qn__unit *u, uint32_t i)
{
    return qn__text(u, "%s%s", u->vars[i].n_addresses ? "&" : "", global_symbol(u, i));
}

static void print_globals(struct qn__function *f, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    for (uint32_t i = 0; i < f->n_hidden; i++)
        if (f->hidden[i].kind == QN__HIDDEN_GLOBAL) {
            const struct qn__var *const v = f->hidden_vars[i];
            qn__str_printf(out, "    %s = (%s)%s;\n", qn__type_declare(u, v->type, v->name),
                           qn__type_text(u, v->type), global_address(u, f->hidden[i].index));
        }
}

static uint64_t global_bytes(struct qn__unit *u, uint32_t i)
{
    const uint64_t n = LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(u->vars[i].llvm));
    return n ? n : 1;
}

/* Some bytes of an initial value, in braces. */
static void print_bytes(const unsigned char *bytes, uint64_t n, struct qn__str *out)
{
    enum { A_LINE = 16 };
    for (uint64_t k = 0; k < n; k++)
        qn__str_printf(out, "%s%u", k == 0 ? "{" : k % A_LINE ? ", " : ",\n    ", bytes[k]);
    qn__str_add_char(out, '}');
}

/* The bytes before and behind each address are one array. */
static void print_address_type(struct qn__unit *u, uint32_t i, struct qn__str *out)
{
    const struct qn__module_var *const v = &u->vars[i];
    uint64_t at = 0;
    qn__str_printf(out, "struct qn_type%u {\n", (unsigned)i);
    for (uint32_t k = 0; k <= v->n_addresses; k++) {
        const uint64_t end = k < v->n_addresses ? v->addresses[k].offset : global_bytes(u, i);
        if (end > at)
            qn__str_printf(out, "    unsigned char bytes%u[%llu];\n", (unsigned)k,
                           (unsigned long long)(end - at));
        if (k < v->n_addresses)
            qn__str_printf(out, "    unsigned char *address%u;\n", (unsigned)k);
        at = end + ADDRESS_BYTES;
    }
    qn__str_add(out, "} __attribute__((packed));\n\n");
}

static void print_addresses(struct qn__unit *u, uint32_t i, struct qn__str *out)
{
    const struct qn__module_var *const v = &u->vars[i];
    uint64_t at = 0;
    qn__str_add(out, " = {\n");
    for (uint32_t k = 0; k <= v->n_addresses; k++) {
        const uint64_t end = k < v->n_addresses ? v->addresses[k].offset : global_bytes(u, i);
        if (end > at) {
            qn__str_add(out, "    ");
            print_bytes(v->initial + at, end - at, out);
            qn__str_add(out, ",\n");
        }
        if (k < v->n_addresses)
            qn__str_printf(out, "    (unsigned char *)&%s + %lld,\n",
                           global_symbol(u, v->addresses[k].global),
                           (long long)v->addresses[k].addend);
        at = end + ADDRESS_BYTES;
    }
    qn__str_add_char(out, '}');
}

/* static unsigned char qn_global0_x[8] __attribute__((aligned(16))) */
static void print_global(struct qn__unit *u, uint32_t i, struct qn__str *out)
{
    enum { ALIGN = 16 };
    const unsigned own = LLVMGetAlignment(u->vars[i].llvm), align = own > ALIGN ? own : ALIGN;
    if (u->vars[i].n_addresses)
        qn__str_printf(out, "static struct qn_type%u %s", (unsigned)i, global_symbol(u, i));
    else
        qn__str_printf(out, "static unsigned char %s[%llu]", global_symbol(u, i),
                       (unsigned long long)global_bytes(u, i));
    qn__str_printf(out, " __attribute__((aligned(%u)))", align);
}

/* Variables whose initial values hold addresses are declared before any is defined. */
static void declare_globals(struct qn__unit *u, struct qn__str *out)
{
    bool have_addresses = false;
    for (uint32_t i = 0; i < u->n_vars; i++)
        if (u->vars[i].n_addresses) {
            print_address_type(u, i, out);
            have_addresses = true;
        }
    for (uint32_t i = 0; have_addresses && i < u->n_vars; i++) {
        print_global(u, i, out);
        qn__str_add(out, i + 1 < u->n_vars ? ";\n" : ";\n\n");
    }
}

void qn__block_globals_print(struct qn__unit *u, struct qn__str *out)
{
    declare_globals(u, out);
    for (uint32_t i = 0; i < u->n_vars; i++) {
        const struct qn__module_var *const v = &u->vars[i];
        print_global(u, i, out);
        if (v->n_addresses)
            print_addresses(u, i, out);
        else if (v->initial) {
            qn__str_add(out, " = ");
            print_bytes(v->initial, global_bytes(u, i), out);
        }
        qn__str_add(out, ";\n\n");
    }
}

/* ---- the kernel ---- */

/* With #line directives: what no line of the source says counts as the kernel's first. */
static void print_lines(struct qn__function *f, const char *text, struct qn__str *out)
{
    struct qn__place_in_source at;
    const LLVMMetadataRef program = LLVMGetSubprogram(f->llvm);
    const bool has_place =
        f->u->lines == QN__LINES_DIRECTIVES && qn__where_begins(f->u, program, &at);
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, "\n") + 1;
        if (has_place && *p != '\n')
            qn__str_printf(out, "%s\n", qn__line_directive(f->u, at.file, at.line));
        qn__str_add_bytes(out, p, n);
        p += n;
    }
}

static void print_entry(struct qn__function *f, struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    const unsigned n = LLVMCountParams(f->llvm);
    qn__str_printf(out,
                   "QN_EXPORT void %s(const struct qn_block *block, void *const *args)\n{\n"
                   "%s    qn_block_%s(*block",
                   f->source->name, n ? "" : "    (void)args;\n", f->source->name);
    for (unsigned i = 0; i < n; i++) {
        const struct qn__type *const t = f->values[i].var->type;
        const struct qn__type *const to = qn__type_pointer(u, t, QN__PRIVATE, false, false);
        qn__str_printf(out, ", *(%s)args[%u]", qn__type_text(u, to), i);
    }
    qn__str_add(out, ");\n}\n\n");
}

void qn__block_print(struct qn__function *f, struct qn__str *out)
{
    struct qn__str head = {0}, body = {0}, entry = {0};
    qn__origin_print(f, out);
    print_shared_type(f, out);
    qn__head_print(f, qn__text(f->u, "qn_block_%s", f->source->name), "const struct qn_block qn_b",
                   out);
    print_globals(f, &head);
    print_shared(f, &head);
    f->frame_bytes = print_frame(f, &head);
    if (head.len)
        qn__str_add_char(&head, '\n');
    print_lines(f, head.text ? head.text : "", out);
    qn__str_release(&head);
    qn__emit(f, &body);
    qn__str_add(out, body.text ? body.text : "");
    qn__str_release(&body);
    qn__str_add(out, "}\n\n");
    print_entry(f, &entry);
    print_lines(f, entry.text ? entry.text : "", out);
    qn__str_release(&entry);
}

static bool prints(const struct qn__node *n)
{
    bool found = n && n->op == QN__OP_BUILTIN && qn__equal(n->builtin->name, "__qn_printf");
    for (uint32_t i = 0; n && i < n->n && !found; i++)
        found = prints(n->operands[i]);
    return found;
}

/* No loop but those over the work-items, and no printf. */
static bool is_short(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__LOOP || s->kind == QN__GOTO || prints(s->value) ||
            (s->value && s->value->traits & QN__REPEATS))
            return false;
    return true;
}

void qn__block_tables_print(struct qn__unit *u, struct qn__str *out)
{
    unsigned n = 0;
    qn__str_add(out, "QN_EXPORT const uint qn_abi_version = QN_ABI_VERSION;\n"
                     "QN_EXPORT const struct qn_kernel_entry qn_kernels[] = {\n");
    for (uint32_t i = 0; i < u->n_kernels; i++) {
        struct qn__function *const f = u->kernels[i].model;
        if (!f)
            continue;
        const char *const shared = has_static(f) ? qn__text(u, "sizeof(%s)", shared_type(f)) : "0";
        qn__str_printf(out, "    {\"%s\", %s, %s, %llu, %u, 32, %s},\n", f->source->name,
                       f->source->name, shared, (unsigned long long)f->frame_bytes,
                       (unsigned)f->source->block_threads_max,
                       is_short(f) ? "QN_KERNEL_SHORT" : "0");
        n++;
    }
    qn__str_printf(out, "%s};\nQN_EXPORT const uint qn_kernels_count = %u;\n",
                   n ? "" : "    {0},\n", n);
    qn__str_add(out, "QN_EXPORT const struct qn_global_entry qn_globals[] = {\n");
    for (uint32_t i = 0; i < u->n_vars; i++)
        qn__str_printf(out, "    {\"%s\", %s, %llu},\n", qn__global_name(u, &u->vars[i]),
                       global_address(u, i),
                       (unsigned long long)LLVMABISizeOfType(
                           u->layout, LLVMGlobalGetValueType(u->vars[i].llvm)));
    qn__str_printf(out, "%s};\nQN_EXPORT const uint qn_globals_count = %u;\n",
                   u->n_vars ? "" : "    {0},\n", (unsigned)u->n_vars);
}
