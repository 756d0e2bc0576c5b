/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursion of a depth that only the input says: each row is a program with the numbers that it
 * must give, through NVRTC (QUERN_BACKEND=cuda) and through the translator. What is too deep for
 * the stack ends with a message that names the function.
 *
 * covers: compiler/lower/recursion compiler/lower/recursion_stack compiler/lower/recursion_bodies
 * compiler/lower/recursion_kept compiler/lower/demote */
#include "tests/runtime_fixture.h"

#include <stdbool.h>

enum { THREADS = 8, VALUES = 32 };

/* `run` gets in[i] = 3 * i + 1, n = 5 and zeros to write to. */
static const struct row {
    const char *name;
    const char *text;
    int want[VALUES];
} rows[] = {
    {"fibonacci, and another of a known depth",
     "static __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - "
     "2); }\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    out[threadIdx.x] = fibonacci(threadIdx.x + n) + 1000 * fibonacci(5);\n"
     "}\n",
     {5005, 5008, 5013, 5021, 5034, 5055, 5089, 5144}},
    {"Ackermann's function",
     "static __device__ int ackermann(int m, int n)\n"
     "{\n"
     "    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - "
     "1));\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    out[threadIdx.x] = ackermann(2, threadIdx.x) + 100 * ackermann(1, threadIdx.x);\n"
     "}\n",
     {203, 305, 407, 509, 611, 713, 815, 917}},
    {"functions that call each other",
     "static __device__ int odd(int n);\n"
     "static __device__ int even(int n) { return n == 0 ? 1 : odd(n - 1) + 1; }\n"
     "static __device__ int odd(int n) { return n == 0 ? 0 : even(n - 1) * 3 % 1000; }\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    int i = threadIdx.x;\n"
     "    out[i] = even(in[i]);\n"
     "    if (i & 1)\n"
     "        out[8 + i] = odd(in[i] + 1);\n"
     "}\n",
     {1, 13, 40, 364, 93, 841, 524, 720, 0, 39, 0, 92, 0, 523, 0, 160}},
    {"quicksort in global memory",
     "static __device__ void sort(int *a, int n)\n"
     "{\n"
     "    if (n < 2)\n"
     "        return;\n"
     "    int middle = a[n / 2], i = 0, j = n - 1;\n"
     "    while (i <= j) {\n"
     "        while (a[i] < middle)\n"
     "            i++;\n"
     "        while (a[j] > middle)\n"
     "            j--;\n"
     "        if (i <= j) {\n"
     "            int t = a[i];\n"
     "            a[i++] = a[j];\n"
     "            a[j--] = t;\n"
     "        }\n"
     "    }\n"
     "    sort(a, j + 1);\n"
     "    sort(a + i, n - i);\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    int i = threadIdx.x;\n"
     "    for (int k = 0; k < 4; k++)\n"
     "        out[4 * i + k] = in[k] * (7 + i) % 23;\n"
     "    sort(out + 4 * i, 4);\n"
     "}\n",
     {1, 3,  5,  7,  8, 9, 10, 11, 9, 13, 17, 21, 1, 8, 10, 17,
      8, 11, 18, 21, 2, 5, 12, 15, 6, 13, 15, 22, 2, 6, 10, 14}},
    {"a tree in shared memory, whose branches a loop visits",
     "struct node {\n"
     "    int value, first, n;\n"
     "};\n"
     "static __device__ int visit(const node *nodes, int at, int limit)\n"
     "{\n"
     "    int sum = nodes[at].value;\n"
     "    for (int c = 0; c < nodes[at].n; c++)\n"
     "        if (nodes[at].first + c < limit)\n"
     "            sum += 2 * visit(nodes, nodes[at].first + c, limit);\n"
     "    return sum;\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    __shared__ node nodes[21];\n"
     "    int i = threadIdx.x;\n"
     "    for (int k = i; k < 21; k += 8)\n"
     "        nodes[k] = {k, 4 * k + 1, k < 5 ? 4 : 0};\n"
     "    __syncthreads();\n"
     "    out[i] = visit(nodes, 0, 3 * i + 1);\n"
     "    __syncthreads();\n"
     "    out[8 + i] = out[7 - i];\n"
     "}\n",
     {0, 12, 64, 160, 292, 460, 664, 820, 820, 664, 460, 292, 160, 64, 12}},
    {"queens on a board of the caller's, and an array of each call's own",
     "static __device__ int queens(int *board, int row, int n)\n"
     "{\n"
     "    if (row == n)\n"
     "        return 1;\n"
     "    int counts[8], sum = 0;\n"
     "    for (int c = 0; c < n; c++) {\n"
     "        counts[c] = 0;\n"
     "        bool good = true;\n"
     "        for (int r = 0; r < row; r++)\n"
     "            good &= board[r] != c && board[r] - c != row - r && c - board[r] != row - r;\n"
     "        board[row] = c;\n"
     "        if (good)\n"
     "            counts[c] = queens(board, row + 1, n);\n"
     "    }\n"
     "    for (int c = 0; c < n; c++)\n"
     "        sum += counts[c];\n"
     "    return sum;\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    int board[8];\n"
     "    out[threadIdx.x] = queens(board, 0, threadIdx.x < 6 ? threadIdx.x + 1 : 6);\n"
     "}\n",
     {1, 0, 0, 2, 10, 4, 4, 4}},
    {"virtual functions that call themselves through others",
     "struct node {\n"
     "    __device__ virtual int value(int x) const = 0;\n"
     "};\n"
     "struct leaf : node {\n"
     "    __device__ int value(int x) const override { return x; }\n"
     "};\n"
     "struct sum : node {\n"
     "    const node *a, *b;\n"
     "    __device__ sum(const node *p, const node *q) : a(p), b(q) {}\n"
     "    __device__ int value(int x) const override { return a->value(x) + b->value(x + 1); }\n"
     "};\n"
     "struct product : node {\n"
     "    const node *a, *b;\n"
     "    __device__ product(const node *p, const node *q) : a(p), b(q) {}\n"
     "    __device__ int value(int x) const override { return a->value(x) * b->value(x + 1) % 101; "
     "}\n"
     "};\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    leaf x;\n"
     "    sum s(&x, &x);\n"
     "    product p(&s, &s);\n"
     "    sum all(&p, &p);\n"
     "    const node *which = threadIdx.x & 1 ? (const node *)&all : &p;\n"
     "    out[threadIdx.x] = which->value(threadIdx.x);\n"
     "}\n",
     {3, 50, 35, 162, 99, 136, 94, 73}},
    {"functions that call themselves through pointers",
     "typedef int (*step)(int, int);\n"
     "static __device__ int doubled(int n, int which);\n"
     "static __device__ int added(int n, int which);\n"
     "static __device__ int run_step(int n, int which)\n"
     "{\n"
     "    const step steps[2] = {doubled, added};\n"
     "    return n <= 0 ? 0 : steps[which](n, which);\n"
     "}\n"
     "static __device__ int doubled(int n, int which) { return n * 2 + run_step(n - 1 - which, 1 - "
     "which); }\n"
     "static __device__ int added(int n, int which) { return n + 5 + run_step(n - 1 - which, 1 - "
     "which); }\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    out[threadIdx.x] = run_step(in[threadIdx.x], threadIdx.x & 1);\n"
     "}\n",
     {2, 19, 43, 72, 120, 161, 233, 286}},
    {"results that are structs, doubles and truth values",
     "struct part {\n"
     "    int most;\n"
     "    double sum;\n"
     "    bool odd;\n"
     "};\n"
     "static __device__ part reduce(int low, int high)\n"
     "{\n"
     "    if (high - low == 1)\n"
     "        return {low * low % 17, low * 0.5, low % 3 == 0};\n"
     "    const part a = reduce(low, (low + high) / 2), b = reduce((low + high) / 2, high);\n"
     "    return {a.most > b.most ? a.most : b.most, a.sum + b.sum, a.odd != b.odd};\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    const part p = reduce(threadIdx.x, threadIdx.x + n + 2);\n"
     "    out[threadIdx.x] = p.most + 100 * (int)(2 * p.sum) + 100000 * p.odd;\n"
     "}\n",
     {102116, 2816, 3516, 104216, 4916, 5615, 106315, 7016}},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static qn_module *build(const char *name, const char *text, const char *define)
{
    qn_module *m = NULL;
    const qn_source source = {
        .text = text, .path = "recursion.cu", .defines = &define, .n_defines = define != NULL};
    qn_log log = {0};
    const qn_status s = qn_module_build(&m, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", name, qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    return m;
}

static qn_status run(int *out, qn_module *m, int n)
{
    int in[VALUES];
    const qn_kernel *k;
    for (int i = 0; i < VALUES; i++)
        in[i] = 3 * i + 1;
    memset(out, 0, VALUES * sizeof *out);
    qn_addr d_in = alloc(sizeof in), d_out = alloc(VALUES * sizeof *out);
    must(qn_memory_upload(device, d_in, in, sizeof in, stream));
    must(qn_memory_upload(device, d_out, out, VALUES * sizeof *out, stream));
    must(qn_kernel_find(&k, m, "run"));
    void *const args[] = {&d_out, &d_in, &n};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, out, d_out, VALUES * sizeof *out, stream));
    const qn_status s = qn_stream_sync(stream);
    char *const message = strdup(qn_message());
    must(qn_memory_free(device, d_in));
    must(qn_memory_free(device, d_out));
    if (s != QN_OK)
        ck_assert_msg(strstr(message, "recursion: depth at most 64 calls deep") != NULL, "%s",
                      message);
    free(message);
    return s;
}

START_TEST(a_program_gives_its_numbers)
{
    const struct row *const row = &rows[_i];
    int out[VALUES];
    qn_module *const m = build(row->name, row->text, NULL);
    ck_assert_int_eq(run(out, m, 5), QN_OK);
    for (int i = 0; i < VALUES; i++)
        ck_assert_msg(out[i] == row->want[i], "%s: out[%d] is %d, not %d", row->name, i, out[i],
                      row->want[i]);
    qn_module_close(m);
}
END_TEST

static const char deep[] = "static __device__ int depth(const int *in, int n)\n"
                           "{\n"
                           "    return n == 0 ? 0 : depth(in, n - 1) + in[n & 3];\n"
                           "}\n"
                           "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
                           "{\n"
                           "    out[threadIdx.x] = depth(in, n) * 2 - depth(in, n - 1);\n"
                           "}\n";

/* in[] of 1, 4, 7, 10, over and over */
static int depth(int n)
{
    return n == 0 ? 0 : depth(n - 1) + 3 * (n & 3) + 1;
}

START_TEST(as_deep_as_the_stack_and_deeper)
{
    int out[VALUES];
    const bool has_own = strcmp(qn_device_get_info(device)->backend, "cuda") == 0;
    qn_module *const m = build("deep", deep, NULL);
    ck_assert_int_eq(run(out, m, 63), QN_OK);
    ck_assert_int_eq(out[7], 2 * depth(63) - depth(62));
    if (!has_own) { /* CUDA's stack is the driver's */
        ck_assert_int_eq(run(out, m, 64), QN_E_FAULT);
        ck_assert_int_eq(run(out, m, 40), QN_OK);
        ck_assert_int_eq(out[0], 2 * depth(40) - depth(39));
    }
    qn_module_close(m);
    qn_module *const more = build("deep", deep, "QUERN_RECURSION_DEPTH=501");
    ck_assert_int_eq(run(out, more, has_own ? 40 : 500), QN_OK);
    ck_assert_int_eq(out[3], has_own ? 2 * depth(40) - depth(39) : 2 * depth(500) - depth(499));
    qn_module_close(more);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_program_gives_its_numbers, N_ROWS}, {as_deep_as_the_stack_and_deeper, 1}, {NULL, 0}};
    return fixture_run("recursion", NULL, NULL, NULL, cases);
}
