/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the NVRTC of $CUDA_PATH, else the one the loader finds. It stays loaded. */
#include "tests/compiler/generator/unoptimised.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nvrtc {
    int (*create)(void **, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*compile)(void *, int, const char *const *);
    int (*get_size)(void *, size_t *);
    int (*get)(void *, char *);
    int (*destroy)(void **);
};

static void *open_library(void)
{
    static const char *const names[] = {"lib64/libnvrtc.so", "lib/libnvrtc.so", "libnvrtc.so.13",
                                        "libnvrtc.so.12", "libnvrtc.so"};
    const char *folder = getenv("CUDA_PATH");
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
        char path[4096];
        if (!strchr(names[i], '/'))
            library = dlopen(names[i], RTLD_NOW);
        else if (folder && snprintf(path, sizeof path, "%s/%s", folder, names[i]) > 0)
            library = dlopen(path, RTLD_NOW);
    }
    return library;
}

static bool find(struct nvrtc *to, void *library)
{
    const struct {
        const char *name;
        void *slot;
    } symbols[] = {
        {"nvrtcCreateProgram", &to->create},   {"nvrtcCompileProgram", &to->compile},
        {"nvrtcGetCUBINSize", &to->get_size},  {"nvrtcGetCUBIN", &to->get},
        {"nvrtcDestroyProgram", &to->destroy},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *const symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return false;
        memcpy(symbols[i].slot, &symbol, sizeof symbol);
    }
    return true;
}

bool gen_compile_unoptimised(void **cubin, size_t *n, const char **why, const char *source,
                             const char *target)
{
    char arch[64];
    const char *const options[] = {arch, "--fmad=false", "-w", "--device-debug"};
    struct nvrtc nvrtc;
    void *program = NULL;
    void *const library = open_library();
    *cubin = NULL;
    *why = "no NVRTC was found; CUDA_PATH says where it is";
    if (!library || !find(&nvrtc, library))
        return false;
    snprintf(arch, sizeof arch, "-arch=%s", target + strlen("cuda:"));
    *why = "NVRTC does not compile it without its optimiser";
    if (nvrtc.create(&program, source, "random.cu", 0, NULL, NULL) == 0 &&
        nvrtc.compile(program, sizeof options / sizeof *options, options) == 0 &&
        nvrtc.get_size(program, n) == 0 && *n > 0) {
        *cubin = malloc(*n);
        if (*cubin && nvrtc.get(program, *cubin) != 0) {
            free(*cubin);
            *cubin = NULL;
        }
    }
    if (program)
        nvrtc.destroy(&program);
    return *cubin != NULL;
}
