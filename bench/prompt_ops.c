/* SPDX-License-Identifier: Apache-2.0
 *
 * What a prompt's products and attention reach on tensor cores.
 *
 *     bench/prompt_ops [DEVICE] [TOKENS] [OPTION...]     default: the preferred device, 512
 *
 * The shapes are those of the 7.24 B Mistral shape; an OPTION is one for the kernels' compiler, and
 * -DSTAGES=N is heeded. Times are the host's, of launches one after the other. */
#include "bench/bench.h"
#include "kernels/op_rows.h"
#include "kernels/product.h"

#include <string.h>

enum { ROUNDS = 7, LAUNCHES = 10, WEIGHTS_MIB = 256, ACTIVATIONS_MIB = 256 };

struct bench {
    qn_device *device;
    const qn_device_info *info;
    qn_stream *stream;
    qn_addr weights, x, y, halves, pos;
    const char *const *options;
    uint32_t n_options, tokens, stages;
};

struct kernel {
    qn_module *module;
    const qn_kernel *kernel;
};

static struct kernel build(struct bench *b, const char *name)
{
    struct kernel k = {0};
    const struct qn__op_row *row = NULL;
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (strcmp(qn_op_get(i)->kernel, name) == 0)
            row = qn__op_row(i);
    if (!row) {
        fprintf(stderr, "%s: no such kernel\n", name);
        exit(2);
    }
    const qn_source source = {.text = row->info.source,
                              .path = row->info.file,
                              .options = b->options,
                              .n_options = b->n_options};
    bench_check(qn_module_build(&k.module, b->device, &source, NULL, NULL), name);
    bench_check(qn_kernel_find(&k.kernel, k.module, name), name);
    return k;
}

static void measure(struct bench *b, const char *name, const struct kernel *k, const qn_dims *dims,
                    void **args, double flops)
{
    double us[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        const double start = bench_now_us();
        for (int i = 0; i < LAUNCHES; i++)
            bench_check(qn_stream_launch(b->stream, k->kernel, dims, args), name);
        bench_check(qn_stream_sync(b->stream), name);
        us[round < 0 ? 0 : round] = (bench_now_us() - start) / LAUNCHES;
    }
    const double median = bench_median(us, ROUNDS);
    printf("%-36s %9.2f us [%.2f..%.2f] %8.2f TFLOP/s\n", name, median, us[0], us[ROUNDS - 1],
           flops / median * 1e-6);
    fflush(stdout);
}

static void products(struct bench *b, const char *format)
{
    static const struct {
        uint32_t rows, n, then, rows0, rows1;
        const char *what;
    } shapes[] = {{6144, 4096, 0, 4096, 1024, "qkv"},
                  {4096, 4096, 1, 4096, 0, "o"},
                  {28672, 4096, 2, 14336, 0, "gate up silu"},
                  {4096, 14336, 1, 4096, 0, "down"}};
    const struct qn__format *f = qn__format_find(format);
    char name[64];
    snprintf(name, sizeof name, "product_%s", format);
    const struct kernel k = build(b, name);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint32_t rows = shapes[i].rows, n = shapes[i].n, then = shapes[i].then;
        uint32_t rows0 = shapes[i].rows0, rows1 = shapes[i].rows1, tokens = b->tokens;
        uint32_t stages = b->stages ? b->stages : qn__product_stages(f, rows, tokens, b->info);
        qn_addr y1 = b->y + (qn_addr)tokens * 4096 * 4, y2 = y1 + (qn_addr)tokens * 1024 * 4;
        qn_addr none = 0;
        void *args[] = {&b->y, &y1, &y2,     &b->weights, &b->halves, &none,  &none,
                        &rows, &n,  &tokens, &then,       &rows0,     &rows1, &stages};
        qn_dims dims = qn__product_plan(f, rows, tokens, b->info);
        dims.shared_bytes =
            dims.shared_bytes / qn__product_stages(f, rows, tokens, b->info) * stages;
        snprintf(name, sizeof name, "%s %s", f->name, shapes[i].what);
        measure(b, name, &k, &dims, args, 2.0 * rows * n * tokens);
    }
    qn_module_close(k.module);
}

static void attention(struct bench *b)
{
    const struct kernel k = build(b, "attention_tensor_f16");
    uint32_t tokens = b->tokens, heads = 32, kv_heads = 8, head_dim = 128, context = tokens;
    uint32_t window = 0, in_fours = 1;
    float scale = 0.088f, cap = 0.0f;
    qn_addr none = 0;
    void *args[] = {&none,    &b->halves, &b->x,  &b->weights, &b->weights,
                    &b->pos,  &tokens,    &heads, &kv_heads,   &head_dim,
                    &context, &window,    &scale, &cap,        &in_fours};
    const qn_dims dims = qn__tensor_attention_plan(head_dim, tokens, heads, b->info);
    measure(b, "attention f16", &k, &dims, args, 2.0 * tokens * tokens * head_dim * heads);
    qn_module_close(k.module);
}

static void inputs(struct bench *b)
{
    const struct kernel k = build(b, "inputs_f32");
    for (int i = 0; i < 2; i++) {
        uint32_t rows = b->tokens, n = i ? 14336 : 4096, scaled = 1, in_fours = 1;
        float eps = 1e-5f;
        qn_addr none = 0;
        void *args[] = {&b->halves, &b->y,   &b->x,    i ? &none : &b->weights, &rows, &n,
                        &eps,       &scaled, &in_fours};
        const struct qn__work work = {.kind = QN__LAUNCH_BLOCK_PER_ROW, .rows = rows, .n = n};
        const qn_dims dims = qn__launch_plan(&work, b->info, 0);
        measure(b, i ? "inputs 14336" : "inputs 4096 norm", &k, &dims, args, 0);
    }
    qn_module_close(k.module);
}

int main(int argc, char **argv)
{
    struct bench b = {.tokens = argc > 2 ? (uint32_t)atoi(argv[2]) : 512,
                      .options = (const char *const *)argv + 3,
                      .n_options = argc > 3 ? (uint32_t)argc - 3 : 0};
    const char *const stages = "-DSTAGES=";
    for (uint32_t i = 0; i < b.n_options; i++)
        if (strncmp(b.options[i], stages, strlen(stages)) == 0)
            b.stages = (uint32_t)atoi(b.options[i] + strlen(stages));
    bench_check(qn_device_open(&b.device, argc > 1 ? argv[1] : NULL), "device");
    b.info = qn_device_get_info(b.device);
    bench_check(qn_stream_create(&b.stream, b.device, NULL), "stream");
    bench_check(qn_memory_alloc(&b.weights, b.device, (uint64_t)WEIGHTS_MIB << 20), "weights");
    bench_check(qn_memory_alloc(&b.x, b.device, (uint64_t)ACTIVATIONS_MIB << 20), "x");
    bench_check(qn_memory_alloc(&b.y, b.device, (uint64_t)ACTIVATIONS_MIB << 20), "y");
    bench_check(qn_memory_alloc(&b.halves, b.device, (uint64_t)ACTIVATIONS_MIB << 20), "halves");
    bench_check(qn_memory_alloc(&b.pos, b.device, b.tokens * 4), "pos");
    /* numbers of moderate size, whatever they are read as; what power a product takes, and so its
     * clock, depends on them */
    const uint64_t n = (uint64_t)ACTIVATIONS_MIB << 18;
    uint32_t *words = malloc(n * 4), state = 1;
    int32_t *pos = malloc(b.tokens * sizeof *pos);
    if (!words || !pos)
        return 1;
    for (uint64_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        words[i] = (state >> 3 & 0x83ff83ffu) | 0x30003000u;
    }
    for (uint32_t i = 0; i < b.tokens; i++)
        pos[i] = (int32_t)i;
    const qn_addr all[] = {b.weights, b.x, b.y, b.halves};
    for (size_t i = 0; i < 4; i++)
        bench_check(qn_memory_upload(b.device, all[i], words, n * 4, NULL), "upload");
    bench_check(qn_memory_upload(b.device, b.pos, pos, b.tokens * 4, NULL), "pos");
    free(words);
    free(pos);
    products(&b, "f16");
    products(&b, "q8_0");
    products(&b, "q4_k");
    products(&b, "q6_k");
    attention(&b);
    inputs(&b);
    return 0;
}
