/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints docs/runtime-api.md from cudart/calls.def: which functions of the CUDA runtime programs
 * built by `quern cc` may call. */
#include <stdio.h>
#include <string.h>

static const struct {
    const char *group, *name, *note;
} calls[] = {
#define QN_CALL(group, result, name, parameters, note) {group, #name, note},
#include "cudart/calls.def"
};

enum { N_CALLS = sizeof calls / sizeof *calls };

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
    for (unsigned i = 0; i < n; i++) {
        if (i == 0 || strcmp(calls[i].group, calls[i - 1].group) != 0)
            printf("\n## %c%s\n\n| function | what is different here |\n| --- | --- |\n",
                   calls[i].group[0] - 'a' + 'A', calls[i].group + 1);
        printf("| `%s` | %s |\n", calls[i].name, calls[i].note);
    }
    return 0;
}
