/* SPDX-License-Identifier: Apache-2.0
 *
 * The include scanner and the log reader from arbitrary text. What the scanner finds lies inside
 * the text and is quoted; rewriting a source keeps its lines.
 *
 * covers: rtc/helper/diagnostics rtc/source/include_scan */
#include "rtc/helper/diagnostics.h"
#include "rtc/source/include_scan.h"
#include "rtc/source/source.h"

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

static void try_scan(const char *text, size_t n)
{
    struct qn__include_scan scan;
    struct qn__include inc;
    const char *last = text;
    qn__include_scan_init(&scan, text, n);
    while (qn__include_scan_next(&inc, &scan)) {
        if (inc.begin < last || inc.end > text + n || inc.end - inc.begin < 3)
            __builtin_trap();
        last = inc.end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = malloc(n + 1);
    if (!text)
        return 0;
    memcpy(text, data, n);
    text[n] = 0;
    try_scan(text, n);
    const char *const names[] = {"a.h", "b/c.h"}, *const texts[] = {text, "int c;\n"};
    const qn_source src = {
        .text = text, .header_names = names, .header_texts = texts, .n_headers = 2};
    struct qn__closure c;
    if (qn__closure_build(&c, &src, NULL, 0) == QN_OK &&
        qn__closure_add_shims(&c, QN__SHIMS_NVRTC) == QN_OK) {
        if (count_lines(c.files[0].text) != count_lines(text))
            __builtin_trap();
        const struct qn__job job = {.files = c.files, .n_files = c.n_files};
        struct qn__str out = {0}, shown = {0};
        qn__diagnostics_add(&out, &job, text, true, true);
        qn__closure_show(&shown, &c, out.text ? out.text : "");
        qn__str_release(&out);
        qn__str_release(&shown);
    }
    qn__closure_release(&c);
    free(text);
    return 0;
}
