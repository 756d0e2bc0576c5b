/* SPDX-License-Identifier: Apache-2.0
 *
 * Translated kernels compute the right answer: each kernel of tests/compiler/ok runs twice, through
 * the translator and OpenCL on this machine, and as plain C++ with one thread per CUDA thread
 * (tests/compiler/emulate.h); the output buffers must agree. So must those of its translation to C
 * (tests/compiler/c_program.h), whose cases have the tag no_driver: another OpenCL changes nothing
 * there (CK_EXCLUDE_TAGS=no_driver).
 *
 *     check_compiler_run                         the tests
 *     check_compiler_run NAME                    those of one name, in this process
 *     check_compiler_run --check FOLDER          for check_races.sh: each row as words of quern
 *                                                check, tabs between them; inputs go to FOLDER
 */
#include "base/file.h"
#include "compiler/frontend/clang.h"
#include "compiler/translator.h"
#include "runtime/opencl/opencl_driver.h"
#include "tests/compiler/c_program.h"

#include <check.h>
#include <dlfcn.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ARGS = 16, LIMIT = 16 << 20 };
#define ANY_DEVICE 0xFFFFFFFFu /* CL_DEVICE_TYPE_ALL */

/* Arguments, one letter each with a value after it:
 *     o, i       the output and the input buffer
 *     n=COUNT    int      u=COUNT unsigned    l=COUNT 64-bit    c=0|1 bool
 *     f= d=      float, double                s=BYTES struct of that many patterned bytes */
struct row {
    const char *name;   /* tests/compiler/ok/<name>.cu */
    const char *kernel; /* name expression; NULL: run */
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    char out_type, in_type; /* f d i b: float, double, int, bytes */
    unsigned out_count, in_count;
    const char *args;
    float ulps; /* float outputs may differ by this much */
};

static const struct row rows[] = {
    {"indices", NULL, {2, 3, 1}, {8, 4, 1}, 0, 'i', 'i', 192, 192, "o i n=190", 0},
    {"wide",
     NULL,
     {2, 1, 1},
     {32, 1, 1},
     0,
     'd',
     'd',
     64,
     64,
     "o i l=61 c=1 l=123456789012345 d=0.37",
     0},
    {"reduce", NULL, {3, 1, 1}, {64, 1, 1}, 0, 'f', 'f', 3, 192, "o i n=170", 0},
    {"transpose", NULL, {3, 3, 1}, {8, 8, 1}, 0, 'f', 'f', 576, 576, "o i n=570", 0},
    {"dynamic", NULL, {2, 1, 1}, {32, 1, 1}, 256, 'f', 'f', 64, 64, "o i n=60", 0},
    {"vectors", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 192, 192, "o i n=180", 1},
    {"packed", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'b', 32, 704, "o i n=30", 0},
    {"structs", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'b', 'f', 384, 96, "o i n=15 s=40", 0},
    {"spaces", NULL, {2, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 32, 32, "o i n=32", 2},
    {"globals", NULL, {2, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 32, 32, "o i n=30", 1},
    {"templates", "ops::run<int, 3>", {2, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=30", 0},
    {"control", NULL, {4, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"integers", NULL, {4, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"floats", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 64, 64, "o i n=60", 2},
    {"clash", NULL, {2, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=9", 0},
    {"bounds", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 16, 64, "o i n=61", 0},
    {"dead_loops_min_divide", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 20, 20, "o i n=20", 0},
    {"parallel_copies", NULL, {2, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=30", 0},
    {"early_return", NULL, {3, 1, 1}, {64, 1, 1}, 0, 'f', 'f', 192, 192, "o i n=150", 0},
    {"divergent_branch", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"divergent_loop", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"warps", NULL, {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"print", NULL, {1, 1, 1}, {8, 1, 1}, 0, 'i', 'i', 8, 8, "o i n=8", 0},
    {"groups", NULL, {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=128", 0},
    {"standard", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"ptx", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"ptx", "guarded", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"ptx_lanes", NULL, {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"ptx_lanes", "atomics", {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"undefined", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"guard_shifts", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"guard_vector_shifts", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"placement", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"copy_byval", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60 s=24 s=24 s=24", 0},
    {"wrap", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 128, 64, "o i n=60", 0},
    {"flatten_keeps_values", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=5", 0},
    {"switch_cases", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"complete_switch", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 65, 64, "o i n=11", 0},
    {"returns", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"warps_divergent", NULL, {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"branch_in_loop", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"null", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=9", 0},
    {"recursion", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"bitfields", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'd', 'd', 16, 16, "o i n=7", 0},
    {"bitfields", "flow", {1, 1, 1}, {16, 1, 1}, 0, 'd', 'd', 16, 16, "o i n=7", 0},
    {"bitfields", "memory", {1, 1, 1}, {16, 1, 1}, 0, 'b', 'b', 272, 128, "o i n=7", 0},
    {"volatile", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 256, 128, "o i n=32", 0},
    {"volatile_local", "run", {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=9", 0},
    {"volatile_local", "flags", {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=9", 0},
    {"volatile_store", NULL, {1, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 320, 64, "o i n=4", 0},
    {"masked_index", "gather", {1, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=64", 0},
    {"masked_index", "loop", {1, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 64, "o i n=64", 0},
    {"overflow", NULL, {1, 1, 1}, {8, 1, 1}, 0, 'i', 'i', 240, 8, "o i n=30", 0},
    {"memmove", NULL, {1, 1, 1}, {1, 1, 1}, 0, 'i', 'i', 32, 24, "o i n=3", 0},
    {"memset", "clears", {1, 1, 1}, {1, 1, 1}, 0, 'f', 'f', 201, 64, "o i n=12 n=2", 1},
    {"pointer_tables", "buffers", {1, 1, 1}, {64, 1, 1}, 0, 'f', 'f', 64, 64, "o i n=5", 0},
    {"pointer_tables", "views", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 32, "o i n=9", 0},
    {"pointer_tables", "list", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 32, "o i n=9", 0},
    {"address_numbers", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=5", 0},
    {"address_flow", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=5", 0},
    {"accessor", "run", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 32, "o i n=5", 0},
    {"local_alignment", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 32, "o i n=7 s=16", 0},
    {"local_alignment", "threes", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 96, "o i n=6", 0},
    {"pointer_fields", "copies", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 64, "o i n=5", 1},
    {"pointer_fields", "elements", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 64, "o i n=4", 1},
    {"pointer_fields", "links", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 64, "o i n=4", 1},
    {"pointer_fields", "many", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 64, "o i n=11", 1},
    {"local_alignment", "wide", {1, 1, 1}, {32, 1, 1}, 0, 'f', 'f', 32, 64, "o i n=5", 1},
    {"share_byval", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=5", 0},
    {"pointer_list", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=9", 0},
    {"punning", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 32, 8, "o i n=2", 0},
    {"punning", "wholes", {1, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 32, 8, "o i n=2", 0},
    {"punning", "sorts", {1, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 32, 8, "o i n=2", 0},
    {"punning", "passed", {1, 1, 1}, {4, 1, 1}, 0, 'f', 'f', 32, 8, "o o o o n=3", 0},
    {"punning", "kept", {1, 1, 1}, {16, 1, 1}, 0, 'f', 'f', 32, 8, "o i n=2", 0},
    {"barrier_in_switch", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"argmax", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"constants", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 60, 16, "o i n=15", 0},
    {"flatten_vote", "nested", {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=40", 0},
    {"flatten_vote", "ballots", {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=5", 0},
    {"recover_loops", "pairs", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=63", 0},
    {"guard_loop", NULL, {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"guard_loop", "mixed", {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"guard_loop", "element", {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=120", 0},
    {"barrier_paths", "branch", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"barrier_paths", "ends_early", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"barrier_paths", "some_leave", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"barrier_paths", "next_turn", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"barrier_paths", "joins", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 128, 64, "o i n=60", 0},
    {"barrier_paths", "other_way", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 128, 64, "o i n=60", 0},
    {"barrier_paths", "parts", {2, 1, 1}, {48, 1, 1}, 0, 'i', 'i', 384, 96, "o i n=1", 0},
    {"item_values", "own_address", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i s=16", 0},
    {"item_values", "own_divisor", {2, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 128, "o i n=60", 0},
    {"item_values", "leaves_switch", {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
    {"function_tables", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 16, 16, "o i n=5", 0},
    {"dpx", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 128, 16, "o i n=16", 0},
    {"pipeline", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 80, 64, "o i n=5", 0},
    {"atomic_objects", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 16, 32, "o i n=5", 0},
    {"group_structs", NULL, {1, 1, 1}, {64, 1, 1}, 0, 'i', 'i', 128, 64, "o i n=5", 0},
    {"ptx_atomics", NULL, {1, 1, 1}, {16, 1, 1}, 0, 'i', 'i', 104, 16, "o i n=5", 0},
    {"directed_rounding", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'd', 'd', 448, 32, "o i n=32", 0},
    {"directed_rounding", "fused", {1, 1, 1}, {32, 1, 1}, 0, 'd', 'd', 256, 32, "o i n=32", 0},
    {"mixed_pointers", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 192, 32, "o i n=20", 0},
    {"mixed_pointers", "fields", {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 48, "o i n=5", 0},
    {"mixed_pointers", "changes", {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 208, 32, "o i n=5", 0},
    {"virtual_functions", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=5", 0},
    {"virtual_functions", "bases", {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=5", 0},
    {"function_pointers", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 32, 32, "o i n=5", 0},
    {"plain_intrinsics", NULL, {1, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 224, 48, "o i n=5", 0},
    {"continues", NULL, {2, 1, 1}, {32, 1, 1}, 0, 'i', 'i', 64, 64, "o i n=60", 0},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static unsigned type_bytes(char type)
{
    return type == 'd' ? 8 : type == 'b' ? 1 : 4;
}

/* Inputs without pattern, of both signs, small enough that integer arithmetic stays interesting. */
static void fill(void *buffer, char type, unsigned count)
{
    uint32_t state = 12345;
    for (unsigned i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        const int v = (int)(state >> 16) % 2000 - 700;
        if (type == 'f')
            ((float *)buffer)[i] = (float)v / 64.0f;
        else if (type == 'd')
            ((double *)buffer)[i] = v / 64.0;
        else if (type == 'i')
            ((int *)buffer)[i] = v < 0 && i % 3 ? -v : v;
        else
            ((unsigned char *)buffer)[i] = (unsigned char)v;
    }
}

/* ---- arguments ---- */

struct arguments {
    unsigned n;
    size_t size[MOST_ARGS]; /* 0: the buffer that value[] holds the address of */
    char kind[MOST_ARGS];
    unsigned char value[MOST_ARGS][128] __attribute__((aligned(16)));
};

static void parse_arguments(struct arguments *a, const char *text)
{
    memset(a, 0, sizeof *a);
    for (const char *p = text; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
        const char *const v = p[1] == '=' ? p + 2 : "";
        unsigned char *const to = a->value[a->n];
        const long long whole = strtoll(v, NULL, 10);
        const int narrow = (int)whole;
        const float f = strtof(v, NULL);
        const double d = strtod(v, NULL);
        a->kind[a->n] = *p;
        switch (*p) {
        case 'n':
        case 'u': memcpy(to, &narrow, a->size[a->n] = 4); break;
        case 'l': memcpy(to, &whole, a->size[a->n] = 8); break;
        case 'c': to[0] = (unsigned char)narrow, a->size[a->n] = 1; break;
        case 'f': memcpy(to, &f, a->size[a->n] = 4); break;
        case 'd': memcpy(to, &d, a->size[a->n] = 8); break;
        case 's':
            for (int i = 0; i < narrow; i++) /* small exponents in every float and double of it */
                to[i] = (unsigned char)(i % 4 == 3 ? 0x3f : i * 5 + 1);
            a->size[a->n] = (size_t)narrow;
            break;
        default: break;
        }
        a->n++;
    }
}

/* ---- plain C++ ---- */

static void run_child(char *const *argv)
{
    pid_t child;
    int status = 0;
    ck_assert_msg(posix_spawn(&child, argv[0], NULL, NULL, argv, environ) == 0, "%s", argv[0]);
    ck_assert(waitpid(child, &status, 0) == child);
    ck_assert_msg(status == 0, "%s: exit status %d", argv[0], status);
}

/* extern __shared__ T name[]; -> QN_DYNAMIC(T, name)   __shared__ -> static */
static void emulated_source(struct qn__str *out, const char *text)
{
    static const char dynamic[] = "extern __shared__ ", shared[] = "__shared__";
    for (const char *p = text; *p;) {
        if (qn__starts_with(p, dynamic)) {
            const char *const type = p + strlen(dynamic);
            const char *const bracket = strchr(type, '[');
            const char *name = bracket;
            while (name[-1] != ' ' && name[-1] != '*')
                name--;
            qn__str_printf(out, "QN_DYNAMIC(%.*s, %.*s)", (int)(name - type), type,
                           (int)(bracket - name), name);
            p = strchr(p, ';') + 1;
        } else if (qn__starts_with(p, shared)) {
            qn__str_add(out, "static");
            p += strlen(shared);
        } else {
            qn__str_add_char(out, *p++);
        }
    }
}

/* Our vector types alone: beside them our stand-in stdio.h would hide the real one. */
static void copy_header(const char *folder, const char *name)
{
    char *const from = qn__path_join("compiler/frontend/include", name), *const to = qn__path_join(
                                                                             folder, name);
    char *text;
    size_t n;
    ck_assert_msg(qn__file_read(&text, &n, from, LIMIT) == QN_OK, "%s", qn_message());
    ck_assert(qn__file_write_atomic(to, text, n, 0600) == QN_OK);
    free(text);
    free(from);
    free(to);
}

static void emulate(const struct row *r, const char *source, void *out, void *in,
                    struct arguments *a)
{
    char *temp = NULL;
    struct qn__str text = {0};
    ck_assert(qn__temp_dir_create(&temp) == QN_OK);
    char *const file = qn__path_join(temp, "kernel.cpp"), *const library =
                                                              qn__path_join(temp, "k.so");
    qn__str_printf(&text, "#include \"tests/compiler/emulate.h\"\n#line 1 \"%s.cu\"\n", r->name);
    emulated_source(&text, source);
    copy_header(temp, "vector_types.h");
    copy_header(temp, "vector_functions.h");
    qn__str_printf(&text,
                   "\nstatic void qn_entry(void **a) { qn_invoke(%s, a); }\n"
                   "extern \"C\" void qn_run(void **a, const unsigned *g, const unsigned *b)\n"
                   "{ qn_launch(qn_entry, a, g, b); }\n",
                   r->kernel ? r->kernel : "run");
    ck_assert(qn__file_write_atomic(file, text.text, text.len, 0600) == QN_OK);
    struct qn__arena arena = {0};
    const char *clang;
    ck_assert_msg(qn__clang_find(&clang, &arena, NULL) == QN_OK, "%s", qn_message());
    char *argv[] = {qn__arena_strdup(&arena, clang),
                    (char[]){"-x"},
                    (char[]){"c++"},
                    (char[]){"-std=c++17"},
                    (char[]){"-O1"},
                    (char[]){"-w"},
                    (char[]){"-fwrapv"},
                    (char[]){"-fno-strict-aliasing"},
                    (char[]){"-ffp-contract=off"},
                    (char[]){"-shared"},
                    (char[]){"-fPIC"},
                    (char[]){"-I."},
                    (char[]){"-I"},
                    temp,

                    file,
                    (char[]){"-o"},
                    library,
                    (char[]){"-lm"},
                    (char[]){"-lpthread"},
                    NULL};
    run_child(argv);
    void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(handle != NULL, "%s", dlerror());
    void (*run)(void **, const unsigned *, const unsigned *);
    *(void **)(void *)&run = dlsym(handle, "qn_run");
    void *values[MOST_ARGS];
    for (unsigned i = 0; i < a->n; i++) {
        values[i] = a->value[i];
        if (a->kind[i] == 'o' || a->kind[i] == 'i')
            memcpy(a->value[i], a->kind[i] == 'o' ? &out : &in, sizeof(void *));
    }
    run(values, r->grid, r->block);
    dlclose(handle);
    qn__temp_dir_remove(temp);
    qn__str_release(&text);
    qn__arena_release(&arena);
    free(library);
    free(file);
    free(temp);
}

/* ---- OpenCL ---- */

static cl_device_id first_device(void)
{
    cl_platform_id platforms[8];
    cl_uint n = 0;
    cl_device_id device = NULL;
    if (qn__opencl_load() != QN_OK || qn__cl.GetPlatformIDs(8, platforms, &n) != CL_SUCCESS)
        return NULL;
    for (cl_uint i = 0; i < n && !device; i++)
        if (qn__cl.GetDeviceIDs(platforms[i], ANY_DEVICE, 1, &device, NULL) != CL_SUCCESS)
            device = NULL;
    return device;
}

struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
};

static cl_mem new_buffer(struct opencl *cl, size_t bytes, const void *init)
{
    cl_int code;
    const cl_mem m = qn__cl.CreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    void *const p =
        qn__cl.EnqueueMapBuffer(cl->queue, m, 1, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    if (init)
        memcpy(p, init, bytes);
    else
        memset(p, 0, bytes);
    ck_assert_int_eq(qn__cl.EnqueueUnmapMemObject(cl->queue, m, p, 0, NULL, NULL), CL_SUCCESS);
    return m;
}

/* A file of several kernels has the row's under its own name. */
static const struct qn__kernel *kernel_of(const struct row *r, const struct qn__reflection *all)
{
    for (uint32_t i = 0; r->kernel && i < all->n_kernels; i++)
        if (!strcmp(all->kernels[i].info.name, r->kernel))
            return &all->kernels[i];
    return &all->kernels[0];
}

static void build(struct opencl *cl, const struct row *r, const struct qn__translate_result *t)
{
    cl_int code;
    static char log[1 << 16];
    const char *text = t->text;
    const size_t n = strlen(text);
    cl->context = qn__cl.CreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    cl->queue = qn__cl.CreateCommandQueue(cl->context, cl->device, 0, &code);
    cl->program = qn__cl.CreateProgramWithSource(cl->context, 1, &text, &n, &code);
    code =
        qn__cl.BuildProgram(cl->program, 1, &cl->device, t->reflection.build_options, NULL, NULL);
    if (code != CL_SUCCESS)
        qn__cl.GetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                   NULL);
    ck_assert_msg(code == CL_SUCCESS, "%s: build failed (%d): %s\n%s", r->name, code, log, text);
    cl->kernel = qn__cl.CreateKernel(cl->program, kernel_of(r, &t->reflection)->info.name, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void set_arguments(struct opencl *cl, const struct row *r, struct arguments *a,
                          const struct qn__reflection *reflection, cl_mem out, cl_mem in)
{
    const struct qn__kernel *const k = kernel_of(r, reflection);
    ck_assert_msg(k->info.n_args == a->n, "%s: %u arguments", r->name, k->info.n_args);
    for (unsigned i = 0; i < a->n; i++) {
        const bool buffer = a->kind[i] == 'o' || a->kind[i] == 'i';
        if (!buffer)
            ck_assert_msg(k->info.args[i].size_bytes == a->size[i], "%s: argument %u has %u bytes",
                          r->name, i, k->info.args[i].size_bytes);
        const cl_int code = buffer ? qn__cl.SetKernelArg(cl->kernel, i, sizeof(cl_mem),
                                                         a->kind[i] == 'o' ? &out : &in)
                                   : qn__cl.SetKernelArg(cl->kernel, i, a->size[i], a->value[i]);
        ck_assert_msg(code == CL_SUCCESS, "%s: argument %u: %d", r->name, i, code);
    }
    for (unsigned i = 0; i < k->n_hidden; i++) {
        cl_int code;
        if (k->hidden[i].kind == QN__HIDDEN_SHARED) {
            code = qn__cl.SetKernelArg(cl->kernel, a->n + i, r->shared_bytes, NULL);
        } else {
            const struct qn__global *const g = &reflection->globals[k->hidden[i].index];
            const cl_mem m = new_buffer(cl, g->size_bytes, g->init);
            code = qn__cl.SetKernelArg(cl->kernel, a->n + i, sizeof m, &m);
        }
        ck_assert_msg(code == CL_SUCCESS, "%s: hidden argument %u: %d", r->name, i, code);
    }
}

static void run_opencl(const struct row *r, const struct qn__translate_result *t, void *out,
                       const void *in, struct arguments *a)
{
    struct opencl cl = {.device = first_device()};
    const size_t out_bytes = (size_t)r->out_count * type_bytes(r->out_type);
    build(&cl, r, t);
    const cl_mem out_buffer = new_buffer(&cl, out_bytes, out);
    const cl_mem in_buffer = new_buffer(&cl, (size_t)r->in_count * type_bytes(r->in_type), in);
    set_arguments(&cl, r, a, &t->reflection, out_buffer, in_buffer);
    size_t global[3], local[3];
    for (int i = 0; i < 3; i++) {
        local[i] = r->block[i];
        global[i] = (size_t)r->grid[i] * r->block[i];
    }
    ck_assert_int_eq(
        qn__cl.EnqueueNDRangeKernel(cl.queue, cl.kernel, 3, NULL, global, local, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(qn__cl.Finish(cl.queue), CL_SUCCESS);
    cl_int code;
    const void *const p = qn__cl.EnqueueMapBuffer(cl.queue, out_buffer, 1, CL_MAP_READ, 0,
                                                  out_bytes, 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    memcpy(out, p, out_bytes);
}

/* ---- C ---- */

static void run_c(const struct row *r, const struct qn__translate_result *t, void *out, void *in,
                  struct arguments *a)
{
    struct c_program program;
    void *values[MOST_ARGS];
    c_program_build(&program, t->text);
    for (unsigned i = 0; i < a->n; i++) {
        values[i] = a->value[i];
        if (a->kind[i] == 'o' || a->kind[i] == 'i')
            memcpy(a->value[i], a->kind[i] == 'o' ? &out : &in, sizeof(void *));
    }
    c_program_run(&program, kernel_of(r, &t->reflection)->info.name, r->grid, r->block,
                  r->shared_bytes, values, NULL);
    c_program_close(&program);
}

/* ---- the comparison ---- */

static bool close_enough(const struct row *r, const void *expected, const void *got, unsigned i)
{
    if (r->out_type == 'f') {
        const float e = ((const float *)expected)[i], g = ((const float *)got)[i];
        return (isnan(e) && isnan(g)) || e == g ||
               fabsf(e - g) <= r->ulps * (nextafterf(fabsf(e), INFINITY) - fabsf(e));
    }
    const unsigned n = type_bytes(r->out_type);
    return memcmp((const char *)expected + (size_t)i * n, (const char *)got + (size_t)i * n, n) ==
           0;
}

static double element(char type, const void *p, unsigned i)
{
    return type == 'f'   ? (double)((const float *)p)[i]
           : type == 'd' ? ((const double *)p)[i]
           : type == 'i' ? ((const int *)p)[i]
                         : ((const unsigned char *)p)[i];
}

static void run_row(const struct row *r, bool as_c)
{
    char path[256];
    char *source = NULL;
    size_t n;
    struct arguments a;
    struct qn__arena arena = {0};
    struct qn__translate_result t;
    snprintf(path, sizeof path, "tests/compiler/ok/%s.cu", r->name);
    ck_assert_msg(qn__file_read(&source, &n, path, LIMIT) == QN_OK, "%s", qn_message());
    const struct qn__source_file file = {qn__path_base(path), source, n};
    const struct qn__translate_request request = {.files = &file,
                                                  .n_files = 1,
                                                  .profile = as_c ? "cpu" : "portable",
                                                  .names = &r->kernel,
                                                  .n_names = r->kernel != NULL};
    ck_assert_msg(qn__translate(&t, &arena, &request) == QN_OK, "%s: %s", r->name, qn_message());
    const size_t out_bytes = (size_t)r->out_count * type_bytes(r->out_type);
    void *const in = calloc(r->in_count, type_bytes(r->in_type));
    void *const expected = malloc(out_bytes), *const got = malloc(out_bytes);
    fill(in, r->in_type, r->in_count);
    memset(expected, 0x11, out_bytes);
    memset(got, 0x11, out_bytes);
    parse_arguments(&a, r->args);
    emulate(r, source, expected, in, &a);
    if (as_c)
        run_c(r, &t, got, in, &a);
    else
        run_opencl(r, &t, got, in, &a);
    bool written = false;
    for (size_t i = 0; i < out_bytes; i++)
        written |= ((const unsigned char *)expected)[i] != 0x11;
    ck_assert_msg(written, "%s: the kernel writes nothing", r->name);
    for (unsigned i = 0; i < r->out_count; i++)
        ck_assert_msg(close_enough(r, expected, got, i),
                      "%s: element %u is %.9g, expected %.9g\n%.4000s", r->name, i,
                      element(r->out_type, got, i), element(r->out_type, expected, i), t.text);
    free(got);
    free(expected);
    free(in);
    free(source);
    qn__arena_release(&arena);
}

START_TEST(a_translated_kernel_computes_what_the_source_says)
{
    run_row(&rows[_i], false);
}
END_TEST

START_TEST(so_does_its_c)
{
    run_row(&rows[_i], true);
}
END_TEST

static void print_word(const struct row *r, const char *input, char kind, const char *value,
                       const unsigned char *bytes, size_t n)
{
    static const struct {
        char letter;
        const char *type;
    } types[] = {{'f', "f32"}, {'d', "f64"}, {'i', "i32"}, {'b', "u8"},
                 {'n', "i32"}, {'u', "u32"}, {'l', "i64"}, {'c', "u8"}};
    const char letter = kind == 'o' ? r->out_type : kind == 'i' ? r->in_type : kind;
    const char *type = "";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        type = types[i].letter == letter ? types[i].type : type;
    if (kind == 'o') {
        printf("\t-a\tout:%s:%u", type, r->out_count);
    } else if (kind == 'i') {
        printf("\t-a\tin:%s:%u:file:%s", type, r->in_count, input);
    } else if (kind == 's') {
        printf("\t-a\thex:");
        for (size_t i = 0; i < n; i++)
            printf("%02x", bytes[i]);
    } else {
        printf("\t-a\t%s:%.*s", type, (int)strcspn(value, " "), value);
    }
}

static int print_rows(const char *folder)
{
    for (unsigned i = 0; i < N_ROWS; i++) {
        const struct row *const r = &rows[i];
        const size_t bytes = (size_t)r->in_count * type_bytes(r->in_type);
        char name[16];
        struct arguments a;
        snprintf(name, sizeof name, "%u.in", i);
        char *const input = qn__path_join(folder, name);
        char *const in = calloc(1, bytes);
        fill(in, r->in_type, r->in_count);
        if (qn__file_write_atomic(input, in, bytes, 0600) != QN_OK)
            return 1;
        printf("%s\t%s\t-g\t%u,%u,%u\t-b\t%u,%u,%u\t-s\t%u", r->name, r->kernel ? r->kernel : "run",
               r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2],
               r->shared_bytes);
        parse_arguments(&a, r->args);
        const char *p = r->args;
        for (unsigned k = 0; k < a.n; k++, p += strcspn(p, " "), p += strspn(p, " "))
            print_word(r, input, *p, p[1] == '=' ? p + 2 : "", a.value[k], a.size[k]);
        printf("\n");
        free(in);
        free(input);
    }
    return 0;
}

/* Asked in a child: a process that has used PoCL cannot fork tests that use it. */
static bool has_device(void)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(first_device() ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

#ifdef __SANITIZE_ADDRESS__
/* The leak checker now and then crashes itself when it stops PoCL's threads at the end of a case.
 * The translator's leaks are check_compiler's to find. The sanitizer, a shared library, must see
 * it. */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--check") == 0)
        return print_rows(argv[2]);
    const char *const required = getenv("QN_REQUIRE");
    const bool opencl = has_device();
    if (!opencl)
        printf("skip: no OpenCL device; as C only\n");
    if (!opencl && required && strcmp(required, "opencl") == 0)
        return 1;
    int first = 0, end = N_ROWS;
    for (int i = 0; argc > 1 && i < N_ROWS; i++)
        if (strcmp(argv[1], rows[i].name) == 0) {
            first = end == N_ROWS ? i : first; /* rows of one name stand together */
            end = i + 1;
        }
    Suite *const s = suite_create("translated kernels");
    TCase *const t = tcase_create("run"), *const c = tcase_create("c");
    tcase_set_timeout(t, 120);
    tcase_set_timeout(c, 120);
    tcase_set_tags(c, "no_driver");
    if (opencl)
        tcase_add_loop_test(t, a_translated_kernel_computes_what_the_source_says, first, end);
    tcase_add_loop_test(c, so_does_its_c, first, end);
    suite_add_tcase(s, t);
    suite_add_tcase(s, c);
    SRunner *const runner = srunner_create(s);
    if (argc > 1)
        srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
