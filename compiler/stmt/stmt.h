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
#include "compiler/lang/language.h"
#include "compiler/lang/library.h"

enum qn__stmt_kind {
    QN__LIST,
    QN__TEXT,     /* text; */
    QN__ASSIGN,   /* var = text; */
    QN__DECLARE,  /* a declaration, of text or no value; declare.c makes these */
    QN__IF,       /* text is the condition, not_text its negation */
    QN__LOOP,     /* for ever, unless left; simplify.c turns it into while, do or for */
    QN__BLOCK,    /* its body, which can be left */
    QN__SWITCH,   /* text is the value; cases are lists with labels */
    QN__CASE,     /* a list; text holds the values, one a line */
    QN__LEAVE,    /* jump behind target (a block, a loop or a switch) */
    QN__CONTINUE, /* jump to the next turn of target (a loop) */
    QN__RETURN,
    QN__GOTO, /* irreducible flow: jump to the label of a block */
    QN__LABEL,
};

enum qn__loop_form { QN__FOREVER, QN__WHILE, QN__DO, QN__FOR };

struct qn__stmt {
    enum qn__stmt_kind kind;
    struct qn__stmt *parent, *next, *prev;
    struct qn__stmt *first, *last; /* children of a list or a case; the cases of a switch */
    struct qn__stmt *body, *other; /* lists: an if's two, a loop's or block's one */
    const char *text, *not_text;
    struct qn__var *var;      /* QN__ASSIGN, QN__DECLARE */
    const char *op, *operand; /* QN__ASSIGN that prints as var op= operand; else NULL */
    struct qn__stmt *target;  /* of jumps */
    uint32_t leaves;          /* jumps behind this block or loop */
    enum qn__loop_form form;
    bool is_for;                  /* QN__LOOP: the source has a for here */
    const char *hints;            /* QN__LOOP: lines to print before it, or NULL */
    struct qn__stmt *init, *step; /* a for's: QN__ASSIGN, taken out of their lists */
    bool declares;                /* QN__ASSIGN: also the variable's declaration */
    bool varies;                  /* reads what differs between work-items */
    bool loads;                   /* reads memory */
    bool is_uniform;              /* flatten_plan.c: the same for all work-items, active or not */
    bool is_flagged;              /* flatten_plan.c: a jump that goes by flags */
    bool needs_flag, needs_turn;  /* flatten_plan.c: left, continued under divergence */
    bool is_guard;                /* QN__IF on a flag of flatten.c */
    bool votes;                   /* a loop whose condition is the same for the whole group */
    bool has_barrier;             /* here or below */
    bool is_barrier;
    bool by_flags; /* quirk_flag_paths.c: an if or jump to flatten although all work-items agree on
                      it */
    bool diverges; /* a loop whose turns differ between work-items; divergence.c */
    bool diverges_after; /* some work-items jump away in here */
    bool once;           /* QN__BLOCK that prints as do { } while (false) */
    bool is_copy;        /* QN__ASSIGN that an edge of the graph makes */
    const char *part;    /* QN__ASSIGN that is an arm of a ?:, && or ||: the text with its type */
    bool part_exact;     /* and that type is exactly the variable's */
    bool falls_through;  /* QN__CASE: goes on with the next case */
    bool is_default;     /* QN__CASE: of what no other case has */
    const struct qn__type *value_type; /* QN__SWITCH */
    const struct qn__block *block;     /* QN__GOTO, QN__LABEL */
    LLVMValueRef where;
    struct qn__var **carries; /* a loop's variables that keep their value from turn to turn */
    uint32_t n_carries, carries_capacity;
};

struct qn__stmt *qn__stmt_new(struct qn__function *f, enum qn__stmt_kind kind);
void qn__append(struct qn__stmt *list, struct qn__stmt *s);
void qn__insert_before(struct qn__stmt *at, struct qn__stmt *s);
void qn__remove(struct qn__stmt *s);
/* Move all of `from`'s statements to the end of `to`. */
void qn__move_all(struct qn__stmt *to, struct qn__stmt *from);
bool qn__is_empty(const struct qn__stmt *list);
bool qn__is_jump(const struct qn__stmt *s); /* a leave, continue or return */
/* Does control never come out of the end of this list? */
bool qn__ends_in_jump(const struct qn__stmt *list);

/* The next statement of a walk over the whole tree, parents first; NULL at the end. */
struct qn__stmt *qn__walk_next(struct qn__stmt *s, const struct qn__stmt *top);

/* block_statements.c: a block's instructions, an edge's copies. */
void qn__block_statements(struct qn__function *f, struct qn__stmt *list, struct qn__block *b);
void qn__edge_copies(struct qn__function *f, struct qn__stmt *list, struct qn__block *from,
                     struct qn__block *to);
/* A statement of that text, at the end of a list; and `var = text`, which prints as var op= operand
 * where `value`, what is assigned, is such (or NULL). */
struct qn__stmt *qn__add_text(struct qn__function *f, struct qn__stmt *list, const char *text,
                              LLVMValueRef where);
void qn__add_assign(struct qn__function *f, struct qn__stmt *list, struct qn__var *var,
                    const char *text, LLVMValueRef value, LLVMValueRef where);
/* memcpy.c: memcpy and memmove, memset. */
void qn__copy_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call);
void qn__set_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call);
/* loop_hints.c: the lines to print before the loop of this head, each ended; NULL for none. */
const char *qn__loop_hints(struct qn__function *f, const struct qn__block *header);
/* quirk_switch.c: the test of one case: an if without a body. */
struct qn__stmt *qn__case_test(struct qn__function *f, const struct qn__stmt *c,
                               const char *selector);
/* divergence.c, where divergence is known: may its text have several values in a group? */
bool qn__differs(const struct qn__function *f, const struct qn__stmt *s);

/* emit.c: QN__ACTIVE in a text replaced. */
const char *qn__with_activity(struct qn__unit *u, const char *text, const char *activity);
/* The body as text. */
void qn__emit(struct qn__function *f, struct qn__str *out);

#endif
