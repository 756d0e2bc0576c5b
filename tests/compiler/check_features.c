/* SPDX-License-Identifier: Apache-2.0
 *
 * What C++ has and OpenCL C lacks, as kernels use it: each row is a program with the numbers that
 * it must give. The same source runs through NVRTC (QUERN_BACKEND=cuda) and through the translator.
 *
 * covers: compiler/lower/mixed_pointers compiler/lower/mixed_parts compiler/lower/mixed_accesses
 * compiler/model/infer_spaces */
#include "tests/runtime_fixture.h"

enum { THREADS = 8, VALUES = 32 };

/* `run` gets in[i] = 3 * i + 1, n = 5 and zeros to write to. */
static const struct row {
    const char *name;
    const char *text;
    int want[VALUES];
} rows[] = {
    {"a pointer to global or private memory, for reading",
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    const int zero[4] = {0, 0, 0, 0};\n"
     "    int i = 4 * threadIdx.x;\n"
     "    const int *p = threadIdx.x < n ? in + i : zero;\n"
     "    for (int k = 0; k < 4; k++)\n"
     "        out[i + k] = p[k];\n"
     "}\n",
     {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 52, 55, 58}},
    {"a pointer to shared, global or constant memory that a loop moves",
     "__constant__ int table[4] = {1000, 2000, 3000, 4000};\n"
     "static __device__ int sum(const int *p, const int *end)\n"
     "{\n"
     "    int s = 0;\n"
     "    for (; p != end; ++p)\n"
     "        s += *p;\n"
     "    return s;\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    __shared__ int tile[8];\n"
     "    int i = threadIdx.x;\n"
     "    tile[i] = 100 * i;\n"
     "    __syncthreads();\n"
     "    const int *p = i % 3 == 0 ? in : i % 3 == 1 ? tile : table;\n"
     "    out[i] = sum(p + 1, p + 4);\n"
     "}\n",
     {21, 600, 9000, 21, 600, 9000, 21, 600}},
    {"pointers to two kinds of memory in structs and lists",
     "struct node {\n"
     "    int value;\n"
     "    const node *next;\n"
     "};\n"
     "struct view {\n"
     "    const int *data;\n"
     "    int n;\n"
     "};\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    __shared__ node shared[2];\n"
     "    int i = threadIdx.x, own[3] = {i, 10 * i, 100 * i}, v = 0;\n"
     "    if (i == 0) {\n"
     "        shared[0] = {7, &shared[1]};\n"
     "        shared[1] = {5, nullptr};\n"
     "    }\n"
     "    __syncthreads();\n"
     "    node mine[2] = {{i, &mine[1]}, {3, shared}};\n"
     "    for (const node *at = i & 1 ? mine : shared; at; at = at->next)\n"
     "        v = 10 * v + at->value;\n"
     "    view views[3] = {{own, 3}, {in + i, 2}, {nullptr, 0}};\n"
     "    view w = views[i % 3];\n"
     "    for (int k = 0; k < w.n; k++)\n"
     "        v += 10000 * w.data[k];\n"
     "    out[i] = v;\n"
     "}\n",
     {75, 111375, 75, 3333375, 290075, 5375, 6660075, 477375}},
    {"stores, atomics and copies to global or shared memory",
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    __shared__ int sums[2], rows[8][2];\n"
     "    int i = threadIdx.x;\n"
     "    if (i < 2)\n"
     "        sums[i] = 0;\n"
     "    __syncthreads();\n"
     "    int *to = i & 1 ? sums : out;\n"
     "    atomicAdd(to + (i >> 1 & 1), in[i]);\n"
     "    int *pair = i < 4 ? rows[i] : out + 8 + 2 * i;\n"
     "    __builtin_memcpy(pair, in + i, 8);\n"
     "    pair[1] += 1;\n"
     "    __syncthreads();\n"
     "    if (i < 2)\n"
     "        out[2 + i] = sums[i];\n"
     "    out[4 + i] = rows[i & 3][i >> 2];\n"
     "}\n",
     {14, 26, 20, 32, 1, 4, 7, 10, 5, 8, 11, 14, 0, 0, 0, 0, 13, 17, 16, 20, 19, 23, 22, 26}},
    {"an address as a number, and comparisons of pointers",
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    __shared__ int tile[8];\n"
     "    int i = threadIdx.x;\n"
     "    tile[i] = -i;\n"
     "    __syncthreads();\n"
     "    const int *a = i & 1 ? in : tile, *b = i & 2 ? in : tile, *c = i & 4 ? a : nullptr;\n"
     "    unsigned long long number = (unsigned long long)a + 8;\n"
     "    out[i] = 100 * *(const int *)number + 10 * (a == b) + (c != nullptr) +\n"
     "             4 * (int)(number % 4 == 0) + 2 * (a + 2 > a);\n"
     "}\n",
     {-184, 706, -194, 716, -183, 707, -193, 717}},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static qn_module *build(const struct row *row)
{
    qn_module *m = NULL;
    const qn_source source = {.text = row->text, .path = "features.cu"};
    qn_log log = {0};
    const qn_status s = qn_module_build(&m, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", row->name, qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    return m;
}

START_TEST(a_program_gives_its_numbers)
{
    const struct row *const row = &rows[_i];
    int in[VALUES], out[VALUES] = {0}, n = 5;
    qn_module *const m = build(row);
    const qn_kernel *k;
    for (int i = 0; i < VALUES; i++)
        in[i] = 3 * i + 1;
    qn_addr d_in = alloc(sizeof in), d_out = alloc(sizeof out);
    must(qn_memory_upload(device, d_in, in, sizeof in, stream));
    must(qn_memory_upload(device, d_out, out, sizeof out, stream));
    must(qn_kernel_find(&k, m, "run"));
    void *const args[] = {&d_out, &d_in, &n};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, out, d_out, sizeof out, stream));
    must(qn_stream_sync(stream));
    for (int i = 0; i < VALUES; i++)
        ck_assert_msg(out[i] == row->want[i], "%s: out[%d] is %d, not %d", row->name, i, out[i],
                      row->want[i]);
    must(qn_memory_free(device, d_in));
    must(qn_memory_free(device, d_out));
    qn_module_close(m);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {{a_program_gives_its_numbers, N_ROWS}, {NULL, 0}};
    return fixture_run("features", NULL, NULL, NULL, cases);
}
