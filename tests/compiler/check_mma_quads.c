/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.sync.m8n8k4 of halves, which makes four products in a warp, in every order of A and B and
 * with sums of halves and of floats, against plain loops. A kernel puts each element into the lane
 * and register where PTX's manual has it, so the same source through NVRTC (QUERN_BACKEND=cuda)
 * says whether a GPU has it there, too. Numbers are small integers: their sums are exact in any
 * order, and in halves.
 *
 * covers: compiler/lower/ptx/ptx_mma_quads */
#include "tests/compiler/tensor_cores.h"
#include "tests/runtime_fixture.h"

#include <stdint.h>

enum { WARPS = 2, QUADS = 4, M = 8, N = 8, K = 4, PRODUCTS = WARPS * QUADS };

/* Number q of a warp is of lanes 4 q to 4 q + 3 (upper = 0) and those 16 further on (upper = 4). */
static const char kernel[] =
    "#include <cuda_fp16.h>\n"
    "union words { __half h[8]; unsigned w[4]; };\n"
    "extern \"C\" __global__ void quads(DT *d, const __half *a, const __half *b, const CT *c)\n{\n"
    "    const int l = threadIdx.x % 32, product = threadIdx.x / 32 * 4 + l / 4 % 4;\n"
    "    const int upper = l / 16 * 4, four = l % 4;\n"
    "    words x, y, z = {};\n    float s[8];\n"
    "    a += product * 32; b += product * 32; c += product * 64; d += product * 64;\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        x.h[i] = A_BY_COLUMNS ? a[(i + upper) * 4 + four] : a[(four + upper) * 4 + i];\n"
    "        y.h[i] = B_BY_ROWS ? b[four * 8 + i + upper] : b[i * 8 + four + upper];\n    }\n"
    "    for (int i = 0; i < 8; i++) {\n"
    "        const int in_floats = ((l & 1) + (i & 2) + upper) * 8 + (i & 4) + (l & 2) + (i & 1);\n"
    "        z.h[i] = __float2half((float)c[(four + upper) * 8 + i]);\n"
    "        s[i] = (float)c[in_floats];\n    }\n"
    "#if D_IN_HALVES\n"
    "    asm volatile(NAME \" {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3};\"\n"
    "                 : \"+r\"(z.w[0]), \"+r\"(z.w[1]), \"+r\"(z.w[2]), \"+r\"(z.w[3])\n"
    "                 : \"r\"(x.w[0]), \"r\"(x.w[1]), \"r\"(y.w[0]), \"r\"(y.w[1]));\n"
    "    for (int i = 0; i < 8; i++)\n        d[(four + upper) * 8 + i] = z.h[i];\n"
    "#else\n"
    "#if C_IN_HALVES\n"
    "    asm volatile(NAME \" {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, \"\n"
    "                 \"{%12, %13, %14, %15};\"\n"
    "                 : \"=f\"(s[0]), \"=f\"(s[1]), \"=f\"(s[2]), \"=f\"(s[3]), \"=f\"(s[4]),\n"
    "                   \"=f\"(s[5]), \"=f\"(s[6]), \"=f\"(s[7])\n"
    "                 : \"r\"(x.w[0]), \"r\"(x.w[1]), \"r\"(y.w[0]), \"r\"(y.w[1]), "
    "\"r\"(z.w[0]),\n"
    "                   \"r\"(z.w[1]), \"r\"(z.w[2]), \"r\"(z.w[3]));\n"
    "#else\n"
    "    asm volatile(NAME \" {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, \"\n"
    "                 \"{%0, %1, %2, %3, %4, %5, %6, %7};\"\n"
    "                 : \"+f\"(s[0]), \"+f\"(s[1]), \"+f\"(s[2]), \"+f\"(s[3]), \"+f\"(s[4]),\n"
    "                   \"+f\"(s[5]), \"+f\"(s[6]), \"+f\"(s[7])\n"
    "                 : \"r\"(x.w[0]), \"r\"(x.w[1]), \"r\"(y.w[0]), \"r\"(y.w[1]));\n"
    "#endif\n"
    "    for (int i = 0; i < 8; i++)\n"
    "        d[((l & 1) + (i & 2) + upper) * 8 + (i & 4) + (l & 2) + (i & 1)] = s[i];\n"
    "#endif\n}\n";

static const struct {
    const char *d, *c; /* types of the sums */
} sums[] = {{"f32", "f32"}, {"f16", "f16"}, {"f32", "f16"}};
enum { N_SUMS = sizeof sums / sizeof *sums, N_ORDERS = 4 };

static qn_status build(qn_module **out, const char *a, const char *b, const char *d, const char *c,
                       qn_log *log)
{
    char options[8][128];
    const char *list[8];
    snprintf(options[0], sizeof options[0],
             "-DNAME=\"mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s\"", a, b, d, c);
    snprintf(options[1], sizeof options[1], "-DA_BY_COLUMNS=%d", strcmp(a, "col") == 0);
    snprintf(options[2], sizeof options[2], "-DB_BY_ROWS=%d", strcmp(b, "row") == 0);
    snprintf(options[3], sizeof options[3], "-DD_IN_HALVES=%d", strcmp(d, "f16") == 0);
    snprintf(options[4], sizeof options[4], "-DC_IN_HALVES=%d", strcmp(c, "f16") == 0);
    snprintf(options[5], sizeof options[5], "-DDT=%s", strcmp(d, "f16") == 0 ? "__half" : "float");
    snprintf(options[6], sizeof options[6], "-DCT=%s", strcmp(c, "f16") == 0 ? "__half" : "float");
    for (unsigned i = 0; i < 7; i++)
        list[i] = options[i];
    const qn_source source = {.text = kernel, .path = "quads.cu", .options = list, .n_options = 7};
    return qn_module_build(out, device, &source, NULL, log);
}

static qn_addr sent(const double *values, size_t n, enum element e)
{
    static unsigned char bytes[PRODUCTS * M * N * 4];
    const size_t size = n * bits_of(e) / 8;
    ck_assert_uint_le(size, sizeof bytes);
    for (size_t i = 0; i < n; i++)
        put_element(bytes, i, e, values[i]);
    const qn_addr a = alloc(size);
    must(qn_memory_upload(device, a, bytes, size, NULL));
    return a;
}

static double a[PRODUCTS * M * K], b[PRODUCTS * K * N], c[PRODUCTS * M * N];

static double reference(unsigned product, unsigned row, unsigned column)
{
    double sum = c[(product * M + row) * N + column];
    for (unsigned k = 0; k < K; k++)
        sum += a[(product * M + row) * K + k] * b[(product * K + k) * N + column];
    return sum;
}

static void fill(double *values, size_t n, int range, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (int)(random_of(seed) >> 8 & 0xffff) % (2 * range + 1) - range;
}

START_TEST(four_products_are_those_of_plain_loops)
{
    static unsigned char bytes[PRODUCTS * M * N * 4];
    const unsigned order = (unsigned)_i % N_ORDERS, sum = (unsigned)_i / N_ORDERS;
    const char *const of_a = order & 1 ? "col" : "row", *const of_b = order & 2 ? "row" : "col";
    const enum element of_c = sums[sum].c[1] == '1' ? F16 : F32;
    const enum element of_d = sums[sum].d[1] == '1' ? F16 : F32;
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {32 * WARPS, 1, 1}};
    uint64_t seed = 11 + (uint64_t)_i;
    qn_module *module;
    const qn_kernel *k;
    fill(a, PRODUCTS * M * K, 9, &seed);
    fill(b, PRODUCTS * K * N, 9, &seed);
    fill(c, PRODUCTS * M * N, 99, &seed);
    qn_addr at_a = sent(a, PRODUCTS * M * K, F16), at_b = sent(b, PRODUCTS * K * N, F16);
    qn_addr at_c = sent(c, PRODUCTS * M * N, of_c), at_d = sent(c, PRODUCTS * M * N, of_d);
    void *const arguments[] = {&at_d, &at_a, &at_b, &at_c};
    must(build(&module, of_a, of_b, sums[sum].d, sums[sum].c, NULL));
    must(qn_kernel_find(&k, module, "quads"));
    must(qn_stream_launch(stream, k, &dims, arguments));
    must(qn_stream_sync(stream));
    must(qn_memory_download(device, bytes, at_d, PRODUCTS * M * N * bits_of(of_d) / 8, NULL));
    for (unsigned i = 0; i < PRODUCTS * M * N; i++) {
        const double want = reference(i / (M * N), i / N % M, i % N);
        const double got = element_at(bytes, i, of_d);
        ck_assert_msg(got == want, "%s %s %s %s: product %u, row %u, column %u is %g, wanted %g",
                      of_a, of_b, sums[sum].d, sums[sum].c, i / (M * N), i / N % M, i % N, got,
                      want);
    }
    qn_module_close(module);
    qn_memory_free(device, at_a);
    qn_memory_free(device, at_b);
    qn_memory_free(device, at_c);
    qn_memory_free(device, at_d);
}
END_TEST

/* Translated; what NVRTC takes is its own matter. */
START_TEST(a_float_is_not_added_into_halves)
{
    qn_module *module;
    qn_log log = {0};
    if (strncmp(qn_device_get_info(device)->target, "cuda:", 5) == 0)
        return;
    ck_assert_int_eq(build(&module, "row", "col", "f16", "f32", &log), QN_E_UNSUPPORTED);
    ck_assert_msg(strstr(log.text, "has a D of .f32") != NULL, "%s", log.text);
    qn_log_release(&log);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {four_products_are_those_of_plain_loops, N_SUMS * N_ORDERS},
        {a_float_is_not_added_into_halves, 1},
        {NULL, 0},
    };
    return fixture_run("mma_quads", NULL, NULL, NULL, cases);
}
