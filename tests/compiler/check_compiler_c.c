/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as C for a whole block: what is printed of some (tests/compiler/c), and what small ones
 * do that check_compiler_run has no place for, as literals: printf, assertions, variables of the
 * module, dynamic shared memory, blocks that no warp fills.
 *
 *     check_compiler_c             the tests
 *     check_compiler_c --golden    rewrite tests/compiler/c; review the diff
 *
 * covers: compiler/lang/c compiler/lang/library_c compiler/out/block_text compiler/stmt/work_items
 * compiler/stmt/item_variables compiler/stmt/split_collective compiler/stmt/frame */
#include "compiler/core/unit.h"
#include "compiler/lang/library.h"
#include "compiler/lang/library_c.h"
#include "compiler/model/builtins.h"
#include "tests/compiler/c_program.h"
#include "tests/compiler/translate_one.h"

enum { LIMIT = 1 << 20 };

static struct qn__translate_result translated(struct qn__arena *arena, const char *source)
{
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, strlen(source)};
    const struct qn__translate_request request = {.files = &file, .n_files = 1, .profile = "cpu"};
    ck_assert_msg(qn__translate(&r, arena, &request) == QN_OK, "%s: %s", qn_message(),
                  r.diagnostics);
    return r;
}

/* One block of so many work-items writes ints to its argument. */
static void run(const char *source, int *out, unsigned items, size_t dynamic_bytes,
                struct c_services *said)
{
    struct qn__arena arena = {0};
    struct c_program program;
    const struct qn__translate_result t = translated(&arena, source);
    const unsigned grid[3] = {1, 1, 1}, block[3] = {items, 1, 1};
    void *const args[] = {&out};
    c_program_build(&program, t.text);
    c_program_run(&program, "k", grid, block, dynamic_bytes, args, said);
    c_program_close(&program);
    qn__arena_release(&arena);
}

static const struct {
    const char *name, *body; /* of a kernel that sets r, with its number t in the block */
    unsigned items;
    int want[4]; /* of the work-items 0, 1, the last but one and the last */
} rows[] = {
    {"a value lives across a barrier",
     "int x = t * 3; __syncthreads(); r = x + 1;",
     40,
     {1, 4, 115, 118}},
    {"shared memory is seen behind a barrier",
     "__shared__ int s[64]; s[t] = t; __syncthreads(); r = s[blockDim.x - 1 - t];",
     40,
     {39, 38, 1, 0}},
    {"an array lives across a barrier",
     "int a[3] = {t, t + 1, t + 2}; __syncthreads(); r = a[t % 3] * 10 + a[0];",
     40,
     {0, 21, 38 * 10 + 2 * 10 + 38, 39 * 11}},
    {"a loop with a barrier",
     "__shared__ int s[64]; r = 0; for (int i = 0; i < 5; i++) { s[t] = r + i; __syncthreads(); "
     "r += s[(t + 1) % blockDim.x]; __syncthreads(); }",
     40,
     {26, 26, 26, 26}},
    {"an early return before a barrier",
     "if (t >= 38) { o[t] = -1; return; } __syncthreads(); r = t;",
     40,
     {0, 1, -1, -1}},
    {"a return behind the last barrier",
     "r = 7; __syncthreads(); if (t & 1) { o[t] = 5; return; } r += t;",
     40,
     {7, 5, 45, 5}},
    {"a round of a loop that some leave early",
     "r = 0; for (int i = 0; i < 3; i++) { __syncthreads(); r += 1; if (t & 1) continue; r += 10; "
     "}",
     40,
     {33, 3, 33, 3}},
    {"a block that some leave",
     "r = 1; do { __syncthreads(); r = 2; if (t & 1) break; r = 3; } while (0); __syncthreads(); "
     "r += 100;",
     40,
     {103, 102, 103, 102}},
    {"a loop that work-items leave one by one",
     "r = 0; for (int i = 0; i <= t; i++) r += __popc(__activemask());",
     1,
     {1, 1, 1, 1}},
    {"shuffles at the end of a block",
     "r = __shfl_down_sync(~0u, t, 1) * 100 + __shfl_xor_sync(~0u, t, 1);",
     40,
     {101, 200, 3939, 3938}},
    {"segments of a warp",
     "r = __shfl_up_sync(~0u, t, 1, 8) * 100 + __shfl_sync(~0u, t, 3, 8);",
     64,
     {3, 3, 6159, 6259}},
    {"a ballot of a warp that is not full",
     "r = __ballot_sync(~0u, t % 2 == 0);",
     40,
     {0x55555555, 0x55555555, 0x55, 0x55}},
    {"a ballot where some lanes are",
     "r = 0; if (t % 32 < 3) r = __ballot_sync(7, t % 32 != 1);",
     64,
     {5, 5, 0, 0}},
    {"a barrier that counts",
     "r = __syncthreads_count(t < 11) + __syncthreads_or(t == 99);",
     40,
     {11, 11, 11, 11}},
    {"atomics",
     "__shared__ int n; if (t == 0) n = 0; __syncthreads(); atomicAdd(&n, t); "
     "__syncthreads(); r = atomicMax(&n, 0);",
     40,
     {780, 780, 780, 780}},
    {"a parameter that a work-item changes", "for (; m > 0; m -= t + 1) r++;", 40, {100, 50, 3, 3}},
    {"division by zero", "r = m / (t / 40) + m % (t / 40);", 40, {-2, -2, -2, -2}},
    {"casts out of range",
     "r = (int)(1e10f * (m - t * 4)) + 0;",
     40,
     {2147483647, 2147483647, -2147483647 - 1, -2147483647 - 1}},
    {"shifts too far",
     "r = (1 << (t + 32)) + (-1 >> (t + 40)) + (int)(1u >> (t + 32));",
     40,
     {-1, -1, -1, -1}},
    {"sums that wrap", "r = (m + 2147483547 + t < m) ? 1 : 2;", 40, {2, 1, 1, 1}},
};

START_TEST(a_block_computes_what_cuda_says)
{
    struct qn__str source = {0};
    int out[1024];
    const unsigned n = rows[_i].items;
    memset(out, 0x77, sizeof out);
    qn__str_printf(&source,
                   "#include <cuda_runtime.h>\n"
                   "extern \"C\" __global__ void k(int *o, int m)\n"
                   "{\n    const int t = threadIdx.x;\n    int r = 0;\n    %s\n    o[t] = r;\n}\n",
                   rows[_i].body);
    struct qn__arena arena = {0};
    struct c_program program;
    const struct qn__translate_result t = translated(&arena, source.text);
    const unsigned grid[3] = {1, 1, 1}, block[3] = {n, 1, 1};
    int value = 100;
    int *const to = out;
    void *const args[] = {(void *)(uintptr_t)&to, &value};
    c_program_build(&program, t.text);
    c_program_run(&program, "k", grid, block, 0, args, NULL);
    c_program_close(&program);
    const unsigned at[4] = {0, n > 1 ? 1 : 0, n > 1 ? n - 2 : 0, n - 1};
    for (unsigned i = 0; i < 4; i++)
        ck_assert_msg(out[at[i]] == rows[_i].want[i], "%s: work-item %u has %d, expected %d\n%s",
                      rows[_i].name, at[i], out[at[i]], rows[_i].want[i],
                      strstr(t.text, "#pragma STDC"));
    qn__arena_release(&arena);
    qn__str_release(&source);
}
END_TEST

START_TEST(a_struct_passed_by_value_is_each_work_items_own)
{
    struct qn__arena arena = {0};
    struct c_program p;
    const struct qn__translate_result t = translated(
        &arena,
        "struct three { int a[3]; };\n"
        "extern \"C\" __global__ void k(int *o, three s)\n"
        "{ s.a[threadIdx.x % 3] += threadIdx.x; __syncthreads(); s.a[1]++; __syncthreads();\n"
        "  o[threadIdx.x] = s.a[0] * 100 + s.a[1] * 10 + s.a[2]; }\n");
    int out[3], *const to = out, three[3] = {1, 2, 3};
    const unsigned grid[3] = {1, 1, 1}, block[3] = {3, 1, 1};
    void *const args[] = {(void *)(uintptr_t)&to, three};
    c_program_build(&p, t.text);
    c_program_run(&p, "k", grid, block, 0, args, NULL);
    ck_assert_int_eq(out[0], 133);
    ck_assert_int_eq(out[1], 143);
    ck_assert_int_eq(out[2], 135);
    c_program_close(&p);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(printf_goes_through_the_services)
{
    static struct c_services said;
    int out[2];
    run("#include <cstdio>\n"
        "extern \"C\" __global__ void k(int *o)\n"
        "{ if (threadIdx.x == 1) o[0] = printf(\"%d of %llu, %s %.1f\\n\", 1, 7ull, \"x\", 0.5f); "
        "}\n",
        out, 2, 0, &said);
    ck_assert_str_eq(said.printed, "1 of 7, x 0.5\n");
    ck_assert_int_eq(out[0], 4); /* CUDA's: how many arguments */
}
END_TEST

START_TEST(a_failed_assertion_ends_its_work_item_only)
{
    static struct c_services said;
    int out[3] = {9, 9, 9};
    run("#include <cassert>\n"
        "extern \"C\" __global__ void k(int *o)\n"
        "{\n"
        "    assert(threadIdx.x != 1);\n"
        "    __syncthreads();\n"
        "    o[threadIdx.x] = 1;\n"
        "}\n",
        out, 3, 0, &said);
    ck_assert_uint_eq(said.n_failed, 1);
    ck_assert_msg(strstr(said.failed, "a.cu:4: ") && strstr(said.failed, "threadIdx.x != 1"), "%s",
                  said.failed);
    ck_assert_int_eq(out[0], 1);
    ck_assert_int_eq(out[1], 9);
    ck_assert_int_eq(out[2], 1);
}
END_TEST

START_TEST(variables_of_the_module_are_found_by_name)
{
    struct qn__arena arena = {0};
    struct c_program p;
    const struct qn__translate_result t = translated(
        &arena, "__device__ int counter = 40;\n"
                "namespace ns { __constant__ int table[2] = {1, 2}; }\n"
                "extern \"C\" __global__ void k(int *o)\n"
                "{ o[threadIdx.x] = ns::table[threadIdx.x]; atomicAdd(&counter, 1); }\n");
    int out[2], *const to = out;
    const unsigned grid[3] = {1, 1, 1}, block[3] = {2, 1, 1};
    void *const args[] = {(void *)(uintptr_t)&to};
    c_program_build(&p, t.text);
    ck_assert_uint_eq(p.n_globals, 2);
    const struct qn_global_entry *counter = NULL, *table = NULL;
    for (uint i = 0; i < p.n_globals; i++)
        *(strcmp(p.globals[i].name, "counter") ? &table : &counter) = &p.globals[i];
    ck_assert(counter && table);
    ck_assert_uint_eq(counter->bytes, 4);
    ck_assert_uint_eq(table->bytes, 8);
    ((int *)table->address)[1] = 12; /* as a host does */
    c_program_run(&p, "k", grid, block, 0, args, NULL);
    ck_assert_int_eq(out[0], 1);
    ck_assert_int_eq(out[1], 12);
    ck_assert_int_eq(*(int *)counter->address, 42);
    c_program_close(&p);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(dynamic_shared_memory_follows_the_static)
{
    int out[64];
    run("extern __shared__ int all[];\n"
        "extern \"C\" __global__ void k(int *o)\n"
        "{\n"
        "    __shared__ int few[3];\n"
        "    const int t = threadIdx.x;\n"
        "    if (t < 3) few[t] = 1000;\n"
        "    all[t] = t;\n"
        "    __syncthreads();\n"
        "    o[t] = all[63 - t] + few[t % 3];\n"
        "}\n",
        out, 64, 256, NULL);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(out[i], 1063 - i);
}
END_TEST

START_TEST(what_c_cannot_say_is_refused_at_its_line)
{
    static const char source[] = "extern \"C\" __global__ void k(int *o, int n)\n"
                                 "{\n"
                                 "    int i = 0;\n"
                                 "    if (n > 3)\n"
                                 "        goto inside;\n"
                                 "    while (i < n) {\n"
                                 "        o[i] = 1;\n"
                                 "inside:\n"
                                 "        __syncthreads();\n"
                                 "        i++;\n"
                                 "    }\n"
                                 "}\n";
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    const struct qn__source_file file = {"a.cu", source, strlen(source)};
    const struct qn__translate_request request = {.files = &file, .n_files = 1, .profile = "cpu"};
    ck_assert(qn__translate(&r, &arena, &request) == QN_E_UNSUPPORTED);
    ck_assert_msg(strstr(r.diagnostics, "a.cu:") && strstr(r.diagnostics, "goto"), "%s",
                  r.diagnostics);
    qn__arena_release(&arena);
}
END_TEST

/* ---- the library ---- */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Every function that a form calls has a definition in C. */
static void check_calls(struct qn__unit *u, const struct qn__builtin *b)
{
    for (const char *p = b->form; *p;) {
        size_t n = 0;
        while (is_word(p[n]))
            n++;
        if (n && p[n] == '(')
            ck_assert_msg(qn__library_function(u, p, n, true) ||
                              (qn__starts_with(p, "qn_") &&
                               (qn__library_function(u, p, n, false) ||
                                qn__ends_with(qn__text(u, "%.*s", (int)n, p), "SPACE"))),
                          "%s: %s: %.*s is not in the library of C", b->name, b->form, (int)n, p);
        p += n ? n : 1;
    }
}

START_TEST(the_library_has_and_compiles_every_function)
{
    struct qn__arena arena = {0};
    struct qn__profile profile;
    struct qn__str forms = {0}, text = {0};
    size_t n;
    char *header, *temp = NULL;
    ck_assert(qn__profile_parse(&profile, "cpu"));
    struct qn__unit u = {.arena = &arena, .profile = &profile};
    const struct qn__builtin *const rows_of_table = qn__builtin_rows(&n);
    for (size_t i = 0; i < n; i++) {
        const struct qn__builtin *const b = &rows_of_table[i];
        const bool barrier = b->traits == QN__BARRIER && qn__equal(b->signature, "void()");
        if (qn__builtin_find(&u, b->name) != b || b->status == QN__REFUSED || barrier ||
            qn__equal(b->name, "__qn_syncwarp") || b->traits == QN__FENCE)
            continue;
        check_calls(&u, b);
        const char *const space = strstr(b->form, "SPACE(");
        if (space)
            qn__str_printf(&forms, "%.*sglobal(\n", (int)(space - b->form), b->form);
        else
            qn__str_printf(&forms, "%s\n", b->form);
    }
    ck_assert(qn__file_read(&header, &n, "compiler/lang/quern_c.h", LIMIT) == QN_OK);
    qn__str_add(&text, header);
    qn__library_c_print(&u, forms.text, &text);
    ck_assert(qn__temp_dir_create(&temp) == QN_OK);
    char *const file = qn__path_join(temp, "library.c"), *const library =
                                                             qn__path_join(temp, "library.so");
    ck_assert(qn__file_write_atomic(file, text.text, text.len, 0600) == QN_OK);
    c_compile(file, library);
    qn__temp_dir_remove(temp);
    free(library);
    free(file);
    free(temp);
    free(header);
    qn__str_release(&forms);
    qn__str_release(&text);
    qn__arena_release(&arena);
}
END_TEST

/* ---- texts ---- */

static const char *const goldens[] = {
    "tests/compiler/ok/reduce",   "tests/compiler/ok/early_return", "tests/compiler/c/grid_sync",
    "tests/compiler/c/own_names", "tests/compiler/ok/warps",        "examples/vector_add"};
static bool rewrites;
enum { N_GOLDENS = sizeof goldens / sizeof *goldens };

/* Without the header, which stands in front of every text. */
static const char *golden_text(struct qn__arena *arena, int i)
{
    static const char mark[] = "#endif /* QUERN_C_H */\n";
    struct qn__translate_result r;
    char path[256];
    snprintf(path, sizeof path, "%s.cu", goldens[i]);
    translate_file(&r, arena, path, "cpu");
    const char *const end = strstr(r.text, mark);
    ck_assert(end != NULL);
    return end + strlen(mark);
}

static void golden_path(char *out, size_t n, int i)
{
    snprintf(out, n, "tests/compiler/c/%s.c.txt", qn__path_base(goldens[i]));
}

START_TEST(the_text_is_as_it_was)
{
    struct qn__arena arena = {0};
    char path[256], *want;
    size_t n;
    golden_path(path, sizeof path, _i);
    const char *const text = golden_text(&arena, _i);
    if (rewrites)
        ck_assert_msg(qn__file_write_atomic(path, text, strlen(text), 0644) == QN_OK, "%s",
                      qn_message());
    ck_assert_msg(qn__file_read(&want, &n, path, LIMIT) == QN_OK, "%s", qn_message());
    ck_assert_str_eq(text, want);
    free(want);
    qn__arena_release(&arena);
}
END_TEST

int main(int argc, char **argv)
{
    rewrites = argc > 1 && strcmp(argv[1], "--golden") == 0;
    Suite *const s = suite_create("compiler_c");
    TCase *const t = tcase_create("blocks");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, a_block_computes_what_cuda_says, 0, sizeof rows / sizeof *rows);
    tcase_add_test(t, a_struct_passed_by_value_is_each_work_items_own);
    tcase_add_test(t, printf_goes_through_the_services);
    tcase_add_test(t, a_failed_assertion_ends_its_work_item_only);
    tcase_add_test(t, variables_of_the_module_are_found_by_name);
    tcase_add_test(t, dynamic_shared_memory_follows_the_static);
    tcase_add_test(t, the_library_has_and_compiles_every_function);
    tcase_add_test(t, what_c_cannot_say_is_refused_at_its_line);
    TCase *const texts = tcase_create("texts");
    tcase_add_loop_test(texts, the_text_is_as_it_was, 0, N_GOLDENS);
    if (!rewrites)
        suite_add_tcase(s, t);
    suite_add_tcase(s, texts);
    SRunner *const runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
