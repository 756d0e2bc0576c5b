/* SPDX-License-Identifier: Apache-2.0
 *
 * The raw side of a comparison: what a careful author would write against the driver alone to load
 * one image and launch one kernel on the same device. Declares the few driver calls it needs. Every
 * error ends the program: a benchmark with a failing baseline says nothing.
 */
#ifndef QN_BENCH_RAW_H
#define QN_BENCH_RAW_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct raw_cuda {
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*retain)(void **, int);
    int (*set_current)(void *);
    int (*load)(void **, const void *);
    int (*function)(void **, void *, const char *);
    int (*stream_create)(void **, unsigned);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    int (*sync)(void *);
    int (*alloc)(uint64_t *, size_t);
};

struct raw_opencl {
    int (*platforms)(unsigned, void **, unsigned *);
    int (*devices)(void *, uint64_t, unsigned, void **, unsigned *);
    int (*device_info)(void *, unsigned, size_t, void *, size_t *);
    void *(*context)(const intptr_t *, unsigned, void *const *, void *, void *, int *);
    void *(*queue)(void *, void *, uint64_t, int *);
    void *(*source)(void *, unsigned, const char **, const size_t *, int *);
    void *(*binary)(void *, unsigned, void *const *, const size_t *, const unsigned char **, int *,
                    int *);
    int (*build)(void *, unsigned, void *const *, const char *, void *, void *);
    int (*program_info)(void *, unsigned, size_t, void *, size_t *);
    void *(*kernel)(void *, const char *, int *);
    int (*arg)(void *, unsigned, size_t, const void *);
    int (*arg_svm)(void *, unsigned, const void *);
    void *(*svm_alloc)(void *, uint64_t, size_t, unsigned);
    int (*launch)(void *, void *, unsigned, const size_t *, const size_t *, const size_t *,
                  unsigned, void *, void *);
    int (*finish)(void *);
};

enum { RAW_DEVICE_NAME = 0x102B, RAW_PROGRAM_BINARY_SIZES = 0x1165, RAW_PROGRAM_BINARIES = 0x1166 };

/* A processor has no driver: the kernel is a function of a shared object, which is called. */
struct raw_block {
    uint32_t block[3], blocks[3], items[3];
    unsigned char *shared, *frame;
    void *services;
};
struct raw_entry {
    const char *name;
    void (*run)(const struct raw_block *, void *const *);
    uint32_t numbers[5];
};

/* One device opened the raw way, one kernel on it. */
struct raw {
    bool is_cuda, is_cpu;
    const struct raw_entry *entry;
    struct raw_cuda cu;
    struct raw_opencl cl;
    void *context, *device, *queue, *program, *kernel;
};

static inline void raw_must(int code, const char *what)
{
    if (code != 0) {
        fprintf(stderr, "raw %s: driver code %d\n", what, code);
        exit(1);
    }
}

static inline void *raw_library(const char *soname)
{
    void *h = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    raw_must(h == NULL, soname);
    return h;
}

static inline void raw_symbol(void *slot, void *handle, const char *symbol)
{
    void *p = dlsym(handle, symbol);
    raw_must(p == NULL, symbol);
    memcpy(slot, &p, sizeof p);
}

static inline void raw_open_cuda(struct raw *r, int ordinal)
{
    void *h = raw_library("libcuda.so.1");
    int device;
    raw_symbol(&r->cu.init, h, "cuInit");
    raw_symbol(&r->cu.device_get, h, "cuDeviceGet");
    raw_symbol(&r->cu.retain, h, "cuDevicePrimaryCtxRetain");
    raw_symbol(&r->cu.set_current, h, "cuCtxSetCurrent");
    raw_symbol(&r->cu.load, h, "cuModuleLoadData");
    raw_symbol(&r->cu.function, h, "cuModuleGetFunction");
    raw_symbol(&r->cu.stream_create, h, "cuStreamCreate");
    raw_symbol(&r->cu.launch, h, "cuLaunchKernel");
    raw_symbol(&r->cu.sync, h, "cuStreamSynchronize");
    raw_symbol(&r->cu.alloc, h, "cuMemAlloc_v2");
    raw_must(r->cu.init(0), "cuInit");
    raw_must(r->cu.device_get(&device, ordinal), "cuDeviceGet");
    raw_must(r->cu.retain(&r->context, device), "cuDevicePrimaryCtxRetain");
    raw_must(r->cu.set_current(r->context), "cuCtxSetCurrent");
    raw_must(r->cu.stream_create(&r->queue, 1), "cuStreamCreate");
}

/* The first OpenCL device of that name. */
static inline void raw_find_opencl(struct raw *r, const char *name)
{
    void *platforms[16], *devices[32];
    unsigned n_platforms, n_devices;
    raw_must(r->cl.platforms(16, platforms, &n_platforms), "clGetPlatformIDs");
    for (unsigned p = 0; p < n_platforms && p < 16; p++) {
        if (r->cl.devices(platforms[p], 0xFFFFFFFF, 32, devices, &n_devices) != 0)
            continue;
        for (unsigned d = 0; d < n_devices && d < 32; d++) {
            char found[256] = "";
            raw_must(r->cl.device_info(devices[d], RAW_DEVICE_NAME, sizeof found - 1, found, NULL),
                     "clGetDeviceInfo");
            if (strcmp(found, name) == 0) {
                r->device = devices[d];
                return;
            }
        }
    }
    fprintf(stderr, "raw OpenCL: no device named '%s'\n", name);
    exit(1);
}

static inline void raw_open_opencl(struct raw *r, const char *name)
{
    void *h = raw_library("libOpenCL.so.1");
    int code;
    raw_symbol(&r->cl.platforms, h, "clGetPlatformIDs");
    raw_symbol(&r->cl.devices, h, "clGetDeviceIDs");
    raw_symbol(&r->cl.device_info, h, "clGetDeviceInfo");
    raw_symbol(&r->cl.context, h, "clCreateContext");
    raw_symbol(&r->cl.queue, h, "clCreateCommandQueue");
    raw_symbol(&r->cl.source, h, "clCreateProgramWithSource");
    raw_symbol(&r->cl.binary, h, "clCreateProgramWithBinary");
    raw_symbol(&r->cl.build, h, "clBuildProgram");
    raw_symbol(&r->cl.program_info, h, "clGetProgramInfo");
    raw_symbol(&r->cl.kernel, h, "clCreateKernel");
    raw_symbol(&r->cl.arg, h, "clSetKernelArg");
    raw_symbol(&r->cl.arg_svm, h, "clSetKernelArgSVMPointer");
    raw_symbol(&r->cl.svm_alloc, h, "clSVMAlloc");
    raw_symbol(&r->cl.launch, h, "clEnqueueNDRangeKernel");
    raw_symbol(&r->cl.finish, h, "clFinish");
    raw_find_opencl(r, name);
    r->context = r->cl.context(NULL, 1, &r->device, NULL, NULL, &code);
    raw_must(code, "clCreateContext");
    r->queue = r->cl.queue(r->context, r->device, 0, &code);
    raw_must(code, "clCreateCommandQueue");
}

/* Open the same card that `info` describes. */
static inline void raw_open(struct raw *r, const qn_device_info *info)
{
    memset(r, 0, sizeof *r);
    r->is_cuda = strcmp(info->backend, "cuda") == 0;
    r->is_cpu = strcmp(info->backend, "cpu") == 0;
    if (r->is_cuda) {
        raw_open_cuda(r, atoi(info->id + strlen("cuda:")));
    } else if (strcmp(info->backend, "opencl") == 0) {
        raw_open_opencl(r, info->name);
    } else if (!r->is_cpu) {
        fprintf(stderr, "no raw comparison for backend %s\n", info->backend);
        exit(1);
    }
}

static inline void raw_load_cpu(struct raw *r, const void *bytes, size_t n, const char *kernel)
{
    char path[] = "/tmp/quern-raw-XXXXXX";
    const uint32_t *count;
    const int fd = mkstemp(path);
    raw_must(fd < 0 || write(fd, bytes, n) != (ssize_t)n, path);
    r->program = raw_library(path);
    close(fd);
    unlink(path);
    raw_symbol(&r->entry, r->program, "qn_kernels");
    raw_symbol(&count, r->program, "qn_kernels_count");
    for (uint32_t i = 0; i < *count; i++, r->entry++)
        if (strcmp(r->entry->name, kernel) == 0)
            return;
    raw_must(1, kernel);
}

/* Load an image: cubin or PTX; shared object; OpenCL C text or (is_binary) a saved program binary.
 */
static inline void raw_load(struct raw *r, const void *bytes, size_t n, bool is_binary,
                            const char *build_options, const char *kernel)
{
    if (r->is_cuda) {
        raw_must(r->cu.load(&r->program, bytes), "cuModuleLoadData");
        raw_must(r->cu.function(&r->kernel, r->program, kernel), "cuModuleGetFunction");
        return;
    }
    if (r->is_cpu) {
        raw_load_cpu(r, bytes, n, kernel);
        return;
    }
    int code, status;
    const char *text = bytes;
    const unsigned char *binary = bytes;
    r->program = is_binary ? r->cl.binary(r->context, 1, &r->device, &n, &binary, &status, &code)
                           : r->cl.source(r->context, 1, &text, &n, &code);
    raw_must(code, "clCreateProgram");
    raw_must(r->cl.build(r->program, 1, &r->device, build_options, NULL, NULL), "clBuildProgram");
    r->kernel = r->cl.kernel(r->program, kernel, &code);
    raw_must(code, "clCreateKernel");
}

/* Compile with NVRTC directly: `library` is its file. The caller frees *image. */
static inline void raw_compile_cuda(char **image, size_t *n, const char *library, const char *text,
                                    const char *arch)
{
    int (*create)(void **, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*compile)(void *, int, const char *const *);
    int (*get_size)(void *, size_t *);
    int (*get)(void *, char *);
    void *h = raw_library(library), *program;
    raw_symbol(&create, h, "nvrtcCreateProgram");
    raw_symbol(&compile, h, "nvrtcCompileProgram");
    raw_symbol(&get_size, h, "nvrtcGetCUBINSize");
    raw_symbol(&get, h, "nvrtcGetCUBIN");
    char option[64];
    snprintf(option, sizeof option, "--gpu-architecture=%s", arch);
    const char *const options[] = {option};
    raw_must(create(&program, text, "add.cu", 0, NULL, NULL), "nvrtcCreateProgram");
    raw_must(compile(program, 1, options), "nvrtcCompileProgram");
    raw_must(get_size(program, n), "nvrtcGetCUBINSize");
    *image = malloc(*n + 1);
    raw_must(*image == NULL || get(program, *image) != 0, "nvrtcGetCUBIN");
}

/* Device memory as kernel arguments take it. */
static inline uint64_t raw_alloc(struct raw *r, size_t bytes)
{
    uint64_t address = 0;
    if (r->is_cuda) {
        raw_must(r->cu.alloc(&address, bytes), "cuMemAlloc");
        return address;
    }
    void *p = r->is_cpu ? malloc(bytes) : r->cl.svm_alloc(r->context, 1, bytes, 0);
    raw_must(p == NULL, "allocation");
    return (uint64_t)(uintptr_t)p;
}

/* Queue kernel(y, x, n) with one block of 64. */
static inline void raw_launch(struct raw *r, uint64_t y, uint64_t x, int n)
{
    if (r->is_cuda) {
        void *args[] = {&y, &x, &n};
        raw_must(r->cu.launch(r->kernel, 1, 1, 1, 64, 1, 1, 0, r->queue, args, NULL),
                 "cuLaunchKernel");
        return;
    }
    if (r->is_cpu) {
        void *args[] = {&y, &x, &n};
        const struct raw_block b = {.blocks = {1, 1, 1}, .items = {64, 1, 1}};
        r->entry->run(&b, args);
        return;
    }
    const size_t size = 64;
    r->cl.arg_svm(r->kernel, 0, (const void *)(uintptr_t)y);
    r->cl.arg_svm(r->kernel, 1, (const void *)(uintptr_t)x);
    r->cl.arg(r->kernel, 2, sizeof n, &n);
    raw_must(r->cl.launch(r->queue, r->kernel, 1, NULL, &size, &size, 0, NULL, NULL),
             "clEnqueueNDRangeKernel");
}

static inline void raw_sync(struct raw *r)
{
    if (r->is_cpu)
        return;
    raw_must(r->is_cuda ? r->cu.sync(r->queue) : r->cl.finish(r->queue), "sync");
}

#endif
