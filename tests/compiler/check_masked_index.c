/* SPDX-License-Identifier: Apache-2.0
 *
 * Indices that are cut to their low bits and grow by a multiple, a[(threadIdx.x * 3) & 63]: all
 * factors of 2 to 17 and 31 to 33 with all masks to 4,095, every size of element, every kind of
 * memory, the ways to write such a mask, in the loop of the work-items and in a kernel's own. A
 * driver that vectorises them as strided accesses without the mask reads or writes elsewhere.
 *
 * The input's bytes are all over the place and go on far beyond every mask, so that a wrong
 * element shows and is no fault.
 *
 * covers: compiler/quirks/quirk_masked_index */
#include "base/str.h"
#include "tests/runtime_fixture.h"

#include <stdint.h>

enum {
    N = 64, /* work-items, where all is cut to 6 bits or more */
    N_MAX = 1024,
    ROWS_MAX = 4,     /* results of each */
    ELEMENT_MAX = 16, /* bytes of the largest type */
    ELEMENTS = 65536, /* 33 * 1,023 and some */
    TEXT = 256,
};

static unsigned char input[ELEMENTS * ELEMENT_MAX], output[N_MAX * ROWS_MAX * ELEMENT_MAX];

/* Of one kernel: LLVM asks for all of them together whether they wrap, and gets even ones right. */
static const int factors[][4] = {{3, 5, 7, 9},   {11, 13, 15, 17}, {31, 33, 35, 37},
                                 {2, 6, 10, 14}, {4, 12, 20, 28},  {8, 16, 24, 32}};
static const struct {
    const char *name;
    unsigned bytes;
} types[] = {{"char", 1},   {"unsigned short", 2}, {"int", 4},    {"float", 4},
             {"float2", 8}, {"long long", 8},      {"double", 8}, {"float4", 16}};
static const int odd[4] = {3, 5, 7, 9};
enum {
    INT = 2, /* of the types */
    N_FACTORS = sizeof factors / sizeof *factors,
    N_TYPES = sizeof types / sizeof *types,
    MASK_BITS = 12,
};

/* The low bits of index * factor, and a distance; in `i`, which is the work-item or a loop's k. */
static const struct {
    const char *text;
    int factor, mask, plus;
} spellings[] = {
    {"(i * 3) & 63", 3, 63, 0},
    {"63 & (i * 5)", 5, 63, 0},
    {"(i * 7) % 64", 7, 63, 0},
    {"(unsigned)(i * 3) % 64u", 3, 63, 0},
    {"(unsigned char)(i * 5)", 5, 255, 0},
    {"(unsigned short)(i * 7) & 127", 7, 127, 0},
    {"(unsigned)(i * 3) << 26 >> 26", 3, 63, 0},
    {"((int)((unsigned)(i * 5) << 26) >> 26) & 63", 5, 63, 0},
    {"(i + i + i) & 63", 3, 63, 0},
    {"((i << 1) + i) & 63", 3, 63, 0},
    {"((i << 3) - i) & 63", 7, 63, 0},
    {"i * 3 - i * 3 / 64 * 64", 3, 63, 0},
    {"i * 3 - (i * 3 >> 6 << 6)", 3, 63, 0},
    {"i * 3 - (i * 3 & ~63)", 3, 63, 0},
    {"(i * 3) ^ (i * 3 & ~63)", 3, 63, 0},
    {"((i & 63) * 3) & 63", 3, 63, 0},
    {"((i * 3) & 63) + 5", 3, 63, 5},
    {"((i * 6) & 62)", 6, 63, 0},
    {"((i * 6) & 126) >> 1", 3, 63, 0},
    {"((i * 12) & 252) / 4", 3, 63, 0},
    {"((i * 3) & 127) & 63", 3, 63, 0},
    {"((long long)i * 3) & 63", 3, 63, 0},
    {"((unsigned long long)i * 5ull) % 64", 5, 63, 0},
    {"(i * -61) & 63", 3, 63, 0},
    {"cut(i, 5)", 5, 63, 0},
    {"field(i * 3)", 3, 63, 0},
    {"(signed char)((i * 3) & 63)", 3, 63, 0},
};
enum { N_SPELLINGS = sizeof spellings / sizeof *spellings };

/* Where the elements are; `from` is how a kernel names them. */
static const struct {
    const char *name, *before, *from;
} spaces[] = {
    {"in_constant", "", "table"},
    {"in_shared",
     "__shared__ int s[1024]; for (int k = i; k < 1024; k += n) s[k] = in[k]; __syncthreads();",
     "s"},
    {"in_dynamic_shared",
     "extern __shared__ int d[]; for (int k = i; k < 1024; k += n) d[k] = in[k]; __syncthreads();",
     "d"},
    {"in_private", "int p[1024]; for (int k = 0; k < 1024; k++) p[k] = in[k];", "p"},
};
enum { N_SPACES = sizeof spaces / sizeof *spaces };

static const char head[] =
    "__device__ int cut(int i, int by) { return (i * by) & 63; }\n"
    "struct bits { unsigned low : 6, high : 26; };\n"
    "__device__ unsigned field(int x) { bits b; b.low = x; return b.low; }\n"
    "template <class T, int M, int A, int B, int C, int D>\n"
    "__global__ void masked(T *out, const T *in, int n)\n"
    "{\n"
    "    const int i = threadIdx.x;\n"
    "    out[i] = in[(i * A) & M];\n"
    "    out[n + i] = in[(i * B) & M];\n"
    "    out[2 * n + i] = in[(threadIdx.x * C) % (M + 1)];\n"
    "    out[3 * n + i] = in[(i * D) % (M + 1)];\n"
    "}\n"
    "extern \"C\" __global__ void stores(int *out, const int *in, int n)\n"
    "{\n"
    "    const int i = threadIdx.x;\n"
    "    if (i < 64) {\n"
    "        out[(i * 3) & 63] = in[i];\n"
    "        out[64 + ((i * 5) & 63)] = in[i];\n"
    "        atomicAdd(&out[128 + ((i * 7) & 15)], 1 << (i & 15));\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void triples(int *out, const int *in, int n)\n"
    "{\n"
    "    for (int k = 0; k < n && threadIdx.x == 0; k++) {\n"
    "        const int j = (k * 3) & 127;\n"
    "        out[j] = in[k];\n"
    "        out[j + 1] = in[k] + 1;\n"
    "        out[j + 2] = in[k] + 2;\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void loops(int *out, const int *in, int n)\n"
    "{\n"
    "    int threes = 0, fives = 0, steps = 0, times = 0, bytes = 0;\n"
    "    for (int k = 0; k < n; k++)\n"
    "        threes += in[(k * 3) & 63];\n"
    "    for (int k = 0; k < n; k++)\n"
    "        fives += in[(unsigned char)(k * 5)];\n"
    "    for (int k = 0; k < n; k += 3)\n"
    "        steps += in[k & 31];\n"
    "    for (int k = 0; k < 8; k++)\n"
    "        times += in[(threadIdx.x * k) & 63];\n"
    "    unsigned char j = 0;\n"
    "    for (int k = 0; k < n; k++, j += 3)\n"
    "        bytes += in[j];\n"
    "    out[threadIdx.x] = threes + fives + steps + bytes;\n"
    "    out[n + threadIdx.x] = times;\n"
    "}\n"
    "extern \"C\" __global__ void counters(int *out, const int *in, int n)\n"
    "{\n"
    "    int j = 0;\n"
    "    for (int k = 0; k < n && threadIdx.x == 0; k++) {\n"
    "        out[k] = j;\n"
    "        j = (j & 255) + 3;\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void axes(int *out, const int *in, int n)\n"
    "{\n"
    "    const int x = threadIdx.x, y = threadIdx.y, i = y * blockDim.x + x;\n"
    "    out[i] = in[y * 64 + ((x * 5) & 31)];\n"
    "    out[n + i] = in[((x + y * 8) * 3) & 63];\n"
    "    out[2 * n + i] = in[(i * 7) & 63];\n"
    "    out[3 * n + i] = in[(x * 3 + y * 64) & 63];\n"
    "}\n"
    "extern \"C\" __global__ void groups(int *out, const int *in, int n)\n"
    "{\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.x * 64 + threadIdx.x;\n"
    "    out[i] = in[(i * 3) & 63];\n"
    "    out[n + i] = in[(j * 5) & 63];\n"
    "    out[2 * n + i] = in[(int)blockIdx.x * 64 + ((int)threadIdx.x * 7 & 63)];\n"
    "    out[3 * n + i] = in[((int)threadIdx.x * 9 & 63) + 8 * (255 - (int)threadIdx.x)];\n"
    "}\n";

/* ---- building and running ---- */

static qn_module *module;

static const char *template_name(char out[TEXT], int type, int mask, const int by[4])
{
    snprintf(out, TEXT, "masked<%s, %d, %d, %d, %d, %d>", types[type].name, mask, by[0], by[1],
             by[2], by[3]);
    return out;
}

static void add_source(struct qn__str *s)
{
    qn__str_add(s, head);
    qn__str_add(s, "__constant__ int table[1024] = {");
    for (int i = 0; i < 1024; i++) {
        int v;
        memcpy(&v, input + 4 * i, sizeof v);
        qn__str_printf(s, "%d, ", v);
    }
    qn__str_add(s, "};\n");
    for (int i = 0; i < N_SPELLINGS; i++)
        qn__str_printf(s,
                       "extern \"C\" __global__ void spelled%d(int *out, const int *in, int n)\n"
                       "{ const int i = threadIdx.x; out[i] = in[%s]; }\n",
                       i, spellings[i].text);
    for (int i = 0; i < N_SPACES; i++)
        qn__str_printf(s,
                       "extern \"C\" __global__ void %s(int *out, const int *in, int n)\n"
                       "{ const int i = threadIdx.x; %s\n"
                       "out[i] = %s[(i * 3) & 63]; out[n + i] = %s[(i * 5) %% 128];\n"
                       "out[2 * n + i] = %s[(unsigned char)(i * 7)]; }\n",
                       spaces[i].name, spaces[i].before, spaces[i].from, spaces[i].from,
                       spaces[i].from);
}

static void build(void)
{
    enum { MOST = N_FACTORS * MASK_BITS + N_TYPES };
    static char names[MOST][TEXT];
    const char *list[MOST];
    uint32_t n = 0, seed = 1;
    for (size_t i = 0; i < sizeof input; i++, seed = seed * 1664525 + 1013904223)
        input[i] = (unsigned char)(seed >> 24) & 0x3f; /* no NaN, no sum too large */
    for (int f = 0; f < N_FACTORS; f++)
        for (int bits = 1; bits <= MASK_BITS; bits++, n++)
            list[n] = template_name(names[n], INT, (1 << bits) - 1, factors[f]);
    for (int t = 0; t < N_TYPES; t++)
        if (t != INT) {
            list[n] = template_name(names[n], t, 63, odd);
            n++;
        }
    struct qn__str text = {0};
    add_source(&text);
    const qn_source source = {.text = text.text, .path = "masked.cu", .names = list, .n_names = n};
    qn_log log = {0};
    /* not kept: the driver would build every kernel a second time for its binary */
    const qn_compile_options how = {.bypass_cache = true};
    qn_image *image;
    const qn_status s = qn_compile(&image, &source, qn_device_get_info(device)->target, &how, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    must(qn_module_load(&module, device, image));
    qn_image_release(image);
    qn_log_release(&log);
    qn__str_release(&text);
}

static void run(const char *name, qn_dims dims, int n, unsigned rows, unsigned bytes)
{
    const qn_kernel *kernel;
    const uint64_t size = (uint64_t)n * rows * bytes;
    qn_addr in = alloc(sizeof input), out = alloc(size);
    void *const args[] = {&out, &in, &n};
    must(qn_kernel_find(&kernel, module, name));
    must(qn_memory_upload(device, in, input, sizeof input, stream));
    must(qn_memory_fill(device, out, 0, 1, size, stream));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_memory_download(device, output, out, size, stream));
    must(qn_stream_sync(stream));
    qn_memory_free(device, in);
    qn_memory_free(device, out);
}

static const qn_dims one_group = {.grid = {1, 1, 1}, .block = {N, 1, 1}};

/* Element `at` of the output is element `from` of the input. */
static void compare(const char *name, int at, int from, unsigned bytes)
{
    int got;
    memcpy(&got, output + (unsigned)at * bytes, bytes < 4 ? bytes : 4);
    ck_assert_msg(memcmp(output + (unsigned)at * bytes, input + (unsigned)from * bytes, bytes) == 0,
                  "%s: element %d is not element %d of the input", name, at, from);
}

static int number(int i)
{
    int v;
    memcpy(&v, input + 4 * i, sizeof v);
    return v;
}

static int result(int i)
{
    int v;
    memcpy(&v, output + 4 * i, sizeof v);
    return v;
}

/* ---- tests ---- */

static void compare_masks(int type, int mask, const int by[4])
{
    char name[TEXT];
    const unsigned bytes = types[type].bytes;
    const int even = by[0] == 2 ? 2 : by[0] == 4 ? 4 : 1; /* an even multiple has fewer bits */
    const int n = mask / even < N_MAX ? mask / even + 1 : N_MAX;
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {(unsigned)n, 1, 1}};
    run(template_name(name, type, mask, by), dims, n, 4, bytes);
    for (int i = 0; i < n; i++)
        for (int row = 0; row < 4; row++)
            compare(name, row * n + i, i * by[row] & mask, bytes);
}

START_TEST(every_factor_is_cut_by_every_mask)
{
    compare_masks(INT, (2 << _i % MASK_BITS) - 1, factors[_i / MASK_BITS]);
}
END_TEST

START_TEST(elements_of_every_size_are_right)
{
    if (_i != INT)
        compare_masks(_i, 63, odd);
}
END_TEST

START_TEST(a_mask_holds_however_it_is_written)
{
    char name[TEXT];
    snprintf(name, sizeof name, "spelled%d", _i);
    run(name, one_group, N, 1, 4);
    snprintf(name, sizeof name, "%s", spellings[_i].text);
    for (int i = 0; i < N; i++)
        compare(name, i, (i * spellings[_i].factor & spellings[_i].mask) + spellings[_i].plus, 4);
}
END_TEST

START_TEST(every_kind_of_memory_is_right)
{
    qn_dims dims = one_group;
    dims.shared_bytes = 4096;
    run(spaces[_i].name, dims, N, 3, 4);
    for (int i = 0; i < N; i++) {
        compare(spaces[_i].name, i, i * 3 & 63, 4);
        compare(spaces[_i].name, N + i, i * 5 % 128, 4);
        compare(spaces[_i].name, 2 * N + i, (uint8_t)(i * 7), 4);
    }
}
END_TEST

START_TEST(stores_and_atomics_go_where_they_should)
{
    int want[16] = {0};
    run("stores", one_group, 4 * N, 1, 4);
    for (int i = 0; i < 64; i++) {
        compare("stores", i * 3 & 63, i, 4);
        compare("stores", 64 + (i * 5 & 63), i, 4);
        want[i * 7 & 15] += 1 << (i & 15);
    }
    for (int i = 0; i < 16; i++)
        ck_assert_int_eq(result(128 + i), want[i]);
}
END_TEST

START_TEST(a_loop_that_stores_side_by_side_is_right)
{
    int want[4 * N] = {0};
    run("triples", one_group, 2 * N, 2, 4);
    for (int k = 0; k < 2 * N; k++)
        for (int i = 0; i < 3; i++)
            want[(k * 3 & 127) + i] = number(k) + i;
    for (int i = 0; i < 2 * N + 2; i++)
        ck_assert_msg(result(i) == want[i], "element %d is %d, not %d", i, result(i), want[i]);
}
END_TEST

START_TEST(loops_of_a_kernel_are_right)
{
    unsigned all = 0; /* wraps */
    run("loops", one_group, N, 2, 4);
    for (int k = 0; k < N; k++)
        all += (unsigned)number(k * 3 & 63) + (unsigned)number((uint8_t)(k * 5)) +
               (unsigned)number((uint8_t)(k * 3)) + (k % 3 == 0 ? (unsigned)number(k & 31) : 0);
    for (int i = 0; i < N; i++) {
        unsigned times = 0;
        for (int k = 0; k < 8; k++)
            times += (unsigned)number(i * k & 63);
        ck_assert_uint_eq((unsigned)result(i), all);
        ck_assert_msg((unsigned)result(N + i) == times, "work-item %d: %u, not %u", i,
                      (unsigned)result(N + i), times);
    }
}
END_TEST

START_TEST(a_counter_that_is_cut_is_right)
{
    run("counters", one_group, 4 * N, 1, 4);
    for (int k = 0, j = 0; k < 4 * N; k++, j = (j & 255) + 3)
        ck_assert_msg(result(k) == j, "element %d is %d, not %d", k, result(k), j);
}
END_TEST

static const qn_dims shapes[] = {{.grid = {1, 1, 1}, .block = {64, 4, 1}},
                                 {.grid = {1, 1, 1}, .block = {1, 256, 1}},
                                 {.grid = {1, 1, 1}, .block = {256, 1, 1}},
                                 {.grid = {1, 1, 1}, .block = {8, 32, 1}}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes, AXES = 256, GROUPS = 256 };

START_TEST(two_axes_are_right)
{
    const int width = (int)shapes[_i].block[0];
    run("axes", shapes[_i], AXES, 4, 4);
    for (int i = 0; i < AXES; i++) {
        const int x = i % width, y = i / width;
        compare("axes", i, y * 64 + (x * 5 & 31), 4);
        compare("axes", AXES + i, (x + y * 8) * 3 & 63, 4);
        compare("axes", 2 * AXES + i, i * 7 & 63, 4);
        compare("axes", 3 * AXES + i, (x * 3 + y * 64) & 63, 4);
    }
}
END_TEST

START_TEST(several_groups_are_right)
{
    const qn_dims dims = {.grid = {4, 1, 1}, .block = {64, 1, 1}};
    run("groups", dims, GROUPS, 4, 4);
    for (int i = 0; i < GROUPS; i++) {
        compare("groups", i, i * 3 & 63, 4);
        compare("groups", GROUPS + i, i * 5 & 63, 4);
        compare("groups", 2 * GROUPS + i, i / 64 * 64 + (i % 64 * 7 & 63), 4);
        compare("groups", 3 * GROUPS + i, (i % 64 * 9 & 63) + 8 * (255 - i % 64), 4);
    }
}
END_TEST

static void close_module(void)
{
    qn_module_close(module);
}

int main(void)
{
    const struct fixture_case cases[] = {{every_factor_is_cut_by_every_mask, N_FACTORS * MASK_BITS},
                                         {elements_of_every_size_are_right, N_TYPES},
                                         {a_mask_holds_however_it_is_written, N_SPELLINGS},
                                         {every_kind_of_memory_is_right, N_SPACES},
                                         {stores_and_atomics_go_where_they_should, 1},
                                         {a_loop_that_stores_side_by_side_is_right, 1},
                                         {loops_of_a_kernel_are_right, 1},
                                         {a_counter_that_is_cut_is_right, 1},
                                         {two_axes_are_right, N_SHAPES},
                                         {several_groups_are_right, 1},
                                         {NULL, 0}};
    return fixture_run("masked indices", NULL, build, close_module, cases);
}
