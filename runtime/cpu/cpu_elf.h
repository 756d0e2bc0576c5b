/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a file a shared object that the system's loader may be given? The loader trusts what it loads:
 * it follows every offset and would run what the file says it should. So everything it will look at
 * is held against the file here, and what our images do not have is refused: code that runs when it
 * is loaded, other libraries than the C library's, text relocations, thread-local variables,
 * versions, a stack that may be executed. */
#ifndef QN_RUNTIME_CPU_ELF_H
#define QN_RUNTIME_CPU_ELF_H

#include "base/arena.h"
#include "base/cpu_target.h"

struct qn__cpu_segment {
    uint64_t begin, end; /* addresses before the object is moved */
    uint64_t file_end;   /* of the part that comes from the file */
    uint64_t at;         /* its place in the file */
    bool may_write, may_run;
};

struct qn__cpu_symbol { /* defined and global */
    const char *name;
    uint64_t address, bytes; /* inside one segment */
    bool is_code;
};

struct qn__cpu_elf {
    uint32_t n_segments, n_symbols;
    const struct qn__cpu_segment *segments; /* in order, none overlaps another */
    const struct qn__cpu_symbol *symbols;
};

/* Everything in *out lives in the arena.
 * QN_E_MISMATCH  a shared object for another machine
 * QN_E_CORRUPT   no shared object, damaged, or with something that ours do not have */
qn_status qn__cpu_elf_read(struct qn__cpu_elf *out, struct qn__arena *arena, const void *bytes,
                           size_t n, enum qn__cpu_machine machine);

/* NULL: there is none of that name. */
const struct qn__cpu_symbol *qn__cpu_elf_find(const struct qn__cpu_elf *elf, const char *name);

/* The segment that holds all of these addresses, or NULL. */
const struct qn__cpu_segment *qn__cpu_elf_segment(const struct qn__cpu_elf *elf, uint64_t address,
                                                  uint64_t bytes);

#endif
