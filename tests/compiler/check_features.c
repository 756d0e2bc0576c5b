/* SPDX-License-Identifier: Apache-2.0
 *
 * What C++ has and OpenCL C lacks, as kernels use it: each row is a program with the numbers that
 * it must give. The same source runs through NVRTC (QUERN_BACKEND=cuda) and through the translator.
 *
 * covers: compiler/lower/fold_aggregates compiler/lower/mixed_pointers compiler/lower/mixed_parts
 * compiler/lower/mixed_accesses compiler/model/infer_spaces compiler/lower/function_numbers
 * compiler/lower/choose_call compiler/lower/inline_resolved compiler/lower/address_variables
 * compiler/model/initial_value */
#include "tests/runtime_fixture.h"

enum { THREADS = 8, VALUES = 32 };

#define SHAPES                                                                                     \
    "#ifdef QUERN_TRANSLATE // NVRTC has placement new, and no such header\n"                      \
    "#include <new>\n"                                                                             \
    "#endif\n"                                                                                     \
    "struct shape {\n"                                                                             \
    "    __device__ virtual int area() const = 0;\n"                                               \
    "    __device__ virtual int corners() const { return 0; }\n"                                   \
    "    __device__ int seven() const { return 7; }\n"                                             \
    "};\n"                                                                                         \
    "struct square : shape {\n"                                                                    \
    "    int side;\n"                                                                              \
    "    __device__ square(int s) : side(s) {}\n"                                                  \
    "    __device__ int area() const override { return side * side; }\n"                           \
    "    __device__ int corners() const override { return 4; }\n"                                  \
    "};\n"                                                                                         \
    "struct circle : shape {\n"                                                                    \
    "    int radius;\n"                                                                            \
    "    __device__ circle(int r) : radius(r) {}\n"                                                \
    "    __device__ int area() const override { return 3 * radius * radius; }\n"                   \
    "};\n"

#define GROUPS                                                                                     \
    "#include <cooperative_groups.h>\n"                                                            \
    "#include <cooperative_groups/reduce.h>\n"                                                     \
    "#include <cooperative_groups/scan.h>\n"                                                       \
    "#include <cuda_fp16.h>\n"                                                                     \
    "namespace cg = cooperative_groups;\n"                                                         \
    "struct pair {\n"                                                                              \
    "    float top;\n"                                                                             \
    "    int where;\n"                                                                             \
    "};\n"                                                                                         \
    "struct three {\n"                                                                             \
    "    unsigned char r, g, b;\n"                                                                 \
    "};\n"                                                                                         \
    "struct big {\n"                                                                               \
    "    double a;\n"                                                                              \
    "    short b;\n"                                                                               \
    "    char c[5];\n"                                                                             \
    "};\n"

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
     "    memcpy(pair, in + i, 8);\n"
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
    {"virtual functions of objects in private memory",
     SHAPES "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
            "{\n"
            "    int i = threadIdx.x;\n"
            "    square a(i);\n"
            "    circle b(2);\n"
            "    const shape *all[3] = {&a, &b, i & 1 ? (const shape *)&a : &b};\n"
            "    for (int k = 0; k < 3; k++)\n"
            "        out[i] = 100 * out[i] + all[(k + i) % 3]->area();\n"
            "}\n",
     {1212, 120101, 120412, 91209, 121216, 252512, 361212, 124949}},
    {"virtual functions of objects in global and shared memory",
     SHAPES "__device__ char objects[8][sizeof(circle)];\n"
            "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
            "{\n"
            "    __shared__ char own[8][sizeof(square)];\n"
            "    int i = threadIdx.x;\n"
            "    if (i & 1)\n"
            "        new (objects[i]) circle(i);\n"
            "    else\n"
            "        new (objects[i]) square(i);\n"
            "    new (own[i]) square(10 + i);\n"
            "    __syncthreads();\n"
            "    const shape *p = (const shape *)objects[7 - i], *q = (const shape *)own[7 - i];\n"
            "    const shape *either = i < 4 ? p : q;\n"
            "    out[i] = 1000 * p->area() + either->area() + q->corners();\n"
            "}\n",
     {147151, 36040, 75079, 16020, 27173, 4148, 3125, 104}},
    {"functions in structs, tables and variables",
     "typedef int (*operation)(int, int);\n"
     "static __device__ int add(int a, int b) { return a + b; }\n"
     "static __device__ int subtract(int a, int b) { return a - b; }\n"
     "static __device__ int multiply(int a, int b) { return a * b; }\n"
     "struct step {\n"
     "    operation apply;\n"
     "    int with;\n"
     "};\n"
     "__constant__ step steps[3] = {{add, 3}, {multiply, 5}, {subtract, 7}};\n"
     "__device__ operation current = multiply, changed = nullptr;\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    int i = threadIdx.x, v = i;\n"
     "    if (i == 0)\n"
     "        changed = n > 4 ? subtract : add;\n"
     "    __syncthreads();\n"
     "    step own[3] = {{current, 2}, {i & 1 ? add : subtract, 1}, {changed, 4}};\n"
     "    for (int k = 0; k < 3; k++)\n"
     "        v = own[k].apply(v, own[k].with);\n"
     "    for (int k = 0; k < 3; k++)\n"
     "        v = steps[(k + i) % 3].apply(v, steps[(k + i) % 3].with);\n"
     "    out[i] = v + 1000 * (own[1].apply == changed);\n"
     "}\n",
     {983, -9, 975, 23, 1011, 15, 1043, 51}},
    {"pointers to member functions, virtual and not",
     SHAPES "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
            "{\n"
            "    int i = threadIdx.x;\n"
            "    square a(i);\n"
            "    circle b(i);\n"
            "    int (shape::*member)() const = &shape::area;\n"
            "    if (i & 1)\n"
            "        member = &shape::corners;\n"
            "    if (i > 5)\n"
            "        member = &shape::seven;\n"
            "    const shape *p = i & 2 ? (const shape *)&a : &b;\n"
            "    out[i] = (p->*member)();\n"
            "}\n",
     {0, 0, 4, 4, 48, 0, 7, 7}},
    {"groups that shuffle structs, 3 bytes, double, half and bool",
     GROUPS "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
            "{\n"
            "    auto tile = cg::tiled_partition<8>(cg::this_thread_block());\n"
            "    int i = threadIdx.x;\n"
            "    three t = {(unsigned char)i, (unsigned char)(2 * i), (unsigned char)(250 + i)};\n"
            "    t = tile.shfl_xor(t, 5);\n"
            "    big b = {i / 2.0, (short)i, {1, 2, 3, 4, (char)i}};\n"
            "    b = tile.shfl_down(b, 3);\n"
            "    bool odd = tile.shfl((i & 1) != 0, 3);\n"
            "    __half h = tile.shfl_up(__float2half(i * 0.5f), 2);\n"
            "    double d = tile.shfl(i * 0.25, 6);\n"
            "    out[i] = t.r + 10 * t.g + 1000 * t.b + odd;\n"
            "    out[8 + i] = (int)(2 * b.a) + 10 * b.b + 100 * b.c[4] + 1000 * b.c[3];\n"
            "    out[16 + i] = (int)(2 * __half2float(h)) + (int)(400 * d);\n"
            "}\n",
     {255106, 254085, 1148, 127,  251022, 250001, 253064, 252043, 4333, 4444, 4555, 4666,
      4777,   4555,   4666, 4777, 600,    601,    600,    601,    602,  603,  604,  605}},
    {"groups that reduce and scan structs with functions of their own",
     GROUPS
     "struct better {\n"
     "    __device__ pair operator()(pair a, pair b) const { return a.top > b.top ? a : b; }\n"
     "};\n"
     "__device__ pair worse(pair a, pair b) { return a.top < b.top ? a : b; }\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    auto tile = cg::tiled_partition<8>(cg::this_thread_block());\n"
     "    int i = threadIdx.x;\n"
     "    pair p = {(float)(in[i] * 5 % 19), i};\n"
     "    pair top = cg::reduce(tile, p, better()), low = cg::reduce(tile, p, worse);\n"
     "    pair so_far = cg::inclusive_scan(tile, p, better());\n"
     "    int most = cg::reduce(tile, in[i] % 7, [](int a, int b) { return a > b ? a : b; });\n"
     "    double sum = cg::reduce(tile, i * 0.5, cg::plus<double>());\n"
     "    out[i] = top.where + 10 * low.where + 100 * so_far.where + 1000 * most;\n"
     "    out[8 + i] = (int)(2 * sum) + 100 * cg::inclusive_scan(tile, i, cg::plus<int>());\n"
     "}\n",
     {6062, 6062, 6262, 6262, 6262, 6262, 6262, 6262, 28, 128, 328, 628, 1028, 1528, 2128, 2828}},
    {"initial values that are addresses",
     "struct node {\n"
     "    int value;\n"
     "    const node *next;\n"
     "};\n"
     "struct view {\n"
     "    const int *data;\n"
     "    int n;\n"
     "};\n"
     "__device__ int table[8] = {10, 11, 12, 13, 14, 15, 16, 17};\n"
     "__device__ int *middle = &table[3];\n"
     "__device__ int **to_middle = &middle;\n"
     "__device__ int pairs[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
     "__constant__ view views[3] = {{table + 1, 2}, {pairs[0], 3}, {&pairs[1][1], 1}};\n"
     "__device__ node last = {3, nullptr}, first = {1, &last};\n"
     "#ifdef QUERN_TRANSLATE\n"
     "__device__ node ring = {7, &ring};\n"
     "#else // NVRTC refuses a circle\n"
     "__device__ node ring = {7, nullptr};\n"
     "#endif\n"
     "__device__ const char *word = \"hi\";\n"
     "__device__ const char *const names[3] = {\"zero\", \"one\", \"two\"};\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    int i = threadIdx.x, sum = 0;\n"
     "#ifndef QUERN_TRANSLATE\n"
     "    ring.next = &ring;\n"
     "#endif\n"
     "    const view v = views[i % 3];\n"
     "    for (int k = 0; k < v.n; k++)\n"
     "        sum += v.data[k];\n"
     "    out[i] = sum + 100 * middle[i & 3] + 10000 * (*to_middle)[-1];\n"
     "    out[8 + i] = names[i % 3][i & 1] + 1000 * word[1];\n"
     "    int nodes = 0;\n"
     "    for (const node *at = &first; at; at = at->next)\n"
     "        nodes = 10 * nodes + at->value;\n"
     "    out[16 + i] = nodes + 100 * (ring.next == &ring) + 1000 * (middle == table + 3) +\n"
     "                  10000 * ring.next->next->value;\n"
     "    __syncthreads();\n"
     "    if (i == 5) {\n"
     "        **to_middle = 1;\n"
     "        middle = table;\n"
     "    }\n"
     "    __syncthreads();\n"
     "    out[24 + i] = table[3] + 100 * (*to_middle)[i];\n"
     "}\n",
     {121323, 121406, 121505, 121623, 121306, 121405, 121523, 121606, 105122, 105110, 105116,
      105101, 105111, 105119, 105122, 105110, 71113,  71113,  71113,  71113,  71113,  71113,
      71113,  71113,  1001,   1101,   1201,   101,    1401,   1501,   1601,   1701}},
    {"pointers to member functions, of which some are virtual",
     "struct cell {\n"
     "    int v;\n"
     "    __device__ cell(int v) : v(v) {}\n"
     "    __device__ int more(int x) { return v += x; }\n"
     "    __device__ int times(int x) { return v *= x; }\n"
     "    __device__ virtual int less(int x) { return v -= x; }\n"
     "};\n"
     "struct own : cell {\n"
     "    __device__ own(int v) : cell(v) {}\n"
     "    __device__ int less(int x) override { return v -= 2 * x; }\n"
     "};\n"
     "typedef int (cell::*member)(int);\n"
     "static __device__ int all(cell &c, member first, member then, int n)\n"
     "{\n"
     "    int sum = 0;\n"
     "    for (int k = 0; k < n; k++) {\n"
     "        sum = 10 * sum + (c.*first)(k + 1);\n"
     "        const member m = first;\n"
     "        first = then;\n"
     "        then = m;\n"
     "    }\n"
     "    return sum;\n"
     "}\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    const int i = threadIdx.x;\n"
     "    cell a(i);\n"
     "    own b(i);\n"
     "    const member m = i % 3 == 0 ? &cell::more : i % 3 == 1 ? &cell::times : &cell::less;\n"
     "    out[i] = all(a, m, &cell::times, 3);\n"
     "    out[8 + i] = all(i & 1 ? (cell &)a : b, &cell::less, m, 2);\n"
     "}\n",
     {125, 126, 119, 491, 504, 485, 857, 882, -20, 60, -4, 112, 24, 42, 46, 492}},
    {"PTX: a choice of what has no value yet, packs, additions to vectors",
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    const int i = threadIdx.x, a = 70 * in[i] - 600, b = 3 - in[i];\n"
     "    int v, w;\n"
     "    asm(\"{ .reg .pred p; setp.lt.s32 p, %1, 5; @p mov.s32 %0, 1; @!p mov.s32 %0, 2; }\"\n"
     "        : \"=r\"(v) : \"r\"(i));\n"
     "    asm(\"cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;\" : \"=r\"(w) : \"r\"(a), \"r\"(b), "
     "\"r\"(v));\n"
     "    asm(\"cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;\" : \"=r\"(w) : \"r\"(a), \"r\"(b), "
     "\"r\"(w));\n"
     "    out[i] = w;\n"
     "    asm(\"cvt.pack.sat.s16.s32 %0, %1, %2;\" : \"=r\"(w) : \"r\"(30 * a), \"r\"(b));\n"
     "    out[8 + i] = w;\n"
     "    float *const sums = (float *)(out + 16);\n"
     "#if __CUDA_ARCH__ >= 900 || defined QUERN_TRANSLATE\n"
     "    asm volatile(\"red.global.add.v4.f32 [%0], {%1, %2, %3, %4};\"\n"
     "                 :: \"l\"(sums), \"f\"((float)i), \"f\"(2.0f), \"f\"(0.5f), \"f\"(-1.0f) : "
     "\"memory\");\n"
     "    float x, y;\n"
     "    asm volatile(\"atom.global.v2.f32.add {%0, %1}, [%2], {%3, %4};\"\n"
     "                 : \"=f\"(x), \"=f\"(y) : \"l\"(sums + 4), \"f\"(1.0f), \"f\"(-2.0f) : "
     "\"memory\");\n"
     "#else\n"
     "    const float x = 0, y = 0;\n"
     "#endif\n"
     "    __syncthreads();\n"
     "    if (i < 6)\n"
     "        out[16 + i] = (int)sums[i];\n"
     "    out[24 + i] = x >= 0 && x < 8 && y == -2 * x;\n"
     "}\n",
     {163842,     33023,       37628,      1677747449, -16744458, -16744461, -16744464,
      -16744467,  -1042022398, -629080065, -216203268, 196673529, 609550326, 1022427123,
      1435303920, 1848180717,  28,         16,         4,         -8,        8,
      -16,        0,           0,          1,          1,         1,         1,
      1,          1,           1,          1}},
    {"atomics of a byte, and flags",
     "#include <cuda/atomic>\n"
     "#include <cuda/std/atomic>\n"
     "extern \"C\" __global__ void run(int *out, const int *in, int n)\n"
     "{\n"
     "    __shared__ unsigned int words[2];\n"
     "    __shared__ cuda::std::atomic_flag flag;\n"
     "    __shared__ int taken;\n"
     "    const int i = threadIdx.x;\n"
     "    unsigned char *const bytes = (unsigned char *)words;\n"
     "    if (i < 2)\n"
     "        words[i] = 0;\n"
     "    if (i == 0) {\n"
     "        flag.clear();\n"
     "        taken = 0;\n"
     "    }\n"
     "    __syncthreads();\n"
     "    cuda::atomic_ref<unsigned char, cuda::thread_scope_block> b(bytes[i & 3]);\n"
     "    b.fetch_add((unsigned char)(100 + i));\n"
     "    cuda::atomic_ref<signed char> low(((signed char *)out)[12 + i]);\n"
     "    low.fetch_min((signed char)(3 - 2 * i));\n"
     "    low.store((signed char)(low.load() - 1));\n"
     "    if (!flag.test_and_set())\n"
     "        atomicAdd(&taken, 1);\n"
     "    __syncthreads();\n"
     "    if (i < 4)\n"
     "        out[8 + i] = bytes[i];\n"
     "    else if (i == 4)\n"
     "        out[12] = 10 * taken + flag.test();\n"
     "}\n",
     {0, 0, 0, -50397185, -185140998, 0, 0, 0, 204, 206, 208, 210, 11}},
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
