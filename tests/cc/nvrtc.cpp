/* SPDX-License-Identifier: Apache-2.0
 *
 * covers: cudart/nvrtc cudart/nvrtc_options cudart/loaded_image
 *
 * NVRTC's calls: a program that compiles its kernels itself. With an argument: only load what
 * another run has written into that file. */
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <fstream>
#include <nvrtc.h>
#include <sstream>
#include <string>
#include <vector>

#define OK(call)                                                                                   \
    do {                                                                                           \
        const int r_ = (int)(call);                                                                \
        if (r_ != 0) {                                                                             \
            printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, r_);                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char source[] = "#include \"twice.h\"\n"
                             "#include \"found.h\"\n"
                             "namespace app {\n"
                             "__device__ int bias;\n"
                             "__constant__ int table[4] = {1, 2, 3, 4};\n"
                             "template <class T, int n> __global__ void scale(T *p)\n"
                             "{\n"
                             "    p[threadIdx.x] = p[threadIdx.x] * n + (T)bias + table[3];\n"
                             "}\n"
                             "}\n"
                             "extern \"C\" __global__ void plain(int *p)\n"
                             "{\n"
                             "    p[threadIdx.x] = twice(p[threadIdx.x]) + ADD + FOUND;\n"
                             "}\n";

static std::string log_of(nvrtcProgram program)
{
    size_t n = 0;
    OK(nvrtcGetProgramLogSize(program, &n));
    std::string text(n, 'x');
    OK(nvrtcGetProgramLog(program, &text[0]));
    EXPECT(n >= 1 && text[n - 1] == 0);
    return text.c_str();
}

static void run(const char *image, const char *instance, const char *variable)
{
    CUmodule module;
    CUfunction f;
    CUdeviceptr p, at;
    size_t bytes = 0;
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&f, module, "plain"));
    int values[4] = {1, 2, 3, 4};
    OK(cuMemAlloc(&p, sizeof values));
    OK(cuMemcpyHtoD(p, values, sizeof values));
    void *arguments[] = {&p};
    OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, arguments, 0));
    OK(cuMemcpyDtoH(values, p, sizeof values));
    EXPECT(values[0] == 1002 + 70 && values[3] == 1008 + 70);
    const int seven = 7;
    double numbers[4] = {0, 1, 2, 3};
    CUdeviceptr q;
    OK(cuModuleGetGlobal(&at, &bytes, module, variable));
    EXPECT(bytes == 4);
    OK(cuMemcpyHtoD(at, &seven, 4));
    OK(cuModuleGetFunction(&f, module, instance));
    OK(cuMemAlloc(&q, sizeof numbers));
    OK(cuMemcpyHtoD(q, numbers, sizeof numbers));
    void *of[] = {&q};
    OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, of, 0));
    OK(cuMemcpyDtoH(numbers, q, sizeof numbers));
    EXPECT(numbers[0] == 11 && numbers[1] == 14 && numbers[3] == 20);
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    OK(cuModuleUnload(module));
}

static void check_mistakes()
{
    nvrtcProgram program = nullptr;
    size_t n;
    const char *name;
    EXPECT(nvrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr, nullptr) ==
           NVRTC_ERROR_INVALID_INPUT);
    OK(nvrtcCreateProgram(&program, "__global__ void k(int *p) { *p = nothing; }\n", "wrong.cu", 0,
                          nullptr, nullptr));
    EXPECT(nvrtcGetCUBINSize(program, &n) == NVRTC_ERROR_INVALID_PROGRAM);
    EXPECT(nvrtcGetLoweredName(program, "k", &name) ==
           NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    const char *const unknown[] = {"--frobnicate"};
    EXPECT(nvrtcCompileProgram(program, 1, unknown) == NVRTC_ERROR_INVALID_OPTION);
    EXPECT(log_of(program).find("--frobnicate") != std::string::npos);
    EXPECT(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION);
    EXPECT(log_of(program).find("wrong.cu") != std::string::npos);
    EXPECT(log_of(program).find("nothing") != std::string::npos);
    EXPECT(nvrtcAddNameExpression(program, "k") ==
           NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    OK(nvrtcDestroyProgram(&program));
    EXPECT(program == nullptr && nvrtcDestroyProgram(&program) == NVRTC_ERROR_INVALID_PROGRAM);
    EXPECT(!strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION"));
}

static void check_unmarked()
{
    nvrtcProgram program;
    const char *const options[] = {"--device-as-default-execution-space"};
    OK(nvrtcCreateProgram(&program,
                          "int f(int x) { return x + 1; }\n"
                          "extern \"C\" __global__ void k(int *p) { *p = f(*p); }\n",
                          nullptr, 0, nullptr, nullptr));
    EXPECT(nvrtcCompileProgram(program, 1, options) == NVRTC_SUCCESS);
    OK(nvrtcDestroyProgram(&program));
}

static std::string read(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    int major = 0, minor = 0, n = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, 0, device));
    if (argc > 2) {
        run(read(argv[2]).c_str(), "_ZN3app5scaleIdLi3EEEvPT_", "_ZN3app4biasE");
        FINISH();
    }
    const std::string folder = argc > 1 ? argv[1] : ".";
    std::ofstream(folder + "/found.h") << "#define FOUND 70\n";
    nvrtcProgram program;
    const char *const names[] = {"twice.h"};
    const char *const headers[] = {"__device__ inline int twice(int x) { return 2 * x; }\n"};
    OK(nvrtcVersion(&major, &minor));
    EXPECT(major == 12 && minor == 4);
    OK(nvrtcGetNumSupportedArchs(&n));
    std::vector<int> archs((size_t)n);
    OK(nvrtcGetSupportedArchs(archs.data()));
    EXPECT(n >= 1 && archs[0] >= 30);
    OK(nvrtcCreateProgram(&program, source, "app.cu", 1, headers, names));
    OK(nvrtcAddNameExpression(program, "app::scale<double, 3>"));
    OK(nvrtcAddNameExpression(program, "&app::bias"));
    const std::string include = "--include-path=" + folder;
    const char *const options[] = {"--gpu-architecture=compute_70", "-D", "ADD=1000",
                                   include.c_str(), "--std=c++17"};
    const nvrtcResult result = nvrtcCompileProgram(program, 5, options);
    if (result != NVRTC_SUCCESS)
        printf("%s\n", log_of(program).c_str());
    OK(result);
    const char *instance = nullptr, *variable = nullptr, *other;
    OK(nvrtcGetLoweredName(program, "app::scale<double, 3>", &instance));
    OK(nvrtcGetLoweredName(program, "&app::bias", &variable));
    EXPECT(!strcmp(instance, "_ZN3app5scaleIdLi3EEEvPT_"));
    EXPECT(nvrtcGetLoweredName(program, "app::other", &other) ==
           NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    const std::string kept_instance = instance, kept_variable = variable;
    size_t n_ptx = 0, n_cubin = 0;
    OK(nvrtcGetPTXSize(program, &n_ptx));
    std::string ptx(n_ptx, 0);
    OK(nvrtcGetPTX(program, &ptx[0]));
    EXPECT(strlen(ptx.c_str()) + 1 == n_ptx);
    OK(nvrtcGetCUBINSize(program, &n_cubin));
    std::vector<char> cubin(n_cubin);
    OK(nvrtcGetCUBIN(program, cubin.data()));
    OK(nvrtcDestroyProgram(&program));
    run(ptx.c_str(), kept_instance.c_str(), kept_variable.c_str());
    run(cubin.data(), kept_instance.c_str(), kept_variable.c_str());
    std::ofstream(folder + "/image.ptx") << ptx.c_str();
    std::string damaged = ptx;
    damaged[damaged.size() / 2] = '?';
    CUmodule module;
    EXPECT(cuModuleLoadData(&module, damaged.c_str()) == CUDA_ERROR_INVALID_IMAGE);
    check_mistakes();
    check_unmarked();
    OK(cuCtxDestroy(context));
    FINISH();
}
