/* SPDX-License-Identifier: Apache-2.0
 *
 * quern help: one command, the environment, or everything as a man page. All of it is printed from
 * the option tables and base/environment.def. */
#include "tools/commands.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <string.h>

struct values {
    const char *topic;
    bool man, markdown;
};

static const struct qn__option options[] = {
    QN__OPERAND_OPTIONAL(struct values, topic, "COMMAND", "a command's name, or `environment`"),
    QN__FLAG(struct values, man, 0, "man", "everything as the source of a man page"),
    QN__FLAG(struct values, markdown, 0, "markdown", "with `environment`: as a Markdown table"),
};

/* ---- environment ---- */

static void print_environment(void)
{
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        struct qn__str line = {0};
        qn__str_printf(&line, "  %-25s ", qn__environment[i].name);
        qn__str_add_wrapped(&line, qn__environment[i].help, line.len, line.len, 92);
        puts(line.text);
        qn__str_release(&line);
    }
}

static void print_environment_markdown(void)
{
    printf("# Environment variables\n\n"
           "Printed by `quern help environment --markdown` (`make docs`) from "
           "`base/environment.def`.\n\n"
           "Where one of Quern's own is not set, a line of a configuration file may stand for it: "
           "`cache-dir = ~/kernels` in\n`~/.config/quern/config` or `/etc/quern/config` is "
           "`QUERN_CACHE_DIR`. `quern help config` has the rules, `quern config`\nshows what is "
           "in force and where it comes from.\n\n"
           "| variable | belongs to | meaning |\n| --- | --- | --- |\n");
    for (uint32_t i = 0; i < qn__n_environment; i++)
        printf("| `%s` | %s | %s |\n", qn__environment[i].name, qn__environment[i].owner,
               qn__environment[i].help);
}

/* ---- man page ---- */

/* Text for troff: backslashes and dashes escaped, no line begins with a request. */
static void print_roff(const char *text)
{
    bool is_line_start = true;
    for (const char *p = text; *p; p++) {
        if (is_line_start && (*p == '.' || *p == '\''))
            fputs("\\&", stdout);
        if (*p == '\\')
            fputs("\\e", stdout);
        else if (*p == '-')
            fputs("\\-", stdout);
        else
            putchar(*p);
        is_line_start = *p == '\n';
    }
}

static void print_man_command(const struct qn__command *c)
{
    struct qn__str text = {0};
    qn__options_usage(&text, "quern", c);
    text.text[strcspn(text.text, "\n")] = 0;
    printf(".SS ");
    print_roff(text.text + strlen("usage: "));
    printf("\n");
    print_roff(c->about ? c->about : c->brief);
    printf("\n");
    for (uint32_t i = 0; i < c->n_options; i++) {
        qn__str_clear(&text);
        qn__option_spell(&text, &c->options[i]);
        printf(".TP\n.B ");
        print_roff(text.text);
        printf("\n");
        qn__str_clear(&text);
        qn__option_explain(&text, &c->options[i]);
        print_roff(text.text);
        printf("\n");
    }
    printf(".TP\n.B \\-h, \\-\\-help\nthe page about this command\n");
    if (c->sample) {
        printf(".PP\nExamples:\n.PP\n.nf\n");
        for (const char *line = c->sample; *line;) {
            const size_t n = strcspn(line, "\n");
            qn__str_clear(&text);
            qn__str_printf(&text, "    quern %.*s\n", (int)n, line);
            print_roff(text.text);
            line += n + (line[n] == '\n');
        }
        printf(".fi\n");
    }
    qn__str_release(&text);
}

static void print_man(void)
{
    printf(".TH QUERN 1 \"\" \"quern %s\" \"Quern\"\n"
           ".SH NAME\nquern \\- one CUDA/HIP kernel source on every GPU and on the CPU\n"
           ".SH SYNOPSIS\n.B quern\nCOMMAND [options]\n"
           ".SH DESCRIPTION\n"
           "Quern takes kernels in the CUDA/HIP dialect and runs them through NVRTC, hipRTC, or "
           "translation to OpenCL C, on whatever the machine has. This program shows devices, "
           "compiles, translates, launches and checks kernels from the command line.\n"
           ".SH COMMANDS\n",
           qn_version());
    for (uint32_t i = 0; i < qn__commands.n; i++)
        print_man_command(qn__commands.items[i]);
    printf(".SH ENVIRONMENT\n");
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        printf(".TP\n.B %s\n", qn__environment[i].name);
        print_roff(qn__environment[i].help);
        printf("\n");
    }
    printf(".SH FILES\n.TP\n.I /etc/quern/config, ~/.config/quern/config\nlines `key = value` that "
           "stand for variables that are not set; see config above.\n");
    printf(".SH EXIT STATUS\n0 when all went well, 1 when something failed (the reason is on "
           "standard error), 2 when the command line makes no sense, 130 when Ctrl\\-C ended quern "
           "run.\n");
}

static int run(const void *values)
{
    const struct values *v = values;
    if (v->markdown && (!v->topic || strcmp(v->topic, "environment") != 0))
        return qn__complain(QN__EXIT_USAGE, "help: --markdown is for `environment` only");
    if (v->man && v->topic)
        return qn__complain(QN__EXIT_USAGE, "help: --man is everything, not '%s' alone", v->topic);
    if (v->man) {
        print_man();
        return QN__EXIT_GOOD;
    }
    if (!v->topic) {
        qn__print_overview();
        return QN__EXIT_GOOD;
    }
    if (!strcmp(v->topic, "environment")) {
        if (v->markdown)
            print_environment_markdown();
        else
            print_environment();
        return QN__EXIT_GOOD;
    }
    const struct qn__command *command = qn__command_find(v->topic);
    if (!command)
        return QN__EXIT_USAGE;
    struct qn__str text = {0};
    qn__options_help(&text, "quern", command);
    fputs(text.text, stdout);
    qn__str_release(&text);
    return QN__EXIT_GOOD;
}

const struct qn__command qn__cmd_help = {
    .name = "help",
    .brief = "all about one command, the environment variables, the man page",
    .sample = "help launch\nhelp environment\nhelp --man | man -l -",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
