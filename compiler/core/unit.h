/* SPDX-License-Identifier: Apache-2.0
 *
 * One translation: what every stage shares. A unit lives from qn__translate() to its return; all
 * its memory is the result's arena.
 *
 * Two ways out of trouble, so that the stages read straight:
 *   qn__refuse()  records a diagnostic at an instruction's source position and returns; the stage
 *                 carries on with a placeholder, so that one run reports many refusals. The text is
 *                 thrown away at the end.
 *   qn__need()    memory for a stage; when there is none it leaves the translation by longjmp to
 *                 qn__translate(), which returns QN_E_MEMORY. Only translate.c calls setjmp.
 */
#ifndef QN_COMPILER_CORE_UNIT_H
#define QN_COMPILER_CORE_UNIT_H

#include "base/profiles.h"
#include "base/str.h"
#include "base/translate_options.h"
#include "compiler/translator.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

struct qn__function;
struct qn__type;
struct qn__record;
struct qn__shared_name;
struct qn__language;
struct qn__node;

/* A __device__ or __constant__ variable that becomes a hidden buffer argument. */
struct qn__module_var {
    LLVMValueRef llvm;
    const char *name;              /* in the text */
    uint32_t index;                /* in the reflection */
    const unsigned char *initial;  /* its bytes; NULL for zeros */
    struct qn__address *addresses; /* among them */
    uint32_t n_addresses;
};

/* A constant table of the program. */
struct qn__table {
    LLVMValueRef llvm;
    const struct qn__node *initial;
};

/* A kernel as the front end gave it. */
struct qn__kernel_source {
    LLVMValueRef function;
    const char *expression;     /* the name expression that asked for it, or NULL */
    const char *name;           /* in the text */
    bool shares_name;           /* another kernel has the name that this one would have there */
    struct qn__function *model; /* what the kernel's passes made of it; NULL: left out */
    uint32_t n_errors;          /* refusals in this kernel */
    const char *why;            /* the first of them, with its place */
    uint32_t block_threads_max;
    uint32_t bound_threads, bound_blocks; /* of __launch_bounds__; 0: not given */
};

/* A pointer-keyed table (LLVM's handles to ours). */
struct qn__map {
    const void **keys;
    void **values;
    uint32_t n, capacity;
};

struct qn__unit {
    struct qn__arena *arena;
    const struct qn__translate_request *request;
    struct qn__translate_result *result;
    const struct qn__profile *profile;
    const struct qn__language *language; /* of the text; lang/language.h */
    bool spells_numbers;                 /* variables with their numbers; dump.c */
    bool fast_math, contract;
    uint32_t registers_max; /* of -maxrregcount; 0: not given */
    bool keep_going;        /* leave out kernels that are refused, make the others */
    enum qn__lines lines;
    const char *dump_after; /* the pass to show the module or the kernels after; NULL: none */
    jmp_buf *out_of_memory;
    char *temp_dir; /* of the front end; NULL when removed */

    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;

    uint32_t n_named; /* value_names.c */

    /* lower/find_kernels.c */
    struct qn__kernel_source *kernels;
    uint32_t n_kernels, kernels_capacity;
    LLVMValueRef *name_values; /* per name expression: what it is, or NULL */

    struct qn__map in_buffers; /* large_arguments.c: struct parameter -> its LLVM type */

    /* what is being looked at: where refusals without a position of their own are reported */
    LLVMValueRef current, current_function;

    struct qn__map
        known_files; /* diagnose.c: a file of the debug information -> is it the user's? */
    struct qn__str diagnostics;
    uint32_t n_errors, n_errors_said;
    uint32_t n_errors_left_out; /* in kernels that are left out */
    const char **device_errors; /* of clang, in code that host_code.c left out: "a.cu:1:2: ..." */
    uint32_t n_device_errors, device_errors_capacity;
    const char *device_log;  /* what clang said before they were left out */
    bool needs_device_error; /* a kernel that must be there has one of them */
    bool names_kernels;      /* a name expression of the request is a kernel */
    struct qn__str explain;  /* JSON objects, separated by commas */
    struct qn__str dump;     /* what `dump_after` asked for */

    /* types.c */
    struct qn__type **types;
    uint32_t n_types, types_capacity;
    struct qn__record *records, **records_end, *record_named_last;
    struct qn__map record_of;    /* LLVM struct type -> struct qn__record */
    struct qn__map record_di;    /* debug composite types seen */
    LLVMMetadataRef *composites; /* debug info's structs, by order of discovery */
    uint32_t n_composites, composites_capacity;

    uint32_t *builtin_slots; /* builtins.c */
    struct qn__map forms;    /* lang/form.c: a row of builtins.def -> its form's parts */
    uint64_t abilities_used; /* of the profile: pragmas and the reflection's needs */
    struct qn__str library;  /* texts of the library functions used */
    const char **library_names;
    uint32_t n_library, library_capacity;
    struct qn__module_var *vars;
    uint32_t n_vars, vars_capacity;
    struct qn__kernel *reflected;
    uint32_t n_reflected, reflected_capacity;
    struct qn__table *constants; /* initialised tables that are never written: program scope */
    uint32_t n_constants, constants_capacity;
};

/* May this kernel be missing from the result, with a warning that says why? So it is with
 * -keep-going, and where the request names other kernels. */
bool qn__may_leave_out(const struct qn__unit *u, const struct qn__kernel_source *k);

/* What stands in the body of a device function that does not compile: a call with the number of its
 * error. */
#define QN__DEVICE_LEFT_OUT "__qn_device_left_out"

/* The kernel whose LLVM function this is, or NULL. */
struct qn__kernel_source *qn__kernel_of(struct qn__unit *u, LLVMValueRef function);

/* `count` zeroed elements; never NULL. */
void *qn__need(struct qn__unit *u, size_t count, size_t size);
#define QN__NEED(u, type)          ((type *)qn__need((u), 1, sizeof(type)))
#define QN__NEED_ARRAY(u, type, n) ((type *)qn__need((u), (n), sizeof(type)))
const char *qn__text(struct qn__unit *u, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Room for one more element of an arena array that doubles. */
void *qn__grow(struct qn__unit *u, void *array, uint32_t n, uint32_t *capacity, size_t size);
#define QN__PUSH(u, array, n, capacity, value)                                                     \
    ((array) = qn__grow((u), (array), (n), &(capacity), sizeof *(array)), (array)[(n)++] = (value))

void *qn__map_get(const struct qn__map *m, const void *key); /* NULL when absent */
void qn__map_put(struct qn__unit *u, struct qn__map *m, const void *key, void *value);

#endif
