/* SPDX-License-Identifier: Apache-2.0
 *
 * malloc, free, new and delete in kernels: each row is a program with the numbers that it must
 * give, through NVRTC (QUERN_BACKEND=cuda) and through the translator; then how large the heap is,
 * what happens where nothing is left, and what the host may say.
 *
 * covers: compiler/lower/device_buffers compiler/lower/new_may_fail runtime/cpu/cpu_heap */
#include "tests/runtime_fixture.h"

#include <stdbool.h>

enum { VALUES = 64, WORDS = 1 << 16, HEAP_BYTES = 1 << 20 };

/* `first` and then `second` are launched, with 4 blocks of 64 threads, `out` of VALUES zeros and
 * `p` of WORDS null pointers. */
static const struct row {
    const char *name;
    const char *text;
    int want[8];
} rows[] = {
    {"a piece of each thread, which the next launch reads and gives back",
     "extern \"C\" __global__ void first(int *out, int **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x, n = i % 7 + 1;\n"
     "    int *mine = (int *)malloc(n * sizeof(int));\n"
     "    for (int k = 0; k < n; k++)\n"
     "        mine[k] = i * 10 + k;\n"
     "    p[i] = mine;\n"
     "    if ((unsigned long long)mine % 16 != 0)\n"
     "        atomicAdd(&out[3], 1);\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, int **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x, n = i % 7 + 1;\n"
     "    for (int k = 0; k < n; k++)\n"
     "        atomicAdd(&out[p[i][k] == i * 10 + k ? 0 : 1], 1);\n"
     "    free(p[i]);\n"
     "    atomicAdd(&out[2], 1);\n"
     "}\n",
     {1018, 0, 256, 0}},
    {"threads that do different things for different times",
     "extern \"C\" __global__ void first(int *out, int **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    if (i % 3 == 0)\n"
     "        return;\n"
     "    for (int round = 0; round < i % 5 + 1; round++) {\n"
     "        int n = (i * 7 + round * 13) % 50 + 1;\n"
     "        char *mine = (char *)malloc(n);\n"
     "        if (!mine)\n"
     "            continue;\n"
     "        for (int k = 0; k < n; k++)\n"
     "            mine[k] = (char)(i + k);\n"
     "        if (i % 2 == 0 && round == 2) {\n"
     "            p[i] = (int *)mine;\n"
     "            break;\n"
     "        }\n"
     "        bool good = true;\n"
     "        for (int k = 0; k < n; k++)\n"
     "            good &= mine[k] == (char)(i + k);\n"
     "        atomicAdd(&out[good], 1);\n"
     "        free(mine);\n"
     "    }\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, int **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    if (p[i]) {\n"
     "        int n = (i * 7 + 26) % 50 + 1;\n"
     "        bool good = true;\n"
     "        for (int k = 0; k < n; k++)\n"
     "            good &= ((char *)p[i])[k] == (char)(i + k);\n"
     "        atomicAdd(&out[2 + good], 1);\n"
     "    }\n"
     "    free(p[i]);\n"
     "}\n",
     {0, 405, 0, 52}},
    {"a list that one launch makes and another walks and frees",
     "struct node {\n"
     "    int value;\n"
     "    node *next;\n"
     "};\n"
     "extern \"C\" __global__ void first(int *out, unsigned long long *p)\n"
     "{\n"
     "    node *n = (node *)malloc(sizeof(node));\n"
     "    n->value = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    n->next = (node *)atomicExch(&p[threadIdx.x % 4], (unsigned long long)n);\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, node **p)\n"
     "{\n"
     "    if (blockIdx.x || threadIdx.x >= 4)\n"
     "        return;\n"
     "    int sum = 0, count = 0;\n"
     "    for (node *n = p[threadIdx.x], *next; n; n = next) {\n"
     "        next = n->next;\n"
     "        sum += n->value;\n"
     "        count++;\n"
     "        free(n);\n"
     "    }\n"
     "    out[threadIdx.x] = sum;\n"
     "    out[4 + threadIdx.x] = count;\n"
     "}\n",
     {8064, 8128, 8192, 8256, 64, 64, 64, 64}},
    {"objects made with new: constructors, destructors, arrays, virtual functions",
     "struct shape {\n"
     "    __device__ virtual int area() const = 0;\n"
     "    __device__ virtual ~shape() {}\n"
     "};\n"
     "struct square : shape {\n"
     "    int a;\n"
     "    __device__ square(int side) : a(side) {}\n"
     "    __device__ int area() const override { return a * a; }\n"
     "};\n"
     "struct box : shape {\n"
     "    int a, b;\n"
     "    int *out;\n"
     "    __device__ box(int x, int y, int *o) : a(x), b(y), out(o) {}\n"
     "    __device__ ~box() { atomicAdd(out + 2, 1); }\n"
     "    __device__ int area() const override { return a * b; }\n"
     "};\n"
     "struct pair {\n"
     "    int a, b;\n"
     "    __device__ pair() : a(3), b(4) {}\n"
     "};\n"
     "extern \"C\" __global__ void first(int *out, shape **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    if (i % 2)\n"
     "        p[i] = new square(i % 10);\n"
     "    else\n"
     "        p[i] = new box(i % 10, 2, out);\n"
     "    pair *pairs = new pair[i % 4 + 1];\n"
     "    int sum = 0;\n"
     "    for (int k = 0; k <= i % 4; k++)\n"
     "        sum += pairs[k].a * pairs[k].b;\n"
     "    atomicAdd(&out[0], sum);\n"
     "    delete[] pairs;\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, shape **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    atomicAdd(&out[1], p[i]->area());\n"
     "    delete p[i];\n"
     "}\n",
     {7680, 5172, 128}},
    {"atomics of a member of an object that virtual functions make packed",
     "struct base {\n"
     "    __device__ virtual int value() const = 0;\n"
     "};\n"
     "struct counter : base {\n"
     "    int n;\n"
     "    __device__ counter() : n(0) {}\n"
     "    __device__ int value() const override { return n; }\n"
     "};\n"
     "extern \"C\" __global__ void first(int *out, counter **p)\n"
     "{\n"
     "    if (blockIdx.x + threadIdx.x == 0)\n"
     "        p[0] = new counter;\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, counter **p)\n"
     "{\n"
     "    atomicAdd(&out[atomicAdd(&p[0]->n, 2) % 4], 1);\n"
     "    if (p[0]->value() > 0)\n"
     "        atomicExch(&out[3], 1);\n"
     "}\n",
     {128, 0, 128, 1}},
    {"one piece for a block",
     "extern \"C\" __global__ void first(int *out, int **p)\n"
     "{\n"
     "    __shared__ int *all;\n"
     "    if (threadIdx.x == 0)\n"
     "        all = (int *)malloc(blockDim.x * sizeof(int));\n"
     "    __syncthreads();\n"
     "    if (all == NULL)\n"
     "        return;\n"
     "    all[threadIdx.x] = threadIdx.x * (blockIdx.x + 1);\n"
     "    __syncthreads();\n"
     "    atomicAdd(&out[blockIdx.x], all[blockDim.x - 1 - threadIdx.x] * (threadIdx.x & 1));\n"
     "    __syncthreads();\n"
     "    if (threadIdx.x == 0)\n"
     "        free(all);\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, int **p) {}\n",
     {992, 1984, 2976, 3968}},
    {"new with std::nothrow, and of a type that is more aligned",
     "#ifdef QUERN_TRANSLATE\n"
     "#include <new>\n"
     "#define NEW new (std::nothrow)\n"
     "#else // NVRTC has no such header\n"
     "#define NEW new\n"
     "#endif\n"
     "struct alignas(64) line {\n"
     "    int values[16];\n"
     "};\n"
     "extern \"C\" __global__ void first(int *out, line **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    int *a = NEW int(i);\n"
     "    p[i] = new line;\n"
     "    p[i]->values[i % 16] = *a;\n"
     "    if ((unsigned long long)p[i] % 64 == 0)\n"
     "        atomicAdd(&out[0], 1);\n"
     "    delete a;\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, line **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    atomicAdd(&out[1], p[i]->values[i % 16]);\n"
     "    delete p[i];\n"
     "}\n",
     {256, 32640}},
    {"null pointers, and pieces that are more aligned",
     "extern \"C\" __global__ void first(int *out, int **p)\n"
     "{\n"
     "    free((void *)0);\n"
     "    int *none = 0;\n"
     "    delete none;\n"
     "    delete[] none;\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    int align = 16 << i % 5;\n"
     "    int *a = (int *)__nv_aligned_device_malloc(i % 40 + 4, align);\n"
     "    if ((unsigned long long)a % align == 0)\n"
     "        atomicAdd(&out[0], 1);\n"
     "    *a = i;\n"
     "    p[i] = a;\n"
     "}\n"
     "extern \"C\" __global__ void second(int *out, int **p)\n"
     "{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "    if (*p[i] == i)\n"
     "        atomicAdd(&out[1], 1);\n"
     "    free(p[i]);\n"
     "}\n",
     {256, 256}},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void choose_size(void)
{
    must(qn_device_set_heap(device, HEAP_BYTES / 2));
    must(qn_device_set_heap(device, HEAP_BYTES));
    must_not(QN_E_INVALID, qn_device_set_heap(device, 0));
    must_not(QN_E_LIMIT, qn_device_set_heap(device, (uint64_t)1 << 40));
}

static qn_module *build(const char *name, const char *text)
{
    qn_module *m = NULL;
    const qn_source source = {.text = text, .path = "heap.cu"};
    qn_log log = {0};
    const qn_status s = qn_module_build(&m, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", name, qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    return m;
}

static void launch(qn_module *m, const char *kernel, uint32_t blocks, uint32_t threads, qn_addr out,
                   qn_addr p)
{
    const qn_kernel *k;
    void *const args[] = {&out, &p};
    const qn_dims dims = {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    must(qn_kernel_find(&k, m, kernel));
    must(qn_stream_launch(stream, k, &dims, args));
}

static qn_addr zeros(uint64_t bytes)
{
    const qn_addr a = alloc(bytes);
    must(qn_memory_fill(device, a, 0, 4, bytes / 4, NULL));
    return a;
}

START_TEST(a_program_gives_its_numbers)
{
    const struct row *const row = &rows[_i];
    int out[VALUES];
    qn_module *const m = build(row->name, row->text);
    const qn_addr d_out = zeros(sizeof out), p = zeros(WORDS * 8);
    launch(m, "first", 4, 64, d_out, p);
    launch(m, "second", 4, 64, d_out, p);
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, out, d_out, sizeof out, NULL));
    for (int i = 0; i < 8; i++)
        ck_assert_msg(out[i] == row->want[i], "%s: out[%d] is %d, not %d", row->name, i, out[i],
                      row->want[i]);
    must(qn_memory_free(device, d_out));
    must(qn_memory_free(device, p));
    qn_module_close(m);
}
END_TEST

/* 1,000 bytes are 63 units, and one more: 1,024 such pieces are all of HEAP_BYTES. Where the first
 * search began is in the middle of a piece, and where two threads met there may be smaller gaps. */
static const char takes_all[] =
    "#ifdef QUERN_TRANSLATE\n"
    "#include <new>\n"
    "#endif\n"
    "extern \"C\" __global__ void take(int *out, char **p)\n"
    "{\n"
    "    for (;;) {\n"
    "        char *mine = (char *)malloc(1000);\n"
    "        int at = atomicAdd(&out[mine ? 0 : 1], 1);\n"
    "        if (!mine || at >= 65536)\n"
    "            break;\n"
    "        mine[0] = (char)at;\n"
    "        mine[999] = (char)(at >> 8);\n"
    "        p[at] = mine;\n"
    "    }\n"
    "}\n"
    "struct counted {\n"
    "    int *n;\n"
    "    char rest[2000];\n"
    "    __device__ counted(int *out) : n(out) { atomicAdd(n, 1); }\n"
    "};\n"
    "extern \"C\" __global__ void more(int *out, char **p)\n"
    "{\n"
    "#ifdef QUERN_TRANSLATE // a constructor does not run at null\n"
    "    counted *c = new (std::nothrow) counted(&out[3]);\n"
    "#else\n"
    "    void *c = malloc(sizeof(counted));\n"
    "#endif\n"
    "    if (c == NULL)\n"
    "        atomicAdd(&out[2], 1);\n"
    "    int *many = new int[1 << 18];\n"
    "    if (many == NULL)\n"
    "        atomicAdd(&out[2], 100);\n"
    "    if (malloc(1ull << 40) == NULL)\n"
    "        atomicAdd(&out[2], 10000);\n"
    "}\n"
    "extern \"C\" __global__ void give(int *out, char **p)\n"
    "{\n"
    "    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < out[0]; at += gridDim.x * "
    "blockDim.x) {\n"
    "        if (p[at][0] != (char)at || p[at][999] != (char)(at >> 8))\n"
    "            atomicAdd(&out[4], 1);\n"
    "        free(p[at]);\n"
    "    }\n"
    "}\n";

START_TEST(where_nothing_is_left_there_is_no_piece_until_some_are_given_back)
{
    const bool is_ours = strcmp(qn_device_get_info(device)->backend, "cuda") != 0;
    qn_module *const m = build("takes all", takes_all);
    for (int round = 0; round < 3; round++) {
        int out[VALUES];
        const uint32_t blocks = round == 0 ? 1 : 8, threads = round == 0 ? 1 : 96;
        const qn_addr d_out = zeros(sizeof out), p = zeros(WORDS * 8);
        launch(m, "take", blocks, threads, d_out, p);
        launch(m, "more", 1, 1, d_out, p);
        launch(m, "give", 4, 64, d_out, p);
        must(qn_stream_sync(stream));
        must(qn_memory_download(device, out, d_out, sizeof out, NULL));
        ck_assert_int_eq(out[1], (int)(blocks * threads)); /* each saw the end */
        ck_assert_int_eq(out[2], 10101);
        ck_assert_int_eq(out[3], 0);
        ck_assert_int_eq(out[4], 0);
        ck_assert_msg(out[0] >= 1000 && out[0] <= (is_ours ? 1024 : WORDS), "%d pieces", out[0]);
        must(qn_memory_free(device, d_out));
        must(qn_memory_free(device, p));
    }
    qn_module_close(m);
}
END_TEST

START_TEST(the_size_is_fixed_once_a_kernel_has_allocated)
{
    must_not(QN_E_INVALID, qn_device_set_heap(device, HEAP_BYTES * 2));
    ck_assert_msg(strstr(qn_message(), "has been made") != NULL, "%s", qn_message());
}
END_TEST

static const char frees_twice[] = "extern \"C\" __global__ void twice(int *out, int **p)\n"
                                  "{\n"
                                  "    int *a = (int *)malloc(64);\n"
                                  "    p[0] = a;\n"
                                  "    free(p[0]);\n"
                                  "    free(p[0]);\n"
                                  "}\n"
                                  "extern \"C\" __global__ void inside(int *out, int **p)\n"
                                  "{\n"
                                  "    int *a = (int *)malloc(64);\n"
                                  "    a[3] = 5;\n"
                                  "    free(a + 8);\n"
                                  "    free(a);\n"
                                  "    out[0]++;\n"
                                  "}\n";

START_TEST(what_malloc_did_not_give_is_not_taken_back)
{
    if (strcmp(qn_device_get_info(device)->backend, "cuda") == 0)
        return; /* undefined there */
    qn_module *const m = build("frees twice", frees_twice);
    const qn_addr d_out = zeros(VALUES * 4), p = zeros(WORDS * 8);
    const char *const kernels[] = {"twice", "inside"};
    for (int i = 0; i < 2; i++) {
        launch(m, kernels[i], 1, 1, d_out, p);
        const qn_status s = qn_stream_sync(stream);
        ck_assert_msg(s == QN_E_FAULT && strstr(qn_message(), "malloc did not give") != NULL,
                      "%s: %s", kernels[i], s == QN_OK ? "success" : qn_message());
    }
    must(qn_memory_free(device, d_out));
    must(qn_memory_free(device, p));
    qn_module_close(m);
}
END_TEST

START_TEST(another_handle_has_a_heap_of_its_own)
{
    qn_device *other;
    if (strcmp(qn_device_get_info(device)->backend, "cuda") == 0)
        return; /* one for all handles of a card */
    must(qn_device_open(&other, qn_device_get_info(device)->id));
    must(qn_device_set_heap(other, 4 << 20));
    qn_device_close(other);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_program_gives_its_numbers, N_ROWS},
        {where_nothing_is_left_there_is_no_piece_until_some_are_given_back, 1},
        {the_size_is_fixed_once_a_kernel_has_allocated, 1},
        {what_malloc_did_not_give_is_not_taken_back, 1},
        {another_handle_has_a_heap_of_its_own, 1},
        {NULL, 0}};
    return fixture_run("heap", NULL, choose_size, NULL, cases);
}
