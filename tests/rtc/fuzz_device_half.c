/* SPDX-License-Identifier: Apache-2.0
 *
 * The device half of arbitrary text, and what a compiler says of it: the first line of the input
 * tells how much of it is that. Lines stay. Symbols from the same text.
 *
 * covers: rtc/helper/device_half rtc/helper/device_items rtc/helper/device_headers
 * rtc/helper/gnu_forms base/cxx_text base/symbol_expression */
#include "base/symbol_expression.h"
#include "rtc/helper/device_half.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 1)
        return 0;
    const size_t log = data[0] < n - 1 ? data[0] : n - 1;
    char *const said = calloc(log + 1, 1), *const text = calloc(n - log, 1);
    if (!said || !text)
        abort();
    memcpy(said, data + 1, log);
    memcpy(text, data + 1 + log, n - 1 - log);
    const struct qn__source_file file = {"a.cu", text, strlen(text)};
    static const char *const options[] = {"-keep-going"};
    const struct qn__job job = {.files = &file, .n_files = 1, .options = options, .n_options = 1};
    struct qn__arena arena = {0};
    struct qn__device_half *half = NULL;
    struct qn__job part;
    if (qn__device_half_create(&half, &arena, &job, NULL) == QN_OK && half) {
        qn__device_half_leave_out(half, said);
        if (qn__device_half_part(&part, half) != QN_OK)
            abort();
        const char *const begin = strstr(part.files[0].text, "#line 1 \"a.cu\"\n");
        if (!begin || count_lines(begin) != count_lines(text) + 1)
            abort();
    }
    qn__device_half_release(half);
    qn__symbol_expression(&arena, text);
    qn__symbol_is_instance(text);
    qn__arena_release(&arena);
    free(said);
    free(text);
    return 0;
}
