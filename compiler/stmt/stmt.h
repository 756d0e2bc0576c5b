/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements: the kernel as a tree, between the control-flow graph and the text.
 *
 * A list holds statements; an if has two lists, a loop and a block one, a switch one per case.
 * Jumps name the statement they leave or continue, so moving code around cannot change where they
 * go; which of them can be break, continue, or nothing at all is decided last (simplify.c).
 */
#ifndef QN_COMPILER_STMT_STMT_H
#define QN_COMPILER_STMT_STMT_H

#include "compiler/expr/expr.h"
#include "compiler/model/node.h"

enum qn__stmt_kind {
    QN__LIST,
    QN__EFFECT,  /* value is what is done: a store, a call, a barrier */
    QN__ASSIGN,  /* var = value; */
    QN__DECLARE, /* a declaration, of value or of no value; declare.c makes these */
    QN__IF,      /* value is the condition */
    QN__LOOP,    /* for ever, unless left; simplify.c turns it into while, do or for */
    QN__BLOCK,   /* its body, which can be left */
    QN__SWITCH,  /* value chooses among its cases, lists with labels */
    QN__CASE,
    QN__LEAVE,    /* jump to what comes after target (a block, a loop or a switch) */
    QN__CONTINUE, /* jump to the next iteration of target (a loop) */
    QN__RETURN,
    QN__GOTO, /* irreducible flow: jump to the label of a block */
    QN__LABEL,
    QN__ITEMS, /* its body, for each work-item of the group: work_items.c */
};

enum qn__loop_form { QN__FOREVER, QN__WHILE, QN__DO, QN__FOR };

struct qn__stmt {
    enum qn__stmt_kind kind;
    struct qn__stmt *parent, *next, *prev;
    struct qn__stmt *first, *last; /* children of a list or a case; the cases of a switch */
    struct qn__stmt *body, *other; /* lists: an if's two, a loop's or block's one */
    const struct qn__node *value;  /* or NULL */
    LLVMValueRef where;            /* the instruction it comes from, or NULL */

    /* QN__ASSIGN, QN__DECLARE */
    struct qn__var *var;
    const struct qn__node *update; /* the same assignment as var op= y, where it is one */
    const struct qn__node *arm;    /* as an arm of a ?:, && or || of the source, or NULL, */
    bool is_arm_exact;             /* and then its type is exactly the variable's */
    bool is_copy;                  /* an edge of the graph makes it */

    /* QN__IF */
    const struct qn__node *negated; /* the condition's negation */
    const char *remark;             /* on the condition, for readers, or NULL */
    bool is_guard;                  /* on a flag of flatten.c */

    /* QN__LOOP */
    enum qn__loop_form form;
    bool is_for;                        /* the source has a for here */
    const struct qn__loop_hints *hints; /* NULL: a loop of ours */
    struct qn__stmt *init, *step;       /* a for's: QN__ASSIGN, taken out of their lists */
    struct qn__var **carries; /* variables that keep their value from one iteration to the next */
    uint32_t n_carries, carries_capacity;

    /* QN__SWITCH, QN__CASE */
    const struct qn__type *value_type; /* of a switch */
    bool is_complete;                  /* of a switch: its cases are all values that come here */
    const struct qn__node **labels;    /* of a case: the values */
    uint32_t n_labels, labels_capacity;
    bool is_default;    /* of what no other case has */
    bool falls_through; /* goes on with the next case */

    /* jumps and what they lead to */
    struct qn__stmt *target;
    uint32_t leaves;               /* jumps to what comes after this block, loop or switch */
    const struct qn__block *block; /* QN__GOTO, QN__LABEL */

    bool is_barrier; /* all work-items of the group must execute it together */
    bool is_vote;    /* a barrier whose value is the same for the whole group */

    struct {             /* divergence.c; valid until the tree changes */
        bool iterations; /* of a loop: their number differs between work-items */
        bool exit;       /* some work-items jump away in here */
    } divergent;

    struct {             /* flatten_uniform.c, for flatten.c */
        bool is_forced;  /* quirk_flag_paths.c: flatten this if or jump although it is uniform */
        bool is_uniform; /* the same for all work-items, active or not */
        bool is_flagged; /* a jump that goes by flags */
        bool needs_flag; /* some work-items leave this loop or block, */
        bool needs_iteration_flag; /* continue this loop */
    } flattening;

    struct {           /* how it prints */
        bool declares; /* QN__ASSIGN: also the variable's declaration; declare.c */
        bool once;     /* QN__BLOCK: do { } while (false); simplify.c */
    } shape;
};

struct qn__stmt *qn__stmt_new(struct qn__function *f, enum qn__stmt_kind kind);
struct qn__stmt *qn__assign_new(struct qn__function *f, struct qn__var *var,
                                const struct qn__node *value);
/* A barrier for local memory. */
struct qn__stmt *qn__barrier_new(struct qn__function *f);
/* At the end of a list. */
struct qn__stmt *qn__add_effect(struct qn__function *f, struct qn__stmt *list,
                                const struct qn__node *value, LLVMValueRef where);
struct qn__stmt *qn__add_assign(struct qn__function *f, struct qn__stmt *list, struct qn__var *var,
                                const struct qn__node *value, LLVMValueRef where);
/* An if without a body that asks for the values of one case. */
struct qn__stmt *qn__case_test(struct qn__function *f, const struct qn__stmt *c,
                               const struct qn__node *selector);

void qn__append(struct qn__stmt *list, struct qn__stmt *s);
void qn__insert_before(struct qn__stmt *at, struct qn__stmt *s);
void qn__insert_after(struct qn__stmt *at, struct qn__stmt *s);
void qn__remove(struct qn__stmt *s);
/* Move all of `from`'s statements to the end of `to`. */
void qn__move_all(struct qn__stmt *to, struct qn__stmt *from);

bool qn__is_empty(const struct qn__stmt *list);
bool qn__is_jump(const struct qn__stmt *s); /* a leave, continue or return */
/* Does control never come out of the end of this list? */
bool qn__ends_in_jump(const struct qn__stmt *list);
/* Is it `outer`, or below it? */
bool qn__is_inside(const struct qn__stmt *s, const struct qn__stmt *outer);
/* The loop over the work-items that it is in; NULL: the group's. */
struct qn__stmt *qn__items_around(const struct qn__stmt *s);
bool qn__has_barrier(const struct qn__stmt *top);
bool qn__assigns(const struct qn__stmt *s, const struct qn__var *v);
/* The innermost statement around both. */
struct qn__stmt *qn__common_ancestor(struct qn__stmt *a, struct qn__stmt *b);

/* Does control that comes out of the end of `list` reach what this jump jumps to? */
bool qn__falls_to(const struct qn__stmt *list, const struct qn__stmt *jump);
/* Take a jump out of its list; its target loses a leave. */
void qn__drop_jump(struct qn__stmt *s);
/* A block's statements take its place. */
void qn__unwrap(struct qn__stmt *block);

/* The next statement of a walk over the whole tree, parents first; NULL at the end. */
struct qn__stmt *qn__walk_next(struct qn__stmt *s, const struct qn__stmt *top);

#endif
