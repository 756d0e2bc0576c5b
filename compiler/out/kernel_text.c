/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel as text: where it comes from, its head, its __local variables, its body (emit.c).
 *
 * A kernel's arguments are the source's, in order, then the hidden ones the body turned out to need
 * (dynamic shared memory, module variables). */
#include "compiler/out/kernel_text.h"

#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/core/line_text.h"
#include "compiler/lang/language.h"
#include "compiler/out/emit.h"
#include "compiler/stmt/stmt.h"

#include <string.h>

static bool is_restrict(struct qn__function *f, unsigned i)
{
    return LLVMGetEnumAttributeAtIndex(f->llvm, i + 1,
                                       LLVMGetEnumAttributeKindForName("noalias", 7)) != NULL;
}

/* "float *restrict x": how the kernel's head declares an argument. */
static const char *parameter(struct qn__function *f, unsigned i)
{
    struct qn__unit *const u = f->u;
    const struct qn__var *const v = f->values[i].var;
    const bool restricted = v->type->kind == QN__POINTER && is_restrict(f, i) &&
                            !(u->language->in_loops && f->has_barrier);
    return qn__type_declare(u, v->type, restricted ? qn__text(u, "restrict %s", v->name) : v->name);
}

void qn__head_print(struct qn__function *f, const char *name, const char *first,
                    struct qn__str *out)
{
    struct qn__unit *const u = f->u;
    struct qn__str head = {0};
    const unsigned n = LLVMCountParams(f->llvm);
    const char **parts = QN__NEED_ARRAY(u, const char *, 1 + n + f->n_hidden);
    unsigned n_parts = 0;
    if (first)
        parts[n_parts++] = first;
    for (unsigned i = 0; i < n; i++)
        parts[n_parts++] = parameter(f, i);
    for (uint32_t i = 0; i < f->n_hidden && !first; i++)
        parts[n_parts++] = qn__type_declare(u, f->hidden_vars[i]->type, f->hidden_vars[i]->name);
    qn__str_printf(&head, "%s%s(", u->language->kernel, name);
    const size_t indent = head.len;
    size_t column = indent;
    for (unsigned i = 0; i < n_parts; i++) {
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
            qn__str_printf(out, "    %s%s;\n", u->language->shared,
                           qn__var_declaration(u, v, v->name));
    }
    if (f->n_shared)
        qn__str_add_char(out, '\n');
}

void qn__origin_print(struct qn__function *f, struct qn__str *out)
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

void qn__kernel_print(struct qn__function *f, struct qn__str *out)
{
    qn__origin_print(f, out);
    if (f->in_subgroups)
        qn__str_add(out, f->u->language->in_subgroups);
    qn__head_print(f, f->source->name, NULL, out);
    print_shared(f, out);
    qn__emit(f, out);
    qn__str_add(out, "}\n\n");
}
