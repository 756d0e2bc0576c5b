/* SPDX-License-Identifier: Apache-2.0
 *
 * assert() and __trap() in a kernel: the sync reports file, line and expression, and which kernels
 * were queued. On OpenCL, which has neither, the translator makes them; the device then continues,
 * where a CUDA or HIP context would be lost.
 *
 * covers: compiler/lower/device_buffers */
#include "tests/runtime_fixture.h"

enum { N = 64 };

static const char text[] = "#include <assert.h>\n"
                           "extern \"C\" __global__ void checked(int *out, const int *in)\n"
                           "{\n"
                           "    __shared__ int s[64];\n"
                           "    const int i = threadIdx.x;\n"
                           "    s[i] = in[i];\n"
                           "    assert(in[i] < 1000);\n"
                           "    __syncthreads();\n"
                           "    out[i] = s[63 - i];\n"
                           "}\n"
                           "extern \"C\" __global__ void trapped(int *out, int limit)\n"
                           "{\n"
                           "    if (out[threadIdx.x] > limit)\n"
                           "        __trap();\n"
                           "    out[threadIdx.x] = 1;\n"
                           "}\n";

static qn_module *module;
static qn_addr in, out;
static int values[N];

static void open_all(void)
{
    const qn_source source = {.text = text, .path = "deep/checked.cu"};
    must(qn_module_build(&module, device, &source, NULL, NULL));
    in = alloc(sizeof values);
    out = alloc(sizeof values);
}

static void close_all(void)
{
    qn_memory_free(device, in);
    qn_memory_free(device, out);
    qn_module_close(module);
}

static void launch(const char *name, void *const *args)
{
    static const qn_dims dims = {.grid = {1, 1, 1}, .block = {N, 1, 1}};
    const qn_kernel *kernel;
    must(qn_kernel_find(&kernel, module, name));
    must(qn_stream_launch(stream, kernel, &dims, args));
}

/* in[i] = i, but one value fails the assertion when `is_wrong`. */
static void launch_checked(bool is_wrong)
{
    void *const args[] = {&out, &in};
    for (int i = 0; i < N; i++)
        values[i] = is_wrong && i == 40 ? 5000 : i;
    must(qn_memory_upload(device, in, values, sizeof values, stream));
    launch("checked", args);
}

START_TEST(a_failed_assertion_is_reported_by_the_sync)
{
    launch_checked(true);
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    const char *const want[] = {"checked.cu:7: assertion failed: in[i] < 1000", "checked"};
    for (int i = 0; i < 2; i++)
        ck_assert_msg(strstr(qn_message(), want[i]) != NULL, "%s", qn_message());
}
END_TEST

START_TEST(the_device_goes_on_after_a_failed_assertion)
{
    launch_checked(true);
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    launch_checked(false);
    must(qn_memory_download(device, values, out, sizeof values, stream));
    must(qn_stream_sync(stream));
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(values[i], 63 - i);
}
END_TEST

START_TEST(a_query_finds_the_failed_assertion_too)
{
    qn_status s;
    launch_checked(true);
    do
        s = qn_stream_query(stream);
    while (s == QN_E_NOT_READY);
    ck_assert_msg(s == QN_E_FAULT, "%s: %s", qn_status_name(s), qn_message());
    must(qn_stream_sync(stream));
}
END_TEST

START_TEST(a_trap_says_where)
{
    int limit = 30;
    void *const args[] = {&out, &limit};
    launch_checked(false);
    launch("trapped", args);
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    ck_assert_msg(strstr(qn_message(), "checked.cu:14: trap") != NULL, "%s", qn_message());
    limit = 100;
    launch("trapped", args);
    must(qn_stream_sync(stream));
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {{a_failed_assertion_is_reported_by_the_sync, 1},
                                         {the_device_goes_on_after_a_failed_assertion, 1},
                                         {a_query_finds_the_failed_assertion_too, 1},
                                         {a_trap_says_where, 1},
                                         {NULL, 0}};
    return fixture_run("assertions", translated_backend(), open_all, close_all, cases);
}
