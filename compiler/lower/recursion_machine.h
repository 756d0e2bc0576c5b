/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose functions call themselves, while recursion_stack.c makes one loop of it. */
#ifndef QN_COMPILER_LOWER_RECURSION_MACHINE_H
#define QN_COMPILER_LOWER_RECURSION_MACHINE_H

#include "compiler/core/unit.h"

/* A function that is called, and what a kernel has for it. */
struct deep {
    LLVMValueRef function, again; /* a stand-in without a body for it */
    const char *name;             /* in the source */
    unsigned n_args;
    bool *is_passed_on; /* every call inside gives it as it is */
    LLVMBasicBlockRef enter;
    LLVMValueRef *args, result; /* variables */
    LLVMValueRef *loads;
};

/* A call of one of them. */
struct site {
    LLVMValueRef call;
    struct deep *callee;
    LLVMBasicBlockRef before, after;
    bool is_outer; /* the kernel's own */
};

struct blocks {
    LLVMBasicBlockRef *items;
    uint32_t n, capacity;
};

struct machine {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMValueRef kernel;
    LLVMTypeRef word;
    uint32_t depth_max;
    struct deep *deep;
    uint32_t n_deep, deep_capacity;
    struct site *sites;
    uint32_t n_sites, sites_capacity;
    LLVMValueRef depth, site_stack;
    LLVMBasicBlockRef leave, dispatch; /* a function's end, and the switch that all goes through */
    LLVMValueRef next;                 /* where that leads: a number in `targets` */
    struct blocks targets;             /* what follows each site, each function, loops with sites */
    struct qn__map own;                /* the kernel's own blocks, and variables of the machine */
    LLVMValueRef *vars;                /* of the functions: what may have to be kept */
    uint32_t n_vars, vars_capacity;
};

#endif
