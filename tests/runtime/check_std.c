/* SPDX-License-Identifier: Apache-2.0
 *
 * libcu++, the standard library and Thrust's types in kernels: what each kernel of std_kernels.cu
 * writes with our headers is what std_results.def says: numbers that the same source gave on the
 * host with the standard library's own headers, or for what waits, that were worked out by hand.
 * Where a CUDA toolkit or a checkout of CCCL is found, the types read with its headers must write
 * the same (what waits is PTX there that has no OpenCL form). Through NVRTC (QUERN_BACKEND=cuda)
 * the headers are NVIDIA's. */
#include "rtc/job/locate_toolkit.h"
#include "tests/runtime_fixture.h"

#include <stdbool.h>

enum { SHOWN = 4, THREADS = 64, INPUTS = 256 };
enum whose { BOTH, TRANSLATED };

static const struct row {
    const char *name;
    int first[SHOWN];
    uint32_t hash;
    enum whose whose; /* TRANSLATED: NVRTC has no such headers */
} rows[] = {
#include "tests/runtime/std_results.def"
};
enum { ROWS = sizeof rows / sizeof *rows, FIRST_VALUE = 9 };

static bool is_cuda;
/* Reading NVIDIA's headers takes seconds: one module for all kernels. */
static qn_module *with_toolkit, *of_cuda;
static const struct {
    const char *kernel, *message;
} waits[] = {{"barrier_of_two_branches", "waits for threads that arrive further down"},
             {"semaphore_released_further_down", "waits for a semaphore that another thread"}};

static void name_instance(char out[64], const char *kernel)
{
    snprintf(out, 64, "%s<int>", kernel);
}

static qn_module *build(const char *const *kernels, unsigned n, bool toolkit)
{
    char path[4096], instances[ROWS + 2][64];
    const char *names[ROWS + 2], *const root = getenv("QN_SOURCE"), *const define = "WITH_TOOLKIT";
    char *const said = getenv("QUERN_CCCL") ? strdup(getenv("QUERN_CCCL")) : NULL;
    snprintf(path, sizeof path, "%s/tests/runtime/std_kernels.cu", root ? root : ".");
    for (unsigned i = 0; i < n; i++) {
        name_instance(instances[i], kernels[i]);
        names[i] = instances[i];
    }
    const qn_source source = {
        .path = path, .names = names, .n_names = n, .defines = &define, .n_defines = toolkit};
    const qn_compile_options options = {.time_limit_s = 600};
    qn_module *module = NULL;
    qn_log log = {0};
    if (!toolkit && !is_cuda)
        setenv("QUERN_CCCL", "none", 1);
    const qn_status s = qn_module_build(&module, device, &source, &options, &log);
    if (said)
        setenv("QUERN_CCCL", said, 1);
    else
        unsetenv("QUERN_CCCL");
    free(said);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", *kernels, qn_message(), log.text ? log.text : "");
    ck_assert_msg(is_cuda ||
                      toolkit == (strstr(log.text, "warning: read with the headers of") != 0),
                  "%s: other headers were read:\n%s", *kernels, log.text);
    qn_log_release(&log);
    return module;
}

/* What the kernel writes, and what the synchronisation after it says. */
static qn_status run(int *out, qn_module *module, const char *kernel)
{
    int in[INPUTS];
    char instance[64];
    const qn_kernel *k;
    qn_addr to = alloc(THREADS * sizeof *out), from = alloc(sizeof in);
    void *const args[] = {&to, &from};
    const qn_dims dims = {.grid = {1}, .block = {THREADS}};
    for (int i = 0; i < INPUTS; i++)
        in[i] = (int)((unsigned)i * 2654435761u >> 20) % 64 - 11;
    name_instance(instance, kernel);
    must(qn_kernel_find(&k, module, instance));
    must(qn_memory_upload(device, from, in, sizeof in, stream));
    must(qn_stream_launch(stream, k, &dims, args));
    const qn_status s = qn_stream_sync(stream);
    if (s == QN_OK) {
        must(qn_memory_download(device, out, to, THREADS * sizeof *out, stream));
        must(qn_stream_sync(stream));
    }
    must(qn_memory_free(device, to));
    must(qn_memory_free(device, from));
    return s;
}

static qn_status build_and_run(int *out, const char *kernel)
{
    const char *kernels[ROWS + 2];
    unsigned n = 0;
    if (!is_cuda) {
        qn_module *const module = build(&kernel, 1, false);
        const qn_status s = run(out, module, kernel);
        qn_module_close(module);
        return s;
    }
    for (int i = 0; i < ROWS; i++)
        if (rows[i].whose == BOTH)
            kernels[n++] = rows[i].name;
    for (int i = 0; i < 2; i++)
        kernels[n++] = waits[i].kernel;
    if (!of_cuda)
        of_cuda = build(kernels, n, false);
    return run(out, of_cuda, kernel);
}

static void expect(const struct row *r, const int *out)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < THREADS; i++)
        hash = (hash ^ (uint32_t)out[i]) * 16777619u;
    for (int i = 0; i < SHOWN; i++)
        ck_assert_msg(out[i] == r->first[i], "%s: number %d is %d, expected %d", r->name, i, out[i],
                      r->first[i]);
    ck_assert_msg(hash == r->hash, "%s: other numbers (hash 0x%08x)", r->name, hash);
}

START_TEST(a_kernel_writes_its_numbers)
{
    int out[THREADS];
    const struct row *const r = &rows[_i];
    if (is_cuda && r->whose == TRANSLATED)
        return;
    must(build_and_run(out, r->name));
    expect(r, out);
}
END_TEST

START_TEST(the_toolkits_headers_write_the_same)
{
    int out[THREADS];
    const struct row *const r = &rows[FIRST_VALUE + _i];
    const char *kernels[ROWS];
    unsigned n = 0;
    if (r->whose == TRANSLATED)
        return;
    for (int i = FIRST_VALUE; i < ROWS; i++)
        if (rows[i].whose == BOTH)
            kernels[n++] = rows[i].name;
    if (!with_toolkit)
        with_toolkit = build(kernels, n, true);
    must(run(out, with_toolkit, r->name));
    expect(r, out);
}
END_TEST

/* In the line that says "waits here". */
START_TEST(a_wait_for_what_comes_later_fails)
{
    int out[THREADS];
    const qn_status s = build_and_run(out, waits[_i].kernel);
    const char *const target = qn_device_get_info(device)->target;
    if (is_cuda || strcmp(target, "opencl:nvidia") == 0) { /* threads run independently there */
        ck_assert_msg(s == QN_OK, "%s: %s", waits[_i].kernel, qn_message());
        return;
    }
    ck_assert_msg(s != QN_OK, "%s: nothing failed", waits[_i].kernel);
    ck_assert_msg(strstr(qn_message(), waits[_i].message) &&
                      strstr(qn_message(), "std_kernels.cu:"),
                  "%s: %s", waits[_i].kernel, qn_message());
}
END_TEST

static void close_modules(void)
{
    qn_module_close(with_toolkit);
    qn_module_close(of_cuda);
}

int main(void)
{
    struct qn__arena arena = {0};
    struct qn__toolkit toolkit;
    const char *const backend = getenv("QUERN_BACKEND");
    is_cuda = backend && strcmp(backend, "cuda") == 0;
    qn__toolkit_locate(&toolkit, &arena);
    const bool compares = toolkit.n > 0 && !is_cuda;
    printf("NVIDIA's own headers: %s\n", toolkit.n > 0 ? toolkit.folders[0] : "none are found");
    qn__arena_release(&arena);
    /* else PoCL compiles each kernel once more, for the file */
    if (qn_cache_set_mode("off") != QN_OK) {
        printf("%s\n", qn_message());
        return EXIT_FAILURE;
    }
    const struct fixture_case cases[] = {
        {a_kernel_writes_its_numbers, ROWS},
        {a_wait_for_what_comes_later_fails, 2},
        {compares ? the_toolkits_headers_write_the_same : NULL, ROWS - FIRST_VALUE},
        {NULL, 0}};
    return fixture_run("std", NULL, NULL, close_modules, cases);
}
