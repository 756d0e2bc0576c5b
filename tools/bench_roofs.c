/* SPDX-License-Identifier: Apache-2.0
 *
 * Ceilings of a device: see bench_roofs.h.
 *
 * Memory: every work-item touches four neighbours' worth of 16 bytes, a block 16 KiB, and there are
 * as many blocks as the memory has. Arithmetic: eight chains of dependent multiply-adds a
 * work-item, so that latency is hidden; the result is stored where the compiler cannot know that it
 * never is. What the memory kernels leave behind is compared before anything is timed. */
#include "tools/bench_roofs.h"

#include "tools/bench_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, LOADS = 4, BLOCK_BYTES = BLOCK * LOADS * 16, CHAINS = 8, MIB = 1 << 20 };

static const char memory_source[] =
    "struct __align__(16) four { float x, y, z, w; };\n"
    "extern \"C\" __global__ void bench_read(float *out, const four *in)\n"
    "{\n"
    "    const four *p = in + (size_t)blockIdx.x * 1024 + threadIdx.x;\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        const four v = p[i * 256];\n"
    "        sum += v.x + v.y + v.z + v.w;\n"
    "    }\n"
    "    if (sum != 0.0f)\n"
    "        out[blockIdx.x] = sum;\n"
    "}\n"
    "extern \"C\" __global__ void bench_write(four *out, float value)\n"
    "{\n"
    "    four *p = out + (size_t)blockIdx.x * 1024 + threadIdx.x;\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        const four v = {value, value, value, value};\n"
    "        p[i * 256] = v;\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void bench_copy(four *out, const four *in)\n"
    "{\n"
    "    const size_t at = (size_t)blockIdx.x * 1024 + threadIdx.x;\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        out[at + i * 256] = in[at + i * 256];\n"
    "}\n"
    "extern \"C\" __global__ void bench_nothing(float *out)\n"
    "{\n"
    "    if (!out)\n"
    "        *(volatile float *)out = 1.0f;\n"
    "}\n";

/* TYPE, the step, and how the chains are joined to a float differ. */
#define ARITHMETIC(head, type, first, factor, step, join)                                          \
    head "extern \"C\" __global__ void bench_arithmetic(float *out, int n, float seed)\n"          \
         "{\n"                                                                                     \
         "    " type " a[8];\n"                                                                    \
         "    const " type " f = " factor ";\n"                                                    \
         "    for (int i = 0; i < 8; i++)\n"                                                       \
         "        a[i] = " first ";\n"                                                             \
         "    for (int k = 0; k < n; k++)\n"                                                       \
         "        for (int i = 0; i < 8; i++)\n"                                                   \
         "            a[i] = " step ";\n"                                                          \
         "    float sum = 0.0f;\n"                                                                 \
         "    for (int i = 0; i < 8; i++)\n"                                                       \
         "        sum += " join ";\n"                                                              \
         "    if (sum == seed)\n"                                                                  \
         "        out[blockIdx.x] = sum;\n"                                                        \
         "}\n"

static const struct arithmetic {
    const char *what, *unit, *describes, *backends, *source;
    double operations; /* of a step */
} arithmetics[] = {
    {"f32", "GFLOP/s", "32-bit multiply-adds, two operations each", "cuda hip opencl cpu",
     ARITHMETIC("", "float", "seed + i", "seed * 0.5f", "a[i] * f + f", "a[i]"), 2},
    {"f64", "GFLOP/s", "64-bit multiply-adds", "cuda hip opencl cpu",
     ARITHMETIC("", "double", "seed + i", "seed * 0.5", "a[i] * f + f", "(float)a[i]"), 2},
    {"f16", "GFLOP/s", "pairs of 16-bit multiply-adds", "cuda hip opencl cpu",
     ARITHMETIC("#include <cuda_fp16.h>\n", "__half2", "__float2half2_rn(seed + i)",
                "__float2half2_rn(seed * 0.5f)", "__hfma2(a[i], f, f)", "__low2float(a[i])"),
     4},
    {"int8-dot", "GOP/s", "dot products of four bytes each, eight operations", "cuda opencl cpu",
     ARITHMETIC("", "int", "(int)seed + i", "(int)seed * 3 + 0x01020304", "__dp4a(a[i], f, a[i])",
                "(float)a[i]"),
     8},
    {"int8-dot", "GOP/s", "", "hip",
     ARITHMETIC("", "int", "(int)seed + i", "(int)seed * 3 + 0x01020304",
                "__builtin_amdgcn_sdot4(a[i], f, a[i], false)", "(float)a[i]"),
     8},
};

static const char matrix_source[] =
    "extern \"C\" __global__ void bench_arithmetic(float *out, int n, float seed)\n"
    "{\n"
    "    float d[8][4];\n"
    "    const unsigned a = (unsigned)seed + 0x3c003c00u;\n"
    "    for (int i = 0; i < 32; i++)\n"
    "        d[i / 4][i % 4] = seed;\n"
    "    for (int k = 0; k < n; k++)\n"
    "        for (int i = 0; i < 8; i++)\n"
    "            asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
    "\"\n"
    "                \"{%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};\"\n"
    "                : \"+f\"(d[i][0]), \"+f\"(d[i][1]), \"+f\"(d[i][2]), \"+f\"(d[i][3]) : "
    "\"r\"(a));\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < 32; i++)\n"
    "        sum += d[i / 4][i % 4];\n"
    "    if (sum == seed)\n"
    "        out[blockIdx.x] = sum;\n"
    "}\n";

struct bench {
    json_t *rows;
    qn_device *dev;
    const qn_device_info *info;
    qn_stream *stream;
    const struct qn__bench_pace *pace;
    struct qn__bench_times times;
};

static void add(struct bench *b, qn_status s, const char *what, const char *shape, const char *unit,
                double amount)
{
    const struct qn__bench_row row = {.kind = "roof",
                                      .what = what,
                                      .shape = shape,
                                      .caches = "",
                                      .device = b->info->id,
                                      .unit = unit,
                                      .amount = amount,
                                      .ms = b->times.ms,
                                      .n = b->times.n};
    if (s == QN_OK)
        qn__bench_add(b->rows, &row);
    else
        qn__bench_add_error(b->rows, &row,
                            s == QN_E_MISMATCH ? "the result is wrong" : qn_message());
}

/* ---- memory ---- */

/* One launch of each on known values: 1 everywhere makes a sum of 16 for every work-item. */
static qn_status check_memory(struct bench *b, qn_module *module, const qn_dims *dims, qn_addr *in,
                              qn_addr *out, uint64_t bytes)
{
    float two = 2.0f;
    const struct {
        const char *kernel;
        void *args[2];
        uint64_t at; /* in out */
        float want;
    } ways[] = {{"bench_copy", {out, in}, bytes - 4, 1.0f},
                {"bench_write", {out, &two}, bytes - 4, 2.0f},
                {"bench_read", {out, in}, (dims->grid[0] - 1) * sizeof(float), 16.0f}};
    qn_status s = qn_memory_fill(b->dev, *in, 0x3f800000, 4, bytes / 4, b->stream);
    for (int i = 0; i < 3 && s == QN_OK; i++) {
        const qn_kernel *kernel;
        float got = 0;
        s = qn_kernel_find(&kernel, module, ways[i].kernel);
        if (s == QN_OK)
            s = qn_stream_launch(b->stream, kernel, dims, ways[i].args);
        if (s == QN_OK)
            s = qn_stream_sync(b->stream);
        if (s == QN_OK)
            s = qn_memory_download(b->dev, &got, *out + ways[i].at, sizeof got, NULL);
        if (s == QN_OK && got != ways[i].want) {
            fprintf(stderr, "quern: bench: %s: %s gives %g instead of %g\n", b->info->id,
                    ways[i].kernel, got, ways[i].want);
            s = QN_E_MISMATCH;
        }
    }
    return s;
}

static void memory_of(struct bench *b, qn_module *module, uint64_t bytes, bool brief)
{
    const uint32_t launches = bytes > 64u * MIB ? 2 : 20;
    const qn_dims dims = {.grid = {(uint32_t)(bytes / BLOCK_BYTES), 1, 1}, .block = {BLOCK, 1, 1}};
    qn_addr in = 0, out = 0;
    float zero = 0;
    const struct {
        const char *what, *kernel;
        double factor;
        void *args[2];
    } ways[] = {{"read", "bench_read", 1, {&out, &in}},
                {"write", "bench_write", 1, {&out, &zero}},
                {"copy", "bench_copy", 2, {&out, &in}}};
    char shape[32];
    snprintf(shape, sizeof shape, "%llu MiB", (unsigned long long)(bytes / MIB));
    qn_status s = qn_memory_alloc(&in, b->dev, bytes);
    if (s == QN_OK)
        s = qn_memory_alloc(&out, b->dev, bytes);
    if (s == QN_OK)
        s = check_memory(b, module, &dims, &in, &out, bytes);
    if (s == QN_OK)
        s = qn_memory_fill(b->dev, in, 0, 4, bytes / 4, b->stream);
    for (int i = 0; i < (brief ? 1 : 3); i++) {
        const qn_kernel *kernel;
        b->times.n = 0;
        if (s == QN_OK)
            s = qn_kernel_find(&kernel, module, ways[i].kernel);
        if (s == QN_OK)
            s = qn__bench_kernel(&b->times, b->dev, b->stream, kernel, &dims, ways[i].args,
                                 launches, b->pace);
        add(b, s, ways[i].what, shape, "GB/s", ways[i].factor * (double)bytes * 1e-9);
    }
    qn_memory_free(b->dev, in);
    qn_memory_free(b->dev, out);
}

/* Half a GiB, or an eighth of what is free, in whole 16 KiB; and a size that fits into caches. */
static void memory(struct bench *b, qn_module *module, bool brief)
{
    uint64_t free_bytes = 0, large = 512u * MIB;
    if (b->info->device_class == QN_DEVICE_CPU)
        large = 256u * MIB;
    if (qn_device_memory(b->dev, &free_bytes, NULL) == QN_OK && free_bytes / 8 < large)
        large = free_bytes / 8 / MIB * MIB;
    memory_of(b, module, large ? large : MIB, brief);
    if (!brief)
        memory_of(b, module, b->info->device_class == QN_DEVICE_CPU ? MIB : 16u * MIB, false);
}

/* ---- arithmetic ---- */

static void arithmetic(struct bench *b, const char *what, const char *unit, const char *source,
                       double operations_of_block)
{
    const bool is_cpu = b->info->device_class == QN_DEVICE_CPU;
    const uint32_t blocks = b->info->compute_units * (is_cpu ? 8 : 32);
    const qn_dims dims = {.grid = {blocks, 1, 1}, .block = {BLOCK, 1, 1}};
    int32_t n = is_cpu ? 256 : 2048;
    float seed = 1.0f;
    qn_addr out = 0;
    void *const args[] = {&out, &n, &seed};
    qn_module *module = NULL;
    const qn_kernel *kernel;
    char shape[32];
    snprintf(shape, sizeof shape, "%u blocks", blocks);
    b->times.n = 0;
    qn_status s = qn__bench_build(&module, &kernel, b->dev, source, "roof.cu", "bench_arithmetic");
    if (s == QN_OK)
        s = qn_memory_alloc(&out, b->dev, blocks * sizeof(float));
    if (s == QN_OK)
        s = qn__bench_kernel(&b->times, b->dev, b->stream, kernel, &dims, args, 1, b->pace);
    add(b, s, what, shape, unit, (double)n * blocks * operations_of_block * 1e-9);
    qn_memory_free(b->dev, out);
    qn_module_close(module);
}

static void all_arithmetic(struct bench *b, bool brief)
{
    for (size_t i = 0; i < sizeof arithmetics / sizeof arithmetics[0]; i++)
        if (strstr(arithmetics[i].backends, b->info->backend) &&
            (!brief || !strcmp(arithmetics[i].what, "f32")))
            arithmetic(b, arithmetics[i].what, arithmetics[i].unit, arithmetics[i].source,
                       arithmetics[i].operations * CHAINS * BLOCK);
    if (!brief && !strcmp(b->info->backend, "cuda")) /* elsewhere it is plain arithmetic */
        arithmetic(b, "matrix-f16", "GFLOP/s", matrix_source,
                   2.0 * 16 * 8 * 16 * CHAINS * (BLOCK / 32));
}

/* ---- launches and the host's link ---- */

struct launching {
    qn_stream *stream;
    const qn_kernel *kernel;
    qn_addr out;
    uint32_t n;
};

static qn_status launch_many(void *arg)
{
    struct launching *l = arg;
    static const qn_dims one = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    void *const args[] = {&l->out};
    qn_status s = QN_OK;
    for (uint32_t i = 0; i < l->n && s == QN_OK; i++)
        s = qn_stream_launch(l->stream, l->kernel, &one, args);
    return s == QN_OK ? qn_stream_sync(l->stream) : s;
}

static void launches(struct bench *b, qn_module *module)
{
    struct launching l = {.stream = b->stream, .n = 500};
    b->times.n = 0;
    qn_status s = qn_kernel_find(&l.kernel, module, "bench_nothing");
    if (s == QN_OK)
        s = qn_memory_alloc(&l.out, b->dev, 16);
    if (s == QN_OK)
        s = qn__bench_host(&b->times, launch_many, &l, l.n, b->pace);
    add(b, s, "launch", "500 in a row", "", 0);
    l.n = 1;
    if (s == QN_OK)
        s = qn__bench_host(&b->times, launch_many, &l, 1, b->pace);
    add(b, s, "launch and wait", "one", "", 0);
    qn_memory_free(b->dev, l.out);
}

struct copying {
    qn_device *dev;
    qn_addr device;
    void *host;
    uint64_t bytes;
};

static qn_status upload(void *arg)
{
    const struct copying *c = arg;
    return qn_memory_upload(c->dev, c->device, c->host, c->bytes, NULL);
}

static qn_status download(void *arg)
{
    const struct copying *c = arg;
    return qn_memory_download(c->dev, c->host, c->device, c->bytes, NULL);
}

static void link_to_host(struct bench *b)
{
    struct copying c = {.dev = b->dev, .bytes = 64u * MIB};
    void *pinned = NULL, *plain = calloc(1, c.bytes);
    qn_status s = qn_memory_alloc(&c.device, b->dev, c.bytes);
    if (s == QN_OK)
        s = qn_memory_alloc_host(&pinned, b->dev, c.bytes);
    const struct {
        const char *what;
        void *host;
        qn_status (*copy)(void *);
    } ways[] = {{"upload", pinned, upload},
                {"download", pinned, download},
                {"upload, pageable", plain, upload},
                {"download, pageable", plain, download}};
    for (int i = 0; i < 4; i++) {
        c.host = ways[i].host;
        b->times.n = 0;
        if (s == QN_OK && c.host)
            s = qn__bench_host(&b->times, ways[i].copy, &c, 1, b->pace);
        add(b, s, ways[i].what, "64 MiB", "GB/s", (double)c.bytes * 1e-9);
    }
    qn_memory_free(b->dev, c.device);
    qn_memory_free_host(b->dev, pinned);
    free(plain);
}

void qn__bench_roofs(json_t *rows, qn_device *dev, const struct qn__bench_pace *pace, bool brief)
{
    struct bench *b = calloc(1, sizeof *b);
    qn_module *module = NULL;
    const qn_kernel *kernel;
    if (!b)
        return;
    *b = (struct bench){.rows = rows, .dev = dev, .info = qn_device_get_info(dev), .pace = pace};
    qn_status s = qn_stream_create(&b->stream, dev, &(qn_stream_options){.timing = true});
    if (s == QN_OK)
        s = qn__bench_build(&module, &kernel, dev, memory_source, "memory.cu", "bench_read");
    if (s != QN_OK) {
        add(b, s, "read", "", "GB/s", 0);
    } else {
        memory(b, module, brief);
        all_arithmetic(b, brief);
        if (!brief)
            launches(b, module);
        if (!brief)
            link_to_host(b);
    }
    qn_stream_destroy(b->stream);
    qn_module_close(module);
    free(b);
}

void qn__bench_describe(void)
{
    printf("read, write, copy    a kernel that moves 16 bytes four times a work-item; copy counts "
           "both ways.\n"
           "                     The large size is the memory's rate, the small one that of a "
           "cache\n");
    for (size_t i = 0; i < sizeof arithmetics / sizeof arithmetics[0]; i++)
        if (arithmetics[i].describes[0])
            printf("%-20s %s; eight independent chains a work-item\n", arithmetics[i].what,
                   arithmetics[i].describes);
    printf(
        "matrix-f16           CUDA: mma.sync m16n8k16, f16 inputs, f32 sums; not wgmma\n"
        "launch               an empty kernel, 500 in a row and one wait, host's clock\n"
        "launch and wait      one empty kernel and one wait, host's clock\n"
        "upload, download     64 MiB from and to pinned memory, and to pageable memory\n"
        "ops                  a shipped kernel, compared with plain C first. warm: ten launches "
        "a sample;\n"
        "                     cold: one, after 256 MiB were written. Share of the largest \"read\""
        "\n"
        "model                prompt (pp), and tokens one by one (tg), at depths (@d)\n");
}
