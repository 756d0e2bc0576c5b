/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of small integers, one token by itself and among others: its bytes are the same, the
 * products are exact in integers, and every number of tokens adds the blocks up in the same order.
 * So on a CPU the results agree to the last bit; elsewhere a compiler may round once where it
 * rounds twice beside it.
 *
 * covers: kernels/op_case_dots kernels/dot_tiles */
#include "kernels/dot_tiles.h"
#include "kernels/op_rows.h"
#include "tests/runtime_fixture.h"

#include <math.h>

enum { ROWS = 64, N = 512, TOKENS = 15, GROUPS = N / 32 }; /* 15: eight, four and one */

struct built {
    qn_module *module;
    const qn_kernel *kernel;
    enum qn__launch_kind launch;
};

static struct built build(const char *name)
{
    for (uint32_t i = 0; i < qn__op_row_count(); i++) {
        const struct qn__op_row *row = qn__op_row(i);
        if (strcmp(row->info.kernel, name) != 0)
            continue;
        struct built b = {.launch = row->launch};
        const qn_source source = {.text = row->info.source, .path = row->info.file};
        must(qn_module_build(&b.module, device, &source, NULL, NULL));
        must(qn_kernel_find(&b.kernel, b.module, name));
        return b;
    }
    ck_abort_msg("no kernel %s", name);
}

static void launch(const struct built *b, uint64_t rows, uint64_t n, void *const *args)
{
    const struct qn__work work = {.kind = b->launch, .rows = rows, .n = n};
    const qn_dims dims = qn__launch_plan(&work, qn_device_get_info(device), 0);
    must(qn_stream_launch(stream, b->kernel, &dims, args));
    must(qn_stream_sync(stream));
}

/* Neither even nor near zero; every tenth is large, as an outlier of a model is. */
static void random_numbers(float *out, uint32_t n, uint32_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        out[i] = ((float)(seed >> 8) / 16777216.0f - 0.5f) * (i % 10 ? 1.0f : 6.0f);
    }
}

struct bytes { /* of TOKENS rows of x, on the device */
    qn_addr codes, scales, sums;
};

static struct bytes room(void)
{
    return (struct bytes){alloc(TOKENS * N), alloc(TOKENS * GROUPS * 4),
                          alloc(TOKENS * GROUPS * 8)};
}

static struct bytes bytes_of_token(const struct bytes *b, uint64_t t)
{
    return (struct bytes){b->codes + t * N, b->scales + t * GROUPS * 4, b->sums + t * GROUPS * 8};
}

static void release(const struct bytes *b)
{
    must(qn_memory_free(device, b->codes));
    must(qn_memory_free(device, b->scales));
    must(qn_memory_free(device, b->sums));
}

static void quantise(const struct built *k, struct bytes to, qn_addr x, uint64_t tokens)
{
    uint64_t n = tokens * N;
    void *args[] = {&to.codes, &to.scales, &to.sums, &x, &n};
    launch(k, 1, n, args);
}

static void same_on_device(qn_addr a, qn_addr b, uint64_t n, const char *what)
{
    unsigned char *x = malloc(n), *y = malloc(n);
    ck_assert(x && y);
    must(qn_memory_download(device, x, a, n, NULL));
    must(qn_memory_download(device, y, b, n, NULL));
    ck_assert_msg(memcmp(x, y, n) == 0, "%s of one token differ from those among others", what);
    free(x);
    free(y);
}

static qn_addr uploaded(const void *p, uint64_t n)
{
    const qn_addr to = alloc(n);
    must(qn_memory_upload(device, to, p, n, NULL));
    return to;
}

START_TEST(a_tokens_bytes_do_not_depend_on_its_neighbours)
{
    float x[TOKENS * N];
    struct built k = build("quantise_f32");
    const struct bytes all = room(), single = room();
    random_numbers(x, TOKENS * N, 3);
    const qn_addr at = uploaded(x, sizeof x);
    quantise(&k, all, at, TOKENS);
    for (uint64_t t = 0; t < TOKENS; t++)
        quantise(&k, bytes_of_token(&single, t), at + t * N * 4, 1);
    same_on_device(all.codes, single.codes, TOKENS * N, "codes");
    same_on_device(all.scales, single.scales, TOKENS * GROUPS * 4, "scales");
    same_on_device(all.sums, single.sums, TOKENS * GROUPS * 8, "sums");
    must(qn_memory_free(device, at));
    release(&all);
    release(&single);
    qn_module_close(k.module);
}
END_TEST

static qn_addr tiles_of(const struct qn__format *f, uint32_t seed)
{
    const uint64_t tile = qn__dot_tile_bytes(qn__tiling(f), N), row = qn__format_bytes(f, N);
    float *w = malloc(sizeof *w * ROWS * N);
    unsigned char *rows = malloc(row * ROWS), *tiles = malloc(tile * ROWS / QN__DOT_ROWS);
    ck_assert(w && rows && tiles);
    random_numbers(w, ROWS * N, seed);
    f->pack(rows, w, ROWS * N);
    for (uint64_t i = 0; i < ROWS / QN__DOT_ROWS; i++)
        qn__dot_tile_pack(tiles + i * tile, f, rows + i * QN__DOT_ROWS * row, N);
    const qn_addr at = uploaded(tiles, tile * ROWS / QN__DOT_ROWS);
    free(w);
    free(rows);
    free(tiles);
    return at;
}

static void multiply(const struct built *k, qn_addr y, qn_addr w, struct bytes x, uint32_t zero,
                     uint32_t tokens)
{
    qn_addr bias = 0;
    uint32_t rows = ROWS, n = N, add = 0;
    void *args[] = {&y, &w, &x.codes, &x.scales, &x.sums, &bias, &rows, &n, &tokens, &zero, &add};
    launch(k, ROWS, (uint64_t)N * tokens, args);
}

START_TEST(a_tokens_product_does_not_depend_on_its_neighbours)
{
    const struct qn__format *f = qn__format_get((enum qn__format_id)_i);
    const struct qn__tiling *t = qn__tiling(f);
    float x[TOKENS * N], all[TOKENS * ROWS], single[TOKENS * ROWS];
    if (!t)
        return; /* has no tiles */
    struct built q = build("quantise_f32"), k = build(t->kernel);
    const struct bytes b = room();
    const qn_addr w = tiles_of(f, 5), y = alloc(sizeof all), z = alloc(sizeof single);
    random_numbers(x, TOKENS * N, 11);
    const qn_addr at = uploaded(x, sizeof x);
    quantise(&q, b, at, TOKENS);
    multiply(&k, y, w, b, t->zero, TOKENS);
    for (uint64_t i = 0; i < TOKENS; i++)
        multiply(&k, z + i * ROWS * 4, w, bytes_of_token(&b, i), t->zero, 1);
    must(qn_memory_download(device, all, y, sizeof all, NULL));
    must(qn_memory_download(device, single, z, sizeof single, NULL));
    const bool is_cpu = strcmp(qn_device_get_info(device)->kind, "cpu") == 0;
    float largest = 0.0f;
    for (int i = 0; i < TOKENS * ROWS; i++)
        largest = fmaxf(largest, fabsf(all[i]));
    ck_assert(largest > 0.0f && isfinite(largest));
    /* a sum of 2 GROUPS terms, each rounded once more or less */
    const float most = is_cpu ? 0.0f : 4 * GROUPS * 6e-8f * largest;
    for (int i = 0; i < TOKENS * ROWS; i++)
        ck_assert_msg(fabsf(all[i] - single[i]) <= most, "%s: token %d, row %d: %.9g, alone %.9g",
                      f->name, i / ROWS, i % ROWS, (double)all[i], (double)single[i]);
    const qn_addr used[] = {w, y, z, at};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        must(qn_memory_free(device, used[i]));
    release(&b);
    qn_module_close(q.module);
    qn_module_close(k.module);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_tokens_bytes_do_not_depend_on_its_neighbours, 1},
        {a_tokens_product_does_not_depend_on_its_neighbours, QN__N_FORMATS},
        {NULL, 0},
    };
    return fixture_run("dots", NULL, NULL, NULL, cases);
}
