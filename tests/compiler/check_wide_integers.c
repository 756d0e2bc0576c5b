/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers of 128 bits in kernels: every operation of numbers at the edges and of random ones is
 * what the host's compiler makes of it; and such integers as parameters, members, tables, in shared
 * memory and in shuffles. Through NVRTC (QUERN_BACKEND=cuda) the same, with its option for them.
 *
 * covers: compiler/lower/wide_integers */
#include "tests/runtime_fixture.h"

#include <inttypes.h>
#include <math.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

enum { N = 512, THREADS = 64, WORDS = 21, REALS = 6 };

static const char operations[] =
    "typedef unsigned __int128 uwide;\n"
    "extern \"C\" __global__ void run(uwide *out, double *real, const __int128 *a,\n"
    "                               const __int128 *b, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    __int128 x = a[i], y = b[i];\n"
    "    uwide u = a[i], v = b[i];\n"
    "    int count = (int)(y & 127);\n"
    "    out[i] = x + y;\n"
    "    out[n + i] = x - y;\n"
    "    out[2 * n + i] = x * y;\n"
    "    out[3 * n + i] = y ? x / y : 0;\n"
    "    out[4 * n + i] = y ? x % y : 0;\n"
    "    out[5 * n + i] = v ? u / v : 0;\n"
    "    out[6 * n + i] = v ? u % v : 0;\n"
    "    out[7 * n + i] = u << count;\n"
    "    out[8 * n + i] = u >> count;\n"
    "    out[9 * n + i] = x >> count;\n"
    "    out[10 * n + i] = (x & y) ^ (x | ~y);\n"
    "    out[11 * n + i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (u < v) << 4 "
    "|\n"
    "                      (u <= v) << 5 | (u > v) << 6 | (u >= v) << 7 | (x == y) << 8 |\n"
    "                      (x != y) << 9 | !x << 10;\n"
    "    out[12 * n + i] = -x;\n"
    "    out[13 * n + i] = x < 0 ? -u : u;\n"
    "    out[14 * n + i] = (__int128)(int)x + (uwide)(unsigned)y + (short)x;\n"
    "    out[15 * n + i] = (uwide)(unsigned long long)x * (unsigned long long)y >> 64;\n"
    "    out[16 * n + i] = (unsigned long long)(((__int128)(long long)x * (long long)y) >> 64);\n"
    "    out[17 * n + i] = (uwide)(float)(x >> 2);\n"
    "    out[18 * n + i] = (__int128)(double)(x >> 2);\n"
    "    out[19 * n + i] = u / 10 + u % 1000000007u + x / -3 + (x << 5) + (x >> 70);\n"
    "    uwide power = 1;\n"
    "    for (int k = 0; k < (count & 15); k++)\n"
    "        power *= u | 1;\n"
    "    out[20 * n + i] = power;\n"
    "    real[i] = (double)x;\n"
    "    real[n + i] = (double)u;\n"
    "    real[2 * n + i] = (float)x;\n"
    "    real[3 * n + i] = (float)(u >> 1);\n"
    "    real[4 * n + i] = (double)(x * 3 + 1);\n"
    "    real[5 * n + i] = (float)(int)(x >> 100);\n"
    "}\n";

static void expect(uwide *out, double *real, wide x, wide y)
{
    const uwide u = (uwide)x, v = (uwide)y;
    const int count = (int)(y & 127);
    const bool wraps = v == ~(uwide)0 && u << 1 == 0; /* the smallest by -1 */
    out[0] = u + v;
    out[1] = u - v;
    out[2] = u * v;
    out[3] = wraps ? u : v ? (uwide)(x / y) : 0;
    out[4] = wraps ? 0 : v ? (uwide)(x % y) : 0;
    out[5] = v ? u / v : 0;
    out[6] = v ? u % v : 0;
    out[7] = u << count;
    out[8] = u >> count;
    out[9] = (uwide)(x >> count);
    out[10] = (u & v) ^ (u | ~v);
    out[11] = (uwide)((x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (u < v) << 4 |
                      (u <= v) << 5 | (u > v) << 6 | (u >= v) << 7 | (x == y) << 8 | (x != y) << 9 |
                      !x << 10);
    out[12] = 0 - u;
    out[13] = x < 0 ? 0 - u : u;
    out[14] = (uwide)(wide)(int32_t)x + (uint32_t)v + (uwide)(wide)(int16_t)x;
    out[15] = (uwide)(uint64_t)x * (uint64_t)y >> 64;
    out[16] = (uint64_t)(((wide)(int64_t)x * (int64_t)y) >> 64);
    out[17] = x >> 2 < 0 ? 0 : (uwide)(float)(x >> 2);
    out[18] = (uwide)(wide)(double)(x >> 2);
    out[19] = u / 10 + u % 1000000007u + (uwide)(x / -3) + (u << 5) + (uwide)(x >> 70);
    out[20] = 1;
    for (int k = 0; k < (count & 15); k++)
        out[20] *= u | 1;
    real[0] = (double)x;
    real[1] = (double)u;
    real[2] = (double)(float)x;
    real[3] = (double)(float)(u >> 1);
    real[4] = (double)(wide)(u * 3 + 1);
    real[5] = (double)(float)(int32_t)(x >> 100);
}

static uint64_t random_word(void)
{
    static uint64_t s = 88172645463325252u;
    s ^= s << 13;
    s ^= s >> 7;
    return s ^= s << 17;
}

/* At the edges, and of any length. */
static wide number(int i)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     3,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     (uint64_t)1 << 63,
                                     ((uint64_t)1 << 63) - 1,
                                     (uint64_t)1 << 32,
                                     10};
    enum { EDGES = sizeof edges / sizeof *edges };
    if (i < EDGES * EDGES)
        return (wide)((uwide)edges[i / EDGES] << 64 | edges[i % EDGES]);
    const uwide all = (uwide)random_word() << 64 | random_word();
    return (wide)(random_word() & 1 ? all >> random_word() % 128
                                    : 0 - (all >> random_word() % 128));
}

static qn_module *build(const char *text)
{
    qn_module *m = NULL;
    const char *const wanted[] = {"-device-int128"};
    const qn_source source = {.text = text, .path = "wide.cu", .options = wanted, .n_options = 1};
    qn_log log = {0};
    const qn_status s = qn_module_build(&m, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    return m;
}

static qn_addr upload(const void *data, uint64_t bytes)
{
    const qn_addr a = alloc(bytes);
    must(qn_memory_upload(device, a, data, bytes, stream));
    return a;
}

START_TEST(every_operation_is_as_on_the_host)
{
    static wide a[N], b[N];
    static uwide out[WORDS * N], want[WORDS];
    static double real[REALS * N], want_real[REALS];
    const qn_kernel *k;
    int n = N;
    for (int i = 0; i < N; i++) {
        a[i] = number(i);
        b[i] = number((int)(random_word() % N));
    }
    qn_module *const m = build(operations);
    must(qn_kernel_find(&k, m, "run"));
    qn_addr d_a = upload(a, sizeof a), d_b = upload(b, sizeof b), d_out = alloc(sizeof out),
            d_real = alloc(sizeof real);
    void *const args[] = {&d_out, &d_real, &d_a, &d_b, &n};
    const qn_dims dims = {.grid = {N / THREADS}, .block = {THREADS}};
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, out, d_out, sizeof out, stream));
    must(qn_memory_download(device, real, d_real, sizeof real, stream));
    must(qn_stream_sync(stream));
    for (int i = 0; i < N; i++) {
        expect(want, want_real, a[i], b[i]);
        for (int w = 0; w < WORDS; w++) {
            if (w == 17 && a[i] < 0)
                continue; /* C leaves it undefined */
            const uwide is = out[w * N + i];
            ck_assert_msg(is == want[w],
                          "word %d of number %d: %016" PRIx64 "%016" PRIx64 ", not %016" PRIx64
                          "%016" PRIx64,
                          w, i, (uint64_t)(is >> 64), (uint64_t)is, (uint64_t)(want[w] >> 64),
                          (uint64_t)want[w]);
        }
        for (int w = 0; w < REALS; w++)
            ck_assert_msg(real[w * N + i] == want_real[w], "real %d of number %d: %a, not %a", w, i,
                          real[w * N + i], want_real[w]);
    }
    must(qn_memory_free(device, d_a));
    must(qn_memory_free(device, d_b));
    must(qn_memory_free(device, d_out));
    must(qn_memory_free(device, d_real));
    qn_module_close(m);
}
END_TEST

static const char memory[] =
    "#include <cooperative_groups.h>\n"
    "struct item {\n"
    "    int tag;\n"
    "    __int128 value;\n"
    "};\n"
    "__constant__ unsigned __int128 table[2] = {((unsigned __int128)5 << 100) + 7, 11};\n"
    "__device__ __int128 total;\n"
    "extern \"C\" __global__ void run(unsigned long long *out, item *items, __int128 by, item "
    "one)\n"
    "{\n"
    "    __shared__ __int128 shared[32];\n"
    "    int i = threadIdx.x;\n"
    "    __int128 own[4] = {by, by * i, one.value, i};\n"
    "    shared[i] = items[i].value + own[i & 3];\n"
    "    __syncthreads();\n"
    "    auto tile = "
    "cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());\n"
    "#ifdef __clang__\n" /* CUDA's headers find two functions for it */
    "    __int128 x = shared[31 - i] + tile.shfl_xor(shared[i], 1);\n"
    "#else\n"
    "    __int128 x = shared[31 - i] + ((__int128)tile.shfl_xor((long long)(shared[i] >> 64), 1) "
    "<< 64 |\n"
    "                                   tile.shfl_xor((unsigned long long)shared[i], 1));\n"
    "#endif\n"
    "    if (i == 0)\n"
    "        for (int k = 0; k < 32; k++)\n"
    "            total += shared[k];\n"
    "    __syncthreads();\n"
    "    x += total + table[i & 1] + one.tag;\n"
    "    items[i].value = x;\n"
    "    items[i].tag = x < 0;\n"
    "    out[2 * i] = x;\n"
    "    out[2 * i + 1] = x >> 64;\n"
    "}\n";

struct item {
    int tag;
    wide value;
};

START_TEST(parameters_members_and_shared_memory)
{
    static struct item items[32], before[32];
    static uint64_t out[64];
    uwide shared[32], total = 0;
    struct item one = {9, -((wide)1 << 90)};
    wide by = ((wide)3 << 64) + 5;
    const qn_kernel *k;
    for (int i = 0; i < 32; i++)
        before[i] = items[i] = (struct item){i, number(100 + i)};
    qn_module *const m = build(memory);
    must(qn_kernel_find(&k, m, "run"));
    qn_addr d_items = upload(items, sizeof items), d_out = alloc(sizeof out);
    void *const args[] = {&d_out, &d_items, &by, &one};
    const qn_dims dims = {.grid = {1}, .block = {32}};
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, out, d_out, sizeof out, stream));
    must(qn_memory_download(device, items, d_items, sizeof items, stream));
    must(qn_stream_sync(stream));
    for (int i = 0; i < 32; i++) {
        const uwide own[] = {(uwide)by, (uwide)by * (uwide)i, (uwide)one.value, (uwide)i};
        total += shared[i] = (uwide)before[i].value + own[i & 3];
    }
    for (int i = 0; i < 32; i++) {
        const uwide table[] = {((uwide)5 << 100) + 7, 11};
        const uwide x =
            shared[31 - i] + shared[i ^ 1] + total + table[i & 1] + (uwide)(wide)one.tag;
        ck_assert_msg((uwide)items[i].value == x, "item %d", i);
        ck_assert_int_eq(items[i].tag, (wide)x < 0);
        ck_assert_uint_eq(out[2 * i], (uint64_t)x);
        ck_assert_uint_eq(out[2 * i + 1], (uint64_t)(x >> 64));
    }
    must(qn_memory_free(device, d_items));
    must(qn_memory_free(device, d_out));
    qn_module_close(m);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {{every_operation_is_as_on_the_host, 1},
                                         {parameters_members_and_shared_memory, 1},
                                         {NULL, 0}};
    return fixture_run("wide_integers", NULL, NULL, NULL, cases);
}
