/* SPDX-License-Identifier: Apache-2.0
 *
 * Images for cpu:aarch64 on a machine that is none: compiled here and run by qemu's emulator of one
 * process, in the program that runs kernels under sanitizers (tools/kernel_runner.inc), compiled
 * without any. Kernels that ship are compared with their references (QN_LONG: of every format),
 * instructions with the numbers of PTX's manual. Needs qemu-aarch64 and Debian's
 * libc6-dev-arm64-cross.
 *
 * covers: rtc/helper/cpu_compile base/cpu_target */
#include "base/file.h"
#include "kernels/op_run.h"
#include "kernels/product.h"
#include "tests/compiler/instruction_rows.h"

#include <check.h>
#include <math.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TARGET    "cpu:aarch64"
#define WITH_DOTS "cpu:aarch64:bf16+:dotprod+:fp16+:i8mm+:lse+"
#define SYSROOT   "/usr/aarch64-linux-gnu"

static char *folder; /* runner, kernel.so, job, 0, 1, ... */

#define must(call) ck_assert_msg((call) == QN_OK, "%s: %s", #call, qn_message())

static const char *in_folder(const char *name)
{
    static char path[4][4096];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_bytes(const char *name, const void *bytes, size_t n)
{
    must(qn__file_write_atomic(in_folder(name), bytes, n, 0700));
}

/* ---- the emulator ---- */

static bool succeeds(const char *command)
{
    return system(command) == 0;
}

/* What is missing, or NULL. */
static const char *reason_to_skip(void)
{
    if (!succeeds("command -v qemu-aarch64 >/dev/null"))
        return "qemu-aarch64 is not installed (Debian and Ubuntu: apt install qemu-user)";
    if (access(SYSROOT "/lib/Scrt1.o", R_OK) != 0)
        return "no C library for aarch64 (Debian and Ubuntu: apt install libc6-dev-arm64-cross)";
    if (!succeeds("command -v ${QUERN_CLANG:-clang-19} >/dev/null") ||
        !succeeds("command -v ld.lld-19 >/dev/null || command -v ld.lld >/dev/null"))
        return "no clang-19 with lld, which links for aarch64";
    return NULL;
}

static void build_runner(void)
{
    char command[8192];
    snprintf(command, sizeof command,
             "{ set -e; cp tools/kernel_runner.inc '%s/runner.c'; cd '%s'; "
             "${QUERN_CLANG:-clang-19} --target=aarch64-linux-gnu -std=gnu11 -O1 -w -fPIE "
             "-nostdlibinc -isystem " SYSROOT "/include -c runner.c; "
             "$(command -v ld.lld-19 || command -v ld.lld) -m aarch64linux -pie "
             "-dynamic-linker /lib/ld-linux-aarch64.so.1 -o runner " SYSROOT "/lib/Scrt1.o " SYSROOT
             "/lib/crti.o runner.o -L " SYSROOT "/lib --no-as-needed -lc -lm " SYSROOT
             "/lib/crtn.o; } >'%s/log' 2>&1",
             folder, folder, folder);
    if (!succeeds(command)) {
        snprintf(command, sizeof command, "cat '%s/log'", folder);
        (void)succeeds(command);
        ck_abort_msg("the program that runs kernels does not build for aarch64");
    }
}

/* The kernels of a text, as kernel.so in the folder. */
static void compile(const char *text, const char *path, const char *target)
{
    qn_image *image;
    const qn_source source = {.text = text, .path = path};
    must(qn_compile(&image, &source, target, NULL, NULL));
    const qn_image_info *const info = qn_image_get_info(image);
    ck_assert_str_eq(info->target, target);
    write_bytes("kernel.so", info->bytes, info->size_bytes);
    qn_image_release(image);
}

/* Run the job in the folder: what it writes back is in the files of its buffers. */
static void run_job(const char *what)
{
    char command[8192];
    snprintf(command, sizeof command,
             "cd '%s' && timeout 100 qemu-aarch64 -cpu max -L " SYSROOT
             " ./runner ./kernel.so job reports >log 2>&1 && ! [ -s reports ]",
             folder);
    if (succeeds(command))
        return;
    snprintf(command, sizeof command, "head -c 2000 '%s/log' '%s/reports'", folder, folder);
    (void)succeeds(command);
    ck_abort_msg("%s: the emulated run failed", what);
}

static char *read_bytes(const char *name, size_t want)
{
    char *bytes;
    size_t n;
    must(qn__file_read(&bytes, &n, in_folder(name), 1 << 30));
    ck_assert_uint_eq(n, want);
    return bytes;
}

/* ---- kernels that ship ---- */

static const qn_device_info processor = {.backend = "cpu",
                                         .target = "cpu:aarch64",
                                         .device_class = QN_DEVICE_CPU,
                                         .compute_units = 2,
                                         .wave_width = 32,
                                         .block_threads_max = 1024,
                                         .shared_bytes_max = 1 << 20};

static uint32_t ops[512];
static int n_ops;

static void choose_ops(void)
{
    for (uint32_t i = 0; i < qn_op_count() && n_ops < 512; i++) {
        const struct qn__op_row *const row = qn__op_row(i);
        if (!row->format || row->format->id == QN__FORMAT_q8_0 ||
            row->format->id == QN__FORMAT_f16 || getenv("QN_LONG"))
            ops[n_ops++] = i;
    }
}

static uint64_t bytes_of(const struct qn__op_array *a)
{
    return a->n * qn__dtype_bytes(a->dtype);
}

static void write_job(const struct qn__op_row *row, struct qn__op_case *c)
{
    const qn_dims d = qn__launch_plan(&c->work, &processor, 0);
    qn__op_case_decide(c, &processor);
    FILE *const f = fopen(in_folder("job"), "w");
    ck_assert(f != NULL);
    fprintf(f, "kernel %s\ngrid %u %u %u\nblock %u %u %u\nshared %u\nheap 0\n", row->info.kernel,
            d.grid[0], d.grid[1], d.grid[2], d.block[0], d.block[1], d.block[2], d.shared_bytes);
    for (uint32_t i = 0; i < c->n_args; i++) {
        const struct qn__op_arg *const arg = &c->args[i];
        const unsigned char *const value = (const unsigned char *)&arg->value;
        if (arg->array >= 0) {
            fprintf(f, "buffer %llu %d\n", (unsigned long long)bytes_of(&c->arrays[arg->array]),
                    arg->array);
            continue;
        }
        fprintf(f, arg->bytes ? "value " : "null");
        for (uint32_t k = 0; k < arg->bytes; k++)
            fprintf(f, "%02x", value[k]);
        fputc('\n', f);
    }
    ck_assert_int_eq(fclose(f), 0);
    for (uint32_t i = 0; i < c->n_arrays; i++) {
        const struct qn__op_array *const a = &c->arrays[i];
        char name[16];
        unsigned char *const poison = malloc(bytes_of(a) + 1);
        ck_assert(poison != NULL);
        memset(poison, 0xff, bytes_of(a) + 1);
        snprintf(name, sizeof name, "%u", i);
        write_bytes(name, a->values ? a->values : poison, bytes_of(a));
        free(poison);
    }
}

static void compare(const struct qn__op_row *row, const struct qn__op_case *c, uint32_t index)
{
    const struct qn__op_array *const a = &c->arrays[index];
    char name[16];
    snprintf(name, sizeof name, "%u", index);
    char *const got = read_bytes(name, bytes_of(a));
    for (uint64_t i = 0; i < a->n; i++) {
        const char *const bits = got + i * qn__dtype_bytes(a->dtype);
        const double value = qn__op_element(a->dtype, bits), want = a->want[i];
        static const char poison[4] = {-1, -1, -1, -1};
        const bool is_kept = isnan(want) && memcmp(bits, poison, qn__dtype_bytes(a->dtype)) == 0;
        ck_assert_msg(is_kept || qn__op_error(value, want, a->tolerance[i]) <= 1.0,
                      "%s %s: array %u, element %llu: got %.9g, want %.9g", row->info.kernel,
                      c->shape, index, (unsigned long long)i, value, want);
    }
    free(got);
}

/* In up to two of its small shapes. */
static void check_op(const struct qn__op_row *row, const char *target)
{
    uint32_t n, n_small, n_run = 0;
    const struct qn__op_shape *const shapes = qn__op_shapes(row->op, &n, &n_small);
    compile(row->info.source, row->info.file, target);
    for (uint32_t k = 0; k < n_small && n_run < 2; k++) {
        struct qn__arena arena = {0};
        struct qn__op_case c;
        if (shapes[k].offset || !qn__op_accepts(row, &shapes[k]))
            continue;
        must(qn__op_case_init(&c, &arena, row, &shapes[k]));
        if (c.bytes < 1 << 20 && (k > 0 || n_small == 1)) { /* the first is often of one element */
            write_job(row, &c);
            run_job(row->info.kernel);
            for (uint32_t i = 0; i < c.n_arrays; i++)
                if (c.arrays[i].want)
                    compare(row, &c, i);
            n_run++;
        }
        qn__arena_release(&arena);
    }
    ck_assert_msg(n_run > 0, "%s: no shape was run", row->info.kernel);
}

START_TEST(a_kernel_that_ships_matches_its_reference)
{
    check_op(qn__op_row(ops[_i]), TARGET);
}
END_TEST

/* Sums of products of bytes are instructions there. */
START_TEST(so_it_does_with_later_instructions)
{
    uint32_t n_dots = 0;
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (strncmp(qn_op_get(i)->op, "dots_", 5) == 0) {
            check_op(qn__op_row(i), WITH_DOTS);
            n_dots++;
        }
    ck_assert_uint_ge(n_dots, 6);
}
END_TEST

/* ---- instructions ---- */

START_TEST(numbers_are_those_of_the_manual)
{
    uint32_t input[INPUTS];
    const uint32_t nothing[WORDS] = {0};
    for (uint32_t i = 0; i < INPUTS; i++)
        input[i] = 100 * i + 7;
    instructions_write(NULL);
    compile(instruction_text, "instructions.cu", TARGET);
    for (int i = 0; i < N; i++) {
        char job[256];
        const int n = snprintf(job, sizeof job,
                               "kernel row_%d\ngrid 1 1 1\nblock %d 1 1\nshared 0\nheap 0\n"
                               "buffer %zu out\nbuffer %zu in\n",
                               i, THREADS, sizeof nothing, sizeof input);
        write_bytes("job", job, (size_t)n);
        write_bytes("out", nothing, sizeof nothing);
        write_bytes("in", input, sizeof input);
        run_job(rows[i].name);
        char *const got = read_bytes("out", sizeof nothing);
        for (int k = 0; k < WORDS; k++) {
            uint32_t word;
            memcpy(&word, got + 4 * k, 4);
            ck_assert_msg(word == rows[i].want[k], "%s: o[%d] is 0x%08x, wanted 0x%08x",
                          rows[i].name, k, word, rows[i].want[k]);
        }
        free(got);
    }
}
END_TEST

/* ---- */

static void open_folder(void)
{
    must(qn__temp_dir_create(&folder));
    build_runner();
}

static void close_folder(void)
{
    qn__temp_dir_remove(folder);
    free(folder);
}

int main(void)
{
    const char *const reason = reason_to_skip();
    if (reason) {
        printf("skip: kernels for aarch64: %s\n", reason);
        return 0;
    }
    choose_ops();
    Suite *const s = suite_create("aarch64");
    TCase *const t = tcase_create("aarch64");
    tcase_set_timeout(t, 300);
    tcase_add_unchecked_fixture(t, open_folder, close_folder);
    tcase_add_loop_test(t, a_kernel_that_ships_matches_its_reference, 0, n_ops);
    tcase_add_test(t, so_it_does_with_later_instructions);
    tcase_add_test(t, numbers_are_those_of_the_manual);
    suite_add_tcase(s, t);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
