/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that the API tests run, in the CUDA dialect: small, exact, and told apart by their
 * results, so that a launch with the wrong dimensions or arguments cannot pass. */
#ifndef QN_TESTS_RUNTIME_KERNELS_H
#define QN_TESTS_RUNTIME_KERNELS_H

#include "tests/runtime_fixture.h"

static const char kernels_text[] =
    "extern \"C\" __global__ void saxpy(float *y, const float *x, float a, unsigned n)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n)\n"
    "        y[i] = y[i] + a * x[i];\n"
    "}\n"
    "\n"
    "// every thread of a 3-D launch says where it is\n"
    "extern \"C\" __global__ void places(unsigned *out)\n"
    "{\n"
    "    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;\n"
    "    unsigned w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;\n"
    "    out[(z * h + y) * w + x] = (blockIdx.x << 20) | (blockIdx.y << 16) | (blockIdx.z << 12) "
    "|\n"
    "                               (threadIdx.x << 8) | (threadIdx.y << 4) | threadIdx.z;\n"
    "}\n"
    "\n"
    "// dynamic shared memory: each block's elements backwards\n"
    "extern \"C\" __global__ void reverse(int *data)\n"
    "{\n"
    "    extern __shared__ int tile[];\n"
    "    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    tile[threadIdx.x] = data[at];\n"
    "    __syncthreads();\n"
    "    data[at] = tile[blockDim.x - 1 - threadIdx.x];\n"
    "}\n"
    "\n"
    "// static shared memory: 256 ints, blocks of at most 64 threads\n"
    "extern \"C\" __global__ void __launch_bounds__(64) neighbour(int *data)\n"
    "{\n"
    "    __shared__ int tile[256];\n"
    "    tile[threadIdx.x] = data[threadIdx.x];\n"
    "    __syncthreads();\n"
    "    data[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];\n"
    "}\n"
    "\n"
    "__constant__ int weights[4] = {2, 3, 5, 7};\n"
    "__device__ unsigned tally;\n"
    "extern \"C\" __global__ void weigh(int *data, unsigned n)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) {\n"
    "        data[i] *= weights[i % 4];\n"
    "        atomicAdd(&tally, 1u);\n"
    "    }\n"
    "}\n"
    "\n"
    "// follows device addresses found in memory\n"
    "struct item { struct item *next; long long value; };\n"
    "extern \"C\" __global__ void sum_list(long long *out, const struct item *first)\n"
    "{\n"
    "    long long sum = 0;\n"
    "    for (const struct item *i = first; i; i = i->next)\n"
    "        sum += i->value;\n"
    "    *out = sum;\n"
    "}\n"
    "\n"
    "// takes a while: `rounds` steps of a small generator\n"
    "extern \"C\" __global__ void churn(unsigned *out, unsigned rounds)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i;\n"
    "    for (unsigned r = 0; r < rounds; r++)\n"
    "        v = v * 1664525u + 1013904223u;\n"
    "    out[i] = v;\n"
    "}\n"
    "\n"
    "namespace ns {\n"
    "template <typename T, int K> __global__ void scale(T *data, unsigned n)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n)\n"
    "        data[i] = (T)(data[i] * K);\n"
    "}\n"
    "}\n";

static const char *const kernels_names[] = {"ns::scale<int, 3>", "ns::scale<float, 2>"};

/* What churn leaves in out[i]: the step, as often as `rounds` says, by doubling it. */
static inline uint32_t churned(uint32_t i, uint32_t rounds)
{
    uint32_t factor = 1664525u, summand = 1013904223u, v = i;
    for (; rounds; rounds /= 2) {
        if (rounds % 2)
            v = v * factor + summand;
        summand *= factor + 1;
        factor *= factor;
    }
    return v;
}

/* The module of all of them, built through the cache. */
static inline qn_module *build_kernels(void)
{
    const qn_source source = {
        .text = kernels_text, .path = "runtime_kernels.cu", .names = kernels_names, .n_names = 2};
    qn_module *mod;
    qn_log log = {0};
    const qn_status s = qn_module_build(&mod, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s: %s\n%s", qn_status_name(s), qn_message(),
                  log.text ? log.text : "");
    qn_log_release(&log);
    return mod;
}

static inline const qn_kernel *kernel(qn_module *mod, const char *name)
{
    const qn_kernel *k;
    must(qn_kernel_find(&k, mod, name));
    return k;
}

#endif
