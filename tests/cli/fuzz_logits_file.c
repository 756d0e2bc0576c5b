/* SPDX-License-Identifier: Apache-2.0
 *
 * Saved distributions from arbitrary bytes: a file that is taken has all its rows.
 *
 * covers: tools/logits_file */
#include "tools/logits_file.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void put(const char *path, const uint8_t *data, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, n, file) != n || fclose(file) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct qn__logits_file f;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz-logits-%ld", (long)getpid());
    put(path, data, n);
    if (qn__logits_file_open(&f, path) == QN_OK) {
        float *row = malloc(f.n_vocab * sizeof *row);
        const uint64_t n_rows = (uint64_t)f.n_pieces * (f.context - 1 - f.context / 2);
        if (!row)
            abort();
        for (uint64_t i = 0; i < n_rows && qn__logits_file_next(&f, row) == QN_OK; i++)
            ;
        free(row);
        qn__logits_file_close(&f);
    }
    remove(path);
    return 0;
}
