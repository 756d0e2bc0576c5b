/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints docs/passes.md from compiler/passes.def: every pass of the translator, in order. */
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
} facts[] =
    {
#define QN_FACT(name, text) {#name, text},
#include "compiler/passes.def"
},
  whens[] = {
#define QN_WHEN(name, text) {#name, text},
#include "compiler/passes.def"
};

static const struct pass {
    const char *level, *name, *does, *when, *needs, *gives, *breaks, *text;
} passes[] = {
#define QN_PASS(level, name, function, when, needs, gives, breaks, text)                           \
    {#level, #name, #function, #when, #needs, #gives, #breaks, text},
#define QN_LLVM(name, list, needs, gives, breaks, text)                                            \
    {"MODULE", #name, list, "ALWAYS", #needs, #gives, #breaks, text},
#include "compiler/passes.def"
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static const char *when_text(const char *name)
{
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++)
        if (strcmp(whens[i].name, name) == 0)
            return whens[i].text;
    return "";
}

/* "A | B" as "A, B"; 0 as nothing. */
static void print_facts(const char *expression)
{
    putchar(' ');
    for (const char *p = strcmp(expression, "0") ? expression : ""; *p; p++) {
        if (strncmp(p, " | ", 3) == 0) {
            fputs(", ", stdout);
            p += 2;
        } else {
            putchar(*p);
        }
    }
    fputs(" |", stdout);
}

static void print_level(const char *level, const char *title)
{
    printf("\n## %s\n\n| pass | what it does | when | needs | gives | breaks |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
           title);
    for (int i = 0; i < N_PASSES; i++) {
        const struct pass *const p = &passes[i];
        if (strcmp(p->level, level) != 0)
            continue;
        printf("| `%s` | %s (`%s`) | %s |", p->name, p->text, p->does,
               strcmp(p->when, "ALWAYS") ? when_text(p->when) : "");
        print_facts(p->needs);
        print_facts(p->gives);
        print_facts(p->breaks);
        putchar('\n');
    }
}

int main(void)
{
    printf(
        "# Passes of the translator\n\n"
        "Printed from `compiler/passes.def` by `make docs`; do not edit.\n\n"
        "Between clang, which makes LLVM IR of the source, and the printers, which make OpenCL C "
        "of statements, these passes run\nfrom top to bottom (`compiler/pipeline.c`). A pass needs "
        "facts that earlier ones gave and later ones did not break;\nbuilds with assertions check "
        "that. `quern translate FILE --dump-after PASS` prints what a pass left: LLVM IR, a\n"
        "kernel's values, or its statements.\n\n"
        "| fact | what holds |\n| --- | --- |\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        printf("| %s | %s |\n", facts[i].name, facts[i].text);
    print_level("MODULE", "The module, as LLVM IR");
    print_level("KERNEL", "Each kernel, as blocks and values");
    print_level("TREE", "Each kernel, as statements");
    return 0;
}
