/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB, Thrust and libcu++ as a CUDA toolkit or a checkout of CCCL has them: what cccl_kernels.cu
 * does with them on the OpenCL device is what it should be. Where no such headers are found,
 * nothing can be tested. */
#include "rtc/job/locate_toolkit.h"
#include "tests/runtime_fixture.h"

enum { THREADS = 128, ITEMS = 4, N = THREADS * ITEMS, VALID = 77 };

static const char *const names[] = {
    "reduce<int, cub::BLOCK_REDUCE_WARP_REDUCTIONS>",
    "reduce<int, cub::BLOCK_REDUCE_RAKING>",
    "reduce<float, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>",
    "reduce<double, cub::BLOCK_REDUCE_WARP_REDUCTIONS>",
    "scan<int, cub::BLOCK_SCAN_RAKING>",
    "scan<float, cub::BLOCK_SCAN_WARP_SCANS>",
    "scan<long long, cub::BLOCK_SCAN_RAKING_MEMOIZE>",
    "warp<32>",
    "warp<8>",
    "sort<int>",
    "sort<float>",
    "sort<unsigned long long>",
    "move<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>",
    "move<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_STRIPED>",
    "move<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_TRANSPOSE>",
    "others",
    "standard",
    "numbers",
};
enum { NAMES = sizeof names / sizeof *names };

static qn_module *module;

static void build(void)
{
    char path[4096];
    const char *const root = getenv("QN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/runtime/cccl_kernels.cu", root ? root : ".");
    const qn_source source = {.path = path, .names = names, .n_names = NAMES};
    const qn_compile_options options = {.time_limit_s = 600};
    qn_log log;
    const qn_status s = qn_module_build(&module, device, &source, &options, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text);
    qn_log_release(&log);
}

/* ---- numbers in and out ---- */

/* Small whole numbers, exact in every type that they are summed in. */
static int input(int i)
{
    return (int)((unsigned)i * 2654435761u >> 20) % 201 - 60;
}

enum type { INT, FLOAT, DOUBLE, LONG };
static const size_t bytes_of[] = {4, 4, 8, 8};

static void put(void *at, enum type t, int i, double v)
{
    switch (t) {
    case INT: ((int *)at)[i] = (int)v; break;
    case FLOAT: ((float *)at)[i] = (float)v; break;
    case DOUBLE: ((double *)at)[i] = v; break;
    case LONG: ((long long *)at)[i] = (long long)v; break;
    }
}

static double get(const void *at, enum type t, int i)
{
    switch (t) {
    case INT: return ((const int *)at)[i];
    case FLOAT: return ((const float *)at)[i];
    case DOUBLE: return ((const double *)at)[i];
    case LONG: return (double)((const long long *)at)[i];
    }
    return 0;
}

static double out[2 * N];

/* Launch kernel `name` on in[i] = input(i) - least; what it wrote is in out[]. */
static void run(const char *name, enum type t, int least)
{
    static union {
        int i[2 * N];
        float f[2 * N];
        double d[2 * N];
        long long l[2 * N];
    } buffer;
    const qn_kernel *k;
    const size_t bytes = 2 * N * bytes_of[t];
    qn_addr to = alloc(bytes), from = alloc(bytes);
    int n = VALID;
    void *const args[] = {&to, &from, &n};
    const qn_dims dims = {.grid = {1}, .block = {THREADS}};
    for (int i = 0; i < 2 * N; i++)
        put(&buffer, t, i, input(i) - least);
    must(qn_kernel_find(&k, module, name));
    must(qn_memory_upload(device, from, &buffer, bytes, stream));
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, &buffer, to, bytes, stream));
    must(qn_stream_sync(stream));
    must(qn_memory_free(device, to));
    must(qn_memory_free(device, from));
    for (int i = 0; i < 2 * N; i++)
        out[i] = get(&buffer, t, i);
}

static void expect(const char *name, int i, double wanted)
{
    ck_assert_msg(out[i] == wanted, "%s: element %d is %.17g, expected %.17g", name, i, out[i],
                  wanted);
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* ---- tests ---- */

START_TEST(blocks_reduce)
{
    static const enum type types[] = {INT, INT, FLOAT, DOUBLE};
    int all = 0, some = 0, most = input(0);
    for (int i = 0; i < N; i++) {
        all += i < THREADS ? input(i) : 0;
        some += i < VALID ? input(i) : 0;
        most = greater(most, input(i));
    }
    for (int k = 0; k < 4; k++) {
        run(names[k], types[k], 0);
        expect(names[k], 0, all);
        expect(names[k], 1, some);
        expect(names[k], 2, most);
    }
}
END_TEST

START_TEST(blocks_scan)
{
    static const enum type types[] = {INT, FLOAT, LONG};
    for (int k = 0; k < 3; k++) {
        const char *const name = names[4 + k];
        int total = 0, before = 0, most = input(0);
        for (int i = 0; i < N; i++)
            total += input(i);
        run(name, types[k], 0);
        for (int i = 0; i < N; i++) {
            most = greater(most, input(i / ITEMS));
            expect(name, i, before + (i % ITEMS == 3 ? most : total));
            before += input(i);
        }
    }
}
END_TEST

static void check_warps(const char *name, int width)
{
    run(name, INT, 0);
    for (int first = 0; first < THREADS; first += width) {
        int sum = 0, partial = 0, up_to = 0, before = 5;
        for (int i = 0; i < width; i++) {
            sum += input(first + i);
            partial += i < width / 2 + 1 ? input(first + i) : 0;
        }
        for (int i = 0; i < width; i++) {
            up_to += input(first + i);
            expect(name, first + i, (i ? 0 : sum + partial * 11) + up_to * 3 + before * 7);
            before = greater(before, input(first + i));
        }
    }
}

START_TEST(warps_reduce_and_scan)
{
    check_warps("warp<32>", 32);
    check_warps("warp<8>", 8);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

START_TEST(blocks_sort)
{
    static const enum type types[] = {INT, FLOAT, LONG};
    for (int k = 0; k < 3; k++) {
        const char *const name = names[9 + k];
        const int least = types[k] == LONG ? -60 : 0;
        int sorted[N];
        for (int i = 0; i < N; i++)
            sorted[i] = input(i) - least;
        qsort(sorted, N, sizeof *sorted, by_value);
        run(name, types[k], least);
        for (int i = 0; i < N; i++) {
            expect(name, i, sorted[i]);
            expect(name, N + i, sorted[N - 1 - i]);
        }
    }
}
END_TEST

START_TEST(blocks_load_and_store)
{
    for (int k = 0; k < 3; k++) {
        const char *const name = names[12 + k];
        run(name, INT, 0);
        for (int i = 0; i < N; i++) {
            /* element i of the numbers in is item `from` of the block's threads, in their order */
            const int from = k == 2 ? i % THREADS * ITEMS + i / THREADS : i;
            const int to = k == 1 ? from % ITEMS * THREADS + from / ITEMS : from;
            expect(name, to, (i < VALID ? input(i) : -7) * 2 + from);
        }
    }
}
END_TEST

START_TEST(other_parts_of_cub)
{
    int counts[16] = {0};
    for (int i = 0; i < THREADS; i++)
        counts[input(i) & 15]++;
    run("others", INT, 0);
    for (int i = 0; i < THREADS; i++)
        expect("others", i,
               counts[i & 15] + (i == 0 || (input(i) & 15) != (input(i - 1) & 15) ? 1000 : 0));
}
END_TEST

static unsigned bits_of_float(float f)
{
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static unsigned standard(int t)
{
    const int table[] = {input(t), 2, 3, 0x7fffffff};
    const unsigned bits = (unsigned)input(t), by = (unsigned)t & 31;
    unsigned sum = (unsigned)(input(t) > 3 ? input(t) : 70) ^ (unsigned)table[t & 3];
    const unsigned zeros = bits ? (unsigned)__builtin_clz(bits) : 32;
    sum ^= (unsigned)__builtin_popcount(bits) + zeros * 64;
    sum ^= (bits << by | (by ? bits >> (32 - by) : 0)) ^ bits_of_float(2.5f);
    sum = (sum + (unsigned)t) ^ 0x5a5a;
    return (int)sum > -5 ? sum : (unsigned)-5;
}

START_TEST(parts_of_libcuxx)
{
    run("standard", INT, 0);
    for (int t = 0; t < THREADS; t++)
        expect("standard", t, (int)standard(t));
}
END_TEST

START_TEST(parts_of_thrust)
{
    run("numbers", FLOAT, 0);
    for (int t = 0; t < THREADS; t++) {
        const int re = input(t), im = input(t + 1);
        expect("numbers", t, re * re - im * im + 1 + greater(2 * re * im + 2, 2));
    }
}
END_TEST

static void end(void)
{
    qn_module_close(module);
}

int main(void)
{
    const struct fixture_case cases[] = {
        {blocks_reduce, 1},    {blocks_scan, 1},           {warps_reduce_and_scan, 1},
        {blocks_sort, 1},      {blocks_load_and_store, 1}, {other_parts_of_cub, 1},
        {parts_of_libcuxx, 1}, {parts_of_thrust, 1},       {NULL, 0}};
    struct qn__arena arena = {0};
    struct qn__toolkit toolkit;
    qn__toolkit_locate(&toolkit, &arena);
    if (toolkit.n == 0) {
        printf("skip: no CUDA toolkit and no CCCL is found here (CUDA_PATH, QUERN_CCCL)\n");
        return EXIT_SUCCESS;
    }
    printf("headers of %s\n", toolkit.folders[0]);
    qn__arena_release(&arena);
    return fixture_run("cccl", translated_backend(), build, end, cases);
}
