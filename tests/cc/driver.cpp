/* SPDX-License-Identifier: Apache-2.0
 *
 * covers: cudart/driver_contexts cudart/driver_copies cudart/driver_devices cudart/driver_errors
 * covers: cudart/driver_launches cudart/driver_memory cudart/driver_modules cudart/driver_streams
 * covers: cudart/loaded_image
 *
 * The driver API: argv[1] is what `quern cc -fatbin` made of driver_kernels.cu. */
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#define OK(call)                                                                                   \
    do {                                                                                           \
        const CUresult r_ = (call);                                                                \
        if (r_ != CUDA_SUCCESS) {                                                                  \
            const char *name_ = "?";                                                               \
            cuGetErrorName(r_, &name_);                                                            \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_);                           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void check_errors()
{
    const char *text = nullptr;
    EXPECT(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text) == CUDA_SUCCESS &&
           !strcmp(text, "CUDA_ERROR_NOT_FOUND"));
    EXPECT(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text) == CUDA_SUCCESS &&
           !strcmp(text, "invalid argument"));
    EXPECT(cuGetErrorName((CUresult)12345, &text) == CUDA_ERROR_INVALID_VALUE);
}

static void check_devices(CUdevice *device)
{
    int n = 0, value = 0, major = 0, minor = 0;
    char name[256] = "";
    size_t bytes = 0;
    CUuuid a, b;
    EXPECT(cuDeviceGetCount(&n) == CUDA_ERROR_NOT_INITIALIZED);
    OK(cuInit(0));
    EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
    OK(cuDeviceGetCount(&n));
    EXPECT(n >= 1);
    EXPECT(cuDeviceGet(device, n) == CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGet(device, 0));
    OK(cuDeviceGetName(name, sizeof name, *device));
    EXPECT(name[0]);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, *device));
    EXPECT(value == 32);
    OK(cuDeviceComputeCapability(&major, &minor, *device));
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, *device));
    EXPECT(value == major && major >= 3);
    OK(cuDeviceTotalMem(&bytes, *device));
    EXPECT(bytes > 1 << 20);
    OK(cuDeviceGetUuid(&a, *device));
    OK(cuDeviceGetUuid(&b, *device));
    EXPECT(!memcmp(&a, &b, sizeof a));
    OK(cuDriverGetVersion(&value));
    EXPECT(value == 12040);
    typedef CUresult (*version_of)(int *);
    version_of f = nullptr;
    OK(cuGetProcAddress("cuDriverGetVersion", (void **)&f, 12000, 0));
    EXPECT(f && f(&major) == CUDA_SUCCESS && major == 12040);
    EXPECT(cuGetProcAddress("cuNothing", (void **)&f, 12000, 0) == CUDA_ERROR_NOT_FOUND);
}

static void check_contexts(CUdevice device, CUcontext *context)
{
    CUcontext got = nullptr, primary = nullptr;
    CUdeviceptr p;
    CUdevice of = -1;
    unsigned int flags = 9;
    int active = 9;
    OK(cuCtxGetCurrent(&got));
    EXPECT(got == nullptr);
    EXPECT(cuMemAlloc(&p, 16) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT(flags == 0 && active == 0);
    EXPECT(cuDevicePrimaryCtxRelease(device) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxRetain(&primary, device));
    OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    EXPECT(active == 1);
    OK(cuCtxSetCurrent(primary));
    OK(cuCtxGetDevice(&of));
    EXPECT(of == device);
    OK(cuCtxCreate(context, CU_CTX_SCHED_AUTO, device));
    OK(cuCtxGetCurrent(&got));
    EXPECT(got == *context);
    OK(cuCtxPopCurrent(&got));
    EXPECT(got == *context);
    OK(cuCtxGetCurrent(&got));
    EXPECT(got == primary);
    OK(cuCtxPushCurrent(*context));
    EXPECT(cuCtxSetCurrent((CUcontext)&of) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxDestroy(primary) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuDevicePrimaryCtxRelease(device));
    CUctxCreateParams none = {};
    CUcontext other;
    OK(cuCtxCreate(&other, &none, 0, device));
    OK(cuCtxDestroy(other));
    OK(cuCtxGetCurrent(&got));
    EXPECT(got == *context);
}

static void check_functions(CUmodule module)
{
    enum { N = 1000 };
    CUfunction add, again, times;
    CUdeviceptr a, b, out, at;
    size_t bytes;
    std::vector<int> x(N), y(N), z(N);
    for (int i = 0; i < N; i++)
        x[i] = i, y[i] = 3 * i;
    OK(cuModuleGetFunction(&add, module, "add"));
    OK(cuModuleGetFunction(&again, module, "add"));
    EXPECT(add == again);
    EXPECT(cuModuleGetFunction(&again, module, "nothing") == CUDA_ERROR_NOT_FOUND);
    OK(cuModuleGetGlobal(&at, &bytes, module, "offset"));
    EXPECT(bytes == 4);
    const int five = 100;
    OK(cuMemcpyHtoD(at, &five, 4));
    OK(cuMemAlloc(&a, N * 4));
    OK(cuMemAlloc(&b, N * 4));
    OK(cuMemAlloc(&out, N * 4));
    OK(cuMemcpyHtoD(a, x.data(), N * 4));
    OK(cuMemcpyHtoD(b, y.data(), N * 4));
    int n = N;
    void *arguments[] = {&out, &a, &b, &n};
    OK(cuLaunchKernel(add, (N + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(z.data(), out, N * 4));
    EXPECT(z[0] == 100 && z[1] == 104 && z[999] == 4096);
    EXPECT(cuLaunchKernel(add, 0, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr) ==
           CUDA_ERROR_INVALID_VALUE);

    /* a buffer of arguments */
    CUfunction mixed;
    struct pair {
        char tag;
        double value;
    };
    struct {
        CUdeviceptr out;
        char c;
        pair p;
        short s;
        CUdeviceptr count;
    } packed = {out, 1, {2, 0.5}, 4, b};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    OK(cuModuleGetFunction(&mixed, module, "mixed"));
    OK(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
    double sum = 0;
    int count = 0;
    OK(cuMemcpyDtoH(&sum, out, 8));
    OK(cuMemcpyDtoH(&count, b, 4));
    EXPECT(sum == 7.5 && count == 3);
    size = 8;
    EXPECT(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) ==
           CUDA_ERROR_INVALID_VALUE);

    /* a template's instance, dynamic shared memory, a variable in a namespace */
    OK(cuModuleGetFunction(&times, module, "_Z5timesIfEvPT_"));
    float f[32];
    for (int i = 0; i < 32; i++)
        f[i] = (float)i;
    OK(cuMemcpyHtoD(a, f, sizeof f));
    CUlaunchConfig config = {1, 1, 1, 32, 1, 1, sizeof f, nullptr, nullptr, 0};
    void *one[] = {&a};
    OK(cuLaunchKernelEx(&config, times, one, nullptr));
    OK(cuMemcpyDtoH(f, a, sizeof f));
    EXPECT(f[0] == 62 && f[1] == 60 && f[31] == 0);
    OK(cuModuleGetGlobal(&at, &bytes, module, "_ZN5table5scaleE"));
    EXPECT(bytes == 4);
    CUlaunchAttribute cluster;
    memset(&cluster, 0, sizeof cluster);
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = 2;
    cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = 1;
    EXPECT(cuLaunchKernelEx(&config, times, one, nullptr) == CUDA_ERROR_NOT_SUPPORTED);

    int value = 0, grid = 0, block = 0;
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
    EXPECT(value > 0 && value <= 1024);
    OK(cuFuncSetAttribute(times, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
    EXPECT(cuFuncSetAttribute(times, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30) ==
           CUDA_ERROR_INVALID_VALUE);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 128, 0));
    EXPECT(value >= 1);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, nullptr, 0, 0));
    EXPECT(grid >= 1 && block >= 32);
    CUmodule of = nullptr;
    const char *name = nullptr;
    OK(cuFuncGetModule(&of, add));
    OK(cuFuncGetName(&name, add));
    EXPECT(of == module && !strcmp(name, "add"));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    OK(cuMemFree(out));
}

static void check_memory()
{
    CUdeviceptr p, q, begin = 0;
    size_t pitch = 0, n = 0;
    unsigned int words[64];
    unsigned short halves[8];
    OK(cuMemAlloc(&p, 256));
    OK(cuMemsetD32(p, 0x01020304, 64));
    OK(cuMemsetD16(p + 8, 0xabcd, 2));
    OK(cuMemsetD8(p + 16, 7, 3));
    OK(cuMemcpyDtoH(words, p, 256));
    EXPECT(words[0] == 0x01020304 && words[2] == 0xabcdabcd && words[4] == 0x01070707 &&
           words[63] == 0x01020304);
    EXPECT(cuMemsetD32(p + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemGetAddressRange(&begin, &n, p + 100));
    EXPECT(begin == p && n == 256);
    unsigned int type = 0;
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    EXPECT(type == CU_MEMORYTYPE_DEVICE);
    OK(cuMemAllocPitch(&q, &pitch, 16, 4, 4));
    EXPECT(pitch >= 16);
    OK(cuMemsetD2D16(q, pitch, 0x1111, 8, 4));
    CUDA_MEMCPY2D copy;
    memset(&copy, 0, sizeof copy);
    for (int i = 0; i < 64; i++)
        words[i] = (unsigned int)i;
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = words;
    copy.srcPitch = 32;
    copy.srcXInBytes = 4;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = q;
    copy.dstPitch = pitch;
    copy.dstXInBytes = 8;
    copy.dstY = 2;
    copy.WidthInBytes = 8;
    copy.Height = 2;
    OK(cuMemcpy2D(&copy));
    OK(cuMemcpyDtoH(halves, q + 2 * pitch, 16));
    EXPECT(halves[0] == 0x1111 && halves[4] == 9 && halves[6] == 10);
    OK(cuMemcpyDtoH(halves, q + 3 * pitch, 16));
    EXPECT(halves[3] == 0x1111 && halves[4] == 17 && halves[6] == 18);
    void *host;
    CUstream stream;
    CUevent start, end;
    float ms = -1;
    OK(cuMemAllocHost(&host, 256));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    OK(cuEventRecord(start, stream));
    OK(cuMemsetD32Async(p, 77, 64, stream));
    OK(cuMemcpyDtoHAsync(host, p, 256, stream));
    OK(cuEventRecord(end, stream));
    OK(cuStreamSynchronize(stream));
    EXPECT(((int *)host)[63] == 77);
    OK(cuEventElapsedTime(&ms, start, end));
    EXPECT(ms >= 0);
    int called = 0;
    OK(cuLaunchHostFunc(stream, [](void *user) { ++*(int *)user; }, &called));
    OK(cuStreamAddCallback(
        stream,
        [](CUstream, CUresult r, void *user) { *(int *)user += r == CUDA_SUCCESS ? 10 : 0; },
        &called, 0));
    OK(cuStreamSynchronize(stream));
    EXPECT(called == 11);
    OK(cuEventDestroy(start));
    OK(cuEventDestroy(end));
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost(host));
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    EXPECT(cuMemFree(12345) == CUDA_ERROR_INVALID_VALUE);
}

static void check_images(const std::string &good, bool on_cuda)
{
    CUmodule m = nullptr;
    EXPECT(cuModuleLoadData(&m, "nonsense") == CUDA_ERROR_INVALID_IMAGE && !m);
    std::string damaged = good;
    damaged[20] = (char)(damaged[20] ^ 0x55);
    damaged[21] = (char)0xff;
    EXPECT(cuModuleLoadData(&m, damaged.data()) == CUDA_ERROR_INVALID_IMAGE);
    EXPECT(cuModuleLoad(&m, "/nonexistent/file") == CUDA_ERROR_FILE_NOT_FOUND);
    static const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                              ".visible .entry one(.param .u64 p)\n{\n.reg .b64 %r<2>;\n"
                              "ld.param.u64 %r1, [p];\nst.global.u32 [%r1], 1;\nret;\n}\n";
    const CUresult result = cuModuleLoadData(&m, ptx);
    EXPECT(result == (on_cuda ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU));
    CUlinkState state;
    EXPECT(cuLinkCreate(0, nullptr, nullptr, &state) == CUDA_ERROR_NOT_SUPPORTED);
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    CUmodule module, again;
    if (argc < 2)
        return 2;
    check_errors();
    check_devices(&device);
    check_contexts(device, &context);
    std::ifstream file(argv[1], std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    const std::string bytes = text.str();
    OK(cuModuleLoad(&module, argv[1]));
    char log[64] = "x";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    OK(cuModuleLoadDataEx(&again, bytes.data(), 2, options, values));
    EXPECT(log[0] == 0 && values[1] == nullptr);
    check_functions(module);
    OK(cuModuleUnload(again));
    EXPECT(cuModuleUnload(again) == CUDA_ERROR_INVALID_HANDLE);
    check_memory();
    check_images(bytes, argc > 2);

    /* the runtime API goes on with the same device and memory */
    void *p = nullptr;
    int value = 0;
    GOOD(cudaMalloc(&p, 4));
    OK(cuMemsetD32((CUdeviceptr)p, 42, 1));
    GOOD(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
    EXPECT(value == 42);
    GOOD(cudaFree(p));
    OK(cuModuleUnload(module));
    OK(cuCtxDestroy(context));
    EXPECT(cuCtxDestroy(context) == CUDA_ERROR_INVALID_CONTEXT);
    FINISH();
}
