/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel as the later stages see it: LLVM's blocks and values with what is known about them.
 *
 * Blocks are in reverse post-order; unreachable ones are left out. A value is an instruction or an
 * argument. A value is either *folded*, printed inside the expression of its user, or it lives in a
 * *variable*, which it may share with others (a phi and what flows into it).
 */
#ifndef QN_COMPILER_MODEL_FUNCTION_H
#define QN_COMPILER_MODEL_FUNCTION_H

#include "compiler/core/unit.h"
#include "compiler/model/types.h"
#include "compiler/model/value_names.h"

struct qn__block;

/* What a work-item may ask about its place, by axis. */
enum qn__work_item {
    QN__NO_WORK_ITEM, /* something else is asked for */
    QN__LOCAL_ID,
    QN__GROUP_ID,
    QN__LOCAL_SIZE,
    QN__NUM_GROUPS,
    QN__LINEAR_ID,     /* in the group, of all axes */
    QN__SUBGROUP_LANE, /* its place in the driver's subgroup */
};

/* A C variable of the kernel. */
struct qn__var {
    uint32_t id;      /* its number among the variables of the kernel */
    const char *wish; /* the name to use if it is free */
    const char *name; /* the name it has; declare.c */
    const struct qn__type *type;
    bool is_named;          /* by the source */
    bool is_argument;       /* declared by the kernel's head */
    bool is_memory;         /* an array or struct with an address: an alloca */
    bool is_volatile;       /* memory of which every access is */
    bool is_shared;         /* __local */
    uint32_t aligned;       /* memory of more than its type's alignment, in bytes; else 0 */
    bool divergent;         /* may differ between work-items of a group */
    bool starts_undefined;  /* some path reads it before it is assigned */
    struct qn__stmt *scope; /* list that declares it */
};

struct qn__value {
    LLVMValueRef llvm;
    struct qn__block *block; /* NULL for arguments */
    uint32_t position;       /* in its block; phis have 0 */
    uint32_t index;          /* among the kernel's values */
    bool live;               /* its value or effect matters */
    bool folded;
    bool is_phi, is_load;
    bool feeds_test;         /* in the head of a loop, for the branch at its end */
    bool is_overlooked;      /* by a vectoriser: printed as volatile; quirk_volatile_*.c */
    bool is_lost;            /* needs a volatile variable; quirk_volatile_negation.c */
    uint32_t places;         /* how often it is printed */
    uint32_t nodes;          /* size of its expression */
    uint32_t write_index;    /* into writes_before */
    struct qn__value *root;  /* folded into one place: the statement it is printed in */
    LLVMValueRef edge_value; /* root is a phi: the incoming value it is part of */
    enum qn__space space;    /* of pointers */
    struct qn__var *var;
    struct qn__value *web;      /* union-find of values that share a variable */
    struct qn__value *web_next; /* members of a web, in a ring */
    uint32_t web_size;
    struct qn__source_name name;
};

struct qn__edge_list {
    struct qn__block **items;
    uint32_t n, capacity;
};

struct qn__loop {
    struct qn__block *header;
    struct qn__loop *parent;
    uint32_t depth;
    struct qn__block *follow; /* the block that comes after it; structure.c */
};

struct qn__block {
    LLVMBasicBlockRef llvm;
    uint32_t index; /* in reverse post-order */
    struct qn__edge_list preds, succs;
    struct qn__block *idom;
    struct qn__edge_list children; /* in the dominator tree */
    uint32_t dom_in, dom_out;      /* interval in the dominator tree */
    struct qn__loop *loop;         /* innermost one around it */
    bool is_header;
    bool is_return; /* nothing but ret: copied to where it is jumped to */
    uint32_t forward_preds;
    uint32_t n_instructions;
};

/* Arrays that collectives read, of one type, used in turn (stmt/split_collective.c). */
struct qn__lanes {
    const struct qn__type *type;
    struct qn__var *arrays[4];
    uint32_t next;
};

struct qn__function {
    struct qn__unit *u;
    struct qn__kernel_source *source;
    LLVMValueRef llvm;
    struct qn__block *blocks;
    uint32_t n_blocks;
    struct qn__map block_of, value_of;
    struct qn__value *values; /* arguments, then instructions in block order */
    uint32_t n_values;
    struct qn__var **vars;
    uint32_t n_vars, vars_capacity;
    uint32_t *writes_before;   /* inline_values.c */
    struct qn__map memory_of;  /* alloca or shared variable -> struct qn__var */
    struct qn__map hidden_of;  /* module variable -> struct qn__var */
    struct qn__map alias_sets; /* alias_types.c */
    struct qn__hidden *hidden;
    uint32_t n_hidden, hidden_capacity;
    struct qn__var **hidden_vars;
    uint32_t hidden_vars_capacity;
    struct qn__var *scratch;        /* of warp operations: a uint or two per work-item, or NULL */
    struct qn__var *dynamic_shared; /* NULL when not used */
    struct qn__var **shared;        /* static __shared__ */
    uint32_t n_shared, shared_capacity;
    uint64_t shared_bytes;
    bool has_barrier, has_indirect_pointers;
    bool is_irreducible, is_flattened, has_alias_types;
    bool barriers_diverge; /* some barrier is not reached by every work-item; divergence.c */
    bool barriers_native;  /* and need not: the hardware counts work-items that exited as arrived */
    bool by_flags;     /* some path is to be flattened though it is uniform; quirk_flag_paths.c */
    bool in_subgroups; /* its warps are subgroups; subgroup_check */
    /* where work-items are loops: */
    bool exits_diverge;          /* some leave early where flags must say so; work_items.c */
    struct qn__var *item_number; /* qn_i, or NULL */
    struct qn__var *first_item;  /* of the block; NULL: not asked for */
    struct qn__var **frame;      /* arrays with an element for each work-item */
    uint32_t n_frame, frame_capacity;
    uint64_t frame_bytes; /* of one work-item; out/block_text.c */
    struct qn__lanes *lanes;
    uint32_t n_lanes, lanes_capacity;
    struct qn__stmt *body;
};

/* Blocks, dominators, loops and values of a kernel. */
struct qn__function *qn__function_new(struct qn__unit *u, struct qn__kernel_source *source);

struct qn__value *qn__value_of(struct qn__function *f, LLVMValueRef v); /* NULL for constants */
struct qn__block *qn__block_of(struct qn__function *f, LLVMBasicBlockRef b);
bool qn__dominates(const struct qn__block *a, const struct qn__block *b);
bool qn__in_loop(const struct qn__loop *loop, const struct qn__block *b);

struct qn__var *qn__var_new(struct qn__function *f, const char *wish, const struct qn__type *type);

/* The callee's name without LLVM's type suffixes being touched; "" for indirect calls. */
const char *qn__callee(LLVMValueRef call);
bool qn__is_noop_call(const char *callee); /* assume, lifetime, debug */

#endif
