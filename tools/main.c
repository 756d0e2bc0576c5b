/* SPDX-License-Identifier: Apache-2.0
 *
 * quern: the program. This file finds the command, lets its table read the words, and runs it.
 * Exit status: 0 good, 1 failed, 2 the command line makes no sense. */
#include "tools/cmd_cc.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"
#include "tools/version.h"

#include <fcntl.h>
#include <quern/quern.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct qn__command *const commands[] = {
    &qn__cmd_run,    &qn__cmd_chat,    &qn__cmd_tokenize,   &qn__cmd_embed,    &qn__cmd_perplexity,
    &qn__cmd_model,  &qn__cmd_demo,    &qn__cmd_devices,    &qn__cmd_compile,  &qn__cmd_translate,
    &qn__cmd_launch, &qn__cmd_cc,      &qn__cmd_check,      &qn__cmd_selftest, &qn__cmd_bench,
    &qn__cmd_tune,   &qn__cmd_prewarm, &qn__cmd_bundle,     &qn__cmd_cache,    &qn__cmd_config,
    &qn__cmd_why,    &qn__cmd_doctor,  &qn__cmd_completion, &qn__cmd_help,
};

/* The program under another compiler's name (a link): `nvcc ...` is `quern cc ...`. */
static const char *compiler_name(const char *program)
{
    const char *const slash = program ? strrchr(program, '/') : NULL;
    const char *const name = slash ? slash + 1 : program;
    return name && (!strcmp(name, "nvcc") || !strcmp(name, "hipcc")) ? name : NULL;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

static int run_command(const struct qn__command *command, int argc, char **argv)
{
    struct qn__str text = {0};
    int status;
    if (asks_for_help(argc, argv)) {
        qn__options_help(&text, "quern", command);
        fputs(text.text, stdout);
        qn__str_release(&text);
        return QN__EXIT_GOOD;
    }
    if (command->run_words)
        return command->run_words(argc, argv);
    void *values = calloc(1, command->values_bytes + 1);
    if (!values)
        return qn__complain(QN__EXIT_FAILED, "out of memory");
    if (qn__options_parse(values, command, argc, argv) == QN_OK) {
        status = command->run(values);
    } else {
        status = QN__EXIT_USAGE;
        qn__complain(status, "%s: %s", command->name, qn_message());
        qn__options_usage(&text, "quern", command);
        fprintf(stderr, "%s('quern help %s' explains)\n", text.text, command->name);
        qn__str_release(&text);
    }
    qn__options_release(values, command);
    free(values);
    return status;
}

/* Who asked for JSON gets it for a failure too, unless the command has said it better. */
static void fail_in_json(int argc, char **argv)
{
    bool wanted = false;
    for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
        wanted |= !strcmp(argv[i], "--json");
    if (wanted && !qn__json_was_printed())
        qn__json_print(
            json_pack("{s:b, s:o}", "ok", 0, "error", qn__json_string(qn__last_complaint())));
}

/* A standard file that the caller closed is taken up, so that no entry of the cache gets its number
 * and then our text. It stays as useless as it was: reading and writing fail. */
static void hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return;
}

int main(int argc, char **argv)
{
    hold_standard_files();
    signal(SIGXFSZ,
           SIG_IGN); /* a file that may not grow (ulimit -f) is an error that can be said */
    qn__commands = (struct qn__command_list){commands, sizeof commands / sizeof commands[0]};
    const char *word = argc > 1 ? argv[1] : NULL;
    int status = QN__EXIT_GOOD;
    if (compiler_name(argv[0])) {
        status = qn__cc_as(argv[0], argc - 1, argv + 1);
    } else if (!word) {
        qn__print_overview();
        status = QN__EXIT_USAGE;
    } else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        qn__print_overview();
    } else if (!strcmp(word, "--version")) {
        status = qn__print_version();
    } else if (word[0] == '-') {
        status = qn__complain(QN__EXIT_USAGE,
                              "%s: no such option ('quern --help' shows what there is)", word);
    } else {
        const struct qn__command *command = qn__command_find(word);
        status = command ? run_command(command, argc - 2, argv + 2) : QN__EXIT_USAGE;
        if (status != QN__EXIT_GOOD)
            fail_in_json(argc - 2, argv + 2);
    }
    if (!qn__close_stdout() && status == QN__EXIT_GOOD)
        status = QN__EXIT_FAILED;
    return status;
}
