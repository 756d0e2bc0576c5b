/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands of the program `quern`, one file each: cmd_<name>.c. */
#ifndef QN_TOOLS_COMMANDS_H
#define QN_TOOLS_COMMANDS_H

#include "base/options.h"

/* Exit statuses. */
enum { QN__EXIT_GOOD = 0, QN__EXIT_FAILED = 1, QN__EXIT_USAGE = 2 };

extern const struct qn__command qn__cmd_run, qn__cmd_chat, qn__cmd_tokenize, qn__cmd_embed,
    qn__cmd_perplexity, qn__cmd_model, qn__cmd_demo, qn__cmd_devices, qn__cmd_compile,
    qn__cmd_translate, qn__cmd_launch, qn__cmd_cc, qn__cmd_check, qn__cmd_selftest, qn__cmd_bench,
    qn__cmd_tune, qn__cmd_prewarm, qn__cmd_bundle, qn__cmd_cache, qn__cmd_config, qn__cmd_why,
    qn__cmd_doctor, qn__cmd_completion, qn__cmd_help;

/* All of them, in the order of help. main.c fills it in before anything else: two of the commands
 * print the list that they are in. */
struct qn__command_list {
    const struct qn__command *const *items;
    uint32_t n;
};
extern struct qn__command_list qn__commands;

/* The command of that name, or NULL after saying so on stderr. */
const struct qn__command *qn__command_find(const char *name);

/* The list of commands, as `quern --help` prints it. */
void qn__print_overview(void);

#endif
