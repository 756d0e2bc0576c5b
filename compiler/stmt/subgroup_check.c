/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose warps are subgroups asserts that those are 32 work-items in a row: OpenCL leaves
 * it to the driver which work-items are in one.
 *
 *     if (get_sub_group_local_id() != qn_linear_id() % 32)
 *         qn_fail(...);
 */
#include "compiler/expr/expr_call.h"
#include "compiler/lang/language.h"
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

static const struct qn__node *is_out_of_row(struct qn__unit *u)
{
    const struct qn__type *const word = qn__type_int(u, 32, true);
    const struct qn__node *const lane = qn__node_work_item(u, QN__SUBGROUP_LANE, 0),
                                 *const id = qn__node_work_item(u, QN__LINEAR_ID, 0);
    u->language->use(u, NULL, id);
    const struct qn__node *const in_row =
        qn__node_binary(u, QN__OP_REMAINDER, word, id, qn__node_plain_number(u, 32, word));
    return qn__node_binary(u, QN__OP_NOT_EQUAL, qn__type_bool(u), lane, in_row);
}

static const struct qn__node *fail(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    const struct qn__node *position[2];
    qn__position(u, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->llvm)), position);
    const struct qn__node *const end =
        qn__node_string(u, "use a block of one axis, or the profile opencl3", false);
    struct qn__node words = *qn__node_unary(u, QN__OP_STRING, end->type, end);
    words.name = "this driver's subgroups are not 32 work-items in a row here: ";
    const struct qn__node *const arguments[] = {
        qn__node_var(u, qn__fault_buffer(f)),
        position[0],
        position[1],
        qn__node_make(u, words),
    };
    const struct qn__node *const fails =
        qn__node_new(u, QN__OP_FAIL, qn__type_void(u), 4, arguments);
    u->language->use(u, NULL, fails);
    return fails;
}

void qn__subgroup_check(struct qn__function *f)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__IF);
    f->in_subgroups = true;
    s->value = is_out_of_row(f->u);
    s->negated = qn__node_not(f->u, s->value);
    qn__add_effect(f, s->body, fail(f), NULL);
    if (f->body->first)
        qn__insert_before(f->body->first, s);
    else
        qn__append(f->body, s);
}
