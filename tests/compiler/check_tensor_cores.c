/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor cores: mma.sync of inline PTX in every shape and type, ldmatrix, stmatrix and movmatrix,
 * and nvcuda::wmma, against plain loops over the matrices. A kernel puts each element into the lane
 * and register where PTX's manual has it, so the same source, through NVRTC (QUERN_BACKEND=cuda),
 * says whether a GPU has it there, too. Numbers are small integers: their sums are exact in any
 * order.
 *
 * covers: compiler/lower/ptx/ptx_mma compiler/lower/ptx/ptx_matrix */
#include "tests/compiler/tensor_cores.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>

/* ---- mma.sync ---- */

static const struct form {
    const char *shape, *types; /* of D, A, B, C */
    unsigned m, k;
    enum element a, b, sum_d, sum_c;
    unsigned sm; /* the first that has it */
    const char *after;
} forms[] = {
    {"m16n8k8", "f32.f16.f16.f32", 16, 8, F16, F16, F32, F32, 75, ""},
    {"m16n8k16", "f32.f16.f16.f32", 16, 16, F16, F16, F32, F32, 80, ""},
    {"m16n8k8", "f16.f16.f16.f16", 16, 8, F16, F16, F16, F16, 75, ""},
    {"m16n8k16", "f16.f16.f16.f16", 16, 16, F16, F16, F16, F16, 80, ""},
    {"m16n8k8", "f32.bf16.bf16.f32", 16, 8, BF16, BF16, F32, F32, 80, ""},
    {"m16n8k16", "f32.bf16.bf16.f32", 16, 16, BF16, BF16, F32, F32, 80, ""},
    {"m16n8k4", "f32.tf32.tf32.f32", 16, 4, TF32, TF32, F32, F32, 80, ""},
    {"m16n8k8", "f32.tf32.tf32.f32", 16, 8, TF32, TF32, F32, F32, 80, ""},
    {"m8n8k4", "f64.f64.f64.f64", 8, 4, F64, F64, F64, F64, 80, ""},
    {"m16n8k4", "f64.f64.f64.f64", 16, 4, F64, F64, F64, F64, 90, ""},
    {"m16n8k8", "f64.f64.f64.f64", 16, 8, F64, F64, F64, F64, 90, ""},
    {"m16n8k16", "f64.f64.f64.f64", 16, 16, F64, F64, F64, F64, 90, ""},
    {"m16n8k32", "f32.e4m3.e4m3.f32", 16, 32, E4M3, E4M3, F32, F32, 89, ""},
    {"m16n8k32", "f32.e4m3.e5m2.f32", 16, 32, E4M3, E5M2, F32, F32, 89, ""},
    {"m16n8k32", "f32.e5m2.e4m3.f32", 16, 32, E5M2, E4M3, F32, F32, 89, ""},
    {"m16n8k32", "f32.e5m2.e5m2.f32", 16, 32, E5M2, E5M2, F32, F32, 89, ""},
    {"m16n8k16", "f32.e4m3.e5m2.f32", 16, 16, E4M3, E5M2, F32, F32, 89, ""},
    {"m16n8k32", "f16.e4m3.e4m3.f16", 16, 32, E4M3, E4M3, F16, F16, 89, ""},
    {"m8n8k16", "s32.s8.s8.s32", 8, 16, S8, S8, S32, S32, 75, ""},
    {"m8n8k16", "s32.u8.s8.s32", 8, 16, U8, S8, S32, S32, 75, ""},
    {"m16n8k16", "s32.s8.s8.s32", 16, 16, S8, S8, S32, S32, 80, ""},
    {"m16n8k16", "s32.s8.u8.s32", 16, 16, S8, U8, S32, S32, 80, ""},
    {"m16n8k32", "s32.s8.s8.s32", 16, 32, S8, S8, S32, S32, 80, ""},
    {"m16n8k32", "s32.u8.s8.s32", 16, 32, U8, S8, S32, S32, 80, ""},
    {"m16n8k32", "s32.s8.u8.s32", 16, 32, S8, U8, S32, S32, 80, ""},
    {"m16n8k32", "s32.u8.u8.s32", 16, 32, U8, U8, S32, S32, 80, ""},
    {"m8n8k32", "s32.s4.s4.s32", 8, 32, S4, S4, S32, S32, 75, ""},
    {"m16n8k32", "s32.s4.u4.s32", 16, 32, S4, U4, S32, S32, 80, ""},
    {"m16n8k64", "s32.s4.s4.s32", 16, 64, S4, S4, S32, S32, 80, ""},
    {"m16n8k64", "s32.u4.s4.s32", 16, 64, U4, S4, S32, S32, 80, ""},
    {"m16n8k64", "s32.s4.u4.s32", 16, 64, S4, U4, S32, S32, 80, ""},
    {"m16n8k64", "s32.u4.u4.s32", 16, 64, U4, U4, S32, S32, 80, ""},
    {"m8n8k128", "s32.b1.b1.s32", 8, 128, B1, B1, S32, S32, 75, ".xor.popc"},
    {"m16n8k128", "s32.b1.b1.s32", 16, 128, B1, B1, S32, S32, 80, ".xor.popc"},
    {"m16n8k256", "s32.b1.b1.s32", 16, 256, B1, B1, S32, S32, 80, ".xor.popc"},
    {"m8n8k128", "s32.b1.b1.s32", 8, 128, B1, B1, S32, S32, 80, ".and.popc"},
    {"m16n8k128", "s32.b1.b1.s32", 16, 128, B1, B1, S32, S32, 80, ".and.popc"},
    {"m16n8k256", "s32.b1.b1.s32", 16, 256, B1, B1, S32, S32, 80, ".and.popc"},
    {"m8n8k16", "satfinite.s32.s8.s8.s32", 8, 16, S8, S8, S32, S32, 75, ""},
    {"m16n8k32", "satfinite.s32.u8.s8.s32", 16, 32, U8, S8, S32, S32, 80, ""},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

enum { TEXT = 20000, WARPS = 2, N = 8, MOST = 16 * 256 };
static char text[TEXT];
static size_t length;
static qn_module *module; /* of the row at hand, or of the matrices */

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(length, TEXT);
}

static unsigned sm_of_device(void)
{
    const char *const target = qn_device_get_info(device)->target;
    return strncmp(target, "cuda:sm_", 8) == 0 ? (unsigned)atoi(target + 8) : 1000;
}

static bool is_left_out(const struct form *f)
{
    /* toolkits of CUDA 13 know the shorter form of 8-bit floats for newer GPUs only */
    const unsigned sm = sm_of_device();
    return sm < f->sm || (sm < 1000 && f->k == 16 && f->a == E4M3);
}

/* "{%0, %1}" */
static void add_registers(unsigned *next, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        add("%s%%%u%s", i ? ", " : "{", (*next)++, i + 1 == n ? "}" : "");
}

/* A kernel of one form. Matrices lie in words, a row of A or C or a column of B after the other. */
static void add_product(unsigned number)
{
    const struct form *const f = &forms[number];
    const unsigned words = f->k * bits_of(f->a) / 32 / (f->a == F64 ? 2 : 1);
    const unsigned rows = f->m / 8, in_a = rows * words / 4, in_b = words / 4;
    const bool halves = f->sum_d == F16;
    const unsigned sums = halves ? rows : 2 * rows;
    const char *const word = f->a == F64 ? "double" : "unsigned";
    const char *const sum = f->sum_d == F64 ? "double" : f->sum_d == F32 ? "float" : "unsigned";
    const char *const letter = f->sum_d == F64 ? "d" : f->sum_d == F32 ? "f" : "r";
    const char *const ab_letter = f->a == F64 ? "d" : "r";
    add("extern \"C\" __global__ void product_%u(%s *d, const %s *a, const %s *b, const %s "
        "*c)\n{\n",
        number, sum, word, word, sum);
    add("    const int warp = threadIdx.x / 32, row = threadIdx.x %% 32 / 4, k = threadIdx.x %% "
        "4;\n"
        "    a += warp * %u; b += warp * %u; c += warp * %u; d += warp * %u;\n    %s r[%u];\n",
        f->m * words, N * words, f->m * N / (halves ? 2 : 1), f->m * N / (halves ? 2 : 1), sum,
        sums);
    unsigned next = 0;
    add("    asm volatile(\"mma.sync.aligned.%s.row.col.%s%s \"\n                 \"", f->shape,
        f->types, f->after);
    add_registers(&next, sums);
    add(", ");
    add_registers(&next, in_a);
    add(", ");
    add_registers(&next, in_b);
    add(", ");
    add_registers(&next, sums);
    add(";\"\n                 : ");
    for (unsigned i = 0; i < sums; i++)
        add("%s\"=%s\"(r[%u])", i ? ", " : "", letter, i);
    add("\n                 : ");
    for (unsigned i = 0; i < in_a; i++)
        add("\"%s\"(a[(row + %u) * %u + k + %u]), ", ab_letter, i % rows * 8, words, i / rows * 4);
    for (unsigned i = 0; i < in_b; i++)
        add("\"%s\"(b[row * %u + k + %u]), ", ab_letter, words, i * 4);
    for (unsigned i = 0; i < sums; i++)
        add("%s\"%s\"(c[%s])", i ? ", " : "", letter,
            halves   ? (i ? "(row + 8) * 4 + k" : "row * 4 + k")
            : i == 0 ? "row * 8 + 2 * k"
            : i == 1 ? "row * 8 + 2 * k + 1"
            : i == 2 ? "(row + 8) * 8 + 2 * k"
                     : "(row + 8) * 8 + 2 * k + 1");
    add(");\n");
    for (unsigned i = 0; i < sums; i++)
        add("    d[(row + %u) * %u + %s] = r[%u];\n", (halves ? i : i / 2) * 8, halves ? 4 : 8,
            halves  ? "k"
            : i % 2 ? "2 * k + 1"
                    : "2 * k",
            i);
    add("}\n");
}

/* The text so far, as a module. */
static void build(const char *path)
{
    const qn_source source = {.text = text, .path = path};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    length = 0;     /* also for the row after one that fails */
    if (s != QN_OK) /* too long for a message of Check's */
        fprintf(stderr, "%s\n", log.text ? log.text : "");
    ck_assert_msg(s == QN_OK, "%.400s", qn_message());
    qn_log_release(&log);
}

static void launch(const char *name, unsigned threads, void *const *args)
{
    const qn_kernel *kernel;
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {threads, 1, 1}};
    must(qn_kernel_find(&kernel, module, name));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_stream_sync(stream));
}

/* Numbers that a type holds; sums of 256 products of them are exact in a float. */
static double some(enum element e, uint64_t *seed)
{
    const int r = (int)(random_of(seed) >> 8);
    switch (e) {
    case U8: return r & 255;
    case S8: return (r & 255) - 128;
    case U4: return r & 15;
    case S4: return (r & 15) - 8;
    case B1: return r & 1;
    case S32: return (r & 0xffff) - 0x8000;
    default: return (r & 0xffff) % 9 - 4;
    }
}

static void fill(double *values, size_t n, enum element e, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = some(e, seed);
}

static qn_addr sent(const double *values, size_t n, enum element e)
{
    static unsigned char bytes[WARPS * MOST * 8];
    const size_t size = (n * bits_of(e) + 7) / 8;
    ck_assert_uint_le(size, sizeof bytes);
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < n; i++)
        put_element(bytes, i, e, values[i]);
    const qn_addr a = alloc(size);
    must(qn_memory_upload(device, a, bytes, size, NULL));
    return a;
}

static void take(double *values, qn_addr from, size_t n, enum element e)
{
    static unsigned char bytes[WARPS * MOST * 8];
    must(qn_memory_download(device, bytes, from, (n * bits_of(e) + 7) / 8, NULL));
    for (size_t i = 0; i < n; i++)
        values[i] = element_at(bytes, i, e);
    qn_memory_free(device, from);
}

static double a[WARPS * MOST], b[WARPS * MOST], c[WARPS * MOST], d[WARPS * MOST];

/* Element (row, column) of C + A B. */
static double reference(const struct form *f, unsigned warp, unsigned row, unsigned column)
{
    double sum = 0;
    const double *const of_a = a + (warp * f->m + row) * f->k;
    const double *const of_b = b + (warp * N + column) * f->k;
    const bool is_xor = strncmp(f->after, ".xor", 4) == 0;
    for (unsigned k = 0; k < f->k; k++)
        sum += is_xor ? of_a[k] != of_b[k] : of_a[k] * of_b[k];
    sum += c[(warp * f->m + row) * N + column];
    if (strncmp(f->types, "satfinite", 9) == 0)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return sum;
}

START_TEST(products_are_those_of_plain_loops)
{
    const struct form *const f = &forms[_i];
    uint64_t seed = 1000 + (uint64_t)_i;
    char name[32];
    if (is_left_out(f))
        return;
    fill(a, WARPS * f->m * f->k, f->a, &seed);
    fill(b, WARPS * N * f->k, f->b, &seed);
    fill(c, WARPS * f->m * N, f->sum_c, &seed);
    if (strncmp(f->types, "satfinite", 9) == 0)
        for (unsigned i = 0; i < WARPS * f->m * N; i++)
            c[i] = i % 2 ? INT32_MAX - c[i] - 0x8000 : INT32_MIN + 0x8000 + c[i];
    qn_addr at_a = sent(a, WARPS * f->m * f->k, f->a), at_b = sent(b, WARPS * N * f->k, f->b);
    qn_addr at_c = sent(c, WARPS * f->m * N, f->sum_c), at_d = sent(d, WARPS * f->m * N, f->sum_d);
    void *const arguments[] = {&at_d, &at_a, &at_b, &at_c};
    snprintf(name, sizeof name, "product_%d", _i);
    add_product((unsigned)_i);
    build("product.cu");
    launch(name, 32 * WARPS, arguments);
    qn_module_close(module);
    take(d, at_d, WARPS * f->m * N, f->sum_d);
    qn_memory_free(device, at_a);
    qn_memory_free(device, at_b);
    qn_memory_free(device, at_c);
    for (unsigned i = 0; i < WARPS * f->m * N; i++) {
        const double want = reference(f, i / (f->m * N), i / N % f->m, i % N);
        ck_assert_msg(d[i] == want, "%s.%s%s: row %u, column %u of warp %u is %.17g, wanted %.17g",
                      f->shape, f->types, f->after, i / N % f->m, i % N, i / (f->m * N), d[i],
                      want);
    }
}
END_TEST

/* One product of doubles after the other, each rounded once with its sum. */
START_TEST(doubles_are_summed_in_order)
{
    static const unsigned shapes[] = {8, 9, 10, 11};
    const struct form *const f = &forms[shapes[_i]];
    uint64_t seed = 5;
    char name[32];
    ck_assert_uint_eq(f->a, F64);
    if (is_left_out(f))
        return;
    for (unsigned i = 0; i < WARPS * f->m * f->k; i++)
        a[i] = 1.0 / (1 + (double)(random_of(&seed) >> 20));
    for (unsigned i = 0; i < WARPS * N * f->k; i++)
        b[i] = 1.0 / (1 + (double)(random_of(&seed) >> 20));
    for (unsigned i = 0; i < WARPS * f->m * N; i++)
        c[i] = 1.0 / (1 + (double)(random_of(&seed) >> 20));
    qn_addr at_a = sent(a, WARPS * f->m * f->k, F64), at_b = sent(b, WARPS * N * f->k, F64);
    qn_addr at_c = sent(c, WARPS * f->m * N, F64), at_d = sent(d, WARPS * f->m * N, F64);
    void *const arguments[] = {&at_d, &at_a, &at_b, &at_c};
    snprintf(name, sizeof name, "product_%u", shapes[_i]);
    add_product(shapes[_i]);
    build("product.cu");
    launch(name, 32 * WARPS, arguments);
    qn_module_close(module);
    take(d, at_d, WARPS * f->m * N, F64);
    qn_memory_free(device, at_a);
    qn_memory_free(device, at_b);
    qn_memory_free(device, at_c);
    for (unsigned i = 0; i < WARPS * f->m * N; i++) {
        double want = c[i];
        for (unsigned k = 0; k < f->k; k++)
            want = fma(a[i / N * f->k + k], b[(i / (f->m * N) * N + i % N) * f->k + k], want);
        ck_assert_msg(d[i] == want, "%s: element %u is %.17g, wanted %.17g", f->shape, i, d[i],
                      want);
    }
}
END_TEST

/* ---- ldmatrix, stmatrix, movmatrix ---- */

enum { MATRIX = 32, MATRICES = 4, STRIDE = 12 }; /* words; rows lie 48 bytes apart */

static const char matrix_kernels[] =
    "__device__ unsigned number(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }\n"
    "#define SHARED __shared__ __align__(16) unsigned s[32 * 12]; const int l = threadIdx.x;\n"
    "#define IN SHARED for (int k = 0; k < 4; k++) s[l * 12 + k] = in[l * 4 + k]; "
    "__syncthreads();\n"
    "#define OUT __syncthreads(); for (int k = 0; k < 4; k++) o[l * 4 + k] = s[l * 12 + k];\n"
    "#define LOAD(name, form, n, list) extern \"C\" __global__ void name(unsigned *o, const "
    "unsigned "
    "*in) { IN unsigned r[4] = {}; asm volatile(\"ldmatrix.sync.aligned.m8n8.\" form \".b16 \" "
    "list "
    "\", [%4+0];\" : \"+r\"(r[0]), \"+r\"(r[1]), \"+r\"(r[2]), \"+r\"(r[3]) : \"r\"(l < 8 * n ? "
    "number(s + l * 12) : 0)); for (int k = 0; k < 4; k++) o[l * 4 + k] = r[k]; }\n"
    "LOAD(load_1, \"x1.shared\", 1, \"{%0}\")\n"
    "LOAD(load_2, \"x2.shared\", 2, \"{%0, %1}\")\n"
    "LOAD(load_4, \"x4.shared\", 4, \"{%0, %1, %2, %3}\")\n"
    "LOAD(load_1_trans, \"x1.trans.shared\", 1, \"{%0}\")\n"
    "LOAD(load_2_trans, \"x2.trans.shared\", 2, \"{%0, %1}\")\n"
    "LOAD(load_4_trans, \"x4.trans.shared\", 4, \"{%0, %1, %2, %3}\")\n"
    "extern \"C\" __global__ void load_4_pointer(unsigned *o, const unsigned *in) { IN unsigned "
    "r[4]; "
    "asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.b16 {%0, %1, %2, %3}, [%4];\" : \"=r\"(r[0]), "
    "\"=r\"(r[1]), \"=r\"(r[2]), \"=r\"(r[3]) : \"l\"(s + l * 12)); for (int k = 0; k < 4; k++) "
    "o[l * 4 + k] = r[k]; }\n"
    "extern \"C\" __global__ void transpose(unsigned *o, const unsigned *in) { const int l = "
    "threadIdx.x; for (int k = 0; k < 4; k++) { unsigned r; asm volatile("
    "\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(r) : \"r\"(in[l * 4 + k])); "
    "o[l * 4 + k] = r; } }\n";
static const char store_kernels[] =
    "#define STORE(name, form, n, list) extern \"C\" __global__ void name(unsigned *o, const "
    "unsigned "
    "*in) { SHARED for (int k = 0; k < 4; k++) s[l * 12 + k] = 0; __syncthreads(); asm volatile("
    "\"stmatrix.sync.aligned.m8n8.\" form \".b16 [%0], \" list \";\" :: \"r\"(l < 8 * n ? number(s "
    "+ "
    "l * 12) : 0), \"r\"(in[l * 4]), \"r\"(in[l * 4 + 1]), \"r\"(in[l * 4 + 2]), \"r\"(in[l * 4 + "
    "3]) "
    ": \"memory\"); OUT }\n"
    "STORE(store_1, \"x1.shared\", 1, \"{%1}\")\n"
    "STORE(store_2, \"x2.shared\", 2, \"{%1, %2}\")\n"
    "STORE(store_4, \"x4.shared\", 4, \"{%1, %2, %3, %4}\")\n"
    "STORE(store_1_trans, \"x1.trans.shared\", 1, \"{%1}\")\n"
    "STORE(store_2_trans, \"x2.trans.shared\", 2, \"{%1, %2}\")\n"
    "STORE(store_4_trans, \"x4.trans.shared\", 4, \"{%1, %2, %3, %4}\")\n";

/* Element (row, column) of the 8 by 8 of register k of the lanes; words of lane l begin at 4 l. */
static uint16_t in_lanes(const uint32_t *lanes, unsigned k, unsigned row, unsigned column)
{
    return (uint16_t)(lanes[(row * 4 + column / 2) * 4 + k] >> column % 2 * 16);
}
/* Element (row, column) of matrix k in memory: 32 rows of four words. */
static uint16_t in_rows(const uint32_t *rows, unsigned k, unsigned row, unsigned column)
{
    return (uint16_t)(rows[(k * 8 + row) * 4 + column / 2] >> column % 2 * 16);
}

static void build_matrices(void)
{
    add("%s%s", matrix_kernels, sm_of_device() < 90 ? "" : store_kernels);
    build("matrices.cu");
}

static void run_words(uint32_t *out, const uint32_t *in, const char *name)
{
    enum { BYTES = 4 * MATRICES * MATRIX };
    qn_addr o = alloc(BYTES), i = alloc(BYTES);
    void *const arguments[] = {&o, &i};
    must(qn_memory_upload(device, i, in, BYTES, NULL));
    launch(name, 32, arguments);
    must(qn_memory_download(device, out, o, BYTES, NULL));
    qn_memory_free(device, o);
    qn_memory_free(device, i);
}

static const struct {
    const char *name;
    unsigned n;
    bool is_store, is_transposed;
} moves[] = {
    {"load_1", 1, false, false},         {"load_2", 2, false, false},
    {"load_4", 4, false, false},         {"load_1_trans", 1, false, true},
    {"load_2_trans", 2, false, true},    {"load_4_trans", 4, false, true},
    {"load_4_pointer", 4, false, false}, {"store_1", 1, true, false},
    {"store_2", 2, true, false},         {"store_4", 4, true, false},
    {"store_1_trans", 1, true, true},    {"store_2_trans", 2, true, true},
    {"store_4_trans", 4, true, true},
};

START_TEST(matrices_move_as_the_manual_says)
{
    uint32_t in[MATRICES * MATRIX], out[MATRICES * MATRIX];
    uint64_t seed = 3;
    if (moves[_i].is_store && sm_of_device() < 90)
        return;
    for (unsigned i = 0; i < MATRICES * MATRIX; i++)
        in[i] = (uint32_t)random_of(&seed);
    build_matrices();
    run_words(out, in, moves[_i].name);
    qn_module_close(module);
    for (unsigned k = 0; k < MATRICES; k++)
        for (unsigned i = 0; i < 64; i++) {
            const unsigned row = i / 8, column = i % 8;
            const unsigned r = moves[_i].is_transposed ? column : row;
            const unsigned q = moves[_i].is_transposed ? row : column;
            const unsigned got =
                moves[_i].is_store ? in_rows(out, k, row, column) : in_lanes(out, k, row, column);
            const unsigned want = k >= moves[_i].n     ? 0
                                  : moves[_i].is_store ? in_lanes(in, k, r, q)
                                                       : in_rows(in, k, r, q);
            ck_assert_msg(got == want, "%s: matrix %u, row %u, column %u is 0x%04x, wanted 0x%04x",
                          moves[_i].name, k, row, column, got, want);
        }
}
END_TEST

START_TEST(a_matrix_is_transposed_in_registers)
{
    uint32_t in[MATRICES * MATRIX], out[MATRICES * MATRIX];
    uint64_t seed = 4;
    for (unsigned i = 0; i < MATRICES * MATRIX; i++)
        in[i] = (uint32_t)random_of(&seed);
    build_matrices();
    run_words(out, in, "transpose");
    qn_module_close(module);
    for (unsigned k = 0; k < MATRICES; k++)
        for (unsigned i = 0; i < 64; i++)
            ck_assert_uint_eq(in_lanes(out, k, i / 8, i % 8), in_lanes(in, k, i % 8, i / 8));
}
END_TEST

/* ---- nvcuda::wmma ---- */

static const struct fragment {
    const char *type;
    unsigned m, n, k;
    enum element e, sum_c, sum_d;
    const char *of_c, *of_d;
} shapes[] = {
    {"half", 16, 16, 16, F16, F32, F32, "float", "float"},
    {"half", 32, 8, 16, F16, F32, F32, "float", "float"},
    {"half", 8, 32, 16, F16, F32, F32, "float", "float"},
    {"half", 16, 16, 16, F16, F16, F16, "half", "half"},
    {"half", 32, 8, 16, F16, F16, F16, "half", "half"},
    {"half", 8, 32, 16, F16, F16, F16, "half", "half"},
    {"half", 16, 16, 16, F16, F16, F32, "half", "float"},
    {"half", 16, 16, 16, F16, F32, F16, "float", "half"},
    {"__nv_bfloat16", 16, 16, 16, BF16, F32, F32, "float", "float"},
    {"__nv_bfloat16", 32, 8, 16, BF16, F32, F32, "float", "float"},
    {"__nv_bfloat16", 8, 32, 16, BF16, F32, F32, "float", "float"},
    {"wmma::precision::tf32", 16, 16, 8, TF32, F32, F32, "float", "float"},
    {"double", 8, 8, 4, F64, F64, F64, "double", "double"},
    {"signed char", 16, 16, 16, S8, S32, S32, "int", "int"},
    {"signed char", 32, 8, 16, S8, S32, S32, "int", "int"},
    {"signed char", 8, 32, 16, S8, S32, S32, "int", "int"},
    {"unsigned char", 16, 16, 16, U8, S32, S32, "int", "int"},
    {"unsigned char", 32, 8, 16, U8, S32, S32, "int", "int"},
    {"unsigned char", 8, 32, 16, U8, S32, S32, "int", "int"},
    {"wmma::experimental::precision::s4", 8, 8, 32, S4, S32, S32, "int", "int"},
    {"wmma::experimental::precision::u4", 8, 8, 32, U4, S32, S32, "int", "int"},
    {"wmma::experimental::precision::b1", 8, 8, 128, B1, S32, S32, "int", "int"},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes, LAYOUTS = 4 };

static bool is_narrow(enum element e)
{
    return e == S4 || e == U4 || e == B1;
}

/* Layout bit 0: A by columns; bit 1: B by rows. Narrow types have one layout; of the others the
 * first has all four, and the rest two. */
static bool has_layout(unsigned number, unsigned layout)
{
    return !layout || (!is_narrow(shapes[number].e) && (layout == 3 || number == 0));
}

static void add_fragment(unsigned number, unsigned layout)
{
    const struct fragment *const f = &shapes[number];
    const bool by_columns = layout & 1, by_rows = layout & 2;
    if (!has_layout(number, layout))
        return;
    const char *const memory = is_narrow(f->e) ? "void" : f->e == TF32 ? "float" : f->type;
    add("extern \"C\" __global__ void fragment_%u_%u(%s *d, const %s *a, const %s *b, const %s *c, "
        "int la, int lb, int lc)\n{\n",
        number, layout, f->of_d, memory, memory, f->of_c);
    add("    wmma::fragment<wmma::matrix_a, %u, %u, %u, %s, wmma::%s> fa;\n", f->m, f->n, f->k,
        f->type, by_columns ? "col_major" : "row_major");
    add("    wmma::fragment<wmma::matrix_b, %u, %u, %u, %s, wmma::%s> fb;\n", f->m, f->n, f->k,
        f->type, by_rows ? "row_major" : "col_major");
    add("    wmma::fragment<wmma::accumulator, %u, %u, %u, %s> fc;\n", f->m, f->n, f->k, f->of_c);
    add("    wmma::fragment<wmma::accumulator, %u, %u, %u, %s> fd;\n", f->m, f->n, f->k, f->of_d);
    add("    wmma::load_matrix_sync(fa, a, la);\n    wmma::load_matrix_sync(fb, b, lb);\n"
        "    wmma::load_matrix_sync(fc, c, lc, wmma::mem_row_major);\n");
    if (f->e == TF32)
        add("    for (int i = 0; i < fa.num_elements; i++)\n"
            "        fa.x[i] = wmma::__float_to_tf32(fa.x[i]);\n");
    if (f->e == B1)
        add("    wmma::bmma_sync(fd, fa, fb, fc);\n");
    else
        add("    wmma::mma_sync(fd, fa, fb, fc);\n");
    add("    for (int i = 0; i < fd.num_elements; i++)\n        fd.x[i] = fd.x[i] + fd.x[i];\n"
        "    wmma::store_matrix_sync(d, fd, lc, wmma::%s);\n}\n",
        by_columns ? "mem_col_major" : "mem_row_major");
}

START_TEST(fragments_are_multiplied)
{
    const struct fragment *const f = &shapes[_i / LAYOUTS];
    const unsigned layout = (unsigned)_i % LAYOUTS, m = f->m, n = f->n, deep = f->k;
    const bool by_columns = layout & 1, by_rows = layout & 2;
    const bool is_narrow_type = is_narrow(f->e);
    uint64_t seed = 77 + (uint64_t)_i;
    char name[40];
    if (!has_layout((unsigned)_i / LAYOUTS, layout))
        return;
    const unsigned more = is_narrow_type ? deep : 16;
    int la = (int)((by_columns ? m : deep) + more), lb = (int)((by_rows ? n : deep) + more);
    int lc = 48;
    const size_t n_a = (size_t)la * (by_columns ? deep : m),
                 n_b = (size_t)lb * (by_rows ? deep : n);
    fill(a, n_a, f->e, &seed);
    fill(b, n_b, f->e, &seed);
    fill(c, 48 * 48, f->sum_c, &seed);
    qn_addr at_a = sent(a, n_a, f->e), at_b = sent(b, n_b, f->e), at_c = sent(c, 48 * 48, f->sum_c);
    memset(d, 0, sizeof d);
    qn_addr at_d = sent(d, 48 * 48, f->sum_d);
    void *const arguments[] = {&at_d, &at_a, &at_b, &at_c, &la, &lb, &lc};
    snprintf(name, sizeof name, "fragment_%d_%u", _i / LAYOUTS, layout);
    add("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <mma.h>\n"
        "using namespace nvcuda;\n");
    add_fragment((unsigned)_i / LAYOUTS, layout);
    build("fragment.cu");
    launch(name, 32, arguments);
    qn_module_close(module);
    take(d, at_d, 48 * 48, f->sum_d);
    qn_memory_free(device, at_a);
    qn_memory_free(device, at_b);
    qn_memory_free(device, at_c);
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++) {
            double want = c[i * 48 + j];
            for (unsigned k = 0; k < deep; k++) {
                const double x = by_columns ? a[k * (unsigned)la + i] : a[i * (unsigned)la + k];
                const double y = by_rows ? b[k * (unsigned)lb + j] : b[j * (unsigned)lb + k];
                want += f->e == B1 ? x != y : x * y;
            }
            const double got = by_columns ? d[j * 48 + i] : d[i * 48 + j];
            ck_assert_msg(got == 2 * want, "%s %u %u %u, layout %u: (%u, %u) is %g, wanted %g",
                          f->type, m, n, deep, layout, i, j, got, 2 * want);
        }
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {products_are_those_of_plain_loops, N_FORMS},
        {doubles_are_summed_in_order, 4},
        {matrices_move_as_the_manual_says, sizeof moves / sizeof *moves},
        {a_matrix_is_transposed_in_registers, 1},
        {fragments_are_multiplied, N_SHAPES * LAYOUTS},
        {NULL, 0},
    };
    return fixture_run("tensor_cores", NULL, NULL, NULL, cases);
}
