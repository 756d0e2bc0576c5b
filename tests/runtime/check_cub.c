/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's operations of threads, warps and blocks: what each kernel of cub_kernels.cu writes with our
 * headers is what CUB's own gave, and where a CUDA toolkit or a checkout of CCCL is found, the same
 * source read with its headers must write the same now. A module a kernel, since PoCL compiles all
 * of a module for each kernel of it that is launched; clang takes seconds for CUB's own headers, so
 * that a few kernels stand for all of them unless QN_LONG is set.
 *
 * covers: compiler/frontend/toolkit */
#include "rtc/job/locate_toolkit.h"
#include "tests/runtime_fixture.h"

#include <stdbool.h>

enum { SHOWN = 4, INPUTS = 256, OUTPUTS = 2048 };

/* The numbers that a kernel writes: how many, the first ones, and a hash of them all. */
static const struct row {
    const char *name;
    unsigned x, y, z, n;
    int first[SHOWN];
    uint32_t hash;
    bool is_short; /* with CUB's own headers, too, when time is short */
} rows[] = {
#include "tests/runtime/cub_results.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool has_toolkit;

/* Why the toolkit's headers cannot be read here, or NULL. */
static const char *lacks_headers(const char *log)
{
    return strstr(log, "do not compile here (they need this machine's C++ headers, too)");
}

/* NULL, where the machine lacks what the toolkit's headers need. */
static qn_module *build(const struct row *r, const char *expected)
{
    char path[4096];
    const char *const root = getenv("QN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/runtime/cub_kernels.cu", root ? root : ".");
    const qn_source source = {.path = path, .names = &r->name, .n_names = 1};
    const qn_compile_options options = {.time_limit_s = 600};
    qn_module *module;
    qn_log log;
    const qn_status s = qn_module_build(&module, device, &source, &options, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", r->name, qn_message(), log.text);
    if (lacks_headers(log.text) && !strstr(log.text, expected)) {
        printf("skip: %s: the toolkit's headers %.200s\n", r->name, lacks_headers(log.text));
        qn_log_release(&log);
        qn_module_close(module);
        return NULL;
    }
    ck_assert_msg(strstr(log.text, expected) != NULL, "%s: '%s' is not in:\n%s", r->name, expected,
                  log.text);
    qn_log_release(&log);
    return module;
}

static qn_module *build_ours(const struct row *r)
{
    char *const said = getenv("QUERN_CCCL") ? strdup(getenv("QUERN_CCCL")) : NULL;
    setenv("QUERN_CCCL", "none", 1);
    qn_module *const module =
        build(r, "note: CUB's operations of a block or a warp are Quern's own");
    if (said)
        setenv("QUERN_CCCL", said, 1);
    else
        unsetenv("QUERN_CCCL");
    free(said);
    return module;
}

static void run(int *out, qn_module *module, const struct row *r)
{
    int in[INPUTS];
    const qn_kernel *k;
    qn_addr to = alloc(OUTPUTS * sizeof *out), from = alloc(sizeof in);
    void *const args[] = {&to, &from};
    const qn_dims dims = {.grid = {1}, .block = {r->x, r->y, r->z}};
    for (int i = 0; i < INPUTS; i++)
        in[i] = (int)((unsigned)i * 2654435761u >> 20) % 64 - 11;
    memset(out, 0, OUTPUTS * sizeof *out);
    must(qn_kernel_find(&k, module, r->name));
    must(qn_memory_upload(device, from, in, sizeof in, stream));
    must(qn_memory_upload(device, to, out, OUTPUTS * sizeof *out, stream));
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_memory_download(device, out, to, OUTPUTS * sizeof *out, stream));
    must(qn_stream_sync(stream));
    must(qn_memory_free(device, to));
    must(qn_memory_free(device, from));
    qn_module_close(module);
}

static uint32_t hash_of(const int *v, unsigned n)
{
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < n; i++)
        h = (h ^ (uint32_t)v[i]) * 16777619u;
    return h;
}

START_TEST(ours_write_what_cub_documents)
{
    static int out[OUTPUTS];
    const struct row *const r = &rows[_i];
    run(out, build_ours(r), r);
    for (int i = 0; i < SHOWN; i++)
        ck_assert_msg(out[i] == r->first[i], "%s: number %d is %d, expected %d", r->name, i, out[i],
                      r->first[i]);
    ck_assert_msg(hash_of(out, r->n) == r->hash, "%s: other numbers than CUB's", r->name);
    for (unsigned i = r->n; i < OUTPUTS; i++)
        ck_assert_msg(out[i] == 0, "%s: more than %u numbers", r->name, r->n);
}
END_TEST

START_TEST(the_toolkits_headers_write_the_same)
{
    static int here[OUTPUTS], there[OUTPUTS];
    const struct row *const r = &rows[_i];
    if (!r->is_short && !getenv("QN_LONG"))
        return;
    qn_module *const theirs = build(r, "a kernel uses CUB's operations of a block or a warp");
    if (!theirs)
        return;
    run(there, theirs, r);
    run(here, build_ours(r), r);
    for (unsigned i = 0; i < r->n; i++)
        ck_assert_msg(here[i] == there[i], "%s: number %u is %d, with the toolkit's headers %d",
                      r->name, i, here[i], there[i]);
}
END_TEST

int main(void)
{
    struct qn__arena arena = {0};
    struct qn__toolkit toolkit;
    qn__toolkit_locate(&toolkit, &arena);
    has_toolkit = toolkit.n > 0;
    printf("CUB's own headers: %s\n", has_toolkit ? toolkit.folders[0] : "none are found");
    qn__arena_release(&arena);
    /* else PoCL compiles each kernel once more, for the file */
    if (qn_cache_set_mode("off") != QN_OK) {
        printf("%s\n", qn_message());
        return EXIT_FAILURE;
    }
    const struct fixture_case cases[] = {
        {ours_write_what_cub_documents, ROWS},
        {has_toolkit ? the_toolkits_headers_write_the_same : NULL, ROWS},
        {NULL, 0}};
    return fixture_run("cub", translated_backend(), NULL, NULL, cases);
}
