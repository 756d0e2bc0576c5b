/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of lines: the compact one, and an ELF file's. */
#include "base/dwarf_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__arena arena = {0};
    struct qn__line_rows rows;
    size_t loaded;
    const char *file;
    uint32_t line;
    if (qn__line_table_find(&file, &line, data, n, 0x1234) && strlen(file) > n)
        __builtin_trap();
    if (qn__line_rows_of_elf(&rows, &loaded, &arena, data, n, "kernel.c") == QN_OK) {
        struct qn__str out = {0};
        if (loaded > n)
            __builtin_trap();
        qn__line_table_add(&out, &rows);
        if (qn__line_table_find(&file, &line, out.text, out.len, 0x1234) && !*file && !line)
            __builtin_trap();
        qn__str_release(&out);
    }
    qn__arena_release(&arena);
    return 0;
}
