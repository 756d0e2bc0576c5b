/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative launches: where the backend keeps all blocks on the device, they wait for each other;
 * elsewhere the launch is refused, and so is a grid that does not fit. */
#include "tests/runtime_fixture.h"

#include <stdbool.h>

enum { BLOCKS = 8, THREADS = 32 };

/* Every block writes, all meet, every block reads what the next one wrote: twice. */
static const char waits[] =
    "extern \"C\" __global__ void k(unsigned *arrived, unsigned *data, unsigned *out)\n"
    "{\n"
    "    for (unsigned round = 1; round <= 2; round++) {\n"
    "        if (threadIdx.x == 0) {\n"
    "            data[blockIdx.x] = blockIdx.x * 3 + round;\n"
    "            __threadfence();\n"
    "            atomicAdd(arrived, 1u);\n"
    "            while (atomicAdd(arrived, 0u) < (2 * round - 1) * gridDim.x) {\n"
    "            }\n"
    "            __threadfence();\n"
    "            out[blockIdx.x] += *(volatile unsigned *)(data + (blockIdx.x + 1) % gridDim.x);\n"
    "            __threadfence();\n"
    "            atomicAdd(arrived, 1u);\n"
    "            while (atomicAdd(arrived, 0u) < 2 * round * gridDim.x) {\n"
    "            }\n"
    "        }\n"
    "        __syncthreads();\n"
    "    }\n"
    "}\n";
/* The same with CUDA's own barrier. */
static const char syncs[] =
    "#ifdef __HIPCC_RTC__\n"
    "#include <hip/hip_cooperative_groups.h>\n"
    "#else\n"
    "#include <cooperative_groups.h>\n"
    "#endif\n"
    "extern \"C\" __global__ void k(unsigned *arrived, unsigned *data, unsigned *out)\n"
    "{\n"
    "    cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n"
    "    for (unsigned round = 1; round <= 2; round++) {\n"
    "        if (threadIdx.x == 0)\n"
    "            data[blockIdx.x] = blockIdx.x * 3 + round;\n"
    "        grid.sync();\n"
    "        if (threadIdx.x == 0)\n"
    "            out[blockIdx.x] += data[(blockIdx.x + 1) % gridDim.x];\n"
    "        grid.sync();\n"
    "    }\n"
    "}\n";

/* OpenCL promises no such thing, and on the processor blocks run one after the other. */
static bool has_none(void)
{
    const char *const backend = qn_device_get_info(device)->backend;
    return strcmp(backend, "opencl") == 0 || strcmp(backend, "cpu") == 0;
}

static qn_status build(qn_module **out, const char *text)
{
    const qn_source source = {.text = text, .path = "cooperative.cu"};
    return qn_module_build(out, device, &source, NULL, NULL);
}

static void run(const char *text)
{
    uint32_t got[BLOCKS] = {0}, zeros[BLOCKS] = {0};
    const qn_dims dims = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    const qn_kernel *kernel;
    qn_module *module;
    qn_addr arrived = alloc(sizeof got), data = alloc(sizeof got), out = alloc(sizeof got);
    void *const args[] = {&arrived, &data, &out};
    must(build(&module, text));
    must(qn_kernel_find(&kernel, module, "k"));
    must(qn_memory_upload(device, arrived, zeros, sizeof zeros, stream));
    must(qn_memory_upload(device, out, zeros, sizeof zeros, stream));
    if (has_none()) {
        must_not(QN_E_UNSUPPORTED, qn_stream_launch_cooperative(stream, kernel, &dims, args));
        ck_assert_ptr_nonnull(strstr(qn_message(), "all blocks on the device at once"));
        ck_assert_ptr_nonnull(strstr(qn_message(), "launch the rest as a second one"));
    } else {
        const qn_dims many = {.grid = {1u << 20, 1, 1}, .block = {THREADS, 1, 1}};
        must(qn_stream_launch_cooperative(stream, kernel, &dims, args));
        must(qn_memory_download(device, got, out, sizeof got, stream));
        must(qn_stream_sync(stream));
        for (uint32_t i = 0; i < BLOCKS; i++)
            ck_assert_uint_eq(got[i], (i + 1) % BLOCKS * 6 + 3);
        must_not(QN_E_LIMIT, qn_stream_launch_cooperative(stream, kernel, &many, args));
    }
    must(qn_stream_sync(stream));
    qn_module_close(module);
    qn_memory_free(device, arrived);
    qn_memory_free(device, data);
    qn_memory_free(device, out);
}

START_TEST(blocks_of_a_cooperative_launch_wait_for_each_other)
{
    run(waits);
}
END_TEST

START_TEST(grid_sync_works_in_a_cooperative_launch_or_is_refused_with_the_reason)
{
    qn_module *module = NULL;
    if (!has_none()) {
        run(syncs);
        return;
    }
    must_not(QN_E_UNSUPPORTED, build(&module, syncs));
    ck_assert_ptr_nonnull(strstr(qn_message(), "a barrier across blocks (grid.sync)"));
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {blocks_of_a_cooperative_launch_wait_for_each_other, 1},
        {grid_sync_works_in_a_cooperative_launch_or_is_refused_with_the_reason, 1},
        {NULL, 0}};
    return fixture_run("cooperative", NULL, NULL, NULL, cases);
}
