/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of tuned values. What was read is printed and read again.
 *
 * covers: rtc/tuned_file */
#include "rtc/tuned_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__arena arena = {0};
    struct qn__tuned_lines lines, again;
    struct qn__str text = {0};
    if (n < QN__TUNED_BYTES_MAX &&
        qn__tuned_parse(&lines, &arena, (const char *)data, n) == QN_OK) {
        qn__tuned_print_head(&text);
        for (uint32_t i = 0; i < lines.n; i++)
            qn__tuned_print(&text, &lines.items[i]);
        if (qn__tuned_parse(&again, &arena, text.text, text.len) != QN_OK || again.n > lines.n)
            __builtin_trap();
        qn__str_release(&text);
    }
    qn__arena_release(&arena);
    return 0;
}
