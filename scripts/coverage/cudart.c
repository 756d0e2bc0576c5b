/* SPDX-License-Identifier: Apache-2.0
 *
 * A small CUDA runtime on libquern, so that whole CUDA programs run, unmodified, with their kernels
 * translated by Quern. scripts/programs.py links it in place of libcudart.
 *
 * nvcc's host code registers each kernel and each __device__ variable under its mangled name; the
 * kernels themselves come from the images that QUERN_PROGRAM_IMAGES lists (paths separated by
 * colons), made by `quern compile` from the same sources, where they are found by their demangled
 * names. With QUERN_PROGRAM_EMPTY launches do nothing: a check that passes then checks nothing.
 *
 * cudart_memory.c has the calls for memory, cudart_device.c all others.
 *
 * All work goes through one stream and is waited for, which is one of the orders that streams
 * allow. Anything that fails ends the program with the reason and status REFUSED, even where the
 * program would have asked for the error: no wrong result may come from here. The calls are those
 * that the programs of scripts/coverage.ini make; another one is an error of the linker. */
#include "scripts/coverage/cudart.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSED = 70, N_IMAGES = 16, N_KERNELS = 1024, N_VARIABLES = 256, NAME_BYTES = 1024 };

/* Parameters are those of the CUDA runtime, used or not; some functions are in none of its headers.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Of libstdc++, which every program here is linked with. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *n_bytes, int *status);

struct CUkern_st {
    const void *function; /* its address is the host's name of the kernel */
    const char *symbol;
    const qn_kernel *kernel; /* found at the first launch */
};

struct variable {
    const void *host;
    void **managed; /* where a __managed__ variable's address goes, else NULL */
    const char *symbol;
};

static struct {
    qn_device *device;
    qn_stream *stream;
    bool capturing;
    struct {
        dim3 grid, block;
        size_t shared_bytes;
        cudaStream_t stream;
    } call; /* what <<< >>> said */
    size_t n_modules, n_kernels, n_variables;
    qn_module *modules[N_IMAGES];
    struct CUkern_st kernels[N_KERNELS];
    struct variable variables[N_VARIABLES];
} state;

void cudart_refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fflush(stdout);
    fputs("cudart: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    _Exit(REFUSED);
}

void cudart_check(qn_status status)
{
    if (status != QN_OK)
        cudart_refuse("%s: %s", qn_status_text(status), qn_message());
}

/* ---- device and images ---- */

static void load_images(void)
{
    const char *list = getenv("QUERN_PROGRAM_IMAGES");
    while (list && *list) {
        char path[NAME_BYTES];
        const size_t n = strcspn(list, ":");
        qn_image *image;
        if (n >= sizeof path || state.n_modules == N_IMAGES)
            cudart_refuse("QUERN_PROGRAM_IMAGES: too long");
        memcpy(path, list, n);
        path[n] = 0;
        cudart_check(qn_image_load(&image, path, NULL));
        cudart_check(qn_module_load(&state.modules[state.n_modules++], state.device, image));
        qn_image_release(image);
        list += n + (list[n] == ':');
    }
}

qn_device *cudart_device(void)
{
    if (!state.device) {
        cudart_check(qn_device_open(&state.device, NULL));
        cudart_check(qn_stream_create(&state.stream, state.device, NULL));
        load_images();
    }
    return state.device;
}

qn_stream *cudart_stream(void)
{
    cudart_device();
    return state.stream;
}

void cudart_set_capturing(bool capturing)
{
    state.capturing = capturing;
}

cudaError_t cudart_finish(void)
{
    if (!state.capturing)
        cudart_check(qn_stream_sync(cudart_stream()));
    return cudaSuccess;
}

bool cudart_memory_is_shared(void)
{
    return qn_device_get_info(cudart_device())->device_class == QN_DEVICE_CPU;
}

/* ---- what nvcc's host code calls ---- */

void **__cudaRegisterFatBinary(void *binary)
{
    return (void **)&state; /* any address */
}

void __cudaRegisterFatBinaryEnd(void **binary)
{
}

void __cudaUnregisterFatBinary(void **binary)
{
}

void __cudaRegisterFunction(void **binary, const char *function, char *device_function,
                            const char *symbol, int limit, void *thread, void *block,
                            void *block_dim, void *grid_dim, int *warp)
{
    if (state.n_kernels == N_KERNELS)
        cudart_refuse("more than %d kernels", N_KERNELS);
    state.kernels[state.n_kernels++] = (struct CUkern_st){.function = function, .symbol = symbol};
}

static void register_variable(const struct variable *v)
{
    if (state.n_variables == N_VARIABLES)
        cudart_refuse("more than %d variables", N_VARIABLES);
    state.variables[state.n_variables++] = *v;
}

void __cudaRegisterVar(void **binary, char *host, char *on_device, const char *symbol, int external,
                       size_t n_bytes, int constant, int global)
{
    register_variable(&(struct variable){.host = host, .symbol = symbol});
}

void __cudaRegisterManagedVar(void **binary, void **host, char *on_device, const char *symbol,
                              int external, size_t n_bytes, int constant, int global)
{
    register_variable(&(struct variable){.host = host, .managed = host, .symbol = symbol});
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *on)
{
    state.call.grid = grid;
    state.call.block = block;
    state.call.shared_bytes = shared_bytes;
    state.call.stream = on;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *on)
{
    *grid = state.call.grid;
    *block = state.call.block;
    *shared_bytes = state.call.shared_bytes;
    memcpy(on, &state.call.stream, sizeof state.call.stream);
    return cudaSuccess;
}

/* ---- kernels and variables by their mangled names ---- */

/* "void ns::k<256u, &(f(int))>(float*)" -> "ns::k<256,f>": no type of the result, no parameters,
 * casts, suffixes of numbers and blanks, which clang and the demangler spell differently. */
static void plain_name(char *name)
{
    static const char anonymous[] = "(anonymous namespace)";
    char *to = name;
    int angles = 0;
    for (const char *p = name; *p; p++) {
        const bool behind_digit = p > name && p[-1] >= '0' && p[-1] <= '9';
        angles += (*p == '<') - (*p == '>');
        if (strncmp(p, anonymous, sizeof anonymous - 1) == 0) {
            memcpy(to, "anonymous", 9);
            to += 9, p += sizeof anonymous - 2;
        } else if (*p == '(' && angles == 0) {
            break; /* the parameters */
        } else if (*p == '(' && p[-1] != '&') {
            for (int open = 1; open && p[1]; p++)
                open += (p[1] == '(') - (p[1] == ')');
        } else if (*p == ' ' && angles == 0) {
            to = name; /* that was the type of the result */
        } else if (!strchr(" &()", *p) && !(angles && behind_digit && strchr("uUlL", *p))) {
            *to++ = *p;
        }
    }
    *to = 0;
}

static void demangle(char name[NAME_BYTES], const char *symbol)
{
    int status;
    char *const full =
        strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
    snprintf(name, NAME_BYTES, "%s", full ? full : symbol);
    free(full);
    if (full)
        plain_name(name);
}

/* The kernel of that plain name; of two (overloads) neither. */
static const qn_kernel *find_kernel(const char *symbol)
{
    char name[NAME_BYTES], own[NAME_BYTES];
    const qn_kernel *kernel = NULL;
    unsigned n_found = 0;
    demangle(name, symbol);
    for (size_t i = 0; i < state.n_modules; i++) {
        const qn_image_info *const info = qn_image_get_info(qn_module_get_image(state.modules[i]));
        for (uint32_t k = 0; k < info->n_kernels; k++) {
            snprintf(own, sizeof own, "%s", info->kernels[k].expression);
            plain_name(own);
            if (strcmp(own, name) == 0 && n_found++ == 0)
                cudart_check(qn_kernel_find(&kernel, state.modules[i], info->kernels[k].name));
        }
    }
    if (n_found != 1)
        cudart_refuse("%u kernels %s (%s) among the translated ones", n_found, name, symbol);
    return kernel;
}

static qn_addr variable_address(const struct variable *v, uint64_t *n_bytes)
{
    char name[NAME_BYTES];
    qn_addr address;
    demangle(name, v->symbol);
    for (size_t i = 0; i < state.n_modules; i++)
        if (qn_module_find_global(&address, n_bytes, state.modules[i], name) == QN_OK ||
            qn_module_find_global(&address, n_bytes, state.modules[i], v->symbol) == QN_OK)
            return address;
    return 0;
}

qn_addr cudart_symbol_address(const void *host, uint64_t *n_bytes)
{
    cudart_device();
    for (size_t i = 0; i < state.n_variables; i++) {
        if (state.variables[i].host == host)
            return variable_address(&state.variables[i], n_bytes);
    }
    cudart_refuse("a symbol that was not registered");
    return 0;
}

char __cudaInitModule(void **binary)
{
    for (size_t i = 0; i < state.n_variables; i++) {
        uint64_t n_bytes;
        const struct variable *const v = &state.variables[i];
        if (v->managed && cudart_device() && cudart_memory_is_shared())
            memcpy(v->managed, &(qn_addr){variable_address(v, &n_bytes)}, sizeof(void *));
        else if (v->managed)
            cudart_refuse("%s: __managed__ on a device with memory of its own", v->symbol);
    }
    return 1;
}

/* ---- launches ---- */

cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function)
{
    for (size_t i = 0; i < state.n_kernels; i++)
        if (state.kernels[i].function == function) {
            *out = &state.kernels[i];
            return cudaSuccess;
        }
    cudart_refuse("a kernel that was not registered");
    return cudaErrorInvalidDeviceFunction;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void **args,
                               size_t shared_bytes, cudaStream_t on)
{
    const qn_dims dims = {.grid = {grid.x, grid.y, grid.z},
                          .block = {block.x, block.y, block.z},
                          .shared_bytes = (uint32_t)shared_bytes};
    qn_stream *const s = cudart_stream();
    if (getenv("QUERN_PROGRAM_EMPTY"))
        return cudaSuccess;
    if (!k->kernel)
        k->kernel = find_kernel(k->symbol);
    if (qn_stream_launch(s, k->kernel, &dims, args) != QN_OK)
        cudart_refuse("%s: %s", k->symbol, qn_message());
    return cudart_finish();
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                             size_t shared_bytes, cudaStream_t on)
{
    cudaKernel_t k;
    __cudaGetKernel(&k, function);
    return __cudaLaunchKernel(k, grid, block, args, shared_bytes, on);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    return cudaSuccess;
}
