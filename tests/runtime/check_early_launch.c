/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that may begin before what was queued before them has ended: each waits itself where the
 * device has such launches, and what it reads is whole. By themselves, in a captured stream, and
 * between plain launches and copies. */
#include "tests/runtime_fixture.h"

enum { BLOCKS = 64, THREADS = 64, ELEMENTS = BLOCKS * THREADS, ROUNDS = 50 };

/* Each block reads what another one of the launch before wrote. */
static const char text[] =
    "extern \"C\" __global__ void k(unsigned *to, const unsigned *from)\n"
    "{\n"
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n"
    "    asm volatile(\"griddepcontrol.launch_dependents;\" ::: \"memory\");\n"
    "    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
    "#endif\n"
    "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;\n"
    "    to[i] = *(const volatile unsigned *)(from + (i + 3 * blockDim.x) % n) + 1;\n"
    "}\n";

static uint32_t want(uint32_t i)
{
    return (i + 3 * THREADS * ROUNDS) % ELEMENTS * 5 + ROUNDS;
}

static void queue(const qn_kernel *kernel, qn_addr a, qn_addr b)
{
    const qn_dims dims = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    for (int i = 0; i < ROUNDS; i++) {
        qn_addr to = i % 2 ? a : b, from = i % 2 ? b : a;
        void *const args[] = {&to, &from};
        if (i % 10 == 9) /* what follows a plain launch waits for it, too */
            must(qn_stream_launch(stream, kernel, &dims, args));
        else
            must(qn_stream_launch_early(stream, kernel, &dims, args));
    }
}

START_TEST(launches_that_begin_early_read_what_was_written_before)
{
    static uint32_t first[ELEMENTS], got[ELEMENTS];
    const qn_source source = {.text = text, .path = "early.cu"};
    const qn_kernel *kernel;
    qn_module *module;
    qn_addr a = alloc(sizeof got), b = alloc(sizeof got);
    for (uint32_t i = 0; i < ELEMENTS; i++)
        first[i] = 5 * i;
    must(qn_module_build(&module, device, &source, NULL, NULL));
    must(qn_kernel_find(&kernel, module, "k"));
    for (int captured = 0; captured < 2; captured++) {
        qn_graph *graph = NULL;
        must(qn_memory_upload(device, a, first, sizeof first, stream));
        must(qn_stream_sync(stream));
        if (captured)
            must(qn_stream_capture_begin(stream));
        queue(kernel, a, b);
        if (captured) {
            must(qn_stream_capture_end(&graph, stream));
            must(qn_graph_launch(graph, stream));
        }
        must(qn_memory_download(device, got, a, sizeof got, stream));
        must(qn_stream_sync(stream));
        qn_graph_destroy(graph);
        for (uint32_t i = 0; i < ELEMENTS; i++)
            ck_assert_uint_eq(got[i], want(i));
    }
    qn_module_close(module);
    qn_memory_free(device, a);
    qn_memory_free(device, b);
}
END_TEST

START_TEST(an_early_launch_is_checked_as_every_other)
{
    const qn_source source = {.text = text, .path = "early.cu"};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {1u << 20, 1, 1}};
    const qn_kernel *kernel;
    qn_module *module;
    qn_addr a = alloc(4);
    void *const args[] = {&a, &a};
    must(qn_module_build(&module, device, &source, NULL, NULL));
    must(qn_kernel_find(&kernel, module, "k"));
    must_not(QN_E_INVALID, qn_stream_launch_early(stream, kernel, &dims, NULL));
    must_not(QN_E_LIMIT, qn_stream_launch_early(stream, kernel, &dims, args));
    qn_module_close(module);
    qn_memory_free(device, a);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {launches_that_begin_early_read_what_was_written_before, 1},
        {an_early_launch_is_checked_as_every_other, 1},
        {NULL, 0}};
    return fixture_run("early_launch", NULL, NULL, NULL, cases);
}
