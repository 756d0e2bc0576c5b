/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a block: arrays with one element for each work-item, for what lives from one loop
 * over the work-items to another. */
#include "compiler/stmt/frame.h"

#include "compiler/stmt/stmt.h"

const struct qn__node *qn__item_number(struct qn__function *f)
{
    if (!f->item_number) {
        f->item_number = qn__var_new(f, "qn_i", qn__type_int(f->u, 64, true));
        f->item_number->name = "qn_i";
        f->item_number->is_argument = true; /* QN_ITEMS declares it */
    }
    return qn__node_var(f->u, f->item_number);
}

const struct qn__node *qn__first_item(struct qn__function *f)
{
    if (!f->first_item) {
        f->first_item = qn__var_new(f, "qn_first", qn__type_int(f->u, 64, true));
        f->first_item->name = "qn_first";
        f->first_item->is_argument = true; /* quern_c.h has it */
    }
    return qn__node_var(f->u, f->first_item);
}

struct qn__var *qn__frame_array(struct qn__function *f, const char *wish,
                                const struct qn__type *type)
{
    struct qn__var *const v = qn__var_new(f, qn__text(f->u, "%s_at", wish),
                                          qn__type_pointer(f->u, type, QN__PRIVATE, false, false));
    v->is_argument = true; /* declared by the kernel's head */
    QN__PUSH(f->u, f->frame, f->n_frame, f->frame_capacity, v);
    return v;
}

const struct qn__node *qn__frame_element(struct qn__function *f, const struct qn__var *array,
                                         const struct qn__node *index)
{
    return qn__node_binary(f->u, QN__OP_SUBSCRIPT, array->type->of, qn__node_var(f->u, array),
                           index);
}

struct qn__stmt *qn__frame_store(struct qn__function *f, const struct qn__var *array,
                                 const struct qn__node *value)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__EFFECT);
    s->value = qn__node_binary(f->u, QN__OP_ASSIGN, array->type->of,
                               qn__frame_element(f, array, qn__item_number(f)), value);
    return s;
}
