/* SPDX-License-Identifier: Apache-2.0
 *
 * covers: cudart/nvrtc cudart/driver_modules
 *
 * hipRTC and HIP's modules. */
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static int n_failed;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            n_failed++;                                                                            \
        }                                                                                          \
    } while (0)

int main()
{
    hiprtcProgram program;
    const char *const source = "extern \"C\" __global__ void add(float *p, float x, int n)\n"
                               "{\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    if (i < n) p[i] += x;\n"
                               "}\n"
                               "__device__ int answer = 42;\n"
                               "extern \"C\" __global__ void get(int *p) { *p = answer; }\n";
    std::vector<const char *> options = {"--offload-arch=gfx90a", "-O3"};
    EXPECT(hiprtcCreateProgram(&program, source, "add.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
    const hiprtcResult result = hiprtcCompileProgram(program, 2, options.data());
    EXPECT(result == HIPRTC_SUCCESS);
    size_t n = 0;
    EXPECT(hiprtcGetCodeSize(program, &n) == HIPRTC_SUCCESS);
    std::vector<char> code(n);
    EXPECT(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
    EXPECT(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);

    hipModule_t module;
    hipFunction_t add;
    float *p = nullptr, values[64];
    hipError_t error = hipInit(0);
    EXPECT(error == hipSuccess);
    EXPECT(hipMalloc((void **)&p, sizeof values) == hipSuccess);
    EXPECT(hipModuleLoadData(&module, code.data()) == hipSuccess);
    EXPECT(hipModuleGetFunction(&add, module, "add") == hipSuccess);
    EXPECT(hipMemsetD32((hipDeviceptr_t)p, 0, 64) == hipSuccess);
    struct {
        float *p;
        float x;
        int n;
    } packed = {p, 2.5f, 60};
    size_t bytes = sizeof packed;
    void *config[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE,
                      &bytes, HIP_LAUNCH_PARAM_END};
    EXPECT(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, config) ==
           hipSuccess);
    EXPECT(hipMemcpyDtoH(values, (hipDeviceptr_t)p, sizeof values) == hipSuccess);
    EXPECT(values[0] == 2.5f && values[59] == 2.5f && values[60] == 0);
    hipDeviceptr_t at = nullptr;
    EXPECT(hipModuleGetGlobal(&at, &bytes, module, "answer") == hipSuccess && bytes == 4);
    EXPECT(hipModuleUnload(module) == hipSuccess);
    EXPECT(hipFree(p) == hipSuccess);
    printf("%s\n", n_failed ? "FAIL" : "PASS");
    return n_failed != 0;
}
