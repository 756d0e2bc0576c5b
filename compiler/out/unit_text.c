/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole text: pragmas, structs, tables, library functions, then each kernel (kernel_text.c). */
#include "compiler/out/unit_text.h"
#include "compiler/expr/expr_variable.h"
#include "compiler/lang/language.h"
#include "compiler/model/source_types.h"
#include "compiler/out/block_text.h"
#include "compiler/out/kernel_text.h"
#include "compiler/out/reflect.h"

#include <string.h>

static void print_tables(struct qn__unit *u, struct qn__str *out)
{
    for (uint32_t i = 0; i < u->n_constants; i++) {
        const LLVMValueRef g = u->constants[i].llvm;
        const struct qn__type *const t = qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL);
        qn__str_printf(out, "%s%s = %s;\n\n", u->language->table,
                       qn__type_declare(u, t, qn__table_name(u, i)),
                       qn__spelled(u, u->constants[i].initial));
    }
}

qn_status qn__print_unit(struct qn__unit *u)
{
    struct qn__str kernels = {0}, text = {0};
    for (uint32_t i = 0; i < u->n_kernels; i++)
        if (u->kernels[i].model) {
            (u->language->in_loops ? qn__block_print : qn__kernel_print)(u->kernels[i].model,
                                                                         &kernels);
            qn__reflect_kernel(u->kernels[i].model);
        }
    u->language->begin(u, &text);
    qn__records_print(u, &text);
    qn__aliases_print(u, kernels.text ? kernels.text : "", &text);
    print_tables(u, &text);
    u->language->library(u, kernels.text ? kernels.text : "", &text);
    if (u->language->in_loops)
        qn__block_globals_print(u, &text);
    qn__str_add(&text, kernels.text ? kernels.text : "");
    if (u->language->in_loops)
        qn__block_tables_print(u, &text);
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
