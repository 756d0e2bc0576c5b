/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints docs/runtime-api.md from cudart/calls.def and the table of cuBLAS: which functions of the
 * CUDA runtime and its libraries programs built by `quern cc` may call. */
#include <stdio.h>
#include <string.h>

struct call {
    const char *group, *name, *note;
};
static const struct call calls[] = {
#define QN_CALL(group, result, name, parameters, note) {group, #name, note},
#include "cudart/calls.def"
};
static const struct call blas_calls[] = {
#define QN_BLAS(group, result, name, parameters, note) {group, #name, note},
#include "compiler/frontend/include/quern_cublas.def"
};

static const struct call rand_calls[] = {
#define QN_RAND(name, parameters, note) {"generators", #name, note},
#include "compiler/frontend/include/quern_curand.def"
};

static const struct call driver_calls[] = {
#define QN_DRIVER(group, name, parameters, note) {group, #name, note},
#include "compiler/frontend/include/quern_driver.def"
};

static const struct call nvrtc_calls[] = {
#define QN_NVRTC(result, name, parameters, note) {"compiling at run time", #name, note},
#include "compiler/frontend/include/quern_nvrtc.def"
};

enum {
    N_CALLS = sizeof calls / sizeof *calls,
    N_BLAS_CALLS = sizeof blas_calls / sizeof *blas_calls,
    N_RAND_CALLS = sizeof rand_calls / sizeof *rand_calls,
    N_DRIVER_CALLS = sizeof driver_calls / sizeof *driver_calls,
    N_NVRTC_CALLS = sizeof nvrtc_calls / sizeof *nvrtc_calls
};

static void print_calls(const struct call *list, unsigned n, const char *level)
{
    for (unsigned i = 0; i < n; i++) {
        if (i == 0 || strcmp(list[i].group, list[i - 1].group) != 0)
            printf("\n%s %c%s\n\n| function | what is different here |\n| --- | --- |\n", level,
                   list[i].group[0] - 'a' + 'A', list[i].group + 1);
        printf("| `%s` | %s |\n", list[i].name, list[i].note);
    }
}

int main(void)
{
    unsigned n = 0;
    while (n < N_CALLS && strcmp(calls[n].group, "compiled code") != 0)
        n++;
    printf("# What `quern cc` serves of the CUDA runtime API\n\n"
           "Printed from `cudart/calls.def`. These %u functions are there, under HIP's names as "
           "well; a program that\n"
           "calls another one is refused by the linker, which names it. What a function cannot do "
           "on a device is an error\n"
           "code with the reason on stderr, never a success. `docs/cc.md` says how programs are "
           "built.\n",
           n);
    print_calls(calls, n, "##");
    printf(
        "\n## The driver API\n\n"
        "Printed from `compiler/frontend/include/quern_driver.def`: %u functions. HIP's modules, "
        "contexts and copies\n"
        "(`hipModuleLoad` and the like) are theirs under other names. Arrays are not served by "
        "these calls.\n",
        (unsigned)N_DRIVER_CALLS);
    print_calls(driver_calls, N_DRIVER_CALLS, "###");
    printf("\n## NVRTC\n\n"
           "Printed from `compiler/frontend/include/quern_nvrtc.def`: %u functions, under hipRTC's "
           "names as well\n"
           "(`hiprtcGetCode` is `nvrtcGetCUBIN`). `docs/cc.md` says how they compile.\n",
           (unsigned)N_NVRTC_CALLS);
    print_calls(nvrtc_calls, N_NVRTC_CALLS, "###");
    printf("\n## cuBLAS\n\n"
           "Printed from `compiler/frontend/include/quern_cublas.def`: %u functions, under "
           "hipBLAS's names as well.\n"
           "`docs/host-libraries.md` says how they compute.\n",
           (unsigned)N_BLAS_CALLS);
    print_calls(blas_calls, N_BLAS_CALLS, "###");
    printf("\n## cuRAND\n\n"
           "Printed from `compiler/frontend/include/quern_curand.def`: %u functions of the host "
           "interface. `docs/host-libraries.md`\n"
           "says in which order the numbers come.\n",
           (unsigned)N_RAND_CALLS);
    print_calls(rand_calls, N_RAND_CALLS, "###");
    return 0;
}
