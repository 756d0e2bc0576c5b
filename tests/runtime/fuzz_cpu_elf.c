/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared objects of a CPU, held against what may be loaded. */
#include "runtime/cpu/cpu_elf.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const enum qn__cpu_machine machines[] = {QN__CPU_X86, QN__CPU_ARM};
    for (int i = 0; i < 2; i++) {
        struct qn__arena arena = {0};
        struct qn__cpu_elf elf;
        if (qn__cpu_elf_read(&elf, &arena, data, n, machines[i]) == QN_OK)
            for (uint32_t k = 0; k < elf.n_symbols; k++) {
                const struct qn__cpu_symbol *s = &elf.symbols[k];
                if (!qn__cpu_elf_segment(&elf, s->address, s->bytes) ||
                    !qn__cpu_elf_find(&elf, s->name))
                    __builtin_trap();
            }
        qn__arena_release(&arena);
    }
    return 0;
}
