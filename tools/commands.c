/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of commands, for those that print it or look into it. */
#include "tools/commands.h"

#include "tools/terminal.h"

#include <stdio.h>

struct qn__command_list qn__commands;

const struct qn__command *qn__command_find(const char *name)
{
    const struct qn__command *near = NULL;
    uint32_t best = 3; /* further away is no help */
    for (uint32_t i = 0; i < qn__commands.n; i++) {
        const uint32_t d = qn__word_distance(name, qn__commands.items[i]->name);
        if (d == 0)
            return qn__commands.items[i];
        if (d < best) {
            best = d;
            near = qn__commands.items[i];
        }
    }
    if (near)
        qn__complain(0, "'%s' is not a command; did you mean '%s'?", name, near->name);
    else
        qn__complain(0, "'%s' is not a command ('quern --help' lists them)", name);
    return NULL;
}

void qn__print_overview(void)
{
    printf("quern: one CUDA/HIP kernel source on every GPU and on the CPU\n\n"
           "usage: quern COMMAND [options]\n\n");
    for (uint32_t i = 0; i < qn__commands.n; i++)
        printf("  %-12s %s\n", qn__commands.items[i]->name, qn__commands.items[i]->brief);
    printf("\n  quern help COMMAND       all about one command, with examples\n"
           "  quern help environment   environment variables\n"
           "  quern --version          version, and the compilers found\n");
}
