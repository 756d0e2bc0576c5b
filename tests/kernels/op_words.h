/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases of kernels.def as words of `quern check`, a line each with tabs between them; what is
 * in the buffers goes to files of a folder. Each kernel stands there in two divisions of its work:
 * as cpu:0 launches it, and as a GPU with warps of 32 does (QK_WAVE_WIDTH and QK_COALESCE of
 * quern_kernel.cuh), where the threads of a block share rows, shuffle and meet at barriers. */
#ifndef QN_TESTS_OP_WORDS_H
#define QN_TESTS_OP_WORDS_H

#include "base/file.h"
#include "kernels/op_run.h"
#include "kernels/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct division {
    const char *name, *options;
    uint32_t block; /* 0: the plan's own */
    qn_device_info device;
};

static const struct division divisions[] = {
    {"cpu",
     "",
     0,
     {.backend = "cpu",
      .target = "cpu:native",
      .device_class = QN_DEVICE_CPU,
      .compute_units = 2,
      .wave_width = 32,
      .block_threads_max = 1024,
      .shared_bytes_max = 1 << 20}},
    {"gpu",
     "\t-D\tQK_WAVE_WIDTH=32\t-D\tQK_COALESCE=1",
     64,
     {.backend = "opencl",
      .target = "opencl",
      .device_class = QN_DEVICE_DISCRETE,
      .compute_units = 2,
      .wave_width = 32,
      .block_threads_max = 1024,
      .shared_bytes_max = 1 << 20}},
};

/* The values go to FOLDER/NUMBER.ARRAY. */
static bool op_words_print_buffer(const struct qn__op_case *c, int array, const char *folder,
                                  unsigned number)
{
    const struct qn__op_array *const a = &c->arrays[array];
    const uint64_t n = a->n * qn__dtype_bytes(a->dtype);
    char name[32];
    if (n == 0) {
        printf("\t-a\tnull");
        return true;
    }
    printf("\t-a\t%s:u8:%llu", a->want ? "inout" : "in", (unsigned long long)n);
    if (!a->values)
        return printf(":const:255") > 0;
    snprintf(name, sizeof name, "%u.%d", number, array);
    char *const path = qn__path_join(folder, name);
    const bool good = path && qn__file_write_atomic(path, a->values, n, 0600) == QN_OK;
    printf(":file:%s", path ? path : "");
    free(path);
    return good;
}

static bool op_words_print_case(const struct qn__op_row *row, struct qn__op_case *c,
                                const struct division *d, const char *folder, unsigned number)
{
    const qn_dims dims = qn__launch_plan(&c->work, &d->device, d->block);
    qn__op_case_decide(c, &d->device);
    printf("%s, %s, %s\t%s\t%s%s\t-g\t%u,%u,%u\t-b\t%u,%u,%u\t-s\t%u", row->info.kernel, c->shape,
           d->name, row->info.file, row->info.kernel, d->options, dims.grid[0], dims.grid[1],
           dims.grid[2], dims.block[0], dims.block[1], dims.block[2], dims.shared_bytes);
    for (uint32_t i = 0; i < c->n_args; i++) {
        const struct qn__op_arg *const arg = &c->args[i];
        const unsigned char *const bytes = (const unsigned char *)&arg->value;
        if (arg->array >= 0) {
            if (!op_words_print_buffer(c, arg->array, folder, number))
                return false;
            continue;
        }
        printf(arg->bytes ? "\t-a\thex:" : "\t-a\tnull");
        for (uint32_t k = 0; k < arg->bytes; k++)
            printf("%02x", bytes[k]);
    }
    return putchar('\n') != EOF;
}

/* Of each kernel the smallest shape that moves so many bytes: several blocks have something to do.
 */
enum { OP_WORDS_BYTES = 6000 };

static int op_words_pick(const struct qn__op_row *row, const struct qn__op_shape *shapes,
                         uint32_t n)
{
    uint64_t best_bytes = 0;
    int best = -1;
    for (uint32_t i = 0; i < n; i++) {
        struct qn__arena arena = {0};
        struct qn__op_case c;
        if (shapes[i].offset || !qn__op_accepts(row, &shapes[i]))
            continue;
        const bool good = qn__op_case_init(&c, &arena, row, &shapes[i]) == QN_OK;
        if (good &&
            (best_bytes < OP_WORDS_BYTES ? c.bytes > best_bytes
                                         : c.bytes >= OP_WORDS_BYTES && c.bytes < best_bytes)) {
            best_bytes = c.bytes;
            best = (int)i;
        }
        qn__arena_release(&arena);
    }
    return best;
}

static int op_words_print(const char *folder)
{
    const char *const all = getenv("QN_SHAPES");
    unsigned number = 0;
    for (uint32_t i = 0; i < qn_op_count(); i++) {
        const struct qn__op_row *const row = qn__op_row(i);
        uint32_t n, n_small;
        const struct qn__op_shape *const shapes = qn__op_shapes(row->op, &n, &n_small);
        const int picked = op_words_pick(row, shapes, n_small);
        for (uint32_t k = 0; k < n_small; k++) {
            struct qn__arena arena = {0};
            struct qn__op_case c;
            if (all && !strcmp(all, "all") ? !qn__op_accepts(row, &shapes[k]) : (int)k != picked)
                continue;
            bool good = qn__op_case_init(&c, &arena, row, &shapes[k]) == QN_OK;
            for (size_t d = 0; d < sizeof divisions / sizeof *divisions && good; d++)
                good = op_words_print_case(row, &c, &divisions[d], folder, number++);
            qn__arena_release(&arena);
            if (!good)
                return 1;
        }
    }
    return 0;
}

#endif
