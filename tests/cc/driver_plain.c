/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API and NVRTC in C. */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    nvrtcProgram program;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
    size_t n;
    int value = 20;
    void *arguments[] = {&p};
    CUresult r = cuInit(0);
    r |= cuDeviceGet(&device, 0);
    r |= cuCtxCreate(&context, 0, device);
    nvrtcResult made = nvrtcCreateProgram(
        &program, "extern \"C\" __global__ void k(int *p) { *p *= 2; }", "k.cu", 0, NULL, NULL);
    made |= nvrtcCompileProgram(program, 0, NULL);
    made |= nvrtcGetPTXSize(program, &n);
    char *const ptx = malloc(n);
    made |= nvrtcGetPTX(program, ptx);
    made |= nvrtcDestroyProgram(&program);
    r |= cuModuleLoadData(&module, ptx);
    r |= cuModuleGetFunction(&f, module, "k");
    r |= cuMemAlloc(&p, sizeof value);
    r |= cuMemcpyHtoD(p, &value, sizeof value);
    r |= cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
    r |= cuMemcpyDtoH(&value, p, sizeof value);
    r |= cuMemFree(p);
    r |= cuModuleUnload(module);
    r |= cuCtxDestroy(context);
    free(ptx);
    const int good = r == CUDA_SUCCESS && made == NVRTC_SUCCESS && value == 40;
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
