/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative launches: where the backend keeps all blocks on the device, they wait for each other;
 * elsewhere the launch is refused, and so is a grid that does not fit.
 *
 * covers: runtime/cpu/cpu_crew */
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
#define HEADERS                                                                                    \
    "#ifdef __HIPCC_RTC__\n"                                                                       \
    "#include <hip/hip_cooperative_groups.h>\n"                                                    \
    "#else\n"                                                                                      \
    "#include <cooperative_groups.h>\n"                                                            \
    "#endif\n"
static const char syncs[] =
    HEADERS "extern \"C\" __global__ void k(unsigned *arrived, unsigned *data, unsigned *out)\n"
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
/* And with the counter of CUDA's own barrier, by hand: each half of its turns ends when the top bit
 * changes. */
static const char counts[] =
    "#include <cooperative_groups.h>\n"
    "static __device__ void meet()\n"
    "{\n"
    "    unsigned *word = &cooperative_groups::details::get_grid_workspace()->barrier;\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) {\n"
    "        const unsigned step = blockIdx.x == 0 ? 0x80000001u - gridDim.x : 1u;\n"
    "        unsigned before, now;\n"
    "        asm volatile(\"atom.add.release.gpu.u32 %0, [%1], %2;\"\n"
    "                     : \"=r\"(before) : _CG_ASM_PTR_CONSTRAINT(word), \"r\"(step) : "
    "\"memory\");\n"
    "        do\n"
    "            asm volatile(\"ld.acquire.gpu.u32 %0, [%1];\"\n"
    "                         : \"=r\"(now) : _CG_ASM_PTR_CONSTRAINT(word) : \"memory\");\n"
    "        while (((before ^ now) >> 31) == 0);\n"
    "    }\n"
    "    __syncthreads();\n"
    "}\n"
    "extern \"C\" __global__ void k(unsigned *arrived, unsigned *data, unsigned *out)\n"
    "{\n"
    "    for (unsigned round = 1; round <= 2; round++) {\n"
    "        if (threadIdx.x == 0)\n"
    "            data[blockIdx.x] = blockIdx.x * 3 + round;\n"
    "        meet();\n"
    "        if (threadIdx.x == 0)\n"
    "            out[blockIdx.x] += data[(blockIdx.x + 1) % gridDim.x];\n"
    "        meet();\n"
    "    }\n"
    "}\n";

static bool is_on(const char *backend)
{
    return strcmp(qn_device_get_info(device)->backend, backend) == 0;
}

static bool has_none(void)
{
    return is_on("opencl"); /* which promises no such thing */
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

START_TEST(a_kernel_may_count_the_blocks_that_arrive_itself)
{
    qn_module *module = NULL;
    if (is_on("hip")) /* which has no such counter */
        return;
    if (!has_none()) {
        run(counts);
        return;
    }
    must_not(QN_E_UNSUPPORTED, build(&module, counts));
    ck_assert_ptr_nonnull(strstr(qn_message(), "cooperative.cu:4:"));
    ck_assert_ptr_nonnull(strstr(qn_message(), "a barrier across blocks, by the counter"));
    ck_assert_ptr_nonnull(strstr(qn_message(), "launch the rest as a second one"));
}
END_TEST

START_TEST(values_live_across_the_barrier_of_a_grid)
{
    static const char text[] =
        HEADERS "extern \"C\" __global__ void k(unsigned *data, unsigned *out, unsigned rounds)\n"
                "{\n"
                "    __shared__ unsigned kept[32];\n"
                "    cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n"
                "    const unsigned n = gridDim.x * blockDim.x;\n"
                "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    unsigned own = i;\n"
                "    kept[threadIdx.x] = i;\n"
                "    for (unsigned round = 0; round < rounds; round++) {\n"
                "        data[i] = own;\n"
                "        grid.sync();\n"
                "        own = data[(i + 33) % n] + 1;\n"
                "        grid.sync();\n"
                "    }\n"
                "    out[i] = own * 1000 + kept[threadIdx.x];\n"
                "}\n";
    enum { N = BLOCKS * THREADS, ROUNDS = 5 };
    uint32_t got[N], rounds = ROUNDS;
    const qn_dims dims = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    const qn_kernel *kernel;
    qn_module *module;
    if (has_none())
        return;
    qn_addr data = alloc(sizeof got), out = alloc(sizeof got);
    void *const args[] = {&data, &out, &rounds};
    must(build(&module, text));
    must(qn_kernel_find(&kernel, module, "k"));
    must(qn_stream_launch_cooperative(stream, kernel, &dims, args));
    must(qn_memory_download(device, got, out, sizeof got, stream));
    must(qn_stream_sync(stream));
    for (uint32_t i = 0; i < N; i++)
        ck_assert_uint_eq(got[i], ((i + 33 * ROUNDS) % N + ROUNDS) * 1000 + i);
    qn_module_close(module);
    qn_memory_free(device, data);
    qn_memory_free(device, out);
}
END_TEST

/* What would wait for ever on a GPU is a fault on the processor; the device can be used on. */
static const struct {
    const char *name, *body, *said;
    bool is_cooperative;
} faults[] = {
    {"a launch that is not cooperative", "grid.sync();",
     "cooperative.cu:9: grid.sync() in a launch that is not cooperative", false},
    {"the counter in a launch that is not cooperative",
     "if (*(unsigned *)cooperative_groups::details::get_grid_workspace()) grid.sync();",
     "cooperative.cu:9: a barrier across blocks in a launch that is not cooperative", false},
    {"a block that ends early", "if (blockIdx.x == 3) return; grid.sync();",
     "1 of 8 blocks ended while the others wait for them in grid.sync()", true},
    {"a block that faults", "if (blockIdx.x == 3) __trap(); grid.sync(); grid.sync();",
     "cooperative.cu:9: trap", true},
};

START_TEST(a_wait_that_has_no_end_is_a_fault_on_the_processor)
{
    const qn_dims dims = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    const qn_kernel *kernel;
    qn_module *module;
    char text[1000];
    if (!is_on("cpu"))
        return;
    snprintf(text, sizeof text,
             HEADERS "extern \"C\" __global__ void k()\n"
                     "{\n"
                     "    cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n"
                     "    %s\n"
                     "}\n",
             faults[_i].body);
    must(build(&module, text));
    must(qn_kernel_find(&kernel, module, "k"));
    if (faults[_i].is_cooperative)
        must(qn_stream_launch_cooperative(stream, kernel, &dims, NULL));
    else
        must(qn_stream_launch(stream, kernel, &dims, NULL));
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    ck_assert_msg(strstr(qn_message(), faults[_i].said), "%s: %s", faults[_i].name, qn_message());
    must(qn_stream_sync(stream));
    qn_module_close(module);
}
END_TEST

static const struct {
    const char *call, *said;
} refusals[] = {
    {"cooperative_groups::this_multi_grid().sync();", "a barrier across devices (multi_grid.sync)"},
};

START_TEST(what_a_translated_kernel_cannot_wait_for_is_refused)
{
    char text[1000];
    qn_module *module = NULL;
    if (!has_none() && !is_on("cpu"))
        return;
    snprintf(text, sizeof text, HEADERS "extern \"C\" __global__ void k(int *p)\n{\n    %s\n}\n",
             refusals[_i].call);
    must_not(QN_E_UNSUPPORTED, build(&module, text));
    ck_assert_msg(strstr(qn_message(), refusals[_i].said), "%s", qn_message());
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {blocks_of_a_cooperative_launch_wait_for_each_other, 1},
        {grid_sync_works_in_a_cooperative_launch_or_is_refused_with_the_reason, 1},
        {a_kernel_may_count_the_blocks_that_arrive_itself, 1},
        {values_live_across_the_barrier_of_a_grid, 1},
        {a_wait_that_has_no_end_is_a_fault_on_the_processor, sizeof faults / sizeof *faults},
        {what_a_translated_kernel_cannot_wait_for_is_refused, sizeof refusals / sizeof *refusals},
        {NULL, 0}};
    return fixture_run("cooperative", NULL, NULL, NULL, cases);
}
