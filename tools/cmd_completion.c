/* SPDX-License-Identifier: Apache-2.0
 *
 * quern completion: scripts for bash, zsh and fish, printed from the option tables. */
#include "tools/commands.h"

#include <quern/quern.h>
#include <stdio.h>
#include <string.h>

struct values {
    const char *shell;
};

static const struct qn__option options[] = {
    QN__OPERAND_CHOICE(struct values, shell, "bash|zsh|fish", "bash|zsh|fish", "for which shell"),
};

static bool is_operand(const struct qn__option *o)
{
    return o->kind == QN__OPTION_OPERAND || o->kind == QN__OPTION_OPERANDS;
}

static void print_words(const char *choices)
{
    for (; *choices; choices++)
        putchar(*choices == '|' ? ' ' : *choices);
}

/* What `quern help` takes. */
static void print_topics(void)
{
    for (uint32_t i = 0; i < qn__commands.n; i++)
        printf("%s ", qn__commands.items[i]->name);
    printf("environment");
}

/* ---- bash ---- */

/* "case" arms that complete the value of an option, by the word before the cursor. */
static void print_bash_values(const struct qn__command *c)
{
    for (uint32_t i = 0; i < c->n_options; i++) {
        const struct qn__option *o = &c->options[i];
        if (is_operand(o) || o->kind == QN__OPTION_FLAG)
            continue;
        printf("        %s:--%s", c->name, o->name);
        if (o->letter)
            printf("|%s:-%c", c->name, o->letter);
        printf(") ");
        if (o->choices) {
            printf("COMPREPLY=($(compgen -W '");
            print_words(o->choices);
            printf("' -- \"$word\"))");
        } else if (!strcmp(o->value, "DIR")) {
            printf("COMPREPLY=($(compgen -d -- \"$word\"))");
        } else {
            printf("COMPREPLY=($(compgen -f -- \"$word\"))");
        }
        printf("; return ;;\n");
    }
}

/* Operands with a fixed set of words, "" where files are meant. */
static void print_bash_operands(const struct qn__command *c)
{
    for (uint32_t i = 0; i < c->n_options; i++) {
        const struct qn__option *o = &c->options[i];
        if (o->kind == QN__OPTION_OPERAND && o->choices) {
            printf("        %s) words='", c->name);
            print_words(o->choices);
            printf("' ;;\n");
        }
    }
}

static void print_bash_options(const struct qn__command *c)
{
    printf("        %s) options='--help", c->name);
    for (uint32_t i = 0; i < c->n_options; i++)
        if (!is_operand(&c->options[i]))
            printf(" --%s", c->options[i].name);
    printf("' ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for quern; printed by `quern completion bash`\n"
           "_quern() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options='' words=''\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    for (uint32_t i = 0; i < qn__commands.n; i++)
        printf("%s ", qn__commands.items[i]->name);
    printf("--help --version' -- \"$word\"))\n        return\n    fi\n"
           "    case $command:${COMP_WORDS[COMP_CWORD-1]} in\n");
    for (uint32_t i = 0; i < qn__commands.n; i++)
        print_bash_values(qn__commands.items[i]);
    printf("    esac\n    case $command in\n");
    for (uint32_t i = 0; i < qn__commands.n; i++)
        print_bash_options(qn__commands.items[i]);
    printf("    esac\n    case $command in\n        help) words='");
    print_topics();
    printf("' ;;\n");
    for (uint32_t i = 0; i < qn__commands.n; i++)
        print_bash_operands(qn__commands.items[i]);
    printf("    esac\n"
           "    local i\n"
           "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
           "        case \" $words \" in *\" ${COMP_WORDS[i]} \"*) words='' ;; esac\n"
           "    done\n"
           "    case $word in\n"
           "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "        *) if [ -n \"$words\" ]; then\n"
           "               COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "           else\n"
           "               COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "           fi ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _quern quern\n");
}

/* ---- zsh ---- */

/* Inside '...[help]': quotes, brackets and colons are special. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_action(const struct qn__option *o)
{
    printf(":");
    print_zsh_text(o->value);
    printf(":");
    if (o->choices) {
        printf("(");
        print_words(o->choices);
        printf(")");
    } else {
        printf("%s", strcmp(o->value, "DIR") ? "_files" : "_files -/");
    }
}

static void print_zsh_option(const struct qn__option *o, const char *spelling)
{
    printf("                '%s%s[", o->kind == QN__OPTION_LIST ? "*" : "", spelling);
    print_zsh_text(o->help);
    printf("]");
    if (o->kind != QN__OPTION_FLAG)
        print_zsh_action(o);
    printf("' \\\n");
}

static void print_zsh_command(const struct qn__command *c)
{
    printf("            %s) _arguments -s \\\n", c->name);
    for (uint32_t i = 0; i < c->n_options; i++) {
        const struct qn__option *o = &c->options[i];
        if (is_operand(o)) {
            printf("                '%s", o->kind == QN__OPTION_OPERANDS ? "*" : "");
            if (c == &qn__cmd_help) {
                printf(":topic:(");
                print_topics();
                printf(")");
            } else {
                print_zsh_action(o);
            }
            printf("' \\\n");
            continue;
        }
        char letter[] = {'-', o->letter, 0}, name[64];
        if (o->letter)
            print_zsh_option(o, letter);
        snprintf(name, sizeof name, "--%s", o->name);
        print_zsh_option(o, name);
    }
    printf("                '--help[this command]' ;;\n");
}

static void print_zsh(void)
{
    printf("#compdef quern\n"
           "# zsh completion for quern; printed by `quern completion zsh`\n"
           "_quern() {\n"
           "    local context state line\n"
           "    _arguments -C '--help[list the commands]' '--version[version and compilers]' \\\n"
           "        '1:command:->command' '*::argument:->argument'\n"
           "    case $state in\n"
           "        command) local -a commands=(\n");
    for (uint32_t i = 0; i < qn__commands.n; i++) {
        printf("                '%s:", qn__commands.items[i]->name);
        print_zsh_text(qn__commands.items[i]->brief);
        printf("'\n");
    }
    printf("            )\n            _describe command commands ;;\n"
           "        argument) case $words[1] in\n");
    for (uint32_t i = 0; i < qn__commands.n; i++)
        print_zsh_command(qn__commands.items[i]);
    printf("        esac ;;\n    esac\n}\n_quern \"$@\"\n");
}

/* ---- fish ---- */

/* Inside '...'. */
static void print_fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void print_fish_words(const char *words)
{
    printf(" -f -a '");
    print_words(words);
    printf("'");
}

static void print_fish_option(const struct qn__command *c, const struct qn__option *o)
{
    printf("complete -c quern -n '__fish_seen_subcommand_from %s'", c->name);
    if (!is_operand(o)) {
        printf(" -l %s", o->name);
        if (o->letter)
            printf(" -s %c", o->letter);
        if (o->kind != QN__OPTION_FLAG)
            printf(" -r");
    }
    if (o->choices)
        print_fish_words(o->choices);
    else if (o->kind == QN__OPTION_FLAG)
        printf(" -f");
    else if (o->value && !strcmp(o->value, "DIR"))
        printf(" -f -a '(__fish_complete_directories)'");
    else
        printf(" -F");
    if (!is_operand(o)) {
        printf(" -d ");
        print_fish_text(o->help);
    }
    printf("\n");
}

static void print_fish(void)
{
    printf("# fish completion for quern; printed by `quern completion fish`\n"
           "complete -c quern -f\n"
           "complete -c quern -n __fish_use_subcommand -l help -d 'list the commands'\n"
           "complete -c quern -n __fish_use_subcommand -l version -d 'version and compilers'\n");
    for (uint32_t i = 0; i < qn__commands.n; i++) {
        const struct qn__command *c = qn__commands.items[i];
        printf("complete -c quern -n __fish_use_subcommand -a %s -d ", c->name);
        print_fish_text(c->brief);
        printf("\n");
        for (uint32_t k = 0; k < c->n_options; k++)
            if (c != &qn__cmd_help || !is_operand(&c->options[k]))
                print_fish_option(c, &c->options[k]);
    }
    printf("complete -c quern -n '__fish_seen_subcommand_from help' -f -a '");
    print_topics();
    printf("'\n");
}

static int run(const void *values)
{
    const struct values *v = values;
    if (!strcmp(v->shell, "bash"))
        print_bash();
    else if (!strcmp(v->shell, "zsh"))
        print_zsh();
    else
        print_fish();
    return 0;
}

const struct qn__command qn__cmd_completion = {
    .name = "completion",
    .brief = "completion script for bash, zsh or fish",
    .about = "Print a completion script. It is made from the same tables that read the command "
             "line.",
    .sample = "completion bash > ~/.local/share/bash-completion/completions/quern\n"
              "completion fish > ~/.config/fish/completions/quern.fish",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
