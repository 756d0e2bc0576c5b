/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels that read weights reach of a device's read bandwidth.
 *
 *     bench/weights_ops [--json] [DEVICE] [FORMAT...]     default: the preferred device, all
 * formats
 *
 * Per format and shape, matvec runs over as many copies of the weights as exceed the caches, one
 * after another; a sample is a pass over all copies, by the host's clock. The roof is row_sum over
 * the same memory. One row of each result is compared with the weights as C unpacks them first. */
#include "bench/bench.h"
#include "kernels/op_case.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 11, GPU_MIB = 1024, CPU_MIB = 256, LAUNCHES_MIN = 16 };

struct bench {
    qn_device *device;
    const qn_device_info *info;
    qn_stream *stream;
    qn_addr weights; /* `bytes` of random blocks in which no 16-bit word is infinite, NaN or
                        subnormal */
    uint64_t bytes;
    unsigned char *host; /* the same */
    qn_addr x, y;
    float *host_x;
    double roof;
    bool json, first;
};

enum { N_MAX = 14336, ROWS_MAX = 32000 };

static void fill(struct bench *b)
{
    uint32_t state = 1;
    b->host = malloc(b->bytes);
    b->host_x = malloc(N_MAX * sizeof *b->host_x);
    if (!b->host || !b->host_x) {
        fprintf(stderr, "no memory for %llu bytes of weights\n", (unsigned long long)b->bytes);
        exit(1);
    }
    for (uint64_t i = 0; i < b->bytes; i++) {
        state = state * 1664525u + 1013904223u;
        const uint32_t byte = state >> 24;
        b->host[i] = (unsigned char)(i % 2 ? (byte & 0xbb) | 0x10 : byte);
    }
    for (int i = 0; i < N_MAX; i++)
        b->host_x[i] = (float)(i * 37 % 101 - 50) / 64.0f;
    bench_check(qn_memory_alloc(&b->weights, b->device, b->bytes), "weights");
    bench_check(qn_memory_upload(b->device, b->weights, b->host, b->bytes, NULL), "weights");
    bench_check(qn_memory_alloc(&b->x, b->device, N_MAX * 4), "x");
    bench_check(qn_memory_upload(b->device, b->x, b->host_x, N_MAX * 4, NULL), "x");
    bench_check(qn_memory_alloc(&b->y, b->device, ROWS_MAX * 4), "y");
}

struct kernel {
    qn_module *module;
    const qn_kernel *kernel;
    const struct qn__op_row *row;
};

static struct kernel build(struct bench *b, const char *name)
{
    struct kernel k = {0};
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (strcmp(qn_op_get(i)->kernel, name) == 0)
            k.row = qn__op_row(i);
    if (!k.row) {
        fprintf(stderr, "%s: no such kernel\n", name);
        exit(2);
    }
    const qn_source source = {.text = k.row->info.source, .path = k.row->info.file};
    bench_check(qn_module_build(&k.module, b->device, &source, NULL, NULL), name);
    bench_check(qn_kernel_find(&k.kernel, k.module, name), name);
    return k;
}

/* Microseconds of one launch in each of ROUNDS passes over `copies` matrices of `bytes`. */
static void measure(double us[ROUNDS], struct bench *b, const struct kernel *k, uint64_t copies,
                    uint64_t bytes, const qn_dims *dims, void **args, qn_addr *w)
{
    const uint64_t launches = copies > LAUNCHES_MIN ? copies : LAUNCHES_MIN;
    for (int round = -2; round < ROUNDS; round++) { /* the first two warm up */
        const double start = bench_now_us();
        for (uint64_t i = 0; i < launches; i++) {
            *w = b->weights + i % copies * bytes;
            bench_check(qn_stream_launch(b->stream, k->kernel, dims, args), "launch");
        }
        bench_check(qn_stream_sync(b->stream), "sync");
        us[round < 0 ? 0 : round] = (bench_now_us() - start) / (double)launches;
    }
}

static void measure_roof(struct bench *b)
{
    struct kernel k = build(b, "row_sum_u32");
    double us[ROUNDS];
    uint32_t n = 16384, rows = (uint32_t)(b->bytes / 4 / n);
    qn_addr w;
    void *args[] = {&b->y, &w, &rows, &n};
    const struct qn__work work = {.kind = k.row->launch, .rows = rows, .n = n};
    const qn_dims dims = qn__launch_plan(&work, b->info, 0);
    measure(us, b, &k, 1, b->bytes, &dims, args, &w);
    b->roof = (double)rows * n * 4 / bench_median(us, ROUNDS) * 1e-3;
    qn_module_close(k.module);
}

/* The last row of the first matrix. */
static void compare(struct bench *b, const struct qn__format *f, uint32_t rows, uint32_t n)
{
    float *w = malloc(n * sizeof *w), got = 0;
    double want = 0, size = 0;
    f->unpack(w, b->host + (rows - 1) * qn__format_bytes(f, n), n);
    for (uint32_t i = 0; i < n; i++) {
        want += (double)w[i] * (double)b->host_x[i];
        size += fabs((double)w[i] * (double)b->host_x[i]);
    }
    free(w);
    bench_check(qn_memory_download(b->device, &got, b->y + (rows - 1) * 4ull, 4, NULL), "result");
    if (!(fabs((double)got - want) <= 1e-4 * size)) {
        fprintf(stderr, "matvec_%s %ux%u: got %g, want %g\n", f->name, rows, n, (double)got, want);
        exit(1);
    }
}

static void print(struct bench *b, const char *op, uint32_t rows, uint32_t n, double bytes,
                  double us[ROUNDS])
{
    const double median = bench_median(us, ROUNDS), rate = bytes / median * 1e-3;
    if (b->json)
        printf("%s\n  {\"op\": \"%s\", \"rows\": %u, \"n\": %u, \"backend\": \"%s\", \"device\": "
               "\"%s\", \"us\": %.3f, \"us_min\": %.3f, \"us_max\": %.3f, \"gb_per_s\": %.2f, "
               "\"share\": %.4f}",
               b->first ? "[" : ",", op, rows, n, b->info->id, b->info->name, median, us[0],
               us[ROUNDS - 1], rate, rate / b->roof);
    else
        printf("%-14s %6u x %-6u %10.2f us [%.2f..%.2f] %9.2f GB/s  %5.1f %%\n", op, rows, n,
               median, us[0], us[ROUNDS - 1], rate, rate / b->roof * 100);
    b->first = false;
    fflush(stdout);
}

static void run_format(struct bench *b, const struct qn__format *f)
{
    static const uint32_t gpu[][2] = {
        {1024, 4096}, {4096, 4096}, {14336, 4096}, {4096, 14336}, {32000, 4096}};
    static const uint32_t cpu[][2] = {{768, 768}, {2048, 768}, {768, 2048}, {32000, 768}};
    const bool is_cpu = b->info->device_class == QN_DEVICE_CPU;
    const uint32_t n_shapes = is_cpu ? sizeof cpu / sizeof *cpu : sizeof gpu / sizeof *gpu;
    char name[64];
    snprintf(name, sizeof name, "matvec_%s", f->name);
    struct kernel k = build(b, name);
    for (uint32_t i = 0; i < n_shapes; i++) {
        uint32_t rows = is_cpu ? cpu[i][0] : gpu[i][0], n = is_cpu ? cpu[i][1] : gpu[i][1], add = 0;
        const uint64_t bytes = qn__format_bytes(f, (uint64_t)rows * n);
        const uint64_t stride = (bytes + 255) / 256 * 256;
        qn_addr w = b->weights, none = 0;
        double us[ROUNDS];
        if (n % f->block_elems)
            continue;
        void *args[] = {&b->y, &w, &b->x, &none, &none, &rows, &n, &add};
        const struct qn__work work = {.kind = k.row->launch, .rows = rows, .n = n};
        const qn_dims dims = qn__launch_plan(&work, b->info, 0);
        bench_check(qn_stream_launch(b->stream, k.kernel, &dims, args), name);
        bench_check(qn_stream_sync(b->stream), name);
        compare(b, f, rows, n);
        measure(us, b, &k, b->bytes / stride, stride, &dims, args, &w);
        print(b, name, rows, n, (double)bytes, us);
    }
    qn_module_close(k.module);
}

int main(int argc, char **argv)
{
    struct bench b = {.first = true};
    int at = 1;
    if (at < argc && strcmp(argv[at], "--json") == 0)
        b.json = at++;
    bench_check(qn_device_open(&b.device, at < argc ? argv[at++] : NULL), "open");
    b.info = qn_device_get_info(b.device);
    b.bytes = (uint64_t)(b.info->device_class == QN_DEVICE_CPU ? CPU_MIB : GPU_MIB) << 20;
    bench_check(qn_stream_create(&b.stream, b.device, NULL), "stream");
    fill(&b);
    measure_roof(&b);
    if (!b.json)
        printf("%s (%s), %s: row_sum reads %.1f GB/s; %d rounds\n", b.info->id, b.info->name,
               b.info->driver, b.roof, ROUNDS);
    for (int i = 0; i < QN__N_FORMATS; i++) {
        const struct qn__format *f = qn__format_get((enum qn__format_id)i);
        bool wanted = at == argc;
        for (int a = at; a < argc; a++)
            wanted |= strcmp(argv[a], f->name) == 0;
        if (wanted)
            run_format(&b, f);
    }
    if (b.json)
        printf("\n]\n");
    bench_check(qn_memory_free(b.device, b.y), "free");
    bench_check(qn_memory_free(b.device, b.x), "free");
    bench_check(qn_memory_free(b.device, b.weights), "free");
    qn_stream_destroy(b.stream);
    qn_device_close(b.device);
    free(b.host);
    free(b.host_x);
    return 0;
}
