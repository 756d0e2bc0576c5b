/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs a chat template: expressions, statements, and the functions, methods, filters and tests
 * that they may call. Nothing else can be reached from a template: values are data, and names that
 * are not in these tables are undefined. */
#ifndef QN_ENGINE_TEMPLATE_RUN_H
#define QN_ENGINE_TEMPLATE_RUN_H

#include "engine/template_node.h"
#include "engine/template_value.h"

struct qn__arguments {
    const struct qn__value *values;
    size_t n;
    const struct qn__value_pair *named; /* by texts */
    size_t n_named;
};

/* self: what a method or filter is of, what a test asks about. */
typedef qn_status qn__template_function(struct qn__value *out, struct qn__template_run *run,
                                        const struct qn__value *self,
                                        const struct qn__arguments *args);

/* A row of a table of functions. parameters: their names, "a b c"; a call that gives others, or
 * more, is refused; NULL: any. */
struct qn__function_row {
    const char *name;
    qn__template_function *function;
    const char *parameters;
};
struct qn__callable {
    const struct qn__function_row *row; /* or NULL: a macro's node, or a call block's */
    struct qn__value self;
    const char *name; /* of a macro */
    const struct qn__node *node;
    struct qn__template_scope *scope; /* in which the node stands */
    struct qn__value caller;          /* of a macro called by a call block */
};

struct qn__template_loop {
    const struct qn__value *items;
    size_t n, index;
    struct qn__value changed; /* what loop.changed() was asked last */
};

/* Rows end with a name of NULL. NULL: there is none. */
const struct qn__function_row *qn__row_find(const struct qn__function_row *rows, const char *name,
                                            size_t n);
qn_status qn__row_call(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__function_row *row, const struct qn__value *self,
                       const struct qn__arguments *args);

/* The argument at this place or of this name; NULL: not given. */
const struct qn__value *qn__argument(const struct qn__arguments *args, size_t place,
                                     const char *name);
qn_status qn__argument_int(int64_t *out, const struct qn__template_run *run,
                           const struct qn__arguments *args, size_t place, const char *name,
                           int64_t otherwise);
qn_status qn__argument_text(struct qn__template_text *out, const struct qn__template_run *run,
                            const struct qn__arguments *args, size_t place, const char *name);

/* -- running -- */

/* Evaluate; statements write to run->out. Both pass qn__template_enter(). */
qn_status qn__evaluate(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__node *node);
enum qn__template_flow { QN__FLOW_ON, QN__FLOW_BREAK, QN__FLOW_CONTINUE };
qn_status qn__execute(enum qn__template_flow *flow, struct qn__template_run *run,
                      const struct qn__node *body);
/* A body in a scope of its own, with what it writes as a text. */
qn_status qn__capture(struct qn__value *out, struct qn__template_run *run,
                      const struct qn__node *body, struct qn__template_scope *scope);
/* QN_E_LIMIT  too deep */
qn_status qn__template_enter(struct qn__template_run *run, const struct qn__node *node);
void qn__template_leave(struct qn__template_run *run);
qn_status qn__scope_new(struct qn__template_scope **out, struct qn__template_run *run,
                        struct qn__template_scope *parent);

qn_status qn__call(struct qn__value *out, struct qn__template_run *run,
                   const struct qn__value *callee, const struct qn__arguments *args);
qn_status qn__callable_new(struct qn__value *out, struct qn__template_run *run,
                           struct qn__callable c);

/* -- operators -- */

qn_status qn__get_attribute(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *of, struct qn__template_text name);
qn_status qn__get_item(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__value *of, const struct qn__value *key);
/* NULL parts are not given. */
qn_status qn__get_slice(struct qn__value *out, struct qn__template_run *run,
                        const struct qn__value *of, const struct qn__value *const parts[3]);
qn_status qn__binary(struct qn__value *out, struct qn__template_run *run, const char *op,
                     const struct qn__value *a, const struct qn__value *b);

/* -- printing -- */

/* As Python's str(); repr() for what is inside of lists and dicts. */
qn_status qn__print(struct qn__template_run *run, struct qn__text_builder *b,
                    const struct qn__value *v);
qn_status qn__to_text(struct qn__value *out, struct qn__template_run *run,
                      const struct qn__value *v);
qn_status qn__print_repr(struct qn__template_run *run, struct qn__text_builder *b,
                         const struct qn__value *v);
void qn__format_real(char out[48], double x);
qn_status qn__print_number(struct qn__template_run *run, struct qn__text_builder *b,
                           const struct qn__value *v);
/* "%s: %d" with the values; "{}: {}" with the arguments. */
qn_status qn__format_percent(struct qn__value *out, struct qn__template_run *run,
                             struct qn__template_text format, const struct qn__arguments *args);
qn_status qn__format_braces(struct qn__value *out, struct qn__template_run *run,
                            struct qn__template_text format, const struct qn__arguments *args);
/* indent -1: on one line */
qn_status qn__print_json(struct qn__template_run *run, struct qn__text_builder *b,
                         const struct qn__value *v, int64_t indent, bool sort_keys, bool ascii);

/* -- tables -- */

const struct qn__function_row *qn__method_find(const struct qn__value *of,
                                               struct qn__template_text name);
const struct qn__function_row *qn__filter_find(struct qn__template_text name);
const struct qn__function_row *qn__test_find(struct qn__template_text name);
const struct qn__function_row *qn__function_find(struct qn__template_text name);
extern const struct qn__function_row qn__sequence_filters[]; /* a part of the filters */
extern const struct qn__function_row qn__text_methods[];

qn_status qn__filter_call(struct qn__value *out, struct qn__template_run *run,
                          struct qn__template_text name, const struct qn__value *self,
                          const struct qn__arguments *args);
qn_status qn__test_call(bool *out, struct qn__template_run *run, struct qn__template_text name,
                        const struct qn__value *self, const struct qn__arguments *args);

#endif
